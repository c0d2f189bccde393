"""Networks of two kinds of nodes, and networks of two times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from kg.analysis import BASIC
from kg.network_change import Change
from kg.sparql import declare_prefixes
from kg.twomode import two_mode
from tests.conftest import Cli
from tests.network.conftest import network_of, papers


def test_no_author_has_an_institution_that_the_seed_does_not_state(seed_store):
    assert two_mode(seed_store, "affiliations").order == 0


def test_institutions_and_venues_of_the_seed(seed_store):
    network = two_mode(seed_store, "venues")
    side = [node.get("kind") for node in network.nodes]
    ends = zip(network.source.tolist(), network.target.tolist(), strict=True)
    assert all({side[u], side[v]} == {"institution", "venue"} for u, v in ends)
    assert {n.label for n in network.nodes if n.get("kind") == "venue"} >= {"ICML 2026"}
    strength = dict.fromkeys(range(network.order), 0.0)
    for u, v, weight in zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True):
        strength[u] += weight
        strength[v] += weight
    icml = next(i for i, n in enumerate(network.nodes) if n.label == "ICML 2026")
    asked = """SELECT (COUNT(*) AS ?n) WHERE { { SELECT DISTINCT ?p ?i WHERE {
        ?p kg:relevantInstitution ?i ; kg:hasVenueClaim/kg:claimsEvent ?e . ?e rdfs:label "ICML 2026"@en } } }"""
    ((count,),) = seed_store.select(declare_prefixes(asked))
    assert strength[icml] == int(count)


@pytest.mark.parametrize(
    "option", [("--years", "2026"), ("--counting", "paper"), ("--source", "x"), ("--min-papers", "2")]
)
def test_what_a_network_of_two_kinds_does_not_obey_it_does_not_take(kg: Cli, seed_folder: Path, option) -> None:
    done = kg("network", "venues", *option, "--store", seed_folder)
    assert done.returncode == 2
    assert "No such option" in done.stderr


def test_all_measures_of_a_network_of_two_kinds(kg: Cli, seed_folder: Path) -> None:
    done = kg("network", "venues", "--measures", "all", "--format", "json", "--store", seed_folder)
    assert done.returncode == 0, done.stderr
    assert set(BASIC) < set(json.loads(done.stdout)["nodes"][0])


@given(before=papers, after=papers)
def test_a_change_adds_up(before, after):
    old, new = network_of(before), network_of(after)
    found = Change(old, new)
    nodes, ties = found.nodes(), found.ties()
    assert len(nodes["came"]) + len(nodes["stayed"]) == new.order
    assert len(nodes["went"]) + len(nodes["stayed"]) == old.order
    assert sum(t["change"] for t in ties) == new.weight.sum() - old.weight.sum()
    summary = found.summary()
    assert summary["ties"]["came"] + summary["ties"]["stayed"] == new.size
    reverse = Change(new, old).summary()
    assert reverse["jaccard"] == summary["jaccard"]
    assert reverse["ties"]["went"] == summary["ties"]["came"]


@given(listed=papers)
def test_nothing_changes_against_itself(listed):
    found = Change(network_of(listed), network_of(listed))
    assert all(t["change"] == 0 for t in found.ties())
    assert found.summary()["jaccard"] in (1, None)
