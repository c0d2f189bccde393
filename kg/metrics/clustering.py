"""Local clustering: the share of a node's pairs of partners that are partners themselves.

C_i = 2·△_i / (k_i (k_i - 1)), 0 for k_i < 2 (Watts & Strogatz 1998). A paper of n entities is a clique, so in
projected networks high values are no news.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from kg.metrics import Found, Options, by_index
from kg.network import Floats, Network

TITLE, TITLE_ZH, SCOPE = "Clustering", "聚类系数", "node"


def triangles(network: Network) -> Floats:
    """△_i: the triangles through each node, half the paths of two steps that end on a tie."""
    pattern = network.pattern
    return np.asarray(((pattern @ pattern).multiply(pattern)).sum(axis=1), dtype=np.float64).ravel() / 2


def _scipy(network: Network, _: Options) -> Found:
    degree = np.asarray(network.pattern.sum(axis=1), dtype=np.float64).ravel()
    pairs = degree * (degree - 1) / 2
    return Found(np.divide(triangles(network), pairs, out=np.zeros(network.order), where=pairs > 0))


def _networkx(network: Network, _: Options) -> Found:
    values: Any = nx.clustering(network.to_networkx(evidence=False))
    return Found(by_index(network, values))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
