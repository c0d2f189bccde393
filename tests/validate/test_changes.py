"""Validating what a change touched: the same results as for the whole store, at the cost of the change."""

from __future__ import annotations

from rdflib import URIRef

from kg.sparql import declare_prefixes
from kg.stores import Quad
from kg.validate import validate_nodes, validate_store
from kg.validate.neighbourhood import belongs, neighbourhood
from kg.validate.shapes import MERGED
from tests.validate.conftest import in_memory, key


def test_each_paper_by_itself_gives_the_results_of_the_whole(seed_quads: list[Quad]) -> None:
    store = in_memory(seed_quads)
    whole = {key(r) for r in validate_store(store).results}
    papers = [n for (n,) in store.select(declare_prefixes("SELECT ?p { ?p a kg:Paper }")) if n is not None]
    authors = [n for (n,) in store.select(declare_prefixes("SELECT ?a { ?a a kg:Author }")) if n is not None]
    parts = {key(r) for paper in papers[:10] for r in validate_nodes(store, [paper]).results}
    assert parts == {k for k in whole if any(belongs(URIRef(k[0]), {str(p)}) for p in papers[:10])}
    assert validate_nodes(store, authors[:20]).conforms


def test_damage_in_the_neighbourhood_is_seen(seed_quads: list[Quad]) -> None:
    store = in_memory(seed_quads)
    (paper,) = next(
        iter(store.select(declare_prefixes("SELECT ?p { ?p dcterms:title ?t FILTER(STRSTARTS(?t, 'DisPOSE')) }")))
    )
    assert validate_nodes(store, [paper]).conforms  # type: ignore[list-item]
    store.update(
        declare_prefixes(
            "DELETE { ?a kg:position ?n } WHERE { ?p dcterms:title ?t ; kg:hasAuthorship ?a . ?a kg:position ?n FILTER(STRSTARTS(?t, 'DisPOSE') && ?n = 2) }"
        )
    )
    report = validate_nodes(store, [paper])  # type: ignore[list-item]
    assert not report.conforms
    assert any("Authorship-position" in str(r.shape) for r in report.results)


def test_what_is_looked_at_does_not_grow_with_the_store(seed_quads: list[Quad]) -> None:
    store = in_memory(seed_quads)
    sizes = []
    for (paper,) in store.select(declare_prefixes("SELECT ?p { ?p a kg:Paper }")):
        sizes.append(len(neighbourhood(store, [paper])[MERGED]))  # type: ignore[list-item]
    assert max(sizes) < 0.2 * len(seed_quads)
