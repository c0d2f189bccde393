"""``kg query``: ask a store."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from kg.commands import output, store_option
from kg.errors import ConfkgError, UsageError
from kg.mediatypes import GRAPH_FORMATS, RESULT_FORMATS
from kg.query import guard, question, questions, with_limit
from kg.sparql import declare_prefixes, form
from kg.stores import default_location, open_store
from kg.vocab import PREFIXES

_FORMATS = ["table", *(f.name for f in RESULT_FORMATS + GRAPH_FORMATS)]


@click.command()
@click.argument("text", required=False, metavar="[SPARQL]")
@click.option(
    "-f", "--file", type=click.File(encoding="utf-8"), help="Read the query from a file (- is standard input)"
)
@click.option("--example", metavar="NAME", help="Ask a question that ships with kg")
@click.option("--list", "listing", is_flag=True, help="List the questions that ship with kg")
@click.option("--format", type=click.Choice(_FORMATS), help="How the answer is written [table, or turtle for a graph]")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop the query after S seconds"
)
@click.option("--output", "target", metavar="FILE", help="Write the answer to a file")
@store_option
def command(
    text: str | None,
    file: io.TextIOWrapper | None,
    example: str | None,
    listing: bool,
    format: str | None,
    timeout: float | None,
    target: str | None,
    store: str | None,
) -> None:
    """Ask a store a SPARQL 1.1 query: one given here, in a file, or that ships with kg.

    The house's prefixes (kg:, kgs:, dcterms:, schema:, …) need not be declared.
    """
    if listing:
        for known in questions():
            click.echo(f"{known.name}\n    {known.title}\n    {known.title_zh}")
        return
    given = [text, file, example]
    if sum(g is not None for g in given) != 1:
        raise UsageError("give one query: as an argument, with -f FILE, or with --example NAME (--list shows them)")
    query = question(example).text if example else file.read() if file else str(text)
    guard(query)
    code = with_limit(_answer, (store or default_location(), declare_prefixes(query), format, target), timeout)
    if code:
        sys.exit(code)


def _answer(location: str, query: str, format: str | None, target: str | None) -> None:
    """Runs in the query's own process: its faults are printed here, its exit code says that there was one."""
    try:
        store = open_store(location)
        graph = form(query) in {"CONSTRUCT", "DESCRIBE"}
        chosen = format or ("turtle" if graph else "table")
        if chosen == "table" and graph:
            raise UsageError("a graph is no table: choose one of " + ", ".join(f.name for f in GRAPH_FORMATS))
        with output(target) as out:
            if chosen != "table":
                store.serialize(query, chosen, out)
            else:
                buffer = io.BytesIO()
                store.serialize(query, "json", buffer)
                out.write(_table(json.loads(buffer.getvalue())).encode())
    except ConfkgError as e:
        message = " ".join(str(e).split())
        click.echo(f"kg: error: {message if len(message) < 400 else message[:400] + ' …'}", err=True)
        sys.exit(e.exit_code)
    except BrokenPipeError:
        sys.exit(0)


def _table(answer: dict[str, Any]) -> str:
    """SPARQL 1.1 JSON results as a table for people."""
    if "boolean" in answer:
        return f"{'yes' if answer['boolean'] else 'no'}\n"
    head: list[str] = answer["head"]["vars"]
    rows: list[dict[str, dict[str, str]]] = answer["results"]["bindings"]
    table = Table(*head, caption=f"{len(rows)} rows", caption_justify="left")
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in head))
    terminal = sys.stdout.isatty()
    buffer = io.StringIO()
    console = Console(file=buffer, width=None if terminal else 200, force_terminal=terminal, markup=False, emoji=False)
    console.print(table)
    return buffer.getvalue()


def _cell(term: dict[str, str] | None) -> str:
    if term is None:
        return ""
    value = term["value"]
    if term["type"] == "uri":
        for prefix, namespace in PREFIXES.items():
            if value.startswith(namespace):
                return f"{prefix}:{value.removeprefix(namespace)}"
        return f"<{value}>"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in value)
