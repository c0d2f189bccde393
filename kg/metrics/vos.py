"""Clusters as VOSviewer makes them: maximise Σ_{i<j} (s_ij - γ) δ(c_i, c_j) on association strength s_ij.

Waltman, van Eck & Noyons (2010, J. Informetrics 4): the constant Potts model on normalised ties. Nodes move to the
cluster that gains most until none gains, then clusters move as nodes do (Blondel et al. 2008), in an order
drawn from the seed. Numbered from 1 by descending size; 0 is a node without ties.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from kg.metrics import Found, Options
from kg.metrics.communities import numbered
from kg.network import Integers, Network
from kg.projection import similarity

TITLE, TITLE_ZH, SCOPE = "VOS cluster", "VOS 聚类", "node"


def _move(matrix: sparse.csr_array, size: Integers, gamma: float, rng: np.random.Generator) -> Integers:
    """Local moving: the cluster of each node once no single move gains."""
    n = matrix.shape[0]
    pointer, neighbour, weight = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    label, own, total = list(range(n)), size.tolist(), size.tolist()
    queue, waiting = rng.permutation(n).tolist(), [True] * n
    for node in queue:  # the list grows while it is read: neighbours of a node that moved are seen again
        waiting[node] = False
        tie: dict[int, float] = {label[node]: 0.0}
        for at in range(pointer[node], pointer[node + 1]):
            if neighbour[at] != node:
                cluster = label[neighbour[at]]
                tie[cluster] = tie.get(cluster, 0.0) + weight[at]
        total[label[node]] -= own[node]
        home = label[node]
        gain = {c: w - gamma * own[node] * total[c] for c, w in tie.items()}
        best = min(gain, key=lambda c: (-gain[c], c))
        if gain[best] <= gain[home] + 1e-12:
            best = home
        total[best] += own[node]
        if best != home:
            label[node] = best
            moved = [neighbour[at] for at in range(pointer[node], pointer[node + 1])]
            again = [j for j in moved if not waiting[j] and label[j] != best]
            queue.extend(again)
            for j in again:
                waiting[j] = True
    return np.unique(np.array(label, dtype=np.int64), return_inverse=True)[1].astype(np.int64)


def clusters(network: Network, seed: int, gamma: float) -> Integers:
    """The clusters of one run."""
    strength = similarity(network, "association")
    ends = np.concatenate([network.source, network.target]), np.concatenate([network.target, network.source])
    shape = (network.order, network.order)
    matrix = sparse.csr_array((np.concatenate([strength, strength]), ends), shape=shape)
    label, size = np.arange(network.order), np.ones(network.order, dtype=np.int64)
    rng = np.random.default_rng(seed)
    while True:
        moved = _move(matrix, size, gamma, rng)
        count = int(moved.max(initial=-1)) + 1
        label = moved[label]
        if count == matrix.shape[0]:
            return numbered(network, label)
        merge = sparse.csr_array((np.ones(len(moved)), (moved, np.arange(len(moved)))), shape=(count, len(moved)))
        matrix = sparse.csr_array(merge @ matrix @ merge.T)
        size = np.bincount(moved, size, minlength=count).astype(np.int64)


def _scipy(network: Network, options: Options) -> Found:
    labels = clusters(network, options.seed, options.resolution) if network.size else np.zeros(network.order, np.int64)
    return Found(labels, {"seed": options.seed, "resolution": options.resolution, "counting": network.counting})


ENGINES = {"scipy": _scipy}
