"""One HTML file to explore the network in: no server, no network access; the data and the drawing code are inside."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import Any, BinaryIO

from kg.analysis import Analysis, title
from kg.graph_formats.graphology import document

TITLE = "interactive page in one file"
SUFFIXES = ("html",)
#: Rows of the table under the drawing, for readers without WebGL, on paper, or with a screen reader.
ROWS = 50


def write(analysis: Analysis, out: BinaryIO) -> None:
    """The page: the drawing, what the network covers, and a table."""
    out.write(page(analysis).encode())


def page(analysis: Analysis) -> str:
    """The whole document; a label is never code in it."""
    script = f"<script>{asset('sigma-graphology.min.js')}</script>\n<script>{asset('viewer.js')}</script>"
    name = escape(title(analysis))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{asset('viewer.css')}</style>\n</head>\n<body>\n"
        f"<h1>{name}</h1>\n{fragment(analysis)}\n{table(analysis)}\n{script}\n</body>\n</html>\n"
    )


def fragment(analysis: Analysis) -> str:
    """The drawing's place and its data, for a page that has the two scripts and the style sheet itself."""
    covered = analysis.summary["coverage"]
    about = f"{covered['covered']} of {covered['papers']} papers name at least one; {covered['solo']} name just one."
    return (
        f'<p class="coverage">{about}</p>\n<div class="network"><div class="tools">\n'
        '<input type="search" list="network-names" placeholder="Find / 查找" aria-label="Find a node">'
        '<datalist id="network-names"></datalist>\n<button type="button" data-language>中文 / English</button>\n'
        '<button type="button" data-reset>Reset</button></div>\n'
        '<div class="canvas" role="img" aria-label="Drawing of the network; the table below holds the same"></div>\n'
        '<aside class="details" aria-live="polite"></aside></div>\n'
        f'<script type="application/json" id="network-data">{embedded(document(analysis))}</script>'
    )


def embedded(value: Any) -> str:
    """JSON that no browser can take for the end of its script element (HTML, section 4.12.1.3).

    >>> embedded("</script>")
    '"\\\\u003c/script>"'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def table(analysis: Analysis) -> str:
    """The nodes of most strength, as a table."""
    rows, strength = analysis.node_rows(), analysis.get("strength").values
    order = sorted(range(len(rows)), key=lambda i: (-strength[i], rows[i]["label"], rows[i]["id"]))[:ROWS]
    columns = ["papers", *(m.name for m in analysis.of("node"))]
    head = "".join(f"<th>{escape(name)}</th>" for name in ["label", *columns])
    body = []
    for i in order:
        name = rows[i]["label"] + (f" {rows[i]['label_zh']}" if "label_zh" in rows[i] else "")
        cells = "".join(f"<td>{_cell(rows[i].get(column))}</td>" for column in columns)
        body.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    caption = f"<caption>Nodes by strength, {len(order)} of {len(rows)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))


def asset(name: str) -> str:
    """A file of ``kg/static/network``, as text."""
    return files("kg").joinpath("static", "network", name).read_text("utf-8")
