"""Harmonic closeness, (1/(N-1)) Σ_{u≠v} 1/d(u,v), with 1/∞ = 0 (Marchiori & Latora 2000).

Sound on networks of several components. On large networks from the sample of sources of betweenness, with the
standard error of each estimate (Eppstein & Wang 2004).
"""

from __future__ import annotations

import networkx as nx
import numpy as np

from kg.metrics import Found, Options, by_index
from kg.metrics.betweenness import described, sources
from kg.network import Network
from kg.waves import waves

TITLE, TITLE_ZH, SCOPE = "Harmonic closeness", "调和接近中心性", "node"


def _scipy(network: Network, options: Options) -> Found:
    n, chosen = network.order, sources(network, options)
    total, squares = np.zeros(n), np.zeros(n)
    for wave in waves(network.pattern, chosen):
        near = np.divide(1.0, wave.distance, out=np.zeros(wave.distance.shape), where=wave.distance > 0)
        total += near.sum(axis=1)
        squares += (near**2).sum(axis=1)
    own = np.zeros(n)
    own[chosen] = 1.0
    drawn = np.maximum(len(chosen) - own, 1)  # a node is at no distance from itself
    mean = total / drawn
    if len(chosen) == n:
        return Found(mean, described(network, options))
    error = np.sqrt(np.maximum(squares / drawn - mean**2, 0.0) / drawn * (1 - len(chosen) / n))
    note = f"estimated from {len(chosen)} of {n} sources; the standard error of each value is given"
    return Found(mean, described(network, options), error, note)


def _networkx(network: Network, options: Options) -> Found:
    values = nx.harmonic_centrality(network.to_networkx(evidence=False))
    return Found(by_index(network, values) / max(network.order - 1, 1), described(network, options))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
