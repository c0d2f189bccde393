"""How good and how stable the communities are: modularity, and their agreement over seeds.

``stability`` is the mean normalised mutual information, 2·I(X;Y)/(H(X)+H(Y)), of the division with those of
:data:`RUNS` other seeds (Danon et al. 2005): near 1 the division is a property of the network, far below it
is one of many.
"""

from __future__ import annotations

import numpy as np

from kg.metrics import Found, Options
from kg.metrics.communities import leiden, modularity
from kg.network import Integers, Network

TITLE, TITLE_ZH, SCOPE = "Quality of the communities", "社区质量", "network"
RUNS = 5


def agreement(one: Integers, other: Integers) -> float:
    """Normalised mutual information of two divisions; 1 where both are of one part."""
    n = len(one)
    joint = np.unique(np.stack([one, other]), axis=1, return_counts=True)[1] / n
    px, py = (np.unique(labels, return_counts=True)[1] / n for labels in (one, other))
    hx, hy, hxy = (float(-(p * np.log(p)).sum()) for p in (px, py, joint))
    return 2 * (hx + hy - hxy) / (hx + hy) if hx + hy > 0 else 1.0


def _networkit(network: Network, options: Options) -> Found:
    parameters = {"seeds": RUNS + 1, "resolution": options.resolution}
    if not network.size:
        return Found({"communities": 0, "modularity": None, "stability": None}, parameters)
    first = leiden(network, options.seed, options.resolution)
    others = [leiden(network, options.seed + run, options.resolution) for run in range(1, RUNS + 1)]
    tied = first > 0
    values = {
        "communities": int(first.max()),
        "modularity": modularity(network, first, options.resolution),
        "stability": float(np.mean([agreement(first[tied], other[tied]) for other in others])),
    }
    return Found(values, parameters)


ENGINES = {"networkit": _networkit}
