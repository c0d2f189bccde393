"""Cosine of a tie: w_ij/√(d_i d_j), Salton's cosine of the sets of papers, of full counts."""

from __future__ import annotations

from kg.metrics import Found, Options
from kg.network import Network
from kg.projection import similarity

TITLE, TITLE_ZH, SCOPE = "Cosine", "余弦相似度", "edge"


def _numpy(network: Network, _: Options) -> Found:
    return Found(similarity(network, "cosine"))


ENGINES = {"numpy": _numpy}
