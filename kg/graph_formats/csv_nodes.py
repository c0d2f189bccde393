"""CSV of the nodes (RFC 4180): who they are and what was measured, isolated ones too."""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

from kg.analysis import Analysis
from kg.graph_formats import columns

TITLE = "CSV of the nodes"
SUFFIXES = ("nodes.csv",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """A header, then a node a row."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    rows = analysis.node_rows()
    writer = csv.DictWriter(text, list(columns(rows)) or ["id", "label"], lineterminator="\r\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    text.detach()
