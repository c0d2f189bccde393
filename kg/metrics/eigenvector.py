"""Eigenvector centrality of the largest component, A·x = λ·x for the largest λ (Bonacich 1972), |x| = 1.

On several components the vector is not determined, so nodes outside the largest have no value.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy.sparse.linalg import eigsh

from kg.metrics import Found, Options
from kg.metrics.components import ENGINES as COMPONENTS
from kg.network import Floats, Integers, Network

TITLE, TITLE_ZH, SCOPE = "Eigenvector centrality", "特征向量中心性", "node"
#: Up to this many nodes the dense solver is exact and quick.
DENSE = 200


def _giant(network: Network, options: Options) -> Integers:
    labels = COMPONENTS["scipy"](network, options).values
    members = np.flatnonzero(labels == 1)
    return members if len(members) > 1 else members[:0]


def _spread(network: Network, members: Integers, vector: Floats) -> Found:
    values = np.full(network.order, np.nan)
    values[members] = np.abs(vector) / max(float(np.linalg.norm(vector)), 1e-300)
    return Found(values, {"nodes": len(members), "of": network.order})


def _scipy(network: Network, options: Options) -> Found:
    members = _giant(network, options)
    matrix = network.adjacency[members][:, members]
    if len(members) <= DENSE:
        vector = np.linalg.eigh(matrix.toarray())[1][:, -1] if len(members) else np.zeros(0)
    else:
        vector = eigsh(matrix, k=1, which="LA", v0=np.ones(len(members)))[1][:, 0]
    return _spread(network, members, vector)


def _networkx(network: Network, options: Options) -> Found:
    members = _giant(network, options)
    graph = network.to_networkx(evidence=False).subgraph([network.nodes[i].id for i in members])
    if len(members) < 3:  # the sparse solver that networkx calls needs three nodes
        return _spread(network, members, np.ones(len(members)))
    values = nx.eigenvector_centrality_numpy(graph, weight="weight")
    return _spread(network, members, np.array([values[network.nodes[i].id] for i in members]))


ENGINES = {"scipy": _scipy, "networkx": _networkx}
