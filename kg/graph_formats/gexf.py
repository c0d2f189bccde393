"""GEXF 1.3 (gexf.net), with positions, sizes and colours, for Gephi.

Nodes and ties carry the first and last year of the editions of their papers (``start`` and ``end``), for Gephi's
timeline; a network without any such year is static. The file carries no date: the same network gives the same bytes.
"""

from __future__ import annotations

from typing import BinaryIO

from kg.analysis import Analysis
from kg.graph_formats import columns, xml
from kg.palette import colour, rgb

TITLE = "GEXF 1.3 with positions and colours"
SUFFIXES = ("gexf",)
_YEARS = ("first_year", "last_year")

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
  <meta><creator>confkg</creator><description>{title}</description></meta>
  <graph defaultedgetype="undirected" {mode}>
"""


def write(analysis: Analysis, out: BinaryIO) -> None:
    """Attributes are declared once with their type; the weight is GEXF's own."""
    nodes, edges = analysis.node_rows(), analysis.edge_rows()
    for edge in edges:
        edge["papers"] = " ".join(edge["papers"])
    keys = {
        "node": columns(nodes, ("id", "label", *_YEARS)),
        "edge": columns(edges, ("source", "target", "weight", *_YEARS)),
    }
    dated = any("first_year" in row for row in nodes)
    mode = 'mode="dynamic" timeformat="integer" timerepresentation="interval"' if dated else 'mode="static"'
    method = analysis.method
    title = f"{method['network']}, {method['level']} level, {method['counting']} counting"
    out.write(_HEAD.format(title=xml(title), mode=mode).encode())
    for domain, found in keys.items():
        out.write(f'    <attributes class="{domain}">\n'.encode())
        declared = (f'<attribute id="{i}" title="{xml(n)}" type="{k}"/>' for i, (n, k) in enumerate(found.items()))
        out.writelines(f"      {line}\n".encode() for line in declared)
        out.write(b"    </attributes>\n")
    out.write(b"    <nodes>\n")
    positions, largest = analysis.positions, max([1, *(row["papers"] for row in nodes)])
    for row, group, (x, y) in zip(nodes, analysis.groups, positions.tolist(), strict=True):
        r, g, b = rgb(colour(group))
        size = 4 + 26 * (row["papers"] / largest) ** 0.5
        viz = f'<viz:color r="{r}" g="{g}" b="{b}"/><viz:position x="{x * 30:.3f}" y="{y * 30:.3f}" z="0"/>'
        viz += f'<viz:size value="{size:.2f}"/>'
        head = f'<node id="{xml(row["id"])}" label="{xml(row["label"])}"{_dates(row)}>'
        out.write(f"      {head}{_values(row, keys['node'])}{viz}</node>\n".encode())
    out.write(b"    </nodes>\n    <edges>\n")
    for i, row in enumerate(edges):
        ends = f'source="{xml(row["source"])}" target="{xml(row["target"])}" weight="{row["weight"]}"{_dates(row)}'
        out.write(f'      <edge id="{i}" {ends}>{_values(row, keys["edge"])}</edge>\n'.encode())
    out.write(b"    </edges>\n  </graph>\n</gexf>\n")


def _dates(row: dict[str, object]) -> str:
    return f' start="{row["first_year"]}" end="{row["last_year"]}"' if "first_year" in row else ""


def _values(row: dict[str, object], keys: dict[str, str]) -> str:
    present = ((i, row[name]) for i, name in enumerate(keys) if row.get(name) is not None)
    return "<attvalues>" + "".join(f'<attvalue for="{i}" value="{xml(v)}"/>' for i, v in present) + "</attvalues>"
