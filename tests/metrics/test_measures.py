"""Each measure against networkx, engine by engine, on drawn networks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import UsageError
from kg.metrics import Options, measure, module, names
from tests.network.conftest import network_of, papers

#: name → engines beside the default
COMPARED = [(name, e) for name in names() for e in list(module(name).ENGINES)[1:]]
countings = st.sampled_from(["full", "fractional", "paper"])


def _values(made):
    if isinstance(made.values, dict):
        return {name: float("nan") if value is None else value for name, value in made.values.items()}
    return np.asarray(made.values, dtype=float)


@pytest.mark.parametrize(("name", "engine"), COMPARED)
@settings(max_examples=200, deadline=None)
@given(listed=papers, counting=countings)
def test_engines_agree(name, engine, listed, counting):
    network = network_of(listed, counting, idle="yz")
    one, other = _values(measure(network, name)), _values(measure(network, name, engine=engine))
    if isinstance(one, dict):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-9, nan_ok=True)
    else:
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", names())
def test_every_measure_is_described_and_defined_on_the_smallest_networks(name):
    found = module(name)
    assert found.TITLE
    assert found.TITLE_ZH
    assert len(found.__doc__) > 60
    for listed in ([], [["a"]], [["a", "b"]], [["a"], ["b"]]):
        network = network_of(listed)
        made = measure(network, name)
        assert made.version
        if made.scope != "network":
            assert len(made.column()) == (network.order if made.scope == "node" else network.size)


@settings(max_examples=50, deadline=None)
@given(papers, st.integers(2, 5))
def test_a_sample_of_sources_is_the_one_of_networkx(listed, k):
    network = network_of(listed, idle="xyz")
    options = Options(samples=k, seed=7)
    one, other = measure(network, "betweenness", options), measure(network, "betweenness", options, "networkx")
    np.testing.assert_allclose(one.values, other.values, atol=1e-12)


def test_an_estimate_says_so_and_gives_its_error():
    network = network_of([["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"]])
    made = measure(network, "betweenness", Options(samples=3))
    assert made.parameters == {"sources": 3, "of": 5, "seed": 0}
    assert "estimated" in made.note
    assert len(made.error) == 5


def test_unknown_names_are_told_with_those_that_there_are():
    with pytest.raises(UsageError, match=r"there are: .*betweenness"):
        measure(network_of([]), "fame")
    with pytest.raises(UsageError, match="no engine 'abacus'; it has: numpy, networkx"):
        measure(network_of([]), "degree", engine="abacus")
