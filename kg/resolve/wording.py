"""The words of comments: what they say of status, track and presentation. Tables of patterns, the first that fits."""

from __future__ import annotations

import re
from typing import TypeVar

from kg.model import Presentation, Status, Track

Kind = TypeVar("Kind", bound=str)


def _table(rows: tuple[tuple[Kind, str], ...]) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    """The rows of a table, compiled."""
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in rows)


#: in the order of their force: "submitted to …, under review" is a submission
STATUSES: tuple[tuple[Status, re.Pattern[str]], ...] = _table(
    (
        ("withdrawn", r"\bwithdr[ae]wn?\b"),
        ("rejected", r"\breject(?:ed|ion)\b"),
        (
            "extended-version-of",
            r"\b(?:extended(?! abstract)|expanded|extension|extends|extending|longer|journal|full|long)\b(?: and \w+)?(?: journal)?(?: version)?s?"
            r"(?: \w+)?(?: of| from| to)\b(?!.{0,20}abstract)|\bbuilds? (?:up)?on (?:our|the)\b|\b(?:preliminary|conference|short(?:er)?|earlier|previous|workshop) versions?\b"
            r".{0,40}\b(?:appear|accept|publish|present)",
        ),
        ("accepted", r"\bacc?ep\w*t?ed\b|\baccept\b|\bacceptance\b|\bto appear\b|\bto be (?:published|presented)\b|\bwill (?:be|appear)\b"
                     r"|\bcamera[- ]ready\b|\bin press\b|\bforthcoming\b|\bto be in\b|\bselected\b"),
        ("submitted", r"\bsub+mit+ed\b|\bsubmission\b|\bsubmit\b|\bsubmitting\b"),
        ("under-review", r"\b(?:under|in|in peer|under peer) (?:peer[- ])?(?:double[- ]blind )?(?:review|consideration|revision|major revision|minor revision)\b|\bunder[- ]submission\b|\breviewing\b"),
        ("published", r"\bpublis?h?ed\b|\bappear(?:s|ed|ing)\b|\bpresent(?:ed|ation)\b|\bproceedings?\b|\bproc\b\.?|\bpublication\b"),
        ("revised", r"\brevision\b|\brevised\b"),
    )
)  # fmt: skip

TRACKS: tuple[tuple[Track, re.Pattern[str]], ...] = _table(
    (
        ("main", r"\bmain(?: conference| track| technical track|\b)(?! text| paper| body| file| results| findings| content| contribution| manuscript| document| figures| part)"),
        ("datasets-and-benchmarks", r"\bdatasets? (?:and|&|\\&) benchmarks?\b|\bD ?(?:&|\\&|and) ?B\b|\bdatasets? track\b|\bdata track\b|\bresources? track\b|\bbenchmark track\b"),
        ("findings", r"\bfindings?\b"),
        ("position", r"\bposition (?:paper )?track\b|\bposition paper\b"),
        ("blog", r"\bblog ?posts?(?: track)?\b(?!.{0,4}(?:see|at|:))"),
        ("tutorial", r"\btutorials?\b"),
        ("demo", r"\bdemos?\b(?! page|:| video| at| website)|\bdemonstrations?\b"),
        ("industry", r"\bindustr(?:y|ial) (?:track|paper|session)|\(industry|\bapplied data science\b|\bADS\b|\bIAAI\b|\bindustry\b"),
        ("doctoral", r"\bdoctoral\b|\bphd (?:forum|symposium)\b"),
        ("short", r"\bshort paper|\btiny (?:paper )?|\blate[- ]breaking\b|\bstudent abstract\b|\bshort track\b|\bextended abstract\b"),
    )
)  # fmt: skip

PRESENTATIONS: tuple[tuple[Presentation, re.Pattern[str]], ...] = (
    ("oral", re.compile(r"\borals?\b", re.IGNORECASE)),
    ("spotlight", re.compile(r"\bspotlights?\b", re.IGNORECASE)),
    ("poster", re.compile(r"\bposters?\b", re.IGNORECASE)),
)

#: what a bare name of a venue is then not evidence of
NO_VENUE = re.compile(
    r"\b(?:template|style file|latex|format|challenge|competition|leaderboard|place solution|winning|winner|"
    r"admin note|overlap|cite|reviewers?|rebuttal|project of|course|text from|following|baseline|slides|poster at|talk|summer school)\b",
    re.IGNORECASE,
)
#: a status that stands without a known venue: the verb must have an object
STANDING: tuple[tuple[Status, re.Pattern[str]], ...] = _table(
    (
        ("withdrawn", r"\bwithdrawn\b"),
        ("accepted", r"\bacc?ep\w*t?ed (?:LBW |late[- ]breaking work |demo |poster |paper )?(?:to|by|at|in|for|as|on|paper|poster|manuscript|version)\b|\bto appear (?:in|at|on)\b|\bto be (?:published|presented) (?:in|at|by)\b|\bin press\b|\b(?:paper|manuscript|been) accepted\b|^(?:preprint,? |paper )?accepted\W*$|^preprint accepted\b"),
        ("submitted", r"\b(?:sub+mit+ed|submission) (?:to|for|at|in)\b(?!\s+ar ?xiv)|\bto be submitted\b|^\W*submitted\W*$|^\W*ARR\b.*\bsubmission\b"),
        ("under-review", r"\bunder\s?(?:peer[- ])?review\b|\bin (?:peer )?review\b|\bunder (?:consideration|submission)\b|\bunder (?:major |minor )?revision\b"),
        ("extended-version-of", r"\b(?:extended|journal|full|long(?:er)?) version of (?:(?:our|the|a) )?(?:paper (?:at|in) )?[A-Z][A-Za-z-]*[A-Z]\w*\s?['’]?\d{2}"),
        ("published", r"(?<!never )\bpublis?h?ed (?:in|by|at|as|on|to|version)\b|\bpresented (?:at|in)\b|^in:? proceedings\b|^in (?:the )?(?:ACM|IEEE)\b.*['’]\d\d\)|\bproceedings of\b|\bappear(?:s|ed) in\b"),
    )
)  # fmt: skip
_FUTURE = re.compile(r"\b(?:upon|after|once|if|when|until)\b[^.;]{0,30}$|\bnot (?:yet )?(?:been )?$", re.IGNORECASE)


def status_in(text: str) -> Status | None:
    """The status that a clause states: the first of the table that it has words for."""
    for status, pattern in STATUSES:
        m = pattern.search(text)
        if m and not _FUTURE.search(text[: m.start()]):
            return status
    return None


def standing_status(text: str) -> Status | None:
    """The status that a clause states without a known venue."""
    for status, pattern in STANDING:
        m = pattern.search(text)
        if m and not _FUTURE.search(text[: m.start()]):
            return status
    return None


def track_in(text: str) -> Track | None:
    """The track that a clause names; an explicit "main" wins over "short paper"."""
    return next((track for track, pattern in TRACKS if pattern.search(text)), None)


def presentation_in(text: str) -> Presentation | None:
    """The kind of presentation that a clause names."""
    return next((kind for kind, pattern in PRESENTATIONS if pattern.search(text)), None)
