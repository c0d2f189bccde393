"""Pajek .net (Pajek manual, section "Input files"), UTF-8 with the byte order mark that Pajek asks for.

Quotes within a label end it in Pajek, and cannot be escaped, so they become typographic ones; line breaks become
spaces. Coordinates are scaled to 0..1 as the manual wants.
"""

from __future__ import annotations

from typing import BinaryIO

from kg.analysis import Analysis, tidy, unit_square

TITLE = "Pajek network"
SUFFIXES = ("net",)


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Vertices with label and coordinates, then edges with the chosen weight."""
    network = analysis.network
    out.write(b"\xef\xbb\xbf" + f"*Vertices {network.order}\r\n".encode())
    square = unit_square(analysis.positions).tolist()
    placed = enumerate(zip(network.nodes, square, strict=True), 1)
    out.writelines(
        f'{i} "{_label(node.label)}" {x:.4f} {1 - y:.4f} 0.5000\r\n'.encode() for i, (node, (x, y)) in placed
    )
    out.write(b"*Edges\r\n")
    ends = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    out.writelines(f"{u + 1} {v + 1} {tidy(w)}\r\n".encode() for u, v, w in ends)


def _label(text: str) -> str:
    return " ".join(text.replace('"', "”").split())
