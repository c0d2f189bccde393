"""A network as a report to hand on: results, and a method section that says how each figure was made."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from html import escape
from typing import Any, BinaryIO

from kg.analysis import Analysis, title
from kg.bridges import Bridges
from kg.errors import UsageError
from kg.graph_formats import html

TOP = 20
_COUNTING = {
    "full": "each shared paper adds 1 to a tie",
    "fractional": "each shared paper of n entities adds 1/(n-1) to each of its ties, so that a paper adds 1 to each "
    "of its entities (Newman 2001)",
    "paper": "each shared paper of n entities adds 2/(n(n-1)), so that a paper adds 1 in all "
    "(Perianes-Rodriguez et al. 2016)",
}
_TRUST = {
    "names": "always",
    "corroborated": "where an institution or a co-author agrees",
    "verified": "by an identifier only",
}


def markdown(analysis: Analysis, bridges: Bridges | None = None) -> str:
    """The report as Markdown."""
    lines = [f"# {title(analysis)}", "", "## What it is", "", *_counts(analysis)]
    lines += _strongest(analysis)
    for measurement in analysis.of("network"):
        values = dict(measurement.values)
        lines += ["", f"### {measurement.title}", "", "| figure | value |", "|---|---|"]
        lines += [f"| {k.replace('_', ' ')} | {_cell(v)} |" for k, v in values.items()]
    if bridges is not None:
        lines += _names(bridges)
    return "\n".join([*lines, *_method(analysis)]) + "\n"


def _counts(analysis: Analysis) -> list[str]:
    names = ("nodes", "edges", "total_weight", "components", "isolated", "largest_component")
    rows = [f"| {name.replace('_', ' ')} | {analysis.summary[name]} |" for name in names]
    return ["| figure | value |", "|---|---|", *rows]


def _strongest(analysis: Analysis) -> list[str]:
    rows = sorted(analysis.node_rows(), key=lambda r: (-(r.get("strength") or 0), r["label"], r["id"]))
    measured = [m for m in analysis.of("node") if m.name != "components"]
    lines = ["", f"## Nodes by strength, {min(TOP, len(rows))} of {len(rows)}", ""]
    lines += ["| node | papers | " + " | ".join(m.title for m in measured) + " |", "|---|---|" + "---|" * len(measured)]
    for row in rows[:TOP]:
        name = row["label"] + (f" {row['label_zh']}" if row.get("label_zh") else "")
        cells = " | ".join(_cell(row.get(m.name)) for m in measured)
        lines.append(f"| {_plain(name)} | {row['papers']} | {cells} |")
    return lines


def _names(bridges: Bridges) -> list[str]:
    lines = ["", "## What rests on a name", ""]
    lines += ["| a name is one person | authors | ties | components | largest |", "|---|---|---|---|---|"]
    lines += [f"| {_TRUST[k]} | {' | '.join(map(str, v))} |" for k, v in bridges.shapes.items()]
    told = (
        f"- {_plain(b.label)} ({b.identity}) connects {len(b.papers)} papers: "
        f"without this merge {b.parts} more component{'' if b.parts == 1 else 's'}."
        for b in bridges.bridges[:TOP]
    )
    return [*lines, "", *told]


def _method(analysis: Analysis) -> list[str]:
    method, covered = analysis.method, analysis.summary["coverage"]
    said = [
        f"The {method['network']} network at the level of the {method['level']} was extracted by SPARQL as pairs of "
        f"paper and entity and projected; {method['counting']} counting: {_COUNTING[method['counting']]}.",
        f"Of {covered['papers']} papers in scope, {covered['covered']} name at least one entity and {covered['solo']} "
        f"just one; {covered['papers'] - covered['covered']} name none and are not in the network.",
    ]
    if covered["unresolved"]:
        said.append(f"{covered['unresolved']} papers list an institution that is not resolved.")
    if covered["cut"]:
        said.append(f"{covered['cut']} papers over the limit of entities were left out.")
    said.append(f"Years: {method['years'][0]} to {method['years'][1]}." if method["years"] else "All years.")
    thresholds = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in method["thresholds"].items() if v > 1)
    said.append(f"Thresholds: {thresholds}." if thresholds else "No thresholds.")
    lines = ["", "## Method", "", " ".join(said), ""]
    lines += ["| measure | engine | version | parameters |", "|---|---|---|---|"]
    for made in method["measures"]:
        parameters = ", ".join(f"{k} {v}" for k, v in made.get("parameters", {}).items())
        lines.append(f"| {made['title']} | {made['engine']} | {made['version']} | {parameters} |")
    return lines


def page(analysis: Analysis, bridges: Bridges | None = None) -> str:
    """The report as one HTML file: the interactive drawing, then the same text."""
    drawn = html.page(analysis)
    body = _rendered(markdown(analysis, bridges))
    return drawn.replace("</body>", f'<section class="report">{body}</section>\n</body>', 1)


def write_report(
    analysis: Analysis, bridges: Bridges | None, target: str, output: Callable[[str], AbstractContextManager[BinaryIO]]
) -> None:
    """Write the report in the form that the file's name asks for.

    Raises:
        UsageError: neither .html nor .md.
    """
    makers: dict[str, Callable[[Analysis, Bridges | None], str]] = {"html": page, "md": markdown}
    suffix = target.rsplit(".", 1)[-1].lower()
    if suffix not in makers:
        raise UsageError("a report is written as .html or .md")
    text = makers[suffix](analysis, bridges)
    with output(target) as out:
        out.write(text.encode())


def _plain(label: str) -> str:
    """A label that cannot end a table's cell or begin a line."""
    return " ".join(label.replace("|", "/").split())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _rendered(text: str) -> str:
    """The Markdown that this module writes, and no more of Markdown than that, as HTML."""
    out: list[str] = []
    table = False
    for line in text.splitlines():
        if line.startswith("|"):
            if set(line) <= set("|-"):
                continue
            cells = "".join(f"<td>{escape(c.strip())}</td>" for c in line.strip("|").split("|"))
            out.append(("" if table else "<table>") + f"<tr>{cells}</tr>")
            table = True
            continue
        if table:
            out.append("</table>")
            table = False
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            out.append(f"<h{level}>{escape(line.lstrip('# '))}</h{level}>")
        elif line.startswith("- "):
            out.append(f"<p>• {escape(line[2:])}</p>")
        elif line:
            out.append(f"<p>{escape(line)}</p>")
    return "\n".join([*out, "</table>" if table else ""])
