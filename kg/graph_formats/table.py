"""Tables for people: what the network covers first, then its nodes by strength and its heaviest ties."""

from __future__ import annotations

import io
import sys
from typing import Any, BinaryIO

from rich.console import Console
from rich.table import Table

from kg.analysis import Analysis

TITLE = "tables for people"
SUFFIXES = ("txt",)
ROWS = 20


def write(analysis: Analysis, out: BinaryIO) -> None:
    """At most :data:`ROWS` nodes and ties; the other formats hold all of them."""
    terminal = sys.stdout.isatty()
    buffer = io.StringIO()
    console = Console(file=buffer, width=None if terminal else 160, force_terminal=terminal, markup=False, emoji=False)
    console.print(_summary(analysis))
    for made in analysis.of("network"):
        console.print(_pairs(made.title, made.values))
    nodes = analysis.node_rows()
    if nodes:
        console.print(_nodes(analysis, nodes))
    if analysis.network.size:
        console.print(_edges(analysis))
    for made in analysis.measurements:
        if made.note:
            console.print(f"{made.title}: {made.note}")
    out.write(buffer.getvalue().encode())


def _summary(analysis: Analysis) -> Table:
    summary = dict(analysis.summary)
    covered = summary.pop("coverage")
    method = analysis.method
    title = f"{method['network']}, {method['level']} level, {method['counting']} counting"
    values = {
        "papers": f"{covered['covered']} of {covered['papers']} name at least one; {covered['solo']} name just one"
    }
    values |= {name: covered[name] for name in ("cut", "unresolved", "unknown") if covered[name]}
    return _pairs(title, {**summary, **values})


def _pairs(title: str, values: Any) -> Table:
    table = Table(title=title, show_header=False, title_justify="left")
    for name, value in values.items():
        table.add_row(name.replace("_", " "), _cell(value))
    return table


def _nodes(analysis: Analysis, rows: list[dict[str, Any]]) -> Table:
    strength = analysis.get("strength").values
    order = sorted(range(len(rows)), key=lambda i: (-strength[i], rows[i]["label"], rows[i]["id"]))
    shown = ["label", *(k for k in ("country", "sector", "identity") if any(k in r for r in rows)), "papers"]
    shown += [m.name for m in analysis.of("node")]
    table = Table(*shown, title=f"Nodes by strength, {min(ROWS, len(rows))} of {len(rows)}", title_justify="left")
    for i in order[:ROWS]:
        name = rows[i]["label"] + (f" {rows[i]['label_zh']}" if "label_zh" in rows[i] else "")
        table.add_row(name, *(_cell(rows[i].get(column)) for column in shown[1:]))
    return table


def _edges(analysis: Analysis) -> Table:
    network = analysis.network
    weight = network.weight.tolist()
    order = sorted(range(network.size), key=lambda e: (-weight[e], network.source[e], network.target[e]))
    table = Table(
        "weight", "", "", title=f"Heaviest ties, {min(ROWS, network.size)} of {network.size}", title_justify="left"
    )
    for e in order[:ROWS]:
        ends = network.nodes[network.source[e]].label, network.nodes[network.target[e]].label
        table.add_row(_cell(weight[e]), *ends)
    return table


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
