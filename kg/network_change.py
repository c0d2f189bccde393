"""A network then and now: which nodes and ties came, went, grew or shrank between years or sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kg.analysis import tidy
from kg.network import Network


@dataclass(frozen=True)
class Change:
    """The difference between two networks of one kind and level."""

    before: Network
    after: Network

    def nodes(self) -> dict[str, list[str]]:
        """Ids that came, went and stayed."""
        old, new = ({n.id for n in x.nodes} for x in (self.before, self.after))
        return {"came": sorted(new - old), "went": sorted(old - new), "stayed": sorted(old & new)}

    def ties(self) -> list[dict[str, Any]]:
        """Each tie of either network with its weight in both, the greatest change first."""
        old, new = _weights(self.before), _weights(self.after)
        labels = {n.id: n.label for x in (self.before, self.after) for n in x.nodes}
        rows = [
            {
                "source": u,
                "target": v,
                "source_label": labels[u],
                "target_label": labels[v],
                "before": tidy(old.get((u, v), 0.0)),
                "after": tidy(new.get((u, v), 0.0)),
                "change": tidy(new.get((u, v), 0.0) - old.get((u, v), 0.0)),
            }
            for u, v in {*old, *new}
        ]
        return sorted(rows, key=lambda r: (-abs(r["change"]), r["source"], r["target"]))

    def summary(self) -> dict[str, Any]:
        """How much of the ties stayed: Jaccard's index of the two sets, and the counts."""
        old, new = set(_weights(self.before)), set(_weights(self.after))
        nodes = self.nodes()
        return {
            "nodes": {k: len(v) for k, v in nodes.items()},
            "ties": {"came": len(new - old), "went": len(old - new), "stayed": len(old & new)},
            "jaccard": tidy(len(old & new) / len(old | new)) if old | new else None,
        }


def _weights(network: Network) -> dict[tuple[str, str], float]:
    ends = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    return {(network.nodes[u].id, network.nodes[v].id): w for u, v, w in ends}
