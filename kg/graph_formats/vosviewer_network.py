"""VOSviewer network file (manual 1.6.20, section 4.2): a tie a line, two ids and a strength, no header."""

from __future__ import annotations

from typing import BinaryIO

from kg.analysis import Analysis, tidy

TITLE = "VOSviewer network file (beside vosviewer-map)"
SUFFIXES = ("network.txt",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Ids are those of the map file of the same network."""
    network = analysis.network
    ends = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    out.writelines(f"{u + 1}\t{v + 1}\t{tidy(w)}\n".encode() for u, v, w in ends)
