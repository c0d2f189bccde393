"""Comments and journal references → claims about the venue, each with the clause that is its evidence.

A venue needs evidence in the entry: no year is borrowed from elsewhere (only an ordinal gives one, by the
series' own rule), and "submitted to" is no acceptance. By arXiv's custom a bare "ICML 2026" says where the
paper was accepted, and a journal reference where it was published.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kg.authority import Authority
from kg.model import Entry, Field, Status, Track, VenueClaim
from kg.resolve.places import is_country
from kg.resolve.series import Named, Names, compile_names, find, years_in
from kg.resolve.wording import NO_VENUE, presentation_in, standing_status, status_in, track_in
from kg.resolve.workshops import workshop_of

_URL = re.compile(r"(?:https?://|www\.)\S+|\\href\{[^}]*\}|\b[\w-]+\.(?:github\.io|com|org|net|io)\S*", re.IGNORECASE)
_ABBREVIATED = re.compile(
    r"\b(?:proc|int|conf|vol|no|pp|fig|figs|tab|et al|e\.g|i\.e|vs|st|dr|jr|trans|symp|inf|ann|adv|sci|dept|univ|approx|resp|eq|[A-Z])\.$",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(r"[.!?](?=\s|[A-Z\"“(\[]|$)|;|\|+|(?<=\))\s+(?=Code\b)")
_PMLR = re.compile(
    r"\bPMLR[,:]?\s*(?:vol(?:ume|\.)?\s*)?(\d{1,4})\b|\bvol(?:ume|\.)?\s*(\d{1,4})\s+of\s+(?:PMLR|Proceedings of Machine Learning Research)",
    re.IGNORECASE,
)


def resolve_venues(entry: Entry, authority: Authority) -> tuple[VenueClaim, ...]:
    """The claims of an entry about its venue, in the order of its lines."""
    names = compiled(authority)
    claims: list[VenueClaim] = []
    for field in entry.fields:
        if field.name in {"comments", "journal-ref"}:
            claims.extend(claims_of(field, authority, names))
    return tuple(claims)


def compiled(authority: Authority) -> Names:
    """The names of the authority's series, compiled once for it."""
    cached: Names = authority.memo("series-names", lambda: compile_names(authority))
    return cached


def claims_of(field: Field, authority: Authority, names: Names) -> list[VenueClaim]:
    """The claims of one text."""
    text = _URL.sub(lambda m: " " * len(m[0]), field.text)
    claims: list[VenueClaim] = []
    standing: list[tuple[Status, int, int]] = []
    for start, end in clauses(text):
        clause = text[start:end]
        made = list(_of_clause(clause, field, field.text[start:end], authority, names))
        claims.extend(made)
        status = None if made else standing_status(clause) or _unknown_venue(clause)
        if status:
            standing.append((status, start, end))
    if not claims:
        return [VenueClaim(field, _trim(field.text[s:e]), status=status) for status, s, e in standing[:1]]
    for status, _, _ in standing:  # "NeurIPS 2026. Under review.": the bare name is where it is under review
        if status in {"under-review", "submitted", "withdrawn"} and len(claims) == 1 and not status_in(claims[0].text):
            claims[0] = replace(claims[0], status=status)
    return _merged(claims)


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences and clauses of a text are; an abbreviation's full stop ends none."""
    start = 0
    for m in _BOUNDARY.finditer(text):
        if m[0] == "." and _ABBREVIATED.search(text[max(0, m.start() - 8) : m.end()]):
            continue
        if m[0] == "." and re.search(r"\d$", text[: m.start()]) and text[m.end() : m.end() + 1].isdigit():
            continue
        if text[start : m.start()].strip():
            yield start, m.start()
        start = m.end()
    if text[start:].strip():
        yield start, len(text)


#: a clause that is nothing but the name of a conference which nobody knows here: "DRAMSec 2025", "2025 IEEE
#: International Conference on Agentic AI (ICA)", "IFCS-EFTF 2025 conference"
_UNKNOWN = re.compile(
    r"(?:.*?,\s*)?(?:(?:EAI|IEEE|ACM|IFIP|AIAA|SPIE)\s+)?"
    r"(?=(?:[^A-Z]*[A-Z]){2})(?!Copyright)[A-Z][A-Za-z&/-]*[A-Z][\w&/-]*(?:\s*['’]\d{2}|\s?20[0-3]\d)"
    r"(?:\s+(?:conference|workshop|symposium|short communications|posters?|demos?))?(?:\s*\([A-Z]\w+\)|,.*)?"
    r"|(?:.*?,\s*)?(?:(?:the|IEEE|ACM|IEEE/\w+|20[0-3]\d|\d+(?:st|nd|rd|th)|annual)\s+)*International\s+(?:\w+\s+){0,2}"
    r"(?:Conference|Symposium|Congress)\s+(?:on|for|of)\s+[A-Z].{3,160}"
    r"|(?:.*?,\s*)?(?:IEEE|ACM)\s+\d+(?:st|nd|rd|th)\s+(?:\w+\s+){1,4}(?:Conference|Symposium)\b.{0,80}"
    r"|(?:.*?,\s*)?Workshop on [A-Z].{3,100} (?:at|@) [A-Z]{3,}\w* ?20[0-3]\d\W*.*",
    re.IGNORECASE,
)
#: what the first pattern above must have in capitals
_ACRONYM = re.compile(
    r"[A-Z]\w*[A-Z]\w*\s*['’]?\d|[A-Z][\w ]*(?:Conference|Symposium|Congress|Workshop)|[A-Z]{2}.*(?:CONFERENCE|SYMPOSIUM)|\([A-Z]"
)
_DEVICES = re.compile(r"\b(?:GPU|CPU|RTX|GTX|GPT|CUDA|COVID|ISO|CC[- ]BY|IEEE 20|CVE|RGB|USD|EUR)", re.IGNORECASE)


def _unknown_venue(clause: str) -> Status | None:
    """A bare name says where the paper was accepted, by arXiv's custom, if we know the conference or not."""
    text = _trim(clause).strip("() ")
    known = _UNKNOWN.fullmatch(text) and _ACRONYM.search(text) and not _DEVICES.search(text)
    return "accepted" if known else None


def _trim(text: str) -> str:
    return text.strip(" \t,;:-–—|")


def _of_clause(clause: str, field: Field, printed: str, authority: Authority, names: Names) -> Iterator[VenueClaim]:
    named = [n for n in find(clause, names) if not _is_other(n, clause)]
    volume = _PMLR.search(clause)
    proceedings = ("pmlr", volume[1] or volume[2]) if volume else None
    if proceedings and any(n.series.path != "series/pmlr" for n in named):
        named = [n for n in named if n.series.path != "series/pmlr"]
    groups = _grouped(named)
    for i, group in enumerate(groups):
        low = 0 if i == 0 else groups[i - 1][-1].end
        high = len(clause) if i == len(groups) - 1 else groups[i + 1][0].start
        own = clause[low:high]
        claim = _claim(group, clause, own, (low, high), field, _trim(printed), first=i == 0)
        if claim:
            yield replace(claim, proceedings=proceedings) if proceedings and i == 0 else claim


def _is_other(named: Named, clause: str) -> bool:
    """Whether a name is a part of something else: "Findings of the ACL: EMNLP 2025", "ACL Rolling Review"."""
    after, before = clause[named.end :], clause[: named.start]
    if named.series.path == "series/acl" and (
        re.match(r"\s*:\s*(?:EMNLP|NAACL|EACL|AACL|IJCNLP)", after)
        or re.match(r"\s*(?:rolling|ARR|anthology)", after, re.IGNORECASE)
    ):
        return True
    if re.match(r"\s*(?:Rebuttal|reviewers?|template|style|format)\b", after, re.IGNORECASE):
        return True
    return bool(re.search(r"\bfollowing (?:the )?$|\bbenchmarks? (?:from|of) $", before, re.IGNORECASE))


def _grouped(named: list[Named]) -> list[list[Named]]:
    """Names of one series and one year (or of no stated year) that follow each other are one."""
    groups: list[list[Named]] = []
    for n in named:
        last = groups[-1] if groups else None
        if last and last[-1].series == n.series:
            years = {x.year for x in [*last, n] if x.year}
            if len(years) <= 1:
                last.append(n)
                continue
        groups.append([n])
    return groups


def _claim(
    group: list[Named], clause: str, own: str, region: tuple[int, int], field: Field, text: str, *, first: bool
) -> VenueClaim | None:
    series = group[0].series
    journal = series.kind == "journal"
    year = next((n.year for n in group if n.year), None)
    ordinal = next((n.ordinal for n in group if n.ordinal), None)
    rest = _without(clause, group)
    if year is None and not (journal and re.search(r"\bsub+mit", own, re.IGNORECASE)):  # the date of submission
        year = _year_near(clause, group, region)
    status = status_in(own) or (status_in(clause[: group[0].start]) if not first else None)
    if status == "extended-version-of" and not _extends(clause[region[0] : group[0].start], own):
        status = _status_without_extension(own)
    presentation = None if journal else presentation_in(rest)
    track: Track = "journal" if journal else (track_in(_without(own, [], group, region[0])) or "main")
    workshop = None if journal else workshop_of(group, clause, region)
    if workshop:
        track = "workshop"
    if any(n.weak for n in group) and all(n.weak for n in group) and not _weak_stands(group[0], clause, field, year):
        return None
    explicit = status is not None
    if not explicit:
        if field.name == "comments" and (NO_VENUE.search(rest) or (not year and not _alone(rest, track, presentation))):
            return None
        status = "published" if field.name == "journal-ref" else "accepted"
    if (
        field.name == "journal-ref"
        and status == "accepted"
        and not re.search(r"accept|appear|press", own, re.IGNORECASE)
    ):
        status = "published"
    if year is None and ordinal:
        year = series.year_of(ordinal)
    place = _place(clause[group[-1].end : region[1]]) if not journal else None
    return VenueClaim(field, text, series.path, year, ordinal, workshop, track, presentation, status, place)


def _without(text: str, group: list[Named], shifted: list[Named] | None = None, offset: int = 0) -> str:
    """``text`` with the names of the group blanked, so that words of a name ("Workshop on …") say nothing."""
    for n in group or shifted or []:
        a, b = max(0, n.start - offset), max(0, n.end - offset)
        text = text[:a] + " " * (b - a) + text[b:]
    return text


def _extends(before: str, own: str) -> bool:
    """Whether the extended thing is this venue's paper: the words stand before the name, no acceptance between."""
    m = re.search(
        r"(?:extend\w*|expan\w+|extension|journal version|full version|longer? version|version of|builds? (?:up)?on)\b(.*)$",
        before,
        re.IGNORECASE,
    )
    if m:
        return not re.search(
            r"\baccept\w*\b|\bto appear\b|\bsubmitted\b|\bpublished (?:in|at)\b.*\bextend", m[1], re.IGNORECASE
        )
    return bool(
        re.search(r"\b(?:preliminary|conference|short(?:er)?|earlier|previous|workshop) version", own, re.IGNORECASE)
    )


def _status_without_extension(own: str) -> Status | None:
    stripped = re.sub(
        r"\b(?:extended|expanded|extension|extends|longer|full|journal|long) (?:journal )?(?:version )?(?:of|from|to)\b",
        " ",
        own,
        flags=re.IGNORECASE,
    )
    found = status_in(stripped)
    return None if found == "extended-version-of" else found


def _year_near(clause: str, group: list[Named], region: tuple[int, int]) -> int | None:
    """The year that stands in the words around a name: first after it, then before ("the 2025 IEEE/CVF …")."""
    after = list(years_in(clause[group[-1].end : region[1]]))
    if after and after[0][0] < 90:
        return after[0][1]
    before = [y for p, y in years_in(clause[: group[0].start]) if p >= region[0]]
    return before[-1] if before else None


def _alone(rest: str, track: Track, presentation: str | None) -> bool:
    """Whether a name without a year or a verb stands alone enough to be the venue: "ICRA workshop", "CVPR Oral"."""
    words = re.findall(r"[A-Za-z]{3,}", rest)
    return track != "main" or bool(presentation) or len(words) <= 3


#: "Canadian Conference on *Artificial Intelligence*", "Springer *Nature*"
_PART_OF_ANOTHER = re.compile(
    r"\b(?:conference|conf\.?|workshop|symposium|congress|society|journal|school|institute|forum)s?\s+(?:on|for|in)\s+(?:\w+\s+){0,2}$|"
    r"\bspringer[- ]$|(?:\b(?!IEEE|ACM|Journal|Elsevier)[A-Z]\w+\s+)(?:and|&)\s+$",
    re.IGNORECASE,
)


def _weak_stands(named: Named, clause: str, field: Field, year: int | None) -> bool:
    """A weak name counts after a verb of acceptance and its preposition, before "journal", or as the whole text."""
    before, after = clause[: named.start], clause[named.end :]
    if _PART_OF_ANOTHER.search(before):
        return False
    if re.match(r"\s*(?:\(\w[\w-]*\)\s*)?[,(]?\s*journal\b", after, re.IGNORECASE) or re.search(
        r"\bjournal:?\s*(?:of )?$", before, re.IGNORECASE
    ):
        return True
    if not re.match(
        r"\s*(?:$|[,.;:()\[\-]|\d|conference|workshop|main|findings|track|journal|in\b|as\b|vol|special|oral|poster|spotlight|demo|industry|short|long|paper|ACM|submission|['’])",
        after,
        re.IGNORECASE,
    ):
        return False
    if re.search(
        r"\b(?:accept\w*|publi\w+|appear\w*|present\w*|submi\w+|review\w*|consideration|press|findings|proceedings|version|workshop|paper|camera[- ]ready)\b[^.;]{0,60}\b(?:in|by|to|at|for|on|of|with)\s+(?:the\s+)?(?:journal\s+(?:of\s+)?)?(?:IEEE\s+|ACM\s+|IEEE/\w+\s+|ACM\s+\w+\s+|elsevier\s+|springer\s+)?[\"“']?$",
        before,
        re.IGNORECASE,
    ):
        return True
    if year and len(re.findall(r"\w+", before)) <= 14 and re.search(r"(?:^|[,:(]|IEEE|ACM)\s*$", before):
        return True
    return field.name == "journal-ref" and not before.strip()


def _place(after: str) -> str | None:
    """City and country that follow a name: "…, Seoul, South Korea, 2026"."""
    segments = [s.strip(" ().") for s in after.split(",")]
    for i, segment in enumerate(segments):
        if (
            i
            and is_country(segment)
            and re.fullmatch(r"[\w .'’-]{2,40}", segments[i - 1])
            and not re.search(r"\d", segments[i - 1])
        ):
            return f"{segments[i - 1]}, {segment}" if segments[i - 1] else segment
    return None


def _merged(claims: Iterable[VenueClaim]) -> list[VenueClaim]:
    """Claims of one text about one event are one; what the later says more is kept."""
    done: list[VenueClaim] = []
    for claim in claims:
        same = next(
            (
                i
                for i, d in enumerate(done)
                if d.series == claim.series and (d.year == claim.year or not d.year or not claim.year)
            ),
            None,
        )
        if same is None:
            done.append(claim)
            continue
        d = done[same]
        done[same] = replace(
            d,
            year=d.year or claim.year,
            presentation=d.presentation or claim.presentation,
            track=claim.track if d.track == "main" else d.track,
            workshop=d.workshop or claim.workshop,
            proceedings=d.proceedings or claim.proceedings,
        )
    return done
