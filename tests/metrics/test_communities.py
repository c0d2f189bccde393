"""Communities and clusters: quality against networkx, and what must hold of any division."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from kg.metrics import Options, measure
from kg.metrics.communities import modularity
from kg.metrics.community_quality import agreement
from kg.metrics.components import ranked
from kg.projection import similarity
from tests.network.conftest import network_of, papers

TWO_GROUPS = [["a", "b", "c", "d"], ["a", "b"], ["c", "d"], ["e", "f", "g", "h"], ["e", "f"], ["g", "h"], ["d", "e"]]


def _parts(network, labels) -> list[set[str]]:
    parts: dict[object, set[str]] = {}
    for i, label in enumerate(labels.tolist()):
        parts.setdefault(label or ("alone", i), set()).add(network.nodes[i].id)
    return list(parts.values())


@settings(max_examples=100, deadline=None)
@given(papers)
def test_modularity_is_the_one_of_networkx_and_leiden_is_no_worse_than_louvain(listed):
    network = network_of(listed, idle="z")
    made = measure(network, "communities")
    graph = network.to_networkx(evidence=False)
    found = modularity(network, made.values)
    if not network.size:
        assert found is None
        return
    assert found == pytest.approx(nx.community.modularity(graph, _parts(network, made.values)))
    louvain = nx.community.louvain_communities(graph, seed=0)
    assert found >= nx.community.modularity(graph, louvain) - 0.02


@pytest.mark.parametrize("name", ["communities", "vos"])
def test_two_teams_with_one_joint_paper_are_two_groups(name):
    network = network_of([*TWO_GROUPS, ["z"]])
    found = measure(network, name)
    assert {frozenset(p) for p in _parts(network, found.values)} == {
        frozenset("abcd"),
        frozenset("efgh"),
        frozenset("z"),
    }
    assert found.values[-1] == 0


@pytest.mark.parametrize("name", ["communities", "vos"])
def test_the_same_seed_gives_the_same_groups(name):
    network = network_of([[chr(97 + i % 26), chr(97 + i * i % 26), chr(97 + i * 7 % 26)] for i in range(60)])
    one, other = (measure(network, name, Options(seed=3)).values.tolist() for _ in range(2))
    assert one == other


@settings(max_examples=60, deadline=None)
@given(papers)
def test_no_single_move_improves_a_vos_clustering(listed):
    network = network_of(listed)
    labels = measure(network, "vos").values
    strength, n = np.zeros((network.order, network.order)), network.order
    strength[network.source, network.target] = similarity(network, "association")
    strength += strength.T

    def quality(division) -> float:
        same = (division[:, None] == division[None, :]) & (division > 0)[:, None] & ~np.eye(n, dtype=bool)
        return float(((strength - 1.0) * same).sum()) / 2

    # Moves of the finest level are only exhausted before clusters merge, so compare with singletons and components.
    alone = np.arange(1, n + 1)
    assert quality(labels) >= quality(alone) - 1e-9


def test_labels_run_by_size_then_by_first_member():
    assert ranked(np.array([7, 3, 3, 9, 9, 7, 1])).tolist() == [1, 2, 2, 3, 3, 1, 4]


def test_agreement_is_one_for_renamed_and_zero_for_unrelated_divisions():
    assert agreement(np.array([1, 1, 2, 2]), np.array([5, 5, 4, 4])) == pytest.approx(1)
    assert agreement(np.array([1, 1, 2, 2]), np.array([1, 2, 1, 2])) == pytest.approx(0)
