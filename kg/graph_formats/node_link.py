"""Node-link JSON: what ``networkx.node_link_graph(data, edges="edges")`` and d3 read."""

from __future__ import annotations

import json
from typing import BinaryIO

from kg.analysis import Analysis

TITLE = "node-link JSON (networkx, d3)"
SUFFIXES = ("node-link.json",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Graph attributes are the summary's numbers."""
    head = {k: v for k, v in analysis.summary.items() if k != "coverage"} | analysis.summary["coverage"]
    document = {"directed": False, "multigraph": False, "graph": head}
    document |= {"nodes": analysis.node_rows(), "edges": analysis.edge_rows()}
    out.write((json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode())
