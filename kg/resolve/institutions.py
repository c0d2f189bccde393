"""The institution line: its parts as printed, and which known organisations they name.

The line is machine-made: it is kept as stated by the page, its repairs are marked, and a part that nothing
known fits stays unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from kg.authority import Authority, match_key
from kg.model import Authorship, Entry, Field, Mention, MentionQuality, PersonKey, Resolution
from kg.names import decode_latex, nfc, person_key
from kg.resolve.bodies import BODY, UNIT, UNIT_WORD
from kg.resolve.found import Found, Match
from kg.resolve.matching import match
from kg.resolve.places import POSTAL_CODE, country_of, is_country

#: the site's button "report a correction"
BUTTON = re.compile(r"\s*纠错\s*$")
_SEPARATOR = re.compile(r"\s*；\s*|\s+;\s+|;\s+(?=[A-Z\[\d])|\s*\|\s*")
_CJK = re.compile(r"[\u3400-\u9fff]")
_MARK = re.compile(
    r"^\s*(?:\[(\d{1,2}|[*†‡§])\]|[(（](\d{1,2})[)）]|(\d{1,2})(?:[.:、]\s*|\s+(?=[^\d\W]))|([*†‡§]))\s*"
)
_NOBODY = re.compile(
    r"^(an? )?(independent|freelance|unaffiliated|no affiliation|self[- ]employed|individual|none|n/?a|unknown|"
    r"not specified|独立研究|独立研究者|无|未知)\b( (researcher|scholar|scientist|contributor|author|consultant|engineer)s?)?",
    re.IGNORECASE,
)
_PLURAL_UNIT = re.compile(
    r"\b(departments|schools|faculties|colleges|institutes|divisions) of\b(?!.*(\band\b|&|,.*,))", re.IGNORECASE
)


def resolve_institutions(
    entry: Entry, authorships: tuple[Authorship, ...], authority: Authority
) -> tuple[tuple[Mention, ...], dict[str, tuple[int, ...]]]:
    """The mentions of an entry, and the positions of those that carry a footnote mark (mark → positions)."""
    mentions: list[Mention] = []
    marks: dict[str, tuple[int, ...]] = {}
    authors = {a.key for a in authorships}
    for field in entry.all("institutions"):
        own: list[Mention] = []
        for mark, part in parts(field.text):
            position = len(mentions) + len(own) + 1
            own.append(_mention(position, part, field, authors, authority))
            if mark:
                marks[mark] = (*marks.get(mark, ()), position)
        mentions.extend(_rejoin(own))
    return tuple(mentions), marks


def parts(text: str) -> Iterable[tuple[str | None, str]]:
    """The parts of an institution line with their footnote marks; the site's button is no part.

    >>> list(parts("EPFL（瑞士） ； MIT 纠错")), list(parts("[1] MIT, USA [2] ETH Zurich"))
    ([(None, 'EPFL（瑞士）'), (None, 'MIT')], [('1', 'MIT, USA'), ('2', 'ETH Zurich')])
    """
    for part in _SEPARATOR.split(BUTTON.sub("", text)):
        for piece in _footnoted(part.strip()):
            marked = _MARK.match(piece)
            mark = next((g for g in marked.groups() if g), None) if marked else None
            bare = piece[marked.end() :].strip() if marked else piece
            if nfc(bare).strip(" ,，.。"):
                yield mark, nfc(bare).strip(" ,，")


def _footnoted(part: str) -> list[str]:
    """Split at footnote numbers that count up ("[1] … [2] …", "1 … 2 …"), never at a number inside a name."""
    for pattern in (r"\[(\d{1,2})\]", r"(?:^|(?<=[\s,，]))(\d{1,2})(?=[.、]?\s*[^\W\d])"):
        starts = list(re.finditer(pattern, part))
        wanted = [m for i, m in enumerate(starts) if int(m[1]) == i + int(starts[0][1])]
        if len(wanted) > 1 and wanted[0].start() == 0 and int(wanted[0][1]) <= 2:
            cuts = [m.start() for m in wanted] + [len(part)]
            return [part[a:b].strip(" ,，") for a, b in pairwise(cuts)]
    return [part]


def split_label(part: str) -> tuple[str, str | None]:
    """The English and the Chinese of a part: the label is the outermost bracket at the end that holds Chinese.

    >>> split_label("CUHK, Shenzhen（香港中文大学（深圳））"), split_label("Peking University（北京大学）")
    (('CUHK, Shenzhen', '香港中文大学（深圳）'), ('Peking University', '北京大学'))
    """
    if part.endswith(("）", ")")):
        depth = 0
        for i in range(len(part) - 1, -1, -1):
            depth += (part[i] in "）)") - (part[i] in "（(")
            if depth == 0:
                label = part[i + 1 : -1].strip()
                english = part[:i].strip()
                if english and _CJK.search(label) and not _CJK.search(english):
                    return english, label
                if english and _CJK.search(english) and not _CJK.search(label) and re.search(r"[A-Za-z]", label):
                    return label, english  # 北京大学（Peking University）
                break
    return part, None


def _mention(position: int, part: str, field: Field, authors: set[PersonKey], authority: Authority) -> Mention:
    raw, label = split_label(part)
    english = decode_latex(raw)
    base = Mention(position, raw, label, "complete", field)
    if _NOBODY.match(english):
        return _placed(replace(base, quality="notAnOrganisation"), english.split(",")[1:])
    if _CJK.search(english) and not re.search(r"[A-Za-z]{3,}", english):  # a listing in Chinese only
        return replace(base, raw_zh=label or english, resolutions=_by_label(english, authority))
    if _are_people(english, authors):
        return replace(base, quality="personNames")
    matched = match(english, authority, label)
    quality: MentionQuality = "complete"
    resolutions, candidates = matched.resolutions, matched.candidates
    if label and (not resolutions or any(r.method == "embedded" for r in resolutions)):
        repaired = _repair(matched, label, authority)
        if repaired:
            found, cut = repaired
            matched = replace(matched, found=(found,))
            resolutions, candidates = matched.resolutions, ()
            quality = "truncated" if cut else "complete"
    if _PLURAL_UNIT.search(english):
        quality = "truncated"
    unit, place = _around(matched)
    read = replace(base, quality=quality, resolutions=resolutions, candidates=candidates, unit=unit)
    return _placed(read, place)


def _by_label(text: str, authority: Authority) -> tuple[Resolution, ...]:
    found = authority.find_chinese(text)
    if not found or len(found[1]) != 1:
        return ()
    return (Resolution(found[1][0], "exact" if found[0] == text else "embedded", 1.0 if found[0] == text else 0.9),)


def _are_people(text: str, authors: set[PersonKey]) -> bool:
    """Whether a part is (mostly) the names of the paper's own authors."""
    names = [person_key(n) for n in re.split(r"\s*[,，、]\s*|\s+and\s+", text) if n.strip()]
    return bool(names) and 2 * sum(n in authors for n in names) > len(names)


def _repair(matched: Match, label: str, authority: Authority) -> tuple[Found, bool] | None:
    """The organisation of the Chinese label, where the English is a piece of that organisation's name.

    "Shanghai University of Finance" beside 上海财经大学, "Washington" beside 华盛顿大学. The second value says
    whether the English is the cut-off beginning of the name.
    """
    found = authority.find_chinese(label)
    if not found:
        return None
    fitting: dict[str, tuple[Found, bool]] = {}
    for path in found[1]:
        organisation = authority.organisation(path)
        for name in (organisation.name, *organisation.aliases):
            whole = match_key(name).split()
            for i, segment in enumerate(matched.segments):
                words = match_key(segment).split()
                if words and len(words) < len(whole) and _is_run(words, whole):
                    cut = len(words) > 1 and whole[: len(words)] == words
                    fitting.setdefault(path, (Found(i, i, Resolution(path, "label", 0.95)), cut))
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _is_run(words: list[str], whole: list[str]) -> bool:
    return any(whole[i : i + len(words)] == words for i in range(len(whole) - len(words) + 1))


def _around(matched: Match) -> tuple[str | None, list[str]]:
    """The unit and the place segments beside the organisation."""
    resolved = bool(matched.found)
    covered = {i for f in matched.found if f.whole for i in range(f.first, f.last + 1)}
    if len({f.resolution.organisation for f in matched.found}) < len(matched.found):
        # "Huawei Noah's Ark Lab, Huawei Technologies": the same organisation twice, once by its laboratory
        covered = {i for i in covered if not UNIT_WORD.search(matched.segments[i])} or covered
    inside = {f.first for f in matched.found if not f.whole}
    segments = matched.segments
    last_body = max([*covered, *inside], default=-1)
    place_from = len(segments)
    while place_from > last_body + 1:
        segment = segments[place_from - 1]
        country = country_of(segment) or POSTAL_CODE.fullmatch(segment)
        looks_local = (
            re.fullmatch(r"[\w'’.\- ]{2,40}", segment) and not UNIT_WORD.search(segment) and not BODY.search(segment)
        )
        if country or (looks_local and segment[:1].isupper() and (place_from < len(segments) or resolved)):
            place_from -= 1
        else:
            break
    if not resolved and place_from == 0:
        place_from = 1  # the one thing that is named is not its own place
    units = [s for i, s in enumerate(segments[:place_from]) if i not in covered]
    if not resolved:
        units = [s for s in units if UNIT.match(s)]
    unit = ", ".join(units)
    return (unit or None), list(segments[place_from:])


def _placed(mention: Mention, segments: list[str]) -> Mention:
    """The mention with its place and postal code, from the segments that hold them."""
    codes = [m[0] for s in segments if not is_country(s) and (m := POSTAL_CODE.search(s))]
    place = ", ".join(p for s in segments if (p := POSTAL_CODE.sub("", s).strip(" ,")))
    return replace(mention, place=place or None, postal_code=codes[-1] if codes else None)


def _rejoin(mentions: list[Mention]) -> list[Mention]:
    """Join a part that is only a unit with its right neighbour that has the organisation.

    The page cuts "Department of Computer Science and Engineering, SJTU" at "and". The left half must be a unit
    without any organisation; a neighbour that is a whole of its own keeps its quality.
    """
    done = list(mentions)
    for i in range(len(done) - 2, -1, -1):
        left, right = done[i], done[i + 1]
        text = decode_latex(left.raw)
        if left.resolutions or left.quality != "complete" or not UNIT.match(text):
            continue
        if not right.resolutions or re.search(
            r"\buniversit|\binc\b|\bltd\b|\bcollege of\b.*\buniv", text, re.IGNORECASE
        ):
            continue
        resolutions = tuple(Resolution(r.organisation, "rejoined", min(r.score, 0.9)) for r in right.resolutions)
        done[i] = replace(
            left, quality="splitAtAnd", resolutions=resolutions, joined_with=right.position, candidates=(),
            unit=left.unit or left.raw,
        )  # fmt: skip
        if _is_fragment(right):
            rejoined = tuple(Resolution(r.organisation, "rejoined", r.score) for r in right.resolutions)
            done[i + 1] = replace(right, quality="splitAtAnd", joined_with=left.position, resolutions=rejoined)
    return done


def _is_fragment(mention: Mention) -> bool:
    """Whether a part begins in the middle: "Engineering, Shanghai Jiao Tong University"."""
    first = decode_latex(mention.raw).split(",")[0]
    return "," in mention.raw and bool(mention.unit) and not re.search(r"\bof\b", first) and not UNIT_WORD.search(first)
