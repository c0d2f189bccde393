"""Where an entry begins: the title, translated title and author line of a run of lines without labels.

A run is read from its end, because what follows an entry's head (its labelled fields) is certain and what
precedes it (the last words of the entry before, a heading) is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.formats._lines import Unit, chinese

_SEPARATOR = re.compile(r"\s*[,，、;；]\s*(?:(?:and|&)\s+)?|\s+(?:and|&)\s+|\s+·\s+")
_OTHERS = re.compile(r"(?:\s+|^)(?:et\.? al\.?|等\s*\d*\s*(?:位|人|名)?\s*(?:作者)?|\.\.\.|…)\s*$", re.IGNORECASE)
_MARKS = re.compile(
    r"(?:\s*(?:\[[\d,\s*†‡§]+\]|[(（]\d{1,2}[)）]|\^?\{?\d{1,2}(?:\s*,\s*\d{1,2})*\}?|[*†‡§¶✉⋆]|[¹²³⁰⁴-⁹]|\[email\]))+\s*$"
)
_PARTICLES = frozenset(
    "de da di do du dos das del della der den des van von la le el al bin ibn ben ter ten te y e zu af av".split()  # noqa: SIM905
)
#: The hundred most frequent Chinese surnames: a lone name of two to four characters is told from a heading by them.
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董"
    "袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦"
    "白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_HAN_NAME = re.compile(r"[\u3400-\u9fff]{2,4}|[\u3400-\u9fff]{1,6}[·•・][\u3400-\u9fff·•・]{1,12}")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[.'’`‐‑-])*", re.UNICODE)
#: What groups entries rather than naming one: an acronym, with or without a year.
_GROUP = re.compile(r"[A-Z][A-Z&+-]{1,9}(?:[ -]?(?:19|20)\d\d)?")


def is_name(part: str) -> bool:
    """Could this be one person's name?

    >>> [is_name(n) for n in ("Vincent Y. F. Tan", "钱彦旻", "De Vleeschouwer", "a survey")]
    [True, True, True, False]
    """
    bare = re.sub(r"\([^()]{1,24}\)|（[^（）]{1,24}）|\"[^\"]{1,20}\"", " ", _MARKS.sub("", part)).strip(" *")
    if _HAN_NAME.fullmatch(bare):
        return True
    if len(re.findall(r"[\u3400-\u9fff]", bare)) > 6:  # a phrase, whatever commas stand around it
        return False
    words = bare.split()
    if not 1 <= len(words) <= 7 or not all(_WORD.fullmatch(w) for w in words):
        return False
    strong = [w for w in words if w[0].isupper() or not w[0].islower()]
    return bool(strong) and all(w in strong or w.lower() in _PARTICLES or "'" in w or "’" in w for w in words)


def is_author_line(text: str) -> bool:
    """Could this line be a list of authors? Of several names one in five may be odd."""
    if re.search(r"[?!:：。？！]|https?://", text):
        return False
    parts = [p for p in _SEPARATOR.split(_join_marks(_OTHERS.sub("", text)).strip(" ,，、;；.")) if p]
    if not parts:
        return False
    if len(parts) == 1:
        one = parts[0]
        return is_name(one) and (2 <= len(one.split()) <= 6 or (len(one) <= 4 and one[0] in _SURNAMES))
    return sum(map(is_name, parts)) >= 0.8 * len(parts) and all(len(p.split()) <= 8 for p in parts)


def _join_marks(text: str) -> str:
    """Without the commas between footnote marks, which separate no names."""
    return re.sub(r"(?<=[\d*†‡§])\s*,\s*(?=[\d*†‡§])", " ", text)


@dataclass(frozen=True)
class Head:
    """The beginning of an entry: where it stands in the run, which unit is what."""

    start: int
    end: int
    title: int | None
    title_zh: int | None
    authors: tuple[int, ...]


def heads(run: Sequence[Unit], *, fields_follow: bool, first: bool) -> list[Head]:
    """The heads in a run of text units, in order; what lies between them belongs to none.

    Args:
        run: consecutive units of the kind ``text``.
        fields_follow: do labelled fields of an entry come right after the run?
        first: is this the first text of the document, so that a group's name may precede the first title?
    """
    found: list[Head] = []
    end = len(run)
    while end > 0:
        head = _head_ending_at(run, end, fields_follow=fields_follow and end == len(run), first=first)
        if head is None:
            end -= 1
            continue
        found.append(head)
        end = head.start
    return found[::-1]


def _head_ending_at(run: Sequence[Unit], end: int, *, fields_follow: bool, first: bool) -> Head | None:
    authors = end
    while authors > 0 and is_author_line(run[authors - 1].text) and (authors == end or _goes_on(run[authors - 1])):
        authors -= 1
        if run[authors].marked:
            break
    people = tuple(range(authors, end))
    if people and run[people[0]].marked:  # numbered or linked: a title that reads like a list of names
        people = ()
        authors = end if fields_follow else 0
    if not people and not fields_follow:
        return None
    rest = authors
    zh = rest - 1 if rest > 0 and chinese(run[rest - 1].text) and not run[rest - 1].marked else None
    at = rest - 1 if zh is None else zh - 1
    title = at if at >= 0 and not _groups(run, at, first=first) else None
    if title is not None and chinese(run[title].text) and zh is not None:
        title = None  # two Chinese lines: the upper one belongs to something else
    if title is not None and chinese(run[title].text) and zh is None:
        title, zh = None, title
    if title is None and zh is None:
        return None
    if not people and not fields_follow:
        return None
    start = min(n for n in (title, zh) if n is not None)
    return Head(start, end, title, zh, people)


def _goes_on(unit: Unit) -> bool:
    return unit.text.rstrip().endswith((",", "，", "、", " and", " &"))


def _groups(run: Sequence[Unit], at: int, *, first: bool) -> bool:
    """Is this the name of a group of entries, at the top of the page, rather than a title?"""
    return first and at == 0 and not run[at].marked and bool(_GROUP.fullmatch(run[at].text))
