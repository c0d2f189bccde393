"""Communities by the Leiden method on modularity, numbered from 1 by descending size; 0 is a node without ties.

Q = (1/2m) Σ_ij (w_ij - γ s_i s_j / 2m) δ(c_i, c_j) (Newman & Girvan 2004; Traag, Waltman & van Eck 2019).
One thread and a fixed seed: the same network gives the same communities. Another seed gives others: read
``community-quality``, which says how much of the division survives a change of seed.
"""

from __future__ import annotations

import numpy as np

from kg.metrics import Found, Options
from kg.metrics.components import ranked
from kg.network import Integers, Network

TITLE, TITLE_ZH, SCOPE = "Community", "社区", "node"


def leiden(network: Network, seed: int, resolution: float) -> Integers:
    """Leiden's communities of one run."""
    if not network.size:
        return np.zeros(network.order, dtype=np.int64)
    import networkit as nk  # costs two seconds, so only where it is used

    nk.setNumberOfThreads(1)  # with more, the outcome depends on their race
    nk.setSeed(seed, useThreadId=False)
    ends = (network.source, network.target)
    graph = nk.GraphFromCoo((network.weight, ends), n=network.order, directed=False, weighted=True)
    method = nk.community.ParallelLeiden(graph, randomize=True, iterations=5, gamma=resolution)
    labels = np.array(method.run().getPartition().getVector(), dtype=np.int64)
    return numbered(network, labels)


def numbered(network: Network, labels: Integers) -> Integers:
    """Communities by descending size, nodes without ties as 0."""
    tied = np.zeros(network.order, dtype=bool)
    tied[network.source], tied[network.target] = True, True
    result = np.zeros(network.order, dtype=np.int64)
    result[tied] = ranked(labels[tied])
    return result


def modularity(network: Network, labels: Integers, resolution: float = 1.0) -> float | None:
    """Q of a division; None for a network without ties."""
    total = float(network.weight.sum())
    if not total:
        return None
    within = float(network.weight[labels[network.source] == labels[network.target]].sum())
    strength = np.bincount(labels, np.asarray(network.adjacency.sum(axis=1)).ravel())
    return within / total - resolution * float(((strength / (2 * total)) ** 2).sum())


def _networkit(network: Network, options: Options) -> Found:
    labels = leiden(network, options.seed, options.resolution)
    parameters = {"method": "Leiden", "seed": options.seed, "resolution": options.resolution, "threads": 1}
    return Found(labels, {**parameters, "counting": network.counting})


ENGINES = {"networkit": _networkit}
