"""Rich club: how densely the nodes of more than k partners are tied, φ(k) = 2E_{>k}/(N_{>k}(N_{>k}-1)).

Zhou & Mondragón (2004); Colizza et al. (2006). ``ratio_k`` compares it with chance: φ(k) over its mean in
:data:`RANDOM` networks of the same degrees (Newman, Strogatz & Watts' stub matching, seeded). Given for k = 1, 2, 4, …
"""

from __future__ import annotations

import networkx as nx
import numpy as np

from kg.metrics import Found, Options
from kg.network import Integers, Network

TITLE, TITLE_ZH, SCOPE = "Rich club", "富人俱乐部", "network"
RANDOM = 10


def _thresholds(degree: Integers) -> list[int]:
    """1, 2, 4, … as long as two nodes have more partners."""
    second = int(np.sort(degree)[-2]) if len(degree) > 1 else 0
    return [2**e for e in range(second.bit_length()) if second > 2**e]


def _phi(degree: Integers, source: Integers, target: Integers, k: int) -> float:
    rich = degree > k
    n = int(rich.sum())
    return 2 * int((rich[source] & rich[target]).sum()) / (n * (n - 1))


def _numpy(network: Network, options: Options) -> Found:
    degree = np.bincount(np.concatenate([network.source, network.target]), minlength=network.order)
    values: dict[str, float | None] = {}
    rng = np.random.default_rng(options.seed)
    random = [_matched(degree, rng) for _ in range(RANDOM)] if _thresholds(degree) else []
    for k in _thresholds(degree):
        phi = _phi(degree, network.source, network.target, k)
        chance = float(np.mean([_phi(degree, u, v, k) for u, v in random]))
        values |= {f"phi_{k}": phi, f"ratio_{k}": phi / chance if chance else None}
    return Found(values, {"random_networks": RANDOM, "seed": options.seed})


def _matched(degree: Integers, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Ties of a random network of these degrees: stubs paired at random, self-pairs and repeats dropped."""
    stubs = rng.permutation(np.repeat(np.arange(len(degree)), degree))
    u, v = stubs[::2], stubs[1::2]
    pairs = np.unique(np.stack([np.minimum(u, v), np.maximum(u, v)]), axis=1)
    kept = pairs[:, pairs[0] != pairs[1]]
    return kept[0], kept[1]


def _networkx(network: Network, options: Options) -> Found:
    found = dict(_numpy(network, options).values)  # the ratios are random; networkx checks the coefficients
    graph = network.to_networkx(evidence=False)
    phi = nx.rich_club_coefficient(graph, normalized=False) if graph.number_of_edges() else {}
    found |= {name: phi.get(int(name[4:])) for name in found if name.startswith("phi_")}
    return Found(found)


ENGINES = {"numpy": _numpy, "networkx": _networkx}
