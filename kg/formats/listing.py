"""Listings of papers as people copy them from web pages: labelled and positional fields, in any mixture.

An entry begins with a title (in English, Chinese or both) and an author line without labels, or with the first
labelled field that repeats; the labelled fields that follow are its own. Blank lines separate nothing. Headings,
buttons and page numbers are evidence of nothing. What fits none of this is reported, and its neighbours are read.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from kg.formats._heads import heads, is_author_line
from kg.formats._lines import Unit, chinese, units
from kg.model import Diagnostic, Entry, Field, FieldName, Heading, Item, Severity, Source

TITLE = "listing of papers copied from a web page"
#: Longest run of unlabelled lines that is looked at as a whole: beyond it, text is no entry's head.
WINDOW = 64
#: Fields whose value may go on in further lines.
_RUNS_ON: frozenset[str] = frozenset(
    {"ai-summary", "abstract", "comments", "note", "institutions", "authors", "journal-ref"}
)
#: Fields that may stand before the title in a layout with labels only.
_MAY_BEGIN: frozenset[str] = frozenset(
    {"title", "title-zh", "authors", "identifier", "url", "date", "category", "institutions"}
)
#: Fields of which one is needed, where the title stands without a label.
_MAKE_AN_ENTRY: tuple[FieldName, ...] = (
    "authors",
    "title-zh",
    "institutions",
    "ai-summary",
    "abstract",
    "identifier",
    "journal-ref",
)
#: The end of a sentence or of an excerpt: what a title does not end with.
_SENTENCE = re.compile(r"(?:\w{2}[.。]|…|\[…\]|\.\.\.)\s*$")
_TITLE_LIKE = re.compile(r"(?=.{20,250}$)[A-Z0-9\"“].*\s\S+\s.*[^.:;,。：；，]$")
_ORDER: dict[str, int] = {"title": 0, "title-zh": 1}


def matches(head: str) -> bool:
    """Any text may be a listing."""
    return True


@dataclass
class _Draft:
    """An entry being put together: parts of fields, in the order of their lines."""

    fields: list[list[Unit]] = field(default_factory=list)

    def has(self, name: FieldName) -> bool:
        return any(units[0].field == name for units in self.fields)

    @property
    def last(self) -> Unit | None:
        return self.fields[-1][0] if self.fields else None

    @property
    def labelled(self) -> bool:
        """Does the entry have a field beyond its head?"""
        return any(
            units[0].field not in ("title", "title-zh", "authors", "url", "identifier", "date", "category")
            for units in self.fields
        )

    @property
    def sound(self) -> bool:
        """Is it an entry at all? Authors make it one; or a title that is labelled, translated or identified, or
        that has institutions or a summary. A sentence above a "Comments" line or a row of buttons does not."""
        if not self.has("authors") and any(
            units[0].field == "title" and not units[0].label and _SENTENCE.search(units[-1].text)
            for units in self.fields
        ):
            return False
        return (
            any(self.has(name) for name in _MAKE_AN_ENTRY)
            or any(units[0].field == "title" and units[0].label for units in self.fields)
            or any(units[0].field == "url" and "http" in units[0].text for units in self.fields)
        )

    def add(self, unit: Unit, name: FieldName | None = None) -> None:
        self.fields.append([replace(unit, field=name) if name else unit])

    def go_on(self, unit: Unit) -> None:
        self.fields[-1].append(unit)


@dataclass
class _State:
    source: Source
    draft: _Draft | None = None
    entries: int = 0
    with_venue: int = 0
    last: Entry | None = None

    def finish(self) -> Iterator[Item]:
        """The entry that has ended, or why it is none."""
        draft, self.draft = self.draft, None
        if draft is None:
            return
        if not draft.has("title") and not draft.has("title-zh"):
            message = "fields without a title: no paper that they could belong to"
            for parts in draft.fields:
                for unit in parts:
                    yield self.report(unit, "error", "unread-no-title", message)
            return
        if not draft.sound:
            message = "a line with fields of a paper, but neither authors nor anything else that makes it one"
            for parts in draft.fields:
                for unit in parts:
                    yield self.report(unit, "warning", "unread-no-paper", message)
            return
        entry = Entry(self.source, tuple(_field(parts) for parts in draft.fields))
        if not draft.has("authors"):
            message = "an entry without an author line: a paper without authors"
            yield Diagnostic(
                self.source.name,
                entry.first_line,
                entry.last_line,
                "warning",
                "no-authors",
                message,
                entry.fields[0].raw,
            )
        self.entries += 1
        self.with_venue += draft.has("comments") or draft.has("journal-ref")
        self.last = entry
        yield entry

    def report(self, unit: Unit, severity: Severity, code: str, message: str) -> Diagnostic:
        return Diagnostic(self.source.name, unit.line, unit.line, severity, code, message, unit.raw)


def _field(parts: list[Unit]) -> Field:
    first, last = parts[0], parts[-1]
    assert first.field is not None
    text = " ".join(u.text for u in parts if u.text)
    raw = "\n".join(dict.fromkeys(u.raw for u in parts))
    return Field(first.field, text, raw, first.line, last.line, first.label)


def read(lines: Iterable[tuple[int, str]], source: Source) -> Iterator[Item]:
    """The items of a listing, streaming: never more than an entry and a window of lines at a time."""
    state = _State(source)
    stream = _units(lines)
    ahead: deque[Unit] = deque()

    def fill(count: int) -> None:
        while len(ahead) < count and (unit := next(stream, None)) is not None:
            ahead.append(unit)

    first = True
    while True:
        fill(3)
        if not ahead:
            break
        unit = ahead[0]
        if unit.kind in ("heading", "button"):
            yield Heading(source, unit.line, unit.text)
            ahead.popleft()
        elif unit.kind == "label" and not _is_title_after_all(ahead, state.draft):
            ahead.popleft()
            yield from _labelled(unit, state)
        else:
            run: list[Unit] = []
            while len(run) < WINDOW:
                fill(3)
                if not ahead or not (
                    ahead[0].kind == "text" or (ahead[0].kind == "label" and _is_title_after_all(ahead, state.draft))
                ):
                    break
                run.append(replace(ahead.popleft(), kind="text"))
            passed: list[Unit] = []  # headings and buttons that stand between a head and its fields
            fill(1)
            while ahead and ahead[0].kind in ("heading", "button"):
                passed.append(ahead.popleft())
                fill(1)
            follow = bool(ahead) and ahead[0].kind == "label"
            at_end = not ahead
            yield from _run(run, state, follows=ahead[0] if follow else None, at_end=at_end, first=first)
            yield from (Heading(source, u.line, u.text) for u in passed)
            first = False
    yield from state.finish()
    yield from _perhaps_cut(state)


def _units(lines: Iterable[tuple[int, str]]) -> Iterator[Unit]:
    blank = True
    for number, line in lines:
        if not line.strip():
            blank = True
            continue
        yield from units(number, line, blank_before=blank)
        blank = False


def _is_title_after_all(ahead: deque[Unit], draft: _Draft | None) -> bool:
    """Is the labelled unit in front the title of the next entry ("Code: A Survey", "Comments Considered Harmful")?

    It is where a Chinese title and an author line follow, and the entry so far could end here.
    """
    unit = ahead[0]
    if len(ahead) < 3 or unit.kind != "label" or not unit.label or chinese(unit.raw) or unit.field in ("title", "url"):
        return False
    needed = draft is not None and unit.field and not draft.has(unit.field)
    if needed and not (unit.field == "code" and "http" not in unit.text):
        return False  # the entry still lacks this field, so it is that
    zh, people = ahead[1], ahead[2]
    return (
        zh.kind == "text" and chinese(zh.text) and people.kind == "text" and is_author_line(people.text)
        and (draft is None or draft.has("authors"))
    )  # fmt: skip


def _labelled(unit: Unit, state: _State) -> Iterator[Item]:
    name = unit.field
    assert name is not None
    draft = state.draft
    if draft is not None and _begins_another(unit, draft):
        yield from state.finish()
        draft = None
    if draft is None:
        if name not in _MAY_BEGIN:
            yield state.report(unit, "warning", "unread-orphan", f"a {name} field that belongs to no entry")
            return
        draft = state.draft = _Draft()
    draft.add(unit)


def _begins_another(unit: Unit, draft: _Draft) -> bool:
    """Does a labelled field belong to the next entry? It does where this entry already has what it would give."""
    name = unit.field
    if name == "title":
        return draft.has("title") or (draft.has("title-zh") and draft.labelled)
    if name == "title-zh":
        return draft.has("title-zh")
    first = draft.fields[0][0]
    if name == "identifier" and not unit.label:  # the line above the title in some layouts
        return draft.has("identifier") and not (draft.last and draft.last.line == unit.line)
    return (
        bool(first.label)
        and first.field == name
        and len(draft.fields) > 1
        and (draft.has("title") or draft.has("title-zh"))
    )


def _run(run: list[Unit], state: _State, *, follows: Unit | None, at_end: bool, first: bool) -> Iterator[Item]:
    """A run of unlabelled lines: what is left of the entry before, then the heads of the next ones."""
    start = 0
    draft = state.draft
    if (
        draft is not None
        and draft.last is not None
        and draft.last.kind == "label"
        and not draft.last.text
        and len(draft.fields[-1]) == 1
        and not _is_whole_head(run, first=first)
    ):
        draft.go_on(run[0])  # the value of a label that stands alone
        start = 1
    fields_follow = (
        follows is not None
        and (follows.field != "title" or chinese(run[-1].text))
        and not _completes(draft, run[start:], follows)
    )
    found = heads(run[start:], fields_follow=fields_follow, first=first)
    position = start
    for head in found:
        yield from _between(run[position : start + head.start], state)
        position = start + head.end
        before = state.draft
        yield from _next_entry(before, state)
        assert state.draft is not None
        titles: list[tuple[int | None, FieldName]] = [(head.title, "title"), (head.title_zh, "title-zh")]
        for index, name in titles:
            if index is not None:
                unit = run[start + index]
                state.draft.add(unit, name)
                if unit.link:
                    state.draft.add(replace(unit, text=unit.link), "url")
        for n, index in enumerate(head.authors):
            if n == 0:
                state.draft.add(run[start + index], "authors")
            else:
                state.draft.go_on(run[start + index])
    yield from _between(run[position:], state, at_end=at_end)


def _is_whole_head(run: list[Unit], *, first: bool) -> bool:
    """Does a run begin with a title, its translation and authors? Then a label alone above it has lost its value."""
    found = heads(run, fields_follow=True, first=first)
    return bool(found) and found[0].start == 0 and found[0].title_zh is not None and bool(found[0].authors)


def _completes(draft: _Draft | None, run: list[Unit], follows: Unit) -> bool:
    """Is a run the middle of the entry at hand (a summary that runs on), with the label after it that entry's too?"""
    if draft is None or not run or draft.last is None or draft.last.field not in _RUNS_ON:
        return False
    if len(run) > 1 and chinese(run[-1].text) and not chinese(run[-2].text) and _TITLE_LIKE.match(run[-2].text):
        return False  # a title and its translation
    if any(u.marked for u in run) or is_author_line(run[-1].text) or (follows.field and draft.has(follows.field)):
        return False
    return not run[0].blank_before or follows.field in ("authors", "institutions", "title-zh")


def _next_entry(before: _Draft | None, state: _State) -> Iterator[Item]:
    """End the entry at hand, but for an identifier line that stands above the title it belongs to."""
    carried: list[list[Unit]] = []
    if before is not None and all(
        parts[0].field in ("identifier", "date", "category", "url") for parts in before.fields
    ):
        carried, state.draft = before.fields, None
    elif before is not None and not before.sound:  # what is no entry does not keep the next one's identifier
        end = len(before.fields)
        while end and before.fields[end - 1][0].field in ("identifier", "date", "category"):
            end -= 1
        carried, state.draft = before.fields[end:], _Draft(before.fields[:end]) if end else None
    yield from state.finish()
    state.draft = _Draft(carried)


def _between(units_: list[Unit], state: _State, *, at_end: bool = False) -> Iterator[Item]:
    """Lines that begin no entry: more of the last field, a heading, a title that was cut off, or not understood."""
    for n, unit in enumerate(units_):
        draft = state.draft
        last = draft.fields[-1][0] if draft and draft.fields else None
        if draft and last and last.field in _RUNS_ON and not unit.marked and _goes_on(draft.fields[-1][-1], unit):
            draft.go_on(unit)
            continue
        if unit.marked or (len(unit.text) <= 24 and not chinese(unit.text) and " " not in unit.text.strip()):
            yield Heading(state.source, unit.line, unit.text)
            continue
        rest = units_[n:]
        if len(rest) >= 2 and not chinese(unit.text) and chinese(rest[1].text):
            message = "an entry is cut off after its title: it has no authors"
            yield from state.finish()  # the fields that follow are not those of the entry above it
            yield state.report(unit, "error", "unread-cut-entry", message)
            yield state.report(rest[1], "error", "unread-cut-entry", message)
            yield from _between(rest[2:], state, at_end=at_end)
            return
        if at_end and len(rest) == 1 and state.draft is not None and draft and draft.labelled:
            yield state.report(
                unit, "error", "unread-cut-entry", "the listing ends after this line: an entry is cut off"
            )
            continue
        if draft and draft.has("authors") and draft.labelled and unit.blank_before and _TITLE_LIKE.match(unit.text):
            # Perhaps a title whose entry is damaged: the fields that follow are not those of the entry above it.
            yield from state.finish()
        yield state.report(unit, "warning", "unread-text", "not understood: neither a field of an entry nor a heading")


def _goes_on(before: Unit, unit: Unit) -> bool:
    """Does a line go on with the value above it? Right below it, or a paragraph of its own after one."""
    if not unit.blank_before:
        return True
    long = len(unit.text) >= (30 if chinese(unit.text) else 80)
    return before.field in ("ai-summary", "abstract", "note") and long and unit.text.rstrip()[-1:] in ".。!！?？…"


def _perhaps_cut(state: _State) -> Iterator[Item]:
    """Where every entry but the last says something of its venue, the last was perhaps cut."""
    last = state.last
    if (
        last
        and state.entries > 2
        and state.with_venue == state.entries - 1
        and not (last.all("comments") or last.all("journal-ref"))
    ):
        message = "the last entry alone has no comments and no journal reference: the listing may be cut here"
        line = last.last_line
        yield Diagnostic(state.source.name, line, line, "warning", "perhaps-cut", message, last.fields[-1].raw)
