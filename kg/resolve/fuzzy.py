"""A name with one spelling difference: fuzzy matching, where one candidate stands clear of the next."""

from __future__ import annotations

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from kg.authority import Authority, match_key
from kg.model import Resolution
from kg.resolve.bodies import AMBIGUOUS, BODY, GENERIC
from kg.resolve.found import Found, fits

FUZZY_SCORE, FUZZY_MARGIN = 92.0, 4.0


def fuzzy(segments: tuple[str, ...], authority: Authority, places: frozenset[str]) -> tuple[list[Found], list[str]]:
    """The organisation that a segment nearly names; else the candidates."""
    best: list[tuple[float, int, str]] = []
    for i, segment in enumerate(segments):
        key = match_key(segment)
        words = key.split()
        if len(words) < 2 or len(key) < 12 or not BODY.search(segment) or key in AMBIGUOUS or GENERIC.match(key):
            continue
        common = {"university", "institute", "technology", "science", "college", "research", "national", "center"}
        rare = [w for w in words if len(w) > 3 and w not in common]
        near = authority.near(rare or words)
        best.extend((score, i, other) for other in near if (score := _similar(key, other)) >= FUZZY_SCORE)
    best.sort(reverse=True)
    if not best:
        return [], []
    hits = authority.find({other for _, _, other in best})
    scored: dict[str, tuple[float, int]] = {}
    for score, i, other in best:
        for hit in hits.get(other, ()):
            organisation = authority.get(hit.path)
            if organisation and hit.kind != "acronym" and (not places or fits(organisation, places)):
                scored.setdefault(hit.path, (score, i))
    ranked = sorted(scored.items(), key=lambda x: (-x[1][0], x[0]))
    if not ranked:
        return [], []
    (path, (score, i)), *others = ranked
    if others and score - others[0][1][0] < FUZZY_MARGIN:
        return [], [p for p, _ in ranked]
    return [Found(i, i, Resolution(path, "fuzzy", round(score / 100, 3)))], []


def _similar(key: str, other: str) -> float:
    """0..100; 0 where the difference is more than one or two letters inside long words.

    "Universty of Toronto" is Toronto; "Indiana" and "Indian", "Nanjing" and "Nanning" are not one another.
    """
    score: float = fuzz.ratio(key, other, score_cutoff=FUZZY_SCORE)
    if not score:
        return 0.0
    a, b = key.split(), other.split()
    if len(a) != len(b):
        return score if key.replace(" ", "") == other.replace(" ", "") else 0.0
    for x, y in zip(a, b, strict=True):
        if x != y and (min(len(x), len(y)) < 7 or Levenshtein.distance(x, y) > 2 or x[0] != y[0]):
            return 0.0
    return score
