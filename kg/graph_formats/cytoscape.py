"""Cytoscape.js JSON (js.cytoscape.org, "Elements JSON"), which Cytoscape desktop reads too; positions included."""

from __future__ import annotations

import json
from typing import BinaryIO

from kg.analysis import Analysis

TITLE = "Cytoscape JSON"
SUFFIXES = ("cyjs",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """``name`` is what Cytoscape shows, ``value`` what networkx takes for the node."""
    nodes = [
        {
            "data": {"name": row["label"], "value": row["id"], **row},
            "position": {"x": round(x * 30, 2), "y": round(-y * 30, 2)},
        }
        for row, (x, y) in zip(analysis.node_rows(), analysis.positions.tolist(), strict=True)
    ]
    edges = [{"data": {"id": f"e{i}", **row}} for i, row in enumerate(analysis.edge_rows())]
    method = analysis.method
    data = {"name": f"{method['network']} ({method['level']})"}
    document = {"data": data, "elements": {"nodes": nodes, "edges": edges}}
    out.write((json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode())
