"""Association strength of a tie: 2m·w_ij/(s_i s_j), m = Σ w (van Eck & Waltman 2009).

1 is what chance gives; of the chosen counting.
"""

from __future__ import annotations

from kg.metrics import Found, Options
from kg.network import Network
from kg.projection import similarity

TITLE, TITLE_ZH, SCOPE = "Association strength", "关联强度", "edge"


def _numpy(network: Network, _: Options) -> Found:
    return Found(similarity(network, "association"))


ENGINES = {"numpy": _numpy}
