"""Numbers of whole networks, by hand."""

from __future__ import annotations

import pytest

from kg.metrics import measure
from tests.network.conftest import network_of


def test_collaboration_counts_papers_not_ties():
    # c is of no known country; a is Swiss, d is Chinese (see conftest).
    values = measure(network_of([["a"], ["a", "d"], ["a", "c"], ["c"]]), "collaboration").values
    assert values["degree_of_collaboration"] == 0.5
    assert values["collaborative_coefficient"] == pytest.approx(1 - (1 + 0.5 + 0.5 + 1) / 4)
    assert (values["papers_of_known_country"], values["international_share"]) == (3, pytest.approx(1 / 3))


def test_mixing_counts_only_ties_whose_ends_are_known():
    # a and e are Swiss, d is Chinese, c is unknown.
    values = measure(network_of([["a", "e"], ["a", "d"], ["a", "c"]]), "mixing").values
    assert (values["ties_known_country"], values["ei_country"]) == (2, 0.0)


def test_a_clique_of_the_rich_is_a_rich_club():
    listed = [["a", "b"], ["a", "c"], ["b", "c"], *([hub, leaf + hub] for hub in "abc" for leaf in ("x", "y", "z"))]
    values = measure(
        network_of(
            [[e if len(e) == 1 else chr(100 + ord(e[0]) - 120 + 3 * "abc".index(e[1])) for e in p] for p in listed]
        ),
        "rich-club",
    ).values
    assert values["phi_4"] == 1.0
    assert values["ratio_4"] > 1
