"""Disparity filter: is a tie heavier than its ends' other ties let expect? (Serrano, Boguñá & Vespignani 2009)

α_ij = (1 - w_ij/s_i)^(k_i - 1), the chance of such a share of i's strength were it spread at random over its
k_i ties; the smaller of both ends' values is given. An end with one tie says nothing: its value is 1.
Ties below a threshold, such as 0.05, make the backbone.
"""

from __future__ import annotations

import numpy as np

from kg.metrics import Found, Options
from kg.network import Floats, Integers, Network

TITLE, TITLE_ZH, SCOPE = "Disparity filter (α)", "差异过滤", "edge"


def _numpy(network: Network, _: Options) -> Found:
    degree = np.diff(network.pattern.indptr)
    strength = np.asarray(network.adjacency.sum(axis=1)).ravel()

    def at(end: Integers) -> Floats:
        share = np.clip(1 - network.weight / strength[end], 0.0, 1.0)
        return np.where(degree[end] > 1, share ** np.maximum(degree[end] - 1, 1), 1.0)

    return Found(np.minimum(at(network.source), at(network.target)), {"counting": network.counting})


ENGINES = {"numpy": _numpy}
