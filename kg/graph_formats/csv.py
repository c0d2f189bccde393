"""CSV of the edges (RFC 4180): labels and ids of both ends, weights, papers; isolated nodes have no row."""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

from kg.analysis import Analysis

TITLE = "CSV of the edges"
SUFFIXES = ("csv",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """A header, then an edge a row; the papers are separated by spaces."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    rows = analysis.edge_rows()
    measured = [m.name for m in analysis.of("edge")]
    label = {node.id: node.label for node in analysis.network.nodes}
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(
        ["source", "target", "source_label", "target_label", "weight", "full", "fractional", *measured, "papers"]
    )
    for row in rows:
        ends = row["source"], row["target"], label[row["source"]], label[row["target"]]
        values = (row[name] for name in ["weight", "full", "fractional", *measured])
        writer.writerow([*ends, *values, " ".join(row["papers"])])
    text.detach()
