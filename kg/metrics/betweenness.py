"""Betweenness: how many shortest chains of collaboration lead through a node.

C_B(v) = Σ_{s<t} σ_st(v)/σ_st · 2/((N-1)(N-2)), 0 for N < 3 (Freeman 1977; Brandes 2001). Ties count as one
step each: weights are similarities, not lengths. On large networks the sum runs over a sample of sources
(Brandes & Pich 2007, Int. J. Bifurcation Chaos 17), scaled by N/k, and the standard error of each estimate is
given; the sample is the one that networkx draws for the same seed.
"""

from __future__ import annotations

import random

import networkx as nx
import numpy as np

from kg.metrics import EXACT, Found, Options, by_index
from kg.network import Integers, Network
from kg.waves import classes, dependencies, waves

TITLE, TITLE_ZH, SCOPE = "Betweenness", "中介中心性", "node"
SAMPLE = 256


def chosen_samples(network: Network, options: Options) -> int | None:
    """How many sources: None for all of them."""
    if options.samples is not None:
        return options.samples if options.samples < network.order else None
    return None if network.order <= EXACT else SAMPLE


def sources(network: Network, options: Options) -> Integers:
    """The sampled sources, in the order of networkx's own sample, or all nodes."""
    k = chosen_samples(network, options)
    if k is None:
        return np.arange(network.order, dtype=np.int64)
    draw = random.Random(options.seed)  # noqa: S311  (a sample to repeat, not a secret)
    return np.array(draw.sample(range(network.order), k), dtype=np.int64)


def described(network: Network, options: Options) -> dict[str, object]:
    """The sampling, for the method section."""
    k = chosen_samples(network, options)
    return {"sources": "all"} if k is None else {"sources": k, "of": network.order, "seed": options.seed}


def _scipy(network: Network, options: Options) -> Found:
    n, chosen = network.order, sources(network, options)
    alike = classes(network.pattern)
    total, squares = np.zeros(len(alike.size)), np.zeros(len(alike.size))
    # A source without ties reaches nobody and adds nothing.
    linked = chosen[np.diff(network.pattern.indptr)[chosen] > 0]
    for wave in waves(alike.pattern, alike.of[linked], alike.size):
        delta = dependencies(alike.pattern, wave, alike.size)
        total += delta.sum(axis=1)
        squares += (delta**2).sum(axis=1)
    total, squares = total[alike.of], squares[alike.of]
    if n < 3:
        return Found(total, described(network, options))
    k, scale = len(chosen), 1.0 / ((n - 1) * (n - 2))
    if k == n:
        return Found(total * scale, described(network, options))
    # A node is never its own source: where it was drawn, k-1 of the other n-1 nodes were.
    own = np.zeros(n)
    own[chosen] = 1.0
    drawn = k - own
    factor = np.divide(n - 1, drawn, out=np.zeros(n), where=drawn > 0)
    variance = np.maximum(squares / k - (total / k) ** 2, 0.0)
    error = n * np.sqrt(variance / k * (1 - k / n)) * scale
    return Found(
        total * factor * scale,
        described(network, options),
        error,
        note=f"estimated from {k} of {n} sources; the standard error of each value is given",
    )


def _networkx(network: Network, options: Options) -> Found:
    graph, k = network.to_networkx(evidence=False), chosen_samples(network, options)
    values = nx.betweenness_centrality(graph, k=k, seed=options.seed)
    return Found(by_index(network, values), described(network, options))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
