"""VOSviewer map file (manual 1.6.20, section 4.1): an item a line, tab-separated, with header."""

from __future__ import annotations

from typing import BinaryIO

from kg.analysis import Analysis
from kg.graph_formats.vosviewer import items

TITLE = "VOSviewer map file (beside vosviewer-network)"
SUFFIXES = ("map.txt",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Items that have no cluster stand in cluster 0's place with an empty field."""
    rows = items(analysis)
    weights = list(rows[0]["weights"]) if rows else []
    head = ["id", "label", "x", "y", "cluster", *(f"weight<{name}>" for name in weights)]
    out.write(("\t".join(head) + "\n").encode())
    for row in rows:
        label = " ".join(row["label"].replace('"', "”").split())
        values = [row["id"], label, row["x"], row["y"], row.get("cluster", ""), *row["weights"].values()]
        out.write(("\t".join(map(str, values)) + "\n").encode())
