"""Burt's constraint: how much a node's ties are invested in partners who are tied to each other.

c_i = Σ_j (p_ij + Σ_q p_iq p_qj)² over partners j, p_ij = w_ij/s_i (Burt 1992; 2004). Low values mark brokers;
1 is a single tie; it may exceed 1; a node without ties has none.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy import sparse

from kg.metrics import Found, Options, by_index
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "Constraint", "约束系数", "node"


def _scipy(network: Network, _: Options) -> Found:
    strength = np.asarray(network.adjacency.sum(axis=1)).ravel()
    scale = np.divide(1.0, strength, out=np.zeros(network.order), where=strength > 0)
    shares = sparse.csr_array(sparse.diags_array(scale) @ network.adjacency) if network.order else network.adjacency
    invested = shares + (shares @ shares).multiply(network.pattern)
    values = np.asarray((invested**2).sum(axis=1), dtype=np.float64).ravel()
    return Found(np.where(strength > 0, values, np.nan), {"counting": network.counting})


def _networkx(network: Network, _: Options) -> Found:
    values = nx.constraint(network.to_networkx(evidence=False), weight="weight")
    return Found(by_index(network, values), {"counting": network.counting})


ENGINES = {"scipy": _scipy, "networkx": _networkx}
