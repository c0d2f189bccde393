"""PDF figure: the network to print (see :mod:`kg.figure`)."""

from __future__ import annotations

from typing import BinaryIO

from kg.analysis import Analysis
from kg.figure import draw

TITLE = "PDF figure"
SUFFIXES = ("pdf",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """The same network gives the same bytes."""
    draw(analysis, out, "pdf")
