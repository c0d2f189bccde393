"""Closeness within the component, scaled by its reach: (r-1)/Σd · (r-1)/(N-1) for a component of r nodes.

Wasserman & Faust (1994), eq. 5.22, as in networkx. Prefer ``harmonic`` where components differ in size.
On large networks Σd is estimated from the sample of sources of betweenness.
"""

from __future__ import annotations

import networkx as nx
import numpy as np

from kg.metrics import Found, Options, by_index
from kg.metrics.betweenness import described, sources
from kg.metrics.components import ENGINES as COMPONENTS
from kg.network import Network
from kg.waves import waves

TITLE, TITLE_ZH, SCOPE = "Closeness", "接近中心性", "node"


def _scipy(network: Network, options: Options) -> Found:
    n, chosen = network.order, sources(network, options)
    total, seen = np.zeros(n), np.zeros(n)
    for wave in waves(network.pattern, chosen):
        total += np.maximum(wave.distance, 0).sum(axis=1)
        seen += (wave.distance > 0).sum(axis=1)
    component = COMPONENTS["scipy"](network, options).values
    reach = np.bincount(component, minlength=1)[component] - 1 if n else np.zeros(0)
    # (r-1)/Σd is one over the mean distance, which the sources that reached the node estimate.
    inverse = np.divide(seen, total, out=np.zeros(n), where=total > 0)
    note = "" if len(chosen) == n else f"estimated from {len(chosen)} of {n} sources"
    return Found(inverse * reach / max(n - 1, 1), described(network, options), note=note)


def _networkx(network: Network, options: Options) -> Found:
    values = nx.closeness_centrality(network.to_networkx(evidence=False))
    return Found(by_index(network, values), described(network, options))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
