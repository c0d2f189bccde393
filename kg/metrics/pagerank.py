"""PageRank on the weighted ties, x = α·(Wᵀx + dangling) + (1-α)/N (Brin & Page 1998), α = 0.85.

A node without ties hands its share to everybody. Iterated until the change is below 1e-12 in total, where
networkx stops at N·tol: with its default ``tol`` most of the top hundred of a large network are misplaced, so
the oracle is called with ``tol = 1e-12/N``.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from scipy import sparse

from kg.metrics import Found, Options, by_index
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "PageRank", "PageRank", "node"
TOLERANCE, STEPS = 1e-12, 2000


def _scipy(network: Network, options: Options) -> Found:
    n, alpha = network.order, options.alpha
    strength = np.asarray(network.adjacency.sum(axis=1)).ravel()
    scale = np.divide(1.0, strength, out=np.zeros(n), where=strength > 0)
    walk = sparse.csr_array(network.adjacency @ sparse.diags_array(scale)) if n else network.adjacency
    x, dangling, steps = np.full(n, 1.0 / max(n, 1)), strength == 0, 0
    for steps in range(1, STEPS + 1):  # noqa: B007  (the count is reported)
        last = x
        x = alpha * (walk @ x + x[dangling].sum() / n) + (1 - alpha) / n if n else x
        if np.abs(x - last).sum() < TOLERANCE:
            break
    return Found(x, {"alpha": alpha, "tolerance": TOLERANCE, "steps": steps})


def _networkx(network: Network, options: Options) -> Found:
    graph, tolerance = network.to_networkx(evidence=False), TOLERANCE / max(network.order, 1)
    values = nx.pagerank(graph, alpha=options.alpha, tol=tolerance, max_iter=STEPS)
    return Found(by_index(network, values), {"alpha": options.alpha, "tolerance": tolerance})


ENGINES = {"scipy": _scipy, "networkx": _networkx}
