"""Connected components, numbered from 1 by descending size, then by their first node.

Two entities are in one component if a chain of shared papers leads from one to the other.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy.sparse.csgraph import connected_components

from kg.metrics import Found, Options
from kg.network import Integers, Network

TITLE, TITLE_ZH, SCOPE = "Component", "连通分量", "node"


def ranked(labels: Integers) -> Integers:
    """Labels of any kind as 1, 2, … by descending size, ties by the smallest index of a member."""
    if not len(labels):
        return labels
    _, first, inverse, size = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -size))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(1, len(order) + 1)
    return rank[inverse]


def _scipy(network: Network, _: Options) -> Found:
    if not network.order:
        return Found(np.zeros(0, dtype=np.int64))
    labels = connected_components(network.pattern, directed=False)[1]
    return Found(ranked(labels.astype(np.int64)))


def _networkx(network: Network, _: Options) -> Found:
    graph = network.to_networkx(evidence=False)
    of = {node: i for i, part in enumerate(nx.connected_components(graph)) for node in part}
    return Found(ranked(np.array([of[n.id] for n in network.nodes], dtype=np.int64)))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
