"""Degree: the number of different partners, k_i = |{j : w_ij > 0}|."""

from __future__ import annotations

import numpy as np

from kg.metrics import Found, Options, by_index
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "Degree", "度", "node"


def _numpy(network: Network, _: Options) -> Found:
    ends = np.concatenate([network.source, network.target])
    return Found(np.bincount(ends, minlength=network.order).astype(np.int64))


def _networkx(network: Network, _: Options) -> Found:
    graph = network.to_networkx(evidence=False)
    return Found(by_index(network, dict(graph.degree())).astype(np.int64))


ENGINES = {"numpy": _numpy, "networkx": _networkx}
