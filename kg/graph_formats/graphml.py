"""GraphML 1.0 (graphdrawing.org), with typed keys; read by networkx, igraph, Gephi, yEd and Cytoscape."""

from __future__ import annotations

from typing import BinaryIO

from kg.analysis import Analysis
from kg.graph_formats import columns, xml

TITLE = "GraphML"
SUFFIXES = ("graphml",)

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Nodes carry label, attributes and measures; edges weights and, separated by spaces, their papers."""
    nodes, edges = analysis.node_rows(), analysis.edge_rows()
    for edge in edges:
        edge["papers"] = " ".join(edge["papers"])
    keys = {"node": columns(nodes, ("id",)), "edge": columns(edges, ("source", "target"))}
    out.write(_HEAD.encode())
    for domain, found in keys.items():
        for name, kind in found.items():
            line = f'  <key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>\n'
            out.write(line.encode())
    out.write(b'  <graph edgedefault="undirected">\n')
    written = (f'<node id="{xml(row["id"])}">{_data("node", row, keys["node"])}</node>' for row in nodes)
    out.writelines(f"    {line}\n".encode() for line in written)
    for row in edges:
        ends = f'source="{xml(row["source"])}" target="{xml(row["target"])}"'
        out.write(f"    <edge {ends}>{_data('edge', row, keys['edge'])}</edge>\n".encode())
    out.write(b"  </graph>\n</graphml>\n")


def _data(domain: str, row: dict[str, object], keys: dict[str, str]) -> str:
    present = ((name, row[name]) for name in keys if row.get(name) is not None)
    return "".join(f'<data key="{domain}-{name}">{xml(value)}</data>' for name, value in present)
