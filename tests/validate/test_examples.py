"""Every constraint has an example that passes (the seed's graph) and one that fails it, and is what says so."""

from __future__ import annotations

import re

import pytest
from rdflib import SH, Graph, URIRef
from rdflib.term import Node

from kg.sparql import declare_prefixes
from kg.stores import Quad
from kg.validate import compiled, house_checks, house_shapes
from kg.validate.compiler import Check, target_pattern
from kg.validate.shapes import KGSH, Constraint, items
from tests.conftest import ROOT
from tests.validate.conftest import in_memory

FAILING = (ROOT / "tests" / "shapes" / "failing.ru").read_text("utf-8")
UPDATES = {
    m[1]: m[2].strip() for m in re.finditer(r"^# kgsh:(\S+)\n(.*?)(?=^# kgsh:|\Z)", FAILING, re.MULTILINE | re.DOTALL)
}
SHAPES = house_shapes()
CORE = [c for c in house_checks() if c.source is None]
QUERIES = [c for c in house_checks() if c.source is not None]
#: A value that breaks a constraint on single values, by the constraint's parameter.
BAD = {
    SH.datatype: '"x"^^<urn:x:datatype>', SH.nodeKind: '"no node"', SH["class"]: "<urn:x:unclassed>", SH.minInclusive: "-5",
    SH.maxInclusive: "99999", SH.minLength: '""', SH.pattern: '"!!! no match"', SH["in"]: "<urn:x:not-listed>",
    SH.languageIn: '"été"@fr', SH["or"]: "<urn:x:neither>",
}  # fmt: skip


def name(check: Check) -> str:
    shape = str(check.source or check.constraint.shape).rsplit("#", 1)[-1]
    return f"{shape} {check.constraint.parameter.rsplit('#', 1)[-1]}"


def triple(path: Node | None, value: str) -> str:
    """``?this`` and a value along a path of one step, forwards or backwards; for a longer path, its last step."""
    graph: Graph = SHAPES.graph
    assert path is not None
    inverse = graph.value(path, SH.inversePath)
    if inverse is not None:
        return f"{value} {inverse.n3()} ?this"
    if isinstance(path, URIRef):
        return f"?this {path.n3()} {value}"
    first, second = items(graph, path)
    return f"?this {first.n3()} <urn:x:step> . <urn:x:step> {second.n3()} {value}"


def breaking(c: Constraint) -> str:
    """An update that makes one focus node break a core constraint."""
    shape = next(s for s in SHAPES.nodes if s.iri == c.node_shape)
    focus = f"{{ SELECT ?this WHERE {{ {target_pattern(shape)} }} ORDER BY ?this LIMIT 1 }}"
    insert = f"INSERT {{ %s }} WHERE {{ {focus} }}"
    if c.path is None:  # of the node itself
        if c.parameter == SH["not"]:
            return insert % f"?this a {SHAPES.graph.value(c.value, SH['class']).n3()}"  # type: ignore[union-attr]
        kinds = shape.targets[0]
        if kinds[0] == SH.targetClass:
            return f"INSERT DATA {{ _:b a {kinds[1].n3()} }}"
        return f"INSERT {{ GRAPH <https://w3id.org/confkg/graph/rule/x> {{ <urn:x:no-authorship> {kinds[1].n3()} ?i }} }} WHERE {{ SELECT ?i {{ ?i a <https://w3id.org/confkg/ontology#Institution> }} LIMIT 1 }}"
    if c.parameter in (SH.minCount, SH.hasValue):
        there = triple(c.path, "?value")
        return f"DELETE {{ {there} }} WHERE {{ {focus} {there} }}"
    if c.parameter == SH.maxCount:
        values = [f"<urn:x:{n}>" for n in range(int(str(c.value)) + 1)]
        return insert % " . ".join(triple(c.path, v) for v in values)
    if c.parameter == SH.uniqueLang:
        return insert % triple(c.path, '"one"@en, "other"@en')
    if c.parameter == SH.equals:
        return insert % f"{triple(c.path, '<urn:x:one>')} . ?this {c.value.n3()} <urn:x:other>"
    if c.parameter == SH.lessThanOrEquals:
        return insert % triple(c.path, "99999")
    if c.parameter == SH["not"]:
        (value,) = items(SHAPES.graph, SHAPES.graph.value(c.value, SH["in"]))  # type: ignore[arg-type]
        return insert % triple(c.path, value.n3())
    if shape.over == KGSH.conclusions:
        return f"INSERT {{ GRAPH <https://w3id.org/confkg/graph/rule/x> {{ {triple(c.path, BAD[c.parameter])} }} }} WHERE {{ {{ SELECT ?this {{ ?this a <https://w3id.org/confkg/ontology#Authorship> }} LIMIT 1 }} }}"
    return insert % triple(c.path, BAD[c.parameter])


def results(quads: list[Quad], update: str | None, check: Check) -> set[tuple[str, str]]:
    store = in_memory(quads)
    if update:
        store.update(declare_prefixes(update))
    return {(str(r.focus), str(r.value)) for r in compiled.run(store, [check])}


@pytest.mark.parametrize("check", CORE, ids=name)
def test_a_core_constraint(seed_quads: list[Quad], check: Check) -> None:
    valid = results(seed_quads, None, check)
    assert not valid or check.constraint.severity != SH.Violation
    assert results(seed_quads, breaking(check.constraint), check) - valid, "the damage was not noticed"


@pytest.mark.parametrize("check", QUERIES, ids=name)
def test_a_sparql_constraint(seed_quads: list[Quad], check: Check) -> None:
    valid = results(seed_quads, None, check)
    assert not valid or check.constraint.severity != SH.Violation
    update = UPDATES[str(check.source).rsplit("#", 1)[-1]]
    assert results(seed_quads, update, check) - valid, "the damage was not noticed"


def test_no_example_is_left_over() -> None:
    assert set(UPDATES) == {str(c.source).rsplit("#", 1)[-1] for c in QUERIES}
