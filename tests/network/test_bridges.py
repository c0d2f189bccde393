"""Who holds a co-authorship network together, and what stands on a name alone."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings

from kg.bridges import bridges
from kg.network import coaffiliation, coauthorship
from kg.stores.oxigraph import memory
from tests.network.conftest import author_quads, papers


def test_the_networks_of_the_seed(seed_store):
    institutions, authors = coaffiliation(seed_store), coauthorship(seed_store)
    parts = sorted(map(len, nx.connected_components(institutions)))
    assert (len(institutions), institutions.number_of_edges()) == (40, 48)
    assert sum(w for *_, w in institutions.edges(data="weight")) == 49
    assert (len(parts), parts.count(1), parts[-1]) == (16, 9, 9)
    parts = sorted(map(len, nx.connected_components(authors)))
    assert (len(authors), authors.number_of_edges(), len(parts), parts[-1]) == (128, 301, 29, 15)


def test_the_one_bridge_of_the_seed_and_what_remains_without_it(seed_store):
    found = bridges(seed_store)
    assert [(b.label, len(b.papers), b.parts) for b in found.bridges] == [("Zhenyu Liao", 2, 1)]
    assert found.shapes["names"][:3] == (128, 301, 29)
    assert found.shapes["verified"][:3] == (129, 301, 30)


def test_a_merge_inside_one_team_is_no_bridge():
    team = [["ada", "bo", "cy"], ["ada", "bo"]]
    assert bridges(memory(author_quads(team))).bridges == ()


def test_a_merge_that_joins_three_teams_parts_them():
    (bridge,) = bridges(memory(author_quads([["li", "a"], ["li", "b"], ["li", "c"]]))).bridges
    assert (bridge.label, bridge.parts, bridge.identity) == ("li", 2, "NameOnly")


@settings(max_examples=60, deadline=None)
@given(listed=papers)
def test_parts_are_the_components_more_that_networkx_counts(listed):
    teams = [sorted(paper) for paper in listed]
    told = {b.label: b.parts for b in bridges(memory(author_quads(teams))).bridges}
    for author in {a for team in teams for a in team}:
        on = [k for k, team in enumerate(teams) if author in team]
        if len(on) > 1:
            split = [[f"{a}{k}" if a == author else a for a in team] for k, team in enumerate(teams)]
            assert told.get(author, 0) == _components(split) - _components(teams)


def _components(teams):
    graph = nx.Graph()
    for team in teams:
        graph.add_nodes_from(team)
        nx.add_path(graph, team)
    return nx.number_connected_components(graph)
