"""The network as a whole: density, transitivity, mean clustering, assortativity by degree, giant share.

Density 2M/(N(N-1)), None for N < 2. Transitivity 3·triangles/triples (Newman 2001). Assortativity is Pearson's
correlation of the degrees at the two ends of a tie (Newman 2002), None where they do not vary. The giant share
is the largest component's part of the nodes.
"""

from __future__ import annotations

import networkx as nx
import numpy as np

from kg.metrics import Found, Options
from kg.metrics.clustering import triangles
from kg.metrics.components import ENGINES as COMPONENTS
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "Structure", "整体结构", "network"


def _scipy(network: Network, options: Options) -> Found:
    n, m = network.order, network.size
    degree = np.asarray(network.pattern.sum(axis=1), dtype=np.float64).ravel()
    pairs, through = degree * (degree - 1) / 2, triangles(network)
    local = np.divide(through, pairs, out=np.zeros(n), where=pairs > 0)
    x = degree[np.concatenate([network.source, network.target])]
    y = degree[np.concatenate([network.target, network.source])]
    varies = m > 0 and np.ptp(x) > 0
    sizes = np.bincount(COMPONENTS["scipy"](network, options).values)
    values = {
        "density": 2 * m / (n * (n - 1)) if n > 1 else None,
        "mean_degree": 2 * m / n if n else None,
        "transitivity": float(through.sum() / pairs.sum()) if pairs.sum() else 0.0,
        "mean_clustering": float(local.mean()) if n else None,
        "degree_assortativity": float(np.corrcoef(x, y)[0, 1]) if varies else None,
        "giant_share": float(sizes.max() / n) if n else 0.0,
    }
    return Found(values)


def _networkx(network: Network, _: Options) -> Found:
    graph = network.to_networkx(evidence=False)
    n, degrees = len(graph), dict(graph.degree())
    varies = len({degrees[end] for tie in graph.edges for end in tie}) > 1
    values = {
        "density": nx.density(graph) if n > 1 else None,
        "mean_degree": sum(degrees.values()) / n if n else None,
        "transitivity": float(nx.transitivity(graph)),
        "mean_clustering": nx.average_clustering(graph) if n else None,
        "degree_assortativity": float(nx.degree_assortativity_coefficient(graph)) if varies else None,
        "giant_share": max(map(len, nx.connected_components(graph)), default=0) / max(n, 1),
    }
    return Found(values)


ENGINES = {"scipy": _scipy, "networkx": _networkx}
