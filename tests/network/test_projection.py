"""Laws of the projection, against networkx's own bipartite projection."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.projection import cut, project, similarity, threshold
from tests.network.conftest import network_of, papers


def _bipartite(listed) -> tuple[nx.Graph, list[str]]:
    graph, nodes = nx.Graph(), sorted({e for p in listed for e in p})
    graph.add_nodes_from(nodes)
    graph.add_edges_from((e, ("paper", k)) for k, p in enumerate(listed) for e in p)
    return graph, nodes


def _weights(network, values) -> dict[tuple[str, str], float]:
    ends = zip(network.source.tolist(), network.target.tolist(), strict=True)
    return {(network.nodes[u].id, network.nodes[v].id): w for (u, v), w in zip(ends, values.tolist(), strict=True)}


@given(papers)
def test_full_counting_is_the_weighted_projection_of_networkx(listed):
    graph, nodes = _bipartite(listed)
    # networkx raises on a graph without edges instead of returning one without edges
    expected = nx.bipartite.weighted_projected_graph(graph, nodes) if nodes else nx.Graph()
    network = network_of(listed)
    assert _weights(network, network.full) == {tuple(sorted(ends)): w for *ends, w in expected.edges(data="weight")}
    assert [n.id for n in network.nodes] == nodes


@given(papers)
def test_fractional_counting_is_newmans_collaboration_projection(listed):
    graph, nodes = _bipartite(listed)
    expected = nx.bipartite.collaboration_weighted_projected_graph(graph, nodes)
    found = _weights(network_of(listed), network_of(listed).fractional)
    assert found == pytest.approx({tuple(sorted(ends)): w for *ends, w in expected.edges(data="weight")})


@given(papers)
def test_fractional_strength_is_the_number_of_joint_papers(listed):
    network = network_of(listed, "fractional")
    strength = np.asarray(network.adjacency.sum(axis=1)).ravel()
    joint = [sum(node.id in p and len(p) > 1 for p in listed) for node in network.nodes]
    assert strength.tolist() == pytest.approx(joint)


@given(papers)
def test_paper_counting_sums_to_the_number_of_joint_papers(listed):
    assert network_of(listed).paper.sum() == pytest.approx(sum(len(p) > 1 for p in listed))


@given(papers, st.randoms(use_true_random=False))
def test_order_of_papers_and_entities_does_not_count(listed, random):
    shuffled = [random.sample(sorted(p), len(p)) for p in random.sample(listed, len(listed))]
    one, other = network_of(listed), network_of(shuffled)
    assert _weights(one, one.full) == _weights(other, other.full)
    assert _weights(one, one.fractional) == pytest.approx(_weights(other, other.fractional))


@given(papers)
def test_renaming_renames_and_changes_nothing_else(listed):
    renamed = [{chr(ord("z") - ord(e) + ord("a")) for e in p} for p in listed]
    one, other = network_of(listed), network_of(renamed)
    back = {
        tuple(sorted(chr(ord("z") - ord(e) + ord("a")) for e in ends)): w
        for ends, w in _weights(other, other.full).items()
    }
    assert back == _weights(one, one.full)


@given(papers)
def test_adjacency_is_symmetric_without_self_pairs(listed):
    adjacency = network_of(listed).adjacency.toarray()
    assert (adjacency == adjacency.T).all()
    assert not adjacency.diagonal().any()


@given(papers)
def test_every_edge_keeps_exactly_its_papers(listed):
    network = network_of(listed)
    for edge in range(network.size):
        ends = {network.nodes[network.source[edge]].id, network.nodes[network.target[edge]].id}
        expected = tuple(f"p{k:03}" for k, p in enumerate(listed) if ends <= p)
        assert network.evidence(edge) == expected
        assert len(expected) == network.full[edge]


def test_an_entity_listed_twice_on_a_paper_counts_once():
    network = network_of([["a", "a", "b"]])
    assert _weights(network, network.full) == {("a", "b"): 1}
    assert network.papers_per_node.tolist() == [1, 1]


def test_a_solo_paper_makes_a_node_and_no_tie():
    network = network_of([["a"], ["b", "c"]], "fractional")
    assert (network.order, network.size, network.incidence.coverage.solo) == (3, 1, 1)


def test_a_paper_at_the_limit_counts_and_one_over_it_does_not():
    network = network_of([["a", "b", "c"], ["a", "b", "c", "d"]])
    kept = cut(network.incidence, 3)
    assert [n.id for n in kept.nodes] == ["a", "b", "c"]
    assert kept.coverage.cut == 1
    assert cut(network.incidence, 4) is network.incidence


def test_cutting_every_paper_leaves_an_empty_network():
    network = project(cut(network_of([["a", "b"]]).incidence, 1))
    assert (network.order, network.size, network.weight.tolist()) == (0, 0, [])


def test_thresholds_leave_the_weights_that_stay_as_they_were():
    network = network_of([["a", "b", "c"], ["a", "b"], ["a", "c"]], "fractional")
    fewer = threshold(network, min_papers=2, min_weight=2)
    assert _weights(fewer, fewer.fractional) == {("a", "b"): 1.5, ("a", "c"): 1.5}
    assert [n.id for n in threshold(network_of([["a", "b"], ["a"]]), min_papers=2).nodes] == ["a"]


@given(papers)
def test_similarities_stand_in_their_bounds_and_orders(listed):
    network = network_of(listed)
    jaccard, cosine, inclusion = (similarity(network, k) for k in ("jaccard", "cosine", "inclusion"))
    assert ((jaccard > 0) & (jaccard <= cosine + 1e-12) & (cosine <= inclusion + 1e-12) & (inclusion <= 1)).all()


def test_association_strength_of_a_lone_pair_is_two():
    # 2m·w/(s·s) with m = w = s = 1: twice what chance gives, for the pair cannot be tied to itself.
    assert similarity(network_of([["a", "b"]]), "association").tolist() == [2.0]
