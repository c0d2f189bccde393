"""What a store holds, counted: papers, people, institutions, venues by the evidence for them, coverage."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from kg.sparql import declare_prefixes
from kg.stores import Store

_COUNTS = {
    "papers": "?x a kg:Paper",
    "authorships": "?x a kg:Authorship",
    "authors": "?x a kg:Author",
    "papers_with_institution_line": "?x kg:listsInstitution ?mention",
    "institution_mentions": "?x a kg:InstitutionMention",
    "resolved_mentions": "?x kg:resolvesTo ?organisation",
    "institutions": "?paper kg:relevantInstitution ?x",
    "venue_claims": "?x a kg:VenueClaim",
    "sources": "?x a kg:SourceDocument",
    "source_entries": "?x a kg:SourceEntry",
}

_CLAIMS = """
SELECT ?paper ?field ?series ?acronym ?event ?label ?workshop ?track ?presentation WHERE {
  ?paper kg:hasVenueClaim ?claim . ?claim kg:claimField ?field .
  OPTIONAL { ?claim kg:claimsSeries ?series . ?series skos:notation ?acronym }
  OPTIONAL { ?claim kg:claimsEvent ?event . ?event rdfs:label ?label }
  OPTIONAL { ?claim kg:claimsEvent ?event . ?event schema:superEvent ?workshop }
  OPTIONAL { ?claim kg:track ?track }
  OPTIONAL { ?claim kg:presentation ?presentation }
}
"""


@dataclass(frozen=True)
class Venue:
    """Papers that claim a venue: an event with its track, or a series without a year."""

    venue: str
    track: str | None
    papers: int
    #: papers by the field that carries the evidence; a paper with several counts for ``comments`` first
    by_field: dict[str, int]


@dataclass(frozen=True)
class Stats:
    """The counts of a store."""

    counts: dict[str, int]
    venues: list[Venue]
    presentations: dict[str, int]
    papers_without_claim: int

    def to_json(self) -> dict[str, Any]:
        """Plain values with stable keys."""
        return {
            **self.counts,
            "venues": [asdict(v) for v in self.venues],
            "presentations": self.presentations,
            "papers_without_claim": self.papers_without_claim,
        }


def stats(store: Store) -> Stats:
    """Count a store, by SPARQL, so on any store."""
    counts = {}
    for name, pattern in _COUNTS.items():
        query = f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ {pattern} }}"
        counts[name] = next(int(str(n)) for (n,) in store.select(declare_prefixes(query)))
    fields: dict[tuple[str, str | None], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    presentations: dict[str, set[str]] = defaultdict(set)
    claiming = set()
    for row in store.select(declare_prefixes(_CLAIMS)):
        paper, field, series, acronym, event, label, _workshop, track, presentation = (str(v or "") for v in row)
        claiming.add(paper)
        venue = (label or event) if event else f"{acronym} (no year)" if series else "(no known series)"
        kind = track.rsplit("#track-", 1)[-1] if track else None
        fields[venue, kind][paper].add(field)
        if presentation:
            presentations[presentation.rsplit("#", 1)[-1]].add(paper)
    venues = [
        Venue(venue, track, len(papers), dict(sorted(Counter(min(found) for found in papers.values()).items())))
        for (venue, track), papers in fields.items()
    ]
    venues.sort(key=lambda v: (-v.papers, v.venue, v.track or ""))
    shown = {name: len(papers) for name, papers in sorted(presentations.items())}
    return Stats(counts, venues, shown, counts["papers"] - len(claiming))
