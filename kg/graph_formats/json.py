"""JSON: summary, method, nodes and edges with the papers of each; keys and rows in a fixed order."""

from __future__ import annotations

import json
from typing import BinaryIO

from kg.analysis import Analysis
from kg.metrics import plain

TITLE = "JSON with summary, method, nodes and edges"
SUFFIXES = ("json",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """One object; NaN never appears in it (``null`` stands for what is not defined)."""
    document = {
        "summary": analysis.summary,
        "method": analysis.method,
        "network_measures": {m.name: {k: _null(v) for k, v in m.values.items()} for m in analysis.of("network")},
        "nodes": analysis.node_rows(),
        "edges": analysis.edge_rows(),
    }
    out.write((json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode())


def _null(value: object) -> object:
    return plain([value])[0] if isinstance(value, float) else value
