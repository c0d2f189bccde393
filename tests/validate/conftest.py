"""A graph that keeps to every shape, and ways to validate a changed one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyoxigraph as ox
import pytest
from rdflib import Graph
from rdflib.term import Node

from kg.stores import Quad, Store
from kg.stores.oxigraph import OxigraphStore
from kg.terms import to_ox_quad
from kg.validate import compiled, house_checks, house_shapes, reference
from kg.validate.report import Result
from kg.validate.shapes import CONCLUSIONS, MERGED

#: What tells a result from another: everything but where it comes from.
Key = tuple[str, ...]


def key(r: Result) -> Key:
    return tuple(
        map(
            str,
            (
                r.focus,
                r.path if r.path is not None and "http" in str(r.path) else "",
                r.value,
                r.component,
                r.severity,
                r.shape,
                r.constraint,
            ),
        )
    )


def in_memory(quads: Iterable[Quad]) -> OxigraphStore:
    engine = ox.Store()
    engine.extend(to_ox_quad(q) for q in quads)
    return OxigraphStore("memory", None, engine)


def by_reference(quads: Iterable[Quad]) -> list[Key]:
    merged, concluded = Graph(), Graph()
    for s, p, o, g in quads:
        if g is None:
            merged.add((s, p, o))  # type: ignore[arg-type]
            concluded.add((s, p, o))  # type: ignore[arg-type]
        elif "/graph/rule/" in g:
            concluded.add((s, p, o))  # type: ignore[arg-type]
    found = [*reference.run(merged, house_shapes(), MERGED), *reference.run(concluded, house_shapes(), CONCLUSIONS)]
    return sorted(map(key, found))


def by_queries(quads: Iterable[Quad]) -> list[Key]:
    return sorted(key(r) for r in compiled.run(in_memory(quads), house_checks()))


@pytest.fixture(scope="session")
def seed_quads(seed_store: Store) -> list[Quad]:
    """The merged graph of the seed, and what rules conclude of it."""
    found = list(seed_store.quads(None))
    for name in seed_store.graph_names():
        if "/graph/rule/" in name:
            found += list(seed_store.quads(name))
    return found


def papers_closure(quads: list[Quad], wanted: Callable[[str], bool]) -> list[Quad]:
    """The quads of some papers with all that they reach and what describes it."""
    by_subject: dict[Node, list[Quad]] = {}
    for q in quads:
        by_subject.setdefault(q[0], []).append(q)
    kept: set[Quad] = set()
    queue = [s for s in by_subject if "/paper/" in str(s) and wanted(str(s))]
    seen: set[Node] = set()
    while queue:
        node = queue.pop()
        if node in seen:
            continue
        seen.add(node)
        for q in by_subject.get(node, ()):
            kept.add(q)
            queue.append(q[2])
    # the entries' fields are reached from the entry against the arrow
    entries = {q[0] for q in kept if str(q[1]).endswith("#type") and str(q[2]).endswith("SourceEntry")}
    for q in quads:
        if q[2] in entries and q[0] not in seen and str(q[1]).endswith("isPartOf"):
            kept.update(by_subject[q[0]])
    return sorted(kept, key=str)
