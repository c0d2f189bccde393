"""Inclusion index of a tie: w_ij/min(d_i, d_j), the part of the smaller one's papers that is shared, of full counts."""

from __future__ import annotations

from kg.metrics import Found, Options
from kg.network import Network
from kg.projection import similarity

TITLE, TITLE_ZH, SCOPE = "Inclusion index", "包含系数", "edge"


def _numpy(network: Network, _: Options) -> Found:
    return Found(similarity(network, "inclusion"))


ENGINES = {"numpy": _numpy}
