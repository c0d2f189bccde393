"""Graph → report: does a store keep to the shapes of ``shapes/``?

Two engines give the same results, tuple for tuple (a test says so): ``pyshacl``, the reference, on an
in-memory copy of the graph, and ``sparql``, the shapes compiled to queries that run inside the store, for graphs
that are larger than that is good for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from rdflib import Graph, URIRef
from rdflib.term import Node

from kg import resources
from kg.errors import UsageError
from kg.provenance import addresses
from kg.sparql import declare_prefixes
from kg.stores import Store
from kg.validate import compiled, reference
from kg.validate.compiler import Check
from kg.validate.neighbourhood import belongs, neighbourhood
from kg.validate.report import Report, Result, ShapeCount
from kg.validate.shapes import CONCLUSIONS, MERGED, Shapes, read_shapes

ENGINES = ("auto", "pyshacl", "sparql")
#: Papers up to which ``auto`` takes the reference; above, copying the graph into memory costs more than it tells.
SMALL = 100

__all__ = ["ENGINES", "Report", "Result", "ShapeCount", "validate_nodes", "validate_store"]


@lru_cache(maxsize=1)
def house_shapes() -> Shapes:
    """The shapes that ship with confkg, read once."""
    graph = Graph()
    for path in resources.shapes():
        graph.parse(path, format="turtle")
    return read_shapes(graph)


@lru_cache(maxsize=1)
def house_checks() -> tuple[Check, ...]:
    """The same, compiled to queries."""
    return compiled.compile_shapes(house_shapes())


def validate_store(store: Store, engine: str = "auto") -> Report:
    """Validate a store against the shapes.

    Args:
        store: its merged graph, and the graphs of the rules for the shapes that are about conclusions.
        engine: ``pyshacl``, ``sparql`` or ``auto`` (by the number of papers).

    Raises:
        UsageError: an unknown engine; ReferenceFailed: pySHACL was asked for and failed.
    """
    if engine not in ENGINES:
        raise UsageError(f"unknown engine {engine!r}; there are: {', '.join(ENGINES)}")
    shapes = house_shapes()
    chosen = engine if engine != "auto" else "pyshacl" if _papers(store) <= SMALL else "sparql"
    results = None
    if chosen == "pyshacl":
        try:
            results = [r for over in (MERGED, CONCLUSIONS) for r in reference.run(_graph(store, over), shapes, over)]
        except reference.ReferenceFailed:
            if engine == "pyshacl":
                raise
            chosen = "sparql"
    if results is None:
        results = list(compiled.run(store, house_checks()))
    counts = tuple(ShapeCount(s.iri, s.label, _number(store, compiled.count_query(s)), s.over) for s in shapes.nodes)
    return _report(store, results, counts, chosen)


def validate_nodes(store: Store, nodes: Iterable[Node]) -> Report:
    """Validate some papers and authors, with what belongs to them, at a cost that depends on them and not on the store.

    Rules over the whole graph are seen as far as they reach into this neighbourhood.
    """
    start = list(nodes)
    wanted, shapes = {str(n) for n in start}, house_shapes()
    graphs = neighbourhood(store, start)
    results = [r for over in (MERGED, CONCLUSIONS) for r in reference.run(graphs[over], shapes, over)]
    kept = [r for r in results if belongs(r.focus, wanted)]
    counts = tuple(
        ShapeCount(s.iri, s.label, sum(belongs(n, wanted) for n in s.focus_nodes(graphs[s.over])), s.over)
        for s in shapes.nodes
    )
    return _report(store, kept, counts, "pyshacl")


def _report(store: Store, results: list[Result], counts: tuple[ShapeCount, ...], engine: str) -> Report:
    found = addresses(store, {r.focus for r in results})
    placed = [r.at(found.get(r.focus, ())) for r in results]
    return Report(tuple(sorted(placed, key=Result.order)), counts, engine, house_shapes().messages)


def _papers(store: Store) -> int:
    return _number(store, declare_prefixes("SELECT (COUNT(?p) AS ?n) WHERE { ?p a kg:Paper }"))


def _number(store: Store, query: str) -> int:
    return next(int(str(n)) for (n,) in store.select(query))


def _graph(store: Store, over: URIRef) -> Graph:
    """The graph that shapes look at, in memory: the reference is right on rdflib's memory graphs only."""
    graph = Graph()
    for s, p, o in _triples(store, over):
        graph.add((s, p, o))  # type: ignore[arg-type]  # Nodes of a valid triple
    return graph


def _triples(store: Store, over: URIRef) -> Iterator[tuple[object, object, object]]:
    for s, p, o, _ in store.quads(None):
        yield s, p, o
    if over == CONCLUSIONS:
        for name in store.graph_names():
            if "/graph/rule/" in name:
                for s, p, o, _ in store.quads(name):
                    yield s, p, o
