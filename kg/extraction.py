"""Store → incidence: the (paper, entity) pairs of a network, by SPARQL.

Pairs are asked for, never pairs of entities: the self-join in SPARQL costs eight times as much for the same
edges (measured on 100,000 papers), and a paper of a thousand authors would stop it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from rdflib import Literal
from scipy import sparse

from kg.errors import UsageError
from kg.network import Coverage, Incidence, Kind, Node, Scope
from kg.sparql import declare_prefixes
from kg.stores import Store
from kg.terms import is_chinese
from kg.vocab import ATTENDED_FILTER, segment

#: The pairs of each level. At most one statement of the merged graph each, so a pair comes once; where it
#: may come twice (two organisations of one country), the incidence holds it once all the same.
_PAIRS = {
    "author": "?paper schema:author ?node .",
    "institution": "?paper kg:relevantInstitution ?node .",
    "mention": "?paper kg:listsInstitution ?mention . ?mention kg:rawText ?node .",
}
_LABELS = "SELECT ?node ?label WHERE { ?node a %s ; %s ?label }"
_ATTRIBUTES = {
    "author": {"identity": "SELECT ?node ?value WHERE { ?node kg:identityStatus ?value }"},
    "institution": {
        "country": "SELECT ?node ?value WHERE { ?node a kg:Institution ; kg:countryCode ?value }",
        "sector": "SELECT ?node ?value WHERE { ?node a kg:Institution ; kg:sector ?value }",
    },
}
_YEARS = f"""SELECT DISTINCT ?paper ?year WHERE {{
  ?paper kg:hasVenueClaim ?claim . ?claim kg:claimsEvent ?event . ?event kg:editionYear ?year
  {ATTENDED_FILTER}
}}"""


def extract(store: Store, kind: Kind, scope: Scope) -> Incidence:
    """The incidence of a network, as the store states it.

    Raises:
        UsageError: the level does not belong to the kind, or the store has no such source.
    """
    levels = {"coauthorship": {"author"}, "coaffiliation": {"institution", "mention", "country", "sector"}}
    if scope.level not in levels[kind]:
        raise UsageError(f"{kind} has no level {scope.level!r}; it has: {', '.join(sorted(levels[kind]))}")
    within = _scoped(store, scope)
    years = _years(store)
    papers = _papers(store, scope, within, years)
    wanted = set(papers)
    base = "institution" if scope.level in {"country", "sector"} else scope.level
    # A source's graph holds its own statements; descriptions and statuses are asked of the merged graph.
    pairs = [(p, n) for p, n in _rows(store, f"SELECT ?paper ?node WHERE {{ {within(_PAIRS[base])} }}") if p in wanted]
    nodes, unknown = _nodes(store, base, {n for _, n in pairs}), 0
    if scope.level in {"country", "sector"}:
        pairs, nodes, unknown = _aggregate(pairs, nodes, scope.level)
    elif base == "author" and scope.identity != "names":
        doubtful = {"NameOnly"} if scope.identity == "corroborated" else {"NameOnly", "Corroborated"}
        pairs, nodes = _split_names(pairs, nodes, doubtful)
    unresolved = _unresolved(store, within, wanted) if base == "institution" else 0
    found = assemble(kind, scope, papers, nodes.values(), pairs, unresolved=unresolved, unknown=unknown)
    return replace(found, years={p: min(years[p]) for p in found.papers if p in years})


def assemble(
    kind: Kind,
    scope: Scope,
    papers: Iterable[str],
    nodes: Iterable[Node],
    pairs: Iterable[tuple[str, str]],
    *,
    unresolved: int = 0,
    unknown: int = 0,
) -> Incidence:
    """An incidence from pairs in any order; nothing in the result depends on that order."""
    all_papers = set(papers)
    unique = set(pairs)
    listed = sorted({p for p, _ in unique})
    ordered = sorted(nodes, key=lambda n: n.id)
    row, column = {p: i for i, p in enumerate(listed)}, {n.id: i for i, n in enumerate(ordered)}
    rows = np.fromiter((row[p] for p, _ in unique), np.int64, len(unique))
    columns = np.fromiter((column[n] for _, n in unique), np.int64, len(unique))
    shape = (len(listed), len(ordered))
    matrix = sparse.csr_array((np.ones(len(unique), np.int8), (rows, columns)), shape=shape).astype(np.int32)
    matrix.sort_indices()
    coverage = Coverage(
        papers=len(all_papers),
        covered=len(listed),
        solo=int((np.diff(matrix.indptr) == 1).sum()),
        unresolved=unresolved,
        unknown=unknown,
    )
    return Incidence(kind, scope, tuple(listed), tuple(ordered), matrix, coverage)


def _rows(store: Store, query: str) -> list[tuple[str, str]]:
    """The rows of a query of two variables, as strings."""
    return [(str(a), str(b)) for a, b in store.select(declare_prefixes(query))]


class _Within:
    """A group graph pattern, inside the graph of a source where one is asked for."""

    def __init__(self, graph: str | None) -> None:
        self._graph = graph

    def __call__(self, pattern: str) -> str:
        return f"GRAPH <{self._graph}> {{ {pattern} }}" if self._graph else pattern


def _scoped(store: Store, scope: Scope) -> _Within:
    if scope.source is None:
        return _Within(None)
    known = sorted(g for g in map(str, store.graph_names()) if "/graph/source/" in g)
    for graph in known:
        if scope.source == graph or graph.endswith(f"/graph/source/{segment(scope.source)}"):
            return _Within(graph)
    names = ", ".join(g.rsplit("/", 1)[-1] for g in known) or "none"
    raise UsageError(f"the store has no source {scope.source!r}; it has: {names}")


def _years(store: Store) -> dict[str, set[int]]:
    """Paper → years of the editions where it is said to be."""
    years: dict[str, set[int]] = {}
    for paper, year in _rows(store, _YEARS):
        years.setdefault(paper, set()).add(int(year))
    return years


def _papers(store: Store, scope: Scope, within: _Within, years: dict[str, set[int]]) -> list[str]:
    found = store.select(declare_prefixes(f"SELECT ?paper WHERE {{ {within('?paper a kg:Paper .')} }}"))
    papers = [str(p) for (p,) in found]
    if scope.years is None:
        return papers
    first, last = scope.years
    return [p for p in papers if any(first <= year <= last for year in years.get(p, ()))]


def _unresolved(store: Store, within: _Within, papers: set[str]) -> int:
    """Papers that list a mention which resolves to nothing."""
    query = "SELECT DISTINCT ?paper WHERE { %s FILTER NOT EXISTS { ?mention kg:resolvesTo ?o } }"
    found = store.select(declare_prefixes(query % within("?paper kg:listsInstitution ?mention .")))
    return sum(str(p) in papers for (p,) in found)


def _nodes(store: Store, level: str, ids: set[str]) -> dict[str, Node]:
    """The nodes with their labels: of several, the first in code point order (authors are printed variously)."""
    if level == "mention":
        return {text: Node(text, text) for text in ids}
    english, chinese = dict[str, str](), dict[str, str]()
    classes = {"author": ("kg:Author", "rdfs:label"), "institution": ("kg:Institution", "skos:prefLabel")}
    for node, label in store.select(declare_prefixes(_LABELS % classes[level])):
        iri = str(node)
        if iri in ids:
            zh = isinstance(label, Literal) and is_chinese(label)
            labels = chinese if zh else english
            labels[iri] = min(labels.get(iri, str(label)), str(label))
    attributes: dict[str, dict[str, str]] = {}
    for name, query in _ATTRIBUTES[level].items():
        for iri, value in _rows(store, query):
            if iri in ids:
                kept = attributes.setdefault(iri, {})
                short = value.rsplit("#", 1)[-1]
                kept[name] = min(kept.get(name, short), short)
    return {
        iri: Node(
            iri,
            english.get(iri) or chinese.get(iri) or iri.rsplit("/", 1)[-1],
            chinese.get(iri),
            tuple(sorted(attributes.get(iri, {}).items())),
        )
        for iri in ids
    }


def _aggregate(
    pairs: Sequence[tuple[str, str]], organisations: dict[str, Node], level: str
) -> tuple[list[tuple[str, str]], dict[str, Node], int]:
    """Countries or sectors in place of their organisations; a paper lists each once. Unknown ones are counted."""
    value = {iri: node.get(level) for iri, node in organisations.items()}
    known = [(paper, found) for paper, node in pairs if (found := value[node]) is not None]
    return known, {v: Node(v, v) for _, v in known}, len(pairs) - len(known)


def _split_names(
    pairs: Sequence[tuple[str, str]], authors: dict[str, Node], doubtful: set[str]
) -> tuple[list[tuple[str, str]], dict[str, Node]]:
    """One node a paper for each author of several papers whose identity is not sure enough."""
    papers = Counter(node for _, node in pairs)
    split = {iri for iri, count in papers.items() if count > 1 and authors[iri].get("identity") in doubtful}
    nodes = {iri: node for iri, node in authors.items() if iri not in split}
    result = []
    for paper, iri in pairs:
        if iri in split:
            node = authors[iri]
            one = f"{iri}?paper={paper.rsplit('/', 1)[-1]}"
            nodes[one] = Node(one, node.label, node.label_zh, node.attributes)
            result.append((paper, one))
        else:
            result.append((paper, iri))
    return result, nodes
