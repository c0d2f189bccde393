"""Jaccard index of a tie: w_ij/(d_i + d_j - w_ij), the shared part of the papers of either, of full counts."""

from __future__ import annotations

from kg.metrics import Found, Options
from kg.network import Network
from kg.projection import similarity

TITLE, TITLE_ZH, SCOPE = "Jaccard index", "杰卡德系数", "edge"


def _numpy(network: Network, _: Options) -> Found:
    return Found(similarity(network, "jaccard"))


ENGINES = {"numpy": _numpy}
