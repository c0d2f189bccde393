"""Networks from stores by SPARQL."""

from __future__ import annotations

import pytest
from rdflib import RDFS, Literal

from kg.errors import UsageError
from kg.network import Scope, coaffiliation, coauthorship, load
from tests.network.conftest import IRIS, author_quads, institution_quads


def test_author_order_does_not_split_a_tie(store_of):
    graph = coauthorship(store_of(author_quads([["ada", "bo"], ["bo", "ada"]])))
    assert [w for *_, w in graph.edges(data="weight")] == [2]


def test_a_printed_variant_of_a_name_makes_no_second_node(store_of):
    quads = author_quads([["ada", "bo"]])
    quads.append((IRIS.local("author/ada"), RDFS.label, Literal("Ada"), None))
    graph = coauthorship(store_of(quads))
    assert sorted(d["label"] for _, d in graph.nodes(data=True)) == ["Ada", "bo"]


def test_name_only_merges_can_be_taken_back(store_of):
    quads = author_quads([["ada", "li"], ["li", "bo"], ["solo"]])
    assert len(coauthorship(store_of(quads))) == 4
    split = coauthorship(store_of(quads), identity="corroborated")
    assert sorted(d["label"] for _, d in split.nodes(data=True)) == ["ada", "bo", "li", "li", "solo"]
    assert all(d["papers"] == 1 for _, d in split.nodes(data=True))


def test_corroborated_merges_stay(store_of):
    quads = author_quads([["ada", "li"], ["li", "bo"]], "Corroborated")
    assert len(coauthorship(store_of(quads), identity="corroborated")) == 3


PAPERS = [
    [("mit", "US", "education"), ("huawei", "CN", "company")],
    [("mit", "US", "education"), ("cmu", "US", "education")],
    [("mit", "US", "education"), ("nobody", "", "")],
    [],
]


def test_countries_are_projected_from_papers_not_summed_from_ties(store_of):
    graph = coaffiliation(store_of(institution_quads(PAPERS)), level="country")
    assert set(graph) == {"US", "CN"}
    assert graph.edges["US", "CN"]["weight"] == 1
    assert graph.nodes["US"]["papers"] == 3


def test_coverage_tells_what_the_network_does_not_see(store_of):
    store = store_of(institution_quads(PAPERS))
    coverage = load(store, "coaffiliation", Scope("sector")).incidence.coverage
    assert (coverage.papers, coverage.covered, coverage.solo, coverage.unknown) == (4, 3, 2, 1)


def test_an_empty_store_has_empty_networks(store_of):
    assert len(coauthorship(store_of())) == 0
    assert len(coaffiliation(store_of(), level="country")) == 0


def test_a_level_of_the_other_network_is_refused(store_of):
    with pytest.raises(UsageError, match="coauthorship has no level 'country'"):
        load(store_of(), "coauthorship", Scope("country"))


def test_an_unknown_source_is_refused_with_those_that_there_are(store_of):
    quads = [(s, p, o, IRIS.source_graph("我的.txt")) for s, p, o, _ in author_quads([["ada", "bo"]])]
    store = store_of(quads + author_quads([["ada", "bo"], ["ada", "cy"]]))
    assert len(coauthorship(store, source="我的.txt")) == 2
    with pytest.raises(UsageError, match=r"no source 'b\.txt'; it has: 我的\.txt"):
        coauthorship(store, source="b.txt")
