"""Do ties stay at home? The E-I index and assortativity by country and by sector.

E-I = (E - I)/(E + I) over the ties whose ends both have the attribute: -1 all inside, +1 all across
(Krackhardt & Stern 1988). Assortativity is Newman's (2003): (Σ e_ii - Σ a_i²)/(1 - Σ a_i²). None without such
ties, or where there is one value only.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from kg.metrics import Found, Options
from kg.network import Network

TITLE, TITLE_ZH, SCOPE = "Mixing by country and sector", "国家与部门混合", "network"
ATTRIBUTES = ("country", "sector")


def _numpy(network: Network, _: Options) -> Found:
    found: dict[str, Any] = {}
    for attribute in ATTRIBUTES:
        values = [node.get(attribute) for node in network.nodes]
        codes = {v: i for i, v in enumerate(sorted({v for v in values if v is not None}))}
        code = np.array([codes[v] if v is not None else -1 for v in values], dtype=np.int64)
        u, v = code[network.source], code[network.target]
        known = (u >= 0) & (v >= 0)
        u, v = u[known], v[known]
        inside, ties = int((u == v).sum()), len(u)
        share = np.bincount(np.concatenate([u, v]), minlength=1) / max(2 * ties, 1)
        chance = float((share**2).sum())
        found[f"ties_known_{attribute}"] = ties
        found[f"ei_{attribute}"] = (ties - 2 * inside) / ties if ties else None
        mixed = ties > 0 and chance < 1
        found[f"assortativity_{attribute}"] = (inside / ties - chance) / (1 - chance) if mixed else None
    return Found(found)


def _networkx(network: Network, _: Options) -> Found:
    found: dict[str, Any] = {}
    for attribute in ATTRIBUTES:
        graph = network.to_networkx(evidence=False)
        graph.remove_nodes_from([n for n, d in graph.nodes(data=True) if attribute not in d])
        ties = graph.number_of_edges()
        across = sum(graph.nodes[u][attribute] != graph.nodes[v][attribute] for u, v in graph.edges)
        several = len({graph.nodes[end][attribute] for tie in graph.edges for end in tie}) > 1
        found[f"ties_known_{attribute}"] = ties
        found[f"ei_{attribute}"] = (2 * across - ties) / ties if ties else None
        assortativity = float(nx.attribute_assortativity_coefficient(graph, attribute)) if several else None
        found[f"assortativity_{attribute}"] = assortativity
    return Found(found)


ENGINES = {"numpy": _numpy, "networkx": _networkx}
