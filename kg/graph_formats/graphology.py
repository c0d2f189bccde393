"""graphology's serialisation with positions, sizes and colours: what the interactive page draws (sigma)."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from kg.analysis import Analysis
from kg.palette import colour

TITLE = "graphology JSON, ready to draw"
SUFFIXES = ("graphology.json",)


def document(analysis: Analysis, *, evidence: bool = True) -> dict[str, Any]:
    """Nodes and edges with all that a page shows; ``key`` is the IRI, edges keep their papers."""
    rows, groups, place = analysis.node_rows(), analysis.groups, analysis.positions.tolist()
    largest = max([1, *(row["papers"] for row in rows)])
    nodes = []
    for row, group, (x, y) in zip(rows, groups, place, strict=True):
        drawn = {"x": round(x, 4), "y": round(y, 4), "size": round(3 + 15 * (row["papers"] / largest) ** 0.5, 2)}
        attributes = {k: v for k, v in row.items() if k != "id"} | drawn | {"group": group, "color": colour(group)}
        nodes.append({"key": row["id"], "attributes": attributes})
    heaviest = max([1.0, *analysis.network.weight.tolist()])
    edges = []
    for row in analysis.edge_rows(evidence=evidence):
        size = round(0.4 + 4 * (row["weight"] / heaviest) ** 0.5, 2)
        attributes = {k: v for k, v in row.items() if k not in {"source", "target"}} | {"size": size}
        edges.append({"source": row["source"], "target": row["target"], "attributes": attributes})
    options = {"type": "undirected", "multi": False, "allowSelfLoops": False}
    about = {"summary": analysis.summary, "method": analysis.method}
    return {"options": options, "attributes": about, "nodes": nodes, "edges": edges}


def write(analysis: Analysis, out: BinaryIO) -> None:
    """One object."""
    out.write((json.dumps(document(analysis), ensure_ascii=False, allow_nan=False) + "\n").encode())
