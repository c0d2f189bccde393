"""A network with what was measured of it: what every table, file and picture is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from kg.layout import layout
from kg.metrics import Measurement, Options, measure, module
from kg.network import Floats, Network

#: What is measured unless something else is asked for: cheap at any size, or sampled there.
BASIC = ("components", "degree", "strength", "betweenness")


@dataclass(frozen=True, eq=False)
class Analysis:
    """A network, its measurements, and where its nodes stand in a picture."""

    network: Network
    measurements: tuple[Measurement, ...]
    options: Options

    def get(self, name: str) -> Measurement:
        """A measurement by name, made now where it was not asked for."""
        for made in self.measurements:
            if made.name == name:
                return made
        return measure(self.network, name, self.options)

    def of(self, scope: str) -> list[Measurement]:
        """The measurements of nodes, of edges or of the network."""
        return [m for m in self.measurements if m.scope == scope]

    @cached_property
    def positions(self) -> Floats:
        """x and y of each node (see :mod:`kg.layout`), the same in each run."""
        return layout(self.network, seed=self.options.seed)

    @cached_property
    def groups(self) -> list[int]:
        """A group for each node, to colour it: its community where that was measured, else its component."""
        known = {m.name: m for m in self.measurements}
        made = known.get("communities") or self.get("components")
        return [int(v) for v in made.values]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """How big it is, how it hangs together, and what it says nothing about."""
        network = self.network
        sizes = np.bincount(self.get("components").values)[1:] if network.order else np.zeros(0, dtype=np.int64)
        degree = self.get("degree").values
        return {
            "nodes": network.order,
            "edges": network.size,
            "total_weight": tidy(float(network.weight.sum())),
            "components": len(sizes),
            "isolated": int((degree == 0).sum()),
            "largest_component": int(sizes.max(initial=0)),
            "coverage": asdict(network.incidence.coverage),
        }

    @cached_property
    def method(self) -> dict[str, Any]:
        """How it was made: the choices, and of each measure the engine, version and parameters."""
        scope = self.network.incidence.scope
        return {
            "network": self.network.kind,
            "level": scope.level,
            "counting": self.network.counting,
            "identity": scope.identity,
            "source": scope.source,
            "years": list(scope.years) if scope.years else None,
            "thresholds": dict(self.network.thresholds),
            "measures": [m.method() for m in self.measurements],
        }

    def node_rows(self) -> list[dict[str, Any]]:
        """One mapping a node: who it is, what the graph says of it, what was measured."""
        columns: Mapping[str, list[Any]] = {m.name: m.column() for m in self.of("node")}
        errors = {f"{m.name}_error": [float(e) for e in m.error] for m in self.of("node") if m.error is not None}
        papers = self.network.papers_per_node.tolist()
        years = self._years_of_nodes
        rows = []
        for i, node in enumerate(self.network.nodes):
            row: dict[str, Any] = {"id": node.id, "label": node.label}
            if node.label_zh:
                row["label_zh"] = node.label_zh
            row |= dict(node.attributes) | {"papers": papers[i]} | _span(years[i])
            row |= {name: tidy(values[i]) for name, values in {**columns, **errors}.items()}
            rows.append(row)
        return rows

    def edge_rows(self, *, evidence: bool = True) -> list[dict[str, Any]]:
        """One mapping an edge: its ends by id, its weights, its papers, what was measured."""
        network = self.network
        columns = {m.name: m.column() for m in self.of("edge")}
        parts = (network.source, network.target, network.weight, network.full, network.fractional)
        rows = []
        for i, (u, v, weight, full, fractional) in enumerate(zip(*(p.tolist() for p in parts), strict=True)):
            row: dict[str, Any] = {"source": network.nodes[u].id, "target": network.nodes[v].id}
            row |= {"weight": tidy(weight), "full": full, "fractional": tidy(fractional)}
            row |= {name: tidy(values[i]) for name, values in columns.items()}
            shared = network.evidence(i) if evidence or network.incidence.years else ()
            row |= _span([network.incidence.years[p] for p in shared if p in network.incidence.years])
            if evidence:
                row["papers"] = list(shared)
            rows.append(row)
        return rows

    @cached_property
    def _years_of_nodes(self) -> list[list[int]]:
        """The years of each node's papers that have one."""
        incidence = self.network.incidence
        known = [incidence.years.get(paper) for paper in incidence.papers]
        columns = incidence.matrix.tocsc()
        ends = pairwise(columns.indptr.tolist())
        return [[y for k in columns.indices[a:b].tolist() if (y := known[k]) is not None] for a, b in ends]


def _span(years: Sequence[int]) -> dict[str, int]:
    return {"first_year": min(years), "last_year": max(years)} if years else {}


def tidy(value: Any) -> Any:
    """A number without the noise of its last digits: whole ones as integers, else 12 significant digits.

    >>> tidy(2.0), tidy(0.1 + 0.2), tidy(None)
    (2, 0.3, None)
    """
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else float(f"{value:.12g}")


def analyse(network: Network, measures: Iterable[str] = BASIC, options: Options | None = None) -> Analysis:
    """Measure a network.

    Raises:
        UsageError: there is no measure of one of the names.
    """
    chosen, wanted = options or Options(), list(dict.fromkeys(measures))
    for name in wanted:
        module(name)  # an unknown name is told before the first measure has cost a minute
    return Analysis(network, tuple(measure(network, name, chosen) for name in wanted), chosen)


def title(analysis: Analysis) -> str:
    """What the network is, in a line."""
    network = analysis.network
    scope = network.incidence.scope
    what = _TITLES.get(network.kind) or f"Co-affiliation of {PLURALS[scope.level]}"
    years = f", {scope.years[0]}–{scope.years[1]}" if scope.years else ""
    return f"{what}{years}: {network.order} nodes, {network.size} ties, {network.counting} counting"


_TITLES = {
    "coauthorship": "Co-authorship",
    "affiliations": "Authors and the institutions stated for them",
    "venues": "Institutions and venues",
}
#: Levels as a title says them.
PLURALS = {
    "author": "authors",
    "institution": "institutions",
    "mention": "institution mentions",
    "country": "countries",
    "sector": "sectors",
}


def unit_square(positions: Floats) -> Floats:
    """Positions moved and scaled into 0..1 × 0..1, proportions kept.

    >>> unit_square(np.array([[0.0, 0.0], [4.0, 2.0]])).tolist()
    [[0.0, 0.25], [1.0, 0.75]]
    """
    if not len(positions):
        return positions
    low, high = positions.min(axis=0), positions.max(axis=0)
    side = float((high - low).max()) or 1.0
    return np.asarray((positions - (low + high) / 2) / side + 0.5, dtype=np.float64)
