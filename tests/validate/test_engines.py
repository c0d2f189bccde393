"""Two engines, one verdict: the shapes compiled to queries find what pySHACL finds, result for result."""

from __future__ import annotations

import random

import pytest
from rdflib import SH, XSD, Graph, Literal, URIRef

from kg.stores import Quad, Store
from kg.validate import house_checks, house_shapes, validate_store
from kg.validate.compiler import Compiler
from kg.validate.shapes import UnknownConstraint, read_shapes
from tests.validate.conftest import by_queries, by_reference, papers_closure


def damaged(quads: list[Quad], seed: int) -> list[Quad]:
    """The graph with one statement in ten taken out, changed, doubled or moved."""
    rng = random.Random(seed)
    found: list[Quad] = []
    objects = [q[2] for q in quads]
    for q in quads:
        s, p, _, g = q
        if rng.random() > 0.1:
            found.append(q)
            continue
        if "Line" in str(p):  # rdflib puts into an order what SPARQL cannot compare, so these stay numbers
            found += rng.choice([[], [(s, p, Literal(int(str(q[2])) + 5), g)], [q, (s, p, Literal(3), g)]])
            continue
        found += {
            0: [],
            1: [(s, p, rng.choice(objects), g)],
            2: [q, (s, p, rng.choice(objects), g)],
            3: [(s, p, Literal("x", datatype=XSD.integer), g)],
            4: [(s, p, Literal("été", lang="fr"), g)],
            5: [(s, p, URIRef("urn:x:nothing"), g)],
        }[rng.randrange(6)]
    return list(dict.fromkeys(found))


def test_the_seed(seed_quads: list[Quad]) -> None:
    found = by_queries(seed_quads)
    assert found == by_reference(seed_quads)
    assert found, "the seed has doubtful mentions"


@pytest.mark.parametrize("seed", range(12))
def test_damaged_graphs(seed_quads: list[Quad], seed: int) -> None:
    papers = sorted({str(q[0]).split("/paper/")[1][:12] for q in seed_quads if "/paper/" in str(q[0])})
    part = papers_closure(seed_quads, lambda iri: papers.index(iri.split("/paper/")[1][:12]) % 12 == seed)
    quads = damaged(part, seed)
    ours, theirs = by_queries(quads), by_reference(quads)
    assert ours == theirs
    assert len(ours) > 3


def test_both_engines_give_one_report(seed_store: Store) -> None:
    one, other = validate_store(seed_store, "pyshacl"), validate_store(seed_store, "sparql")
    assert one.results == other.results
    assert one.shapes == other.shapes
    for format_ in ("text", "json", "html"):
        assert one.render(format_).replace("pyshacl", "sparql") == other.render(format_)


def test_a_report_in_turtle_is_a_standard_one(seed_store: Store) -> None:
    graph = Graph().parse(data=validate_store(seed_store).render("turtle"))
    assert len(set(graph.subjects(None, SH.ValidationResult))) == len(validate_store(seed_store).results)


def test_every_shape_looks_at_something(seed_store: Store) -> None:
    report = validate_store(seed_store)
    assert len(report.shapes) == 14
    assert all(s.focus_nodes > 0 for s in report.shapes)


def test_every_constraint_is_compiled() -> None:
    assert len(house_checks()) >= sum(len(s.constraints) for s in house_shapes().nodes)


@pytest.mark.parametrize(
    "constraint",
    [
        "sh:qualifiedValueShape [ sh:minLength 1 ] ; sh:qualifiedMinCount 1",
        "sh:datatype xsd:duration",
        "sh:property [ sh:path ex:q ; sh:minCount 1 ]",
    ],
)
def test_what_is_not_understood_is_never_passed_over(constraint: str) -> None:
    text = f"""@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://e/> . @prefix xsd: <{XSD}> .
    ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:property [ sh:path ex:p ; {constraint} ] ."""

    def compile_all() -> None:
        shapes = read_shapes(Graph().parse(data=text))
        for shape in shapes.nodes:
            list(Compiler(shapes.graph).compile(shape))

    with pytest.raises(UnknownConstraint):
        compile_all()


def test_messages_stand_in_both_languages() -> None:
    shapes = house_shapes()
    for shape in {c.shape for n in shapes.nodes for c in n.constraints if c.parameter != SH.sparql}:
        languages = {m.language for m in shapes.messages[shape]}
        assert languages == {"en", "zh-Hans"}, shape
