"""Strength: the sum of a node's weights, s_i = Σ_j w_ij (Barrat et al. 2004, PNAS 101).

Under fractional counting it is the number of the node's papers that have a second entity.
"""

from __future__ import annotations

import numpy as np

from kg.metrics import Found, Options, by_index
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "Strength", "强度", "node"


def _numpy(network: Network, _: Options) -> Found:
    ends = np.concatenate([network.source, network.target])
    weights = np.concatenate([network.weight, network.weight])
    return Found(np.bincount(ends, weights, minlength=network.order), {"counting": network.counting})


def _networkx(network: Network, _: Options) -> Found:
    graph = network.to_networkx(evidence=False)
    return Found(by_index(network, dict(graph.degree(weight="weight"))), {"counting": network.counting})


ENGINES = {"numpy": _numpy, "networkx": _networkx}
