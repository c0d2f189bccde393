"""VOSviewer JSON (VOSviewer manual 1.6.20, section 4.3; VOSviewer Online): items and links in one file."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from kg.analysis import Analysis, tidy

TITLE = "VOSviewer JSON (VOSviewer 1.6.17 and later, VOSviewer Online)"
SUFFIXES = ("vos.json",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Positions, clusters and weights are given, so that VOSviewer shows the same map without a run of its own."""
    network = analysis.network
    ends = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    links = [{"source_id": u + 1, "target_id": v + 1, "strength": tidy(w)} for u, v, w in ends]
    config = {
        "terminology": {"item": "author" if network.level == "author" else network.level, "link_strength": "papers"}
    }
    document = {"network": {"items": items(analysis), "links": links}, "config": config}
    out.write((json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode())


def items(analysis: Analysis) -> list[dict[str, Any]]:
    """The nodes as VOSviewer's items; ids are 1, 2, … and the cluster of a node without ties is left out."""
    network = analysis.network
    degree, strength = analysis.get("degree").column(), analysis.get("strength").column()
    rows = []
    for i, (node, group) in enumerate(zip(network.nodes, analysis.groups, strict=True)):
        x, y = analysis.positions[i]
        row: dict[str, Any] = {"id": i + 1, "label": node.label, "x": round(float(x), 4), "y": round(float(y), 4)}
        if group > 0:
            row["cluster"] = group
        row["weights"] = {
            "Links": degree[i],
            "Total link strength": tidy(float(strength[i])),
            "Papers": int(network.papers_per_node[i]),
        }
        rows.append(row)
    return rows
