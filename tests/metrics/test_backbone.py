"""Which ties stand out: the disparity filter by hand, the null model by its constraints and by simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.metrics import measure
from kg.metrics.backbone import fit, kept, tail
from tests.network.conftest import network_of


def test_disparity_by_hand():
    # a has strength 4 over three ties: of weight 2, 1 and 1.
    network = network_of([["a", "b"], ["a", "b"], ["a", "c"], ["a", "d"]])
    assert measure(network, "disparity").values.tolist() == pytest.approx([0.25, 0.5625, 0.5625])


def test_a_lone_tie_is_no_evidence():
    assert measure(network_of([["a", "b"]]), "disparity").values.tolist() == [1.0]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(4, 20), st.integers(4, 40))
def test_the_model_keeps_every_size_on_average(seed, entities, papers):
    table = np.random.default_rng(seed).random((entities, papers)) < 0.3
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    chances, of_row, of_column, _, _ = fit(rows, columns)
    expected = chances[of_row][:, of_column]
    np.testing.assert_allclose(expected.sum(axis=1), rows, atol=0.02)
    np.testing.assert_allclose(expected.sum(axis=0), columns, atol=0.02)


@pytest.mark.parametrize("size", [0.002, 0.05, 0.3])
def test_tails_agree_with_simulation(size):
    rng = np.random.default_rng(1)
    chances = rng.random(40) * size
    draws = (rng.random((20000, 400)) < np.repeat(chances, 10)).sum(axis=1)
    seen = np.unique(np.quantile(draws, [0.5, 0.9, 0.97]).astype(int)) + 1
    found = tail(np.tile(chances, (len(seen), 1)), np.full(40, 10), seen)
    np.testing.assert_allclose(found, [(draws >= s).mean() for s in seen], atol=0.012)


def test_the_rule_of_benjamini_and_hochberg_on_its_own_example():
    # Benjamini & Hochberg (1995), section 4: of these 15 values four are kept at 5 %.
    p = np.array([0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459])
    assert kept(p, 15).sum() == 4


def test_a_repeated_pair_stands_out_and_a_chance_pair_does_not():
    others = list(itertools.combinations("abcdefghijkl", 2))
    made = measure(network_of([["y", "z"]] * 8 + others), "backbone")
    assert made.values.argmin() == len(made.values) - 1
    assert made.values.min() < 1e-6
    assert np.median(made.values) > 0.1
