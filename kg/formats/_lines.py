"""A printed line as units of meaning: labelled values, an identifier line, a heading, a button, or plain text."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Literal

from kg.formats._labels import (
    ARXIV_ID,
    BARE,
    BUTTON,
    CATEGORY,
    DAY,
    HEADING,
    LABELS,
    LONGEST,
    PHRASES,
    SUBMISSION,
    normal,
)
from kg.model import FieldName

Kind = Literal["text", "label", "heading", "button"]

_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|code|details|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong|sub|"
    r"summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?/?>|<!--.*?(?:-->|$)",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"^(?:\s*>)+\s?")
_BULLET = re.compile(r"^\s*(?:[-*+•◦▪]|🔸|🔹)\s+")
_HASHES = re.compile(r"^\s*(#{1,6})\s+(?=\S)")
_NUMBER = re.compile(
    r"^\s*(?:\[\d{1,4}\]|【\d{1,4}】|[（(]\d{1,4}[)）]|\d{1,4}(?:[.)](?=\s)|、)|#\d{1,4}[.:]?)\s*(?=\S)"
)
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((\S*?)(?:\s+\"[^\"]*\")?\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*]+)(?<=[^\s*])\*(?![\w*])")
_PICTOGRAM = re.compile(r"^[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\s]+(?=\S)")
_LABELLED = re.compile(rf"^(?P<label>[^:：]{{1,{LONGEST}}}?)\s*[:：]\s*(?P<value>.*)$")
_UNLABELLED_VALUE = re.compile(
    r"^(?P<label>\S+(?:\s(?:ref|reference|总结|摘要|解读)\b\.?)?)\s*(?P<star>[*＊]\s+)?(?P<value>.*)$", re.IGNORECASE
)
_URL_ONLY = re.compile(r"^(?:<?https?://\S+>?[\s|,]*)+$")
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A line, or a part of one that carries a field of its own."""

    line: int
    raw: str
    kind: Kind
    #: the text without markup; of a labelled unit the value
    text: str
    field: FieldName | None = None
    label: str | None = None
    #: does the line stand out as the title of an entry: numbered, linked, or a heading in markup?
    marked: bool = False
    #: the address that a linked title leads to
    link: str | None = None
    blank_before: bool = True


def units(line: int, raw: str, *, blank_before: bool) -> list[Unit]:
    """The units of a non-blank line, at least one."""
    unmarked, marked, bold, link = unmark(raw)
    if not unmarked or BUTTON.match(unmarked):
        return [Unit(line, raw, "button", unmarked)]
    identifier = _identifier(unmarked)
    if identifier:
        return [Unit(line, raw, "label", text, name, None, blank_before=blank_before) for name, text in identifier]
    found = []
    pieces = unmarked.split(" | ")
    if len(pieces) > 1 and not any(_label(piece, bold=False) for piece in pieces[1:]):
        pieces = [unmarked]
    for piece in pieces:
        labelled = _label(piece.strip(), bold=bold)
        if labelled:
            name, label, value = labelled
            found.append(Unit(line, raw, "label", value, name, label, blank_before=blank_before))
        elif len(pieces) == 1 and not link and (HEADING.match(piece.strip()) or _section(raw, piece.strip())):
            found.append(Unit(line, raw, "heading", piece.strip()))
        else:
            found.append(Unit(line, raw, "text", piece.strip(), None, None, marked, link, blank_before))
    return found


def _section(raw: str, text: str) -> bool:
    """A short line behind a pictogram names a part of the page."""
    return bool(_PICTOGRAM.match(raw.strip())) and len(text) <= 12


def unmark(raw: str) -> tuple[str, bool, bool, str | None]:
    """A line without Markdown and HTML; whether it stood out as a title, began in bold, and where it linked to.

    >>> unmark("### 1. [A **Title**](https://arxiv.org/abs/2604.07361)")
    ('A Title', True, False, 'https://arxiv.org/abs/2604.07361')
    >>> unmark("机构 * EPFL, LTS4 laboratory")[0], unmark("Ann Lee*, Bo Li*")[0], unmark("*Ann Lee*")[0]
    ('机构 * EPFL, LTS4 laboratory', 'Ann Lee*, Bo Li*', 'Ann Lee')
    """
    text = html.unescape(_TAG.sub("", raw)).replace("\u200b", "").replace("\ufeff", "").strip()
    text = _QUOTE.sub("", text)
    text = _BULLET.sub("", text)
    marked = bool(_HASHES.match(text))
    text = _HASHES.sub("", text)
    inner = _STRONG.sub(r"\2", text)
    numbered = _NUMBER.match(inner)
    if numbered and len(inner) > numbered.end():
        marked, text = True, _NUMBER.sub("", text) if _NUMBER.match(text) else _NUMBER.sub("", inner)
    bold = text.startswith(("**", "__"))
    linked = _LINK.search(text)
    link = linked[2] if linked and linked.start() == 0 and linked[2].startswith("http") else None
    text = _LINK.sub(lambda m: m[1] if m[1].strip() and m.start() == 0 else f"{m[1]} {m[2]}".strip(), text)
    text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text))
    text = _PICTOGRAM.sub("", text).strip()
    return text, marked or link is not None, bold, link


def _label(text: str, *, bold: bool) -> tuple[FieldName, str, str] | None:
    """The field that a piece of text is labelled as, its label as printed, its value."""
    found = _LABELLED.match(text)
    if found:
        name = LABELS.get(normal(found["label"]))
        if name:
            return refined(name, found["value"]), found["label"].strip(" *＊"), found["value"].strip()
        if bold and re.fullmatch(r"[\w .()/-]{2,24}", found["label"]):
            return "note", found["label"].strip(), found["value"].strip()
    for pattern, name in PHRASES:
        if phrase := pattern.match(text):
            return name, phrase["label"], phrase["value"].strip()
    bare = _UNLABELLED_VALUE.match(text)
    if bare and normal(bare["label"]) in BARE:
        name = LABELS[normal(bare["label"])]
        return refined(name, bare["value"]), bare["label"], bare["value"].strip()
    if _URL_ONLY.match(text):
        return "url", "", text
    return None


def refined(name: FieldName, value: str) -> FieldName:
    """A field by its label *and* script: a title in Chinese is a translated one, an abstract in Chinese a machine's."""
    if name == "title" and chinese(value):
        return "title-zh"
    if name == "abstract" and chinese(value):
        return "ai-summary"
    if name == "identifier" and "http" in value:
        return "url"
    return name


def chinese(text: str) -> bool:
    """Is the text Chinese, whatever Latin names stand in it?

    >>> chinese("PoLar：动态程序"), chinese("TRACE for tracing 北京")
    (True, False)
    """
    han = len(_HAN.findall(text))
    latin = len(re.findall(r"[A-Za-z]+", text))
    return han > 0 and han >= latin


def _identifier(text: str) -> list[tuple[FieldName, str]]:
    """The fields of a line that holds an arXiv identifier with its date and categories, and nothing else."""
    identifiers, rest = ARXIV_ID.findall(text), ARXIV_ID.sub(" ", text)
    if not identifiers:
        return []
    days, rest = DAY.findall(rest), DAY.sub(" ", rest)
    categories, rest = CATEGORY.findall(rest), CATEGORY.sub(" ", rest)
    if SUBMISSION.sub("", rest).strip():
        return []
    found: list[tuple[FieldName, str]] = [("identifier", i.removesuffix(".pdf")) for i in identifiers]
    found += [("date", day) for day in days]
    if categories:
        found.append(("category", " ".join(c.strip("[]") for c in categories)))
    return found
