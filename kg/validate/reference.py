"""The engine ``pyshacl``: the reference implementation of SHACL in Python, on graphs in memory.

Never give it an Oxigraph-backed graph: there every plain string is a false violation (rdflib#2123).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pyshacl
from rdflib import SH, Graph, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query

from kg.errors import ConfkgError
from kg.validate.report import Result
from kg.validate.shapes import KGSH, MERGED, Shapes


class ReferenceFailed(ConfkgError):
    """pySHACL could not validate a graph."""


@lru_cache(maxsize=256)
def _prepare(text: str, namespaces: tuple[tuple[str, Any], ...]) -> Query:
    return prepareQuery(text, dict(namespaces))


class _Memory(Graph):
    """A graph in memory that parses each query once: rdflib parses a SPARQL constraint again for every focus node."""

    def query(
        self,
        query_object: Any,
        processor: Any = "sparql",
        result: Any = "sparql",
        initNs: Any = None,  # noqa: N803 (rdflib's name)
        *rest: Any,
        **options: Any,
    ) -> Any:
        if isinstance(query_object, str):
            query_object = _prepare(query_object, tuple(sorted((initNs or {}).items())))
        return super().query(query_object, processor, result, initNs, *rest, **options)


def run(data: Graph, shapes: Shapes, over: URIRef = MERGED) -> Iterator[Result]:
    """Validate a graph in memory against the shapes that look at it.

    Raises:
        ReferenceFailed: the validator itself failed.
    """
    yield from results(data, _without_messages(shapes, over))


def results(data: Graph, shapes: Graph) -> Iterator[Result]:
    """The results of pySHACL for a shapes graph, as values."""
    memory = _Memory(store=data.store, identifier=data.identifier)
    try:
        _, report, text = pyshacl.validate(
            memory, shacl_graph=shapes, advanced=False, inference="none", meta_shacl=False, do_owl_imports=False
        )
    except TypeError as e:  # it compares what cannot be compared, such as an ill-formed integer with a number
        raise ReferenceFailed(f"pySHACL failed: {e}: use --engine sparql") from None
    if not isinstance(report, Graph):
        raise ReferenceFailed(f"pySHACL failed: {text}")
    top = set(report.objects(None, SH.result))
    for node in top:
        focus = report.value(node, SH.focusNode)
        component, severity = (
            report.value(node, SH.sourceConstraintComponent),
            report.value(node, SH.resultSeverity),
        )
        shape = report.value(node, SH.sourceShape)
        assert focus is not None
        assert shape is not None
        assert isinstance(component, URIRef)
        assert isinstance(severity, URIRef)
        yield Result(
            focus=focus,
            path=report.value(node, SH.resultPath),
            value=report.value(node, SH.value),
            component=component,
            severity=severity,
            shape=shape,
            constraint=report.value(node, SH.sourceConstraint),
        )


def _without_messages(shapes: Shapes, over: URIRef) -> Graph:
    """The shapes over a graph, without their messages.

    pySHACL substitutes bound values into the messages of SPARQL constraints and aborts the whole run where one
    holds a backslash, as LaTeX titles do; our reports look messages up by shape instead.
    """
    graph = Graph()
    skipped = {s.iri for s in shapes.nodes if s.over != over}
    for s, p, o in shapes.graph:
        if p != SH.message and p != KGSH.over and not (s in skipped and str(p).startswith(f"{SH}target")):
            graph.add((s, p, o))
    return graph
