"""The author line: one authorship per position, footnote marks apart from names."""

from __future__ import annotations

import re

from kg.decisions import Decisions
from kg.model import Authorship, Diagnostic, Entry, Field, TitleKey
from kg.names import decode_latex, nfc, person_key

_ORCID = re.compile(
    r"\(?\s*(?:ORCID:?\s*)?(?:https?://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\s*\)?", re.IGNORECASE
)
_SEPARATOR = re.compile(r"\s*[,，、;；]\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+|\s*\|\s*")
#: a mark only at the end of a name: "Ann Lee 1,2", "Ann Lee[1]", "Ann Lee*", "Ann Lee¹"
_MARKS = re.compile(
    r"\s*((?:\[[\d,\s*†‡§]+\]|[(（]\d{1,2}[)）]|\^?\{?[\d]{1,2}\}?(?:\s*,\s*\d{1,2})*|[*†‡§¶#✉⋆♯]|[¹²³⁰⁴-⁹]|\s)+)$"
)
_SUFFIX = re.compile(r"^(jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d)\.?$", re.IGNORECASE)
_OTHERS = re.compile(
    r"^(et\.? al\.?|and others|others|等|等人|\.\.\.|…)$|^\.{3}|等\s*\d*\s*(?:位|人|名)", re.IGNORECASE
)
_SUPERSCRIPTS = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")


def resolve_people(
    entry: Entry, paper: TitleKey, decisions: Decisions
) -> tuple[list[tuple[Authorship, tuple[str, ...]]], list[Diagnostic]]:
    """The authorships of an entry, each with its footnote marks, and what to tell of the line."""
    people: list[tuple[Authorship, tuple[str, ...]]] = []
    diagnostics: list[Diagnostic] = []
    for field in entry.all("authors"):
        for name, marks, identifiers in names_of(field.text):
            if _OTHERS.search(name):
                diagnostics.append(_cut(entry, field))
                continue
            key = decisions.author(person_key(name), paper)
            people.append((Authorship(len(people) + 1, name, key, field, (), identifiers), marks))
    return people, diagnostics


def _cut(entry: Entry, field: Field) -> Diagnostic:
    return Diagnostic(
        entry.source.name, field.first_line, field.last_line, "warning", "authors-cut",
        "the author list is cut by the source (et al.): the authors that it does not name are missing", field.raw,
    )  # fmt: skip


def names_of(text: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The names of an author line in order, each with its footnote marks and identifiers.

    >>> [(n, m) for n, m, _ in names_of("Ann Lee[1], Bo Li 1,2, Cy Ng, Jr. and Dee Oh*")]
    [('Ann Lee', ('1',)), ('Bo Li', ('1', '2')), ('Cy Ng, Jr.', ()), ('Dee Oh', ('*',))]
    """
    found: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    text = re.sub(r"\s+(et\.? al\.?)", r", \1", decode_latex(text))
    for piece in _SEPARATOR.split(_protect(text)):
        bare = piece.replace("\x1f", ",")
        identifiers = tuple(f"https://orcid.org/{o.upper()}" for o in _ORCID.findall(bare))
        bare = _ORCID.sub("", bare).strip()
        marked = _MARKS.search(bare)
        marks: tuple[str, ...] = ()
        if marked and marked[1].strip() and marked.start() > 0:
            marks = tuple(re.findall(r"\d+|[*†‡§¶#]", marked[1].translate(_SUPERSCRIPTS)))
            bare = bare[: marked.start()]
        name = nfc(bare.strip(" ,.;") + ("." if re.search(r"\b(?:[A-Z]|Jr|Sr)\.\s*$", bare) else ""))
        if not name:
            continue
        if _SUFFIX.match(name) and found:
            before = found[-1]
            found[-1] = (f"{before[0]}, {name}", before[1] + marks, before[2] + identifiers)
        else:
            found.append((name, marks, identifiers))
    return found


def _protect(text: str) -> str:
    """Commas between footnote numbers do not separate authors: they become a unit separator."""
    text = re.sub(r"\[[^\]]*\]", lambda m: m[0].replace(",", "\x1f"), text)
    return re.sub(r"(?<=[\d*†‡§])\s*,\s*(?=[\d*†‡§])", "\x1f", text)
