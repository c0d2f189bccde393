"""How collaborative the papers are: shares of papers, so it is the incidence that is measured, not the ties.

- degree of collaboration: papers of two entities or more, of those with any (Subramanyam 1983);
- collaborative coefficient 1 - (1/N) Σ 1/n_k (Ajiferuke, Burell & Tague 1988);
- international share: papers of two countries or more, of those with a known one;
- academia–industry share: papers with an organisation of education and one of business, of those with a known
  sector.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kg.metrics import Found, Options
from kg.network import Integers, Network

TITLE, TITLE_ZH, SCOPE = "Collaboration", "合作程度", "network"


def _values_per_paper(network: Network, attribute: str) -> list[set[str]]:
    """The known values of an attribute on each paper, papers without any left out."""
    matrix = network.incidence.matrix
    values = [node.get(attribute) for node in network.nodes]
    listed = (matrix.indices[a:b] for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True))
    found = ({v for i in row if (v := values[i]) is not None} for row in listed)
    return [known for known in found if known]


def _numpy(network: Network, _: Options) -> Found:
    sizes: Integers = network.incidence.sizes
    n = sizes[sizes > 0]
    values: dict[str, Any] = {
        "papers": len(n),
        "mean_entities": float(n.mean()) if len(n) else None,
        "degree_of_collaboration": float((n > 1).mean()) if len(n) else None,
        "collaborative_coefficient": float(1 - (1 / n).mean()) if len(n) else None,
    }
    countries, sectors = _values_per_paper(network, "country"), _values_per_paper(network, "sector")
    across = [len(c) > 1 for c in countries]
    mixed = [{"education", "company"} <= s for s in sectors]
    values |= {"papers_of_known_country": len(across), "papers_of_known_sector": len(mixed)}
    values["international_share"] = float(np.mean(across)) if across else None
    values["academia_industry_share"] = float(np.mean(mixed)) if mixed else None
    return Found(values)


ENGINES = {"numpy": _numpy}
