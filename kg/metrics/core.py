"""Core number: the largest k such that the node is in a part where everybody has k partners (Seidman 1983).

The largest team sets it: a paper of n entities is an (n-1)-core by itself, so read it with the limit of
entities in view. Computed by peeling (Batagelj & Zaveršnik 2003), a whole layer at a time.
"""

from __future__ import annotations

import networkx as nx
import numpy as np

from kg.metrics import Found, Options, by_index
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "Core number", "核数", "node"


def _scipy(network: Network, _: Options) -> Found:
    pattern, n = network.pattern, network.order
    degree = np.diff(pattern.indptr).astype(np.int64)
    core, alive, k = np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool), 0
    while alive.any():
        k = max(k, int(degree[alive].min()))
        layer = np.flatnonzero(alive & (degree <= k))
        core[layer], alive[layer] = k, False
        degree -= np.bincount(pattern[layer].indices, minlength=n)
    return Found(core)


def _networkx(network: Network, _: Options) -> Found:
    return Found(by_index(network, nx.core_number(network.to_networkx(evidence=False))).astype(np.int64))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
