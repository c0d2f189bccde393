"""One affiliation string → known organisations, by the order of evidence, or nothing.

1. the whole of a comma segment (or of neighbours joined: "University of California, Berkeley") is a name;
2. it is an alias; 3. a name stands inside a longer segment beside unit words ("Department of … Stanford
University"); 4. a single spelling difference (fuzzy), where one candidate stands clear of the next.

Homonyms are decided by country and city of the string, never by guess: without evidence they are candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from kg.authority import Authority, Hit, Organisation, match_key
from kg.model import Resolution
from kg.resolve.bodies import AMBIGUOUS, BODY, CONTINUES, CONTINUES_BEFORE, GENERIC, UNITS
from kg.resolve.found import Found, Match, fits
from kg.resolve.fuzzy import fuzzy
from kg.resolve.places import countries_in, country_of

LONGEST_NAME = 14


#: a town in brackets after a university's name: its campus or its namesake there, which may be a body of its own
_CAMPUS = re.compile(
    r"Guangzhou|Shenzhen|Ningbo|Suzhou|Shanghai|Beijing|Wuhan|Weihai|Zhuhai|Qinhuangdao|Hong Kong|Macau|Macao|Malaysia|"
    r"Kuala Lumpur|Dubai|Abu Dhabi|Qatar|Doha|Singapore",
    re.IGNORECASE,
)
_PAREN = re.compile(r"^(.*?)\s*[(（]([^()（）]+)[)）]\s*$")


def segments_of(text: str) -> tuple[str, ...]:
    """The comma segments of an affiliation; commas in brackets do not separate.

    >>> segments_of("Robotics Institute (RI, CMU), Pittsburgh, USA")
    ('Robotics Institute (RI, CMU)', 'Pittsburgh', 'USA')
    """
    parts = re.split(
        r"[,，;](?![^(（]*[)）])|\s[-–—|]\s(?=[A-Z])|\s/\s|\.\s(?=[A-Z][a-z]{3,})(?<!St\.\s)|\s\d{1,2}\s(?=Dep|Div|Sch|Fac|Inst|Cent|Lab|Coll|Grad|Univ)",
        text,
    )
    return tuple(p.strip(" .,;") for p in parts if p and p.strip(" .,;"))


def match(text: str, authority: Authority, label: str | None = None) -> Match:
    """The organisations that an affiliation string names.

    Args:
        text: one part of an institution line, LaTeX decoded.
        authority: what is known.
        label: the Chinese name printed beside it, as evidence between homonyms.
    """
    several = [p for p in re.split(r";\s+|\s+；\s*", text) if p.strip()]
    if len(several) > 1:  # several addresses in one string: each for itself
        return _united([match(p, authority, label) for p in several])
    segments = segments_of(text)
    places = countries_in(text)
    folded = match_key(text)
    spans: dict[str, list[tuple[int, int]]] = {}
    for first in range(len(segments)):
        for last in range(first, min(first + 3, len(segments))):
            if first < last and match_key(segments[first]) in ("university", "institute", "college"):
                continue  # "Florida Int. Univ., Miami" is not of Miami
            joined = ", ".join(segments[first : last + 1])
            for variant in _variants(joined, bracket=first == last):
                spans.setdefault(match_key(variant), []).append((first, last))
    hits = authority.find(k for k in spans if k not in AMBIGUOUS)
    if places - {"US"}:  # "Novi Sad University" is the University of Novi Sad, but Miami University is in Ohio
        turned = {t: k for k in spans if k not in hits and (t := _turned(k))}
        for key, bearers in authority.find(turned).items():
            spans[key] = spans[turned[key]]
            hits[key] = tuple(replace(h, kind="alias") for h in bearers if h.kind != "acronym")
    found: list[Found] = []
    candidates: list[str] = []
    taken: set[int] = set()
    # the longest first; of the same segments first what is a name, then what says more: nothing is left to chance
    order = sorted(
        ((s, k) for k in hits for s in spans[k]),
        key=lambda x: (x[0][0] - x[0][1], x[0][0], all(h.kind != "name" for h in hits[x[1]]), -len(x[1]), x[1]),
    )
    for (first, last), key in order:
        covered = set(range(first, last + 1))
        if covered & taken:
            continue
        if first < last and _ends_in_university(spans, hits, last, authority):
            continue  # "Xiangya Hospital, Central South University" is of the university
        if first == last and len(segments) > 1 and _is_place(segments, first, hits[key], authority):
            continue
        decided, open_ = _decide(hits[key], authority, places, folded, key, label, alone=len(segments) == 1)
        if decided:
            taken |= covered
            method = "exact" if any(h.path == decided and h.kind == "name" for h in hits[key]) else "alias"
            found.append(Found(first, last, Resolution(decided, method)))
        else:
            candidates.extend(open_)
            if len(open_) > 1:
                taken |= covered
    for i, segment in enumerate(segments):
        if i not in taken:
            inside, undecided = _embedded(segment, authority, places, folded, label)
            found.extend(Found(i, i, Resolution(path, "embedded", score), whole=False) for path, score in inside)
            candidates.extend(undecided)
    found = _principal(sorted(found, key=_place), authority)
    if not found:
        found, rivals = fuzzy(segments, authority, places)
        candidates.extend(rivals)
    kept = {f.resolution.organisation for f in found}
    rest = tuple(dict.fromkeys(c for c in candidates if c not in kept))
    return Match(segments, tuple(found), () if found else rest[:8])


def _turned(key: str) -> str | None:
    """ "x university" as "university x" and the other way round.

    >>> _turned("novi sad university"), _turned("university bergen"), _turned("university")
    ('university novi sad', 'bergen university', None)
    """
    words = key.split()
    if len(words) < 2 or words.count("university") != 1 or len(words) > 4:
        return None
    if words[-1] == "university":
        return " ".join(["university", *words[:-1]])
    return " ".join([*words[1:], "university"]) if words[0] == "university" else None


def _united(matches: list[Match]) -> Match:
    segments: list[str] = []
    found: list[Found] = []
    for m in matches:
        found.extend(replace(f, first=f.first + len(segments), last=f.last + len(segments)) for f in m.found)
        segments.extend(m.segments)
    candidates = () if found else tuple(c for m in matches for c in m.candidates)
    return Match(tuple(segments), tuple(found), candidates)


def _variants(segment: str, *, bracket: bool) -> Iterable[str]:
    """A segment, and without or only its bracket, its footnote number, what it is joined with by "and" or a slash."""
    yield segment
    bracketed = _PAREN.match(segment)
    if bracketed and bracketed[1]:
        if not _CAMPUS.fullmatch(bracketed[2]):  # "… University of Science and Technology (Guangzhou)" is another one
            yield bracketed[1]
        if bracket and "," not in bracketed[2]:
            yield bracketed[2]
    if bracket:
        bare = re.sub(r"^\d{1,2}\s+(?=[A-Z])|\s+\d{1,2}$", "", segment)
        if bare != segment:
            yield bare
        halves = re.split(r"\s+(?:and|&)\s+(?:the\s+)?|\s*/\s*", segment)
        if len(halves) == 2 and all(BODY.search(h) or h.isupper() for h in halves):
            yield from halves


def _ends_in_university(
    spans: dict[str, list[tuple[int, int]]], hits: dict[str, tuple[Hit, ...]], last: int, authority: Authority
) -> bool:
    """Whether a segment is by itself the name of a university."""
    return any(
        (last, last) in spans[key] and h.kind == "name" and _is_university(authority.organisation(h.path))
        for key, bearers in hits.items()
        for h in bearers
    )


def _is_place(segments: tuple[str, ...], i: int, hits: tuple[Hit, ...], authority: Authority) -> bool:
    """Whether a later segment is rather a place: a country, a state, or a word that is no curated short name."""
    segment = segments[i]
    if i > 0 and country_of(segment):
        return True
    if i == 0 and country_of(segments[1]) and " " not in segment and not segment.isupper():
        # "Princeton, NJ, USA" is the town
        return all(h.kind != "name" and _is_university(authority.organisation(h.path)) for h in hits)
    if i > 0 and i < len(segments) - 1 and " " not in segment and not segment.isupper():
        return all(h.kind != "name" for h in hits)  # "…, Princeton, NJ, USA": the town
    return i > 0 and all(h.kind == "acronym" for h in hits) and not segment.isupper()


def _decide(
    hits: tuple[Hit, ...],
    authority: Authority,
    places: frozenset[str],
    folded: str,
    key: str,
    label: str | None,
    *,
    alone: bool,
) -> tuple[str | None, tuple[str, ...]]:
    """The one organisation of a name that fits the evidence, else none and the candidates."""
    bearers = [(h, o) for h in hits if (o := authority.get(h.path))]
    if places:
        fitting = [(h, o) for h, o in bearers if fits(o, places)]
        if not fitting:
            return None, tuple(h.path for h, _ in bearers)
        bearers = fitting
    city = [(h, o) for h, o in bearers if o.city and f" {match_key(o.city)} " in f" {folded.replace(key, ' ', 1)} "]
    if city:
        bearers = city
    elif len(bearers) > 1 and label:
        chinese = [(h, o) for h, o in bearers if any(n and n in label for n in (o.name_zh, *o.aliases_zh))]
        bearers = chinese or bearers
    if not city:
        # "Institute of Physics" is somewhere's; without its place it is a unit of whatever else is named
        special = [(h, o) for h, o in bearers if not _is_generic(key, h, len(bearers)) or authority.is_curated(o.path)]
        if not special:
            return None, tuple(h.path for h, _ in bearers)
        bearers = special
    short = [(h, o) for h, o in bearers if h.kind != "acronym"]
    if not short and not city:  # an unchecked short form needs the city beside it
        return None, tuple(h.path for h, _ in bearers)
    bearers = short or bearers
    for kind in ("name", "alias"):
        of_kind = [(h, o) for h, o in bearers if h.kind == kind]
        if of_kind:
            rivals = [(h, o) for h, o in bearers if h.kind != kind]
            if len(of_kind) == 1 and (not rivals or kind == "name"):
                return of_kind[0][0].path, ()
            break
    if len(bearers) == 1:
        return bearers[0][0].path, ()
    return None, tuple(h.path for h, _ in bearers)


def _is_generic(key: str, hit: Hit, bearers: int) -> bool:
    """Whether a name says a kind of body and a subject and so may belong to many: "department biology"."""
    return bool(GENERIC.match(key)) or (len(key.split()) < 2 and (bearers > 1 or hit.kind != "name"))


def _embedded(
    segment: str, authority: Authority, places: frozenset[str], folded: str, label: str | None
) -> tuple[list[tuple[str, float]], list[str]]:
    """Names inside a segment: the longest first, at least two words or one curated word in capitals."""
    words = match_key(re.sub(r"[()（）/]", " ", segment)).split()
    if len(words) < 2 or len(words) > 40:
        return [], []
    grams: dict[str, tuple[int, int]] = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_NAME, len(words)) + 1):
            gram = " ".join(words[start:end])
            if gram not in AMBIGUOUS and (end - start > 1 or len(gram) > 3):
                grams.setdefault(gram, (start, end))
    hits = authority.find(grams)
    inside: list[tuple[str, float]] = []
    open_: list[str] = []
    taken: set[int] = set()
    for key in sorted(hits, key=lambda k: (grams[k][0] - grams[k][1], grams[k][0], k)):
        start, end = grams[key]
        if taken & set(range(start, end)):
            continue
        if end - start == 1 and not _stands_as_name(key, segment):
            continue
        curated = any(authority.is_curated(h.path) for h in hits[key])
        if end - start > 1 and not _embeds(words, start, end, segment, curated=curated):
            continue
        if _continues(words, start, end):
            taken |= set(range(start, end))
            continue
        decided, rivals = _decide(hits[key], authority, places, folded, key, label, alone=False)
        taken |= set(range(start, end))
        if decided:
            inside.append((decided, round(0.9 + 0.1 * (end - start) / len(words), 3)))
        else:
            open_.extend(rivals)
    return inside, open_


def _embeds(words: list[str], start: int, end: int, segment: str, *, curated: bool) -> bool:
    """Whether a name may be taken out of its segment: only unit words stand around it.

    "Department of Physics Stanford University" and "Stanford University School of Medicine", but not "Hefei Tsinghua
    University Institute"; an uncurated name must be a university's.
    """
    name, before = words[start:end], words[:start]
    if {"hospital", "klinikum", "affiliated", "hospitals"}.intersection(before):
        return False
    university = any(w.startswith(("universi", "politec", "hochschule")) for w in name)
    if not (university or curated):
        return False
    if before and name[0].startswith("universi"):
        # "Department of Physics University of Oslo", but neither "Florida International University Miami" nor "Xian
        # University of Finance"
        if not (UNITS.intersection(before) and _UNIVERSITY_OF.search(segment)):
            return False
    elif before and not (curated and UNITS.intersection(before)):
        return False
    return end == len(words) or words[end] in UNITS


_UNIVERSITY_OF = re.compile(
    r"\buniversi\w+\s+(?:of|at|de|di|da|do|del|della|degli|dos|das|du|des|zu|für|in)\b|\buniversi\w+ d['’]",
    re.IGNORECASE,
)


def _continues(words: list[str], start: int, end: int) -> bool:
    """Whether the words beside a name make it another body: "Seoul National University *Hospital*", "*Eastern* …"."""
    after = words[end] if end < len(words) else ""
    before = words[start - 1] if start else ""
    return (after in CONTINUES - {"school", "college", "campus"}) or before in CONTINUES_BEFORE


def _stands_as_name(key: str, segment: str) -> bool:
    """A one-word name counts inside a segment only as printed in capitals ("LAAS-CNRS"), not in a unit's number."""
    if re.search(r"\b(?:UMR|UPR|UMS|FRE|ERL|URA|U)[- ]?S?\s*\d|\bUMR\b", segment):
        return False
    return any(w.casefold() == key for w in re.findall(r"\b[A-Z][A-Z0-9&-]{3,}\b", segment))


def _principal(found: list[Found], authority: Authority) -> list[Found]:
    """The organisations of the organisation level, of all that a string names.

    A body goes where one that it is a part of stands beside it (a joint laboratory, of several, stays); where a
    university is named, bodies that nobody curated (its hospitals, centres, colleges) are units of it; among
    several uncurated the last is the widest, as in an address.
    """
    chains = {f.resolution.organisation: authority.with_ancestors(f.resolution.organisation)[1:] for f in found}
    kept = [f for f in found if len(c := chains[f.resolution.organisation]) != 1 or c[0].path not in chains]
    curated = [f for f in kept if authority.is_curated(f.resolution.organisation)]
    others = [f for f in kept if f not in curated]
    if len(kept) < 2 or not others:
        return kept
    universities = [f for f in others if _is_university(authority.organisation(f.resolution.organisation))]
    if any(_is_university(authority.organisation(f.resolution.organisation)) for f in curated):
        return curated
    return sorted([*curated, *(universities or others)[-1:]], key=_place)


def _place(found: Found) -> tuple[int, int, str]:
    return found.first, found.last, found.resolution.organisation


def _is_university(organisation: Organisation) -> bool:
    return organisation.sector == "education" and bool(
        re.search(r"universi|polytech|hochschule|institute of tech", organisation.name, re.IGNORECASE)
    )
