"""``kg check``: what would be understood of a source, line by line, without a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from kg.check import Checked, check
from kg.commands import print_diagnostics, settings_options
from kg.errors import DataRefused
from kg.pipeline import Settings, readings


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--json", "as_json", is_flag=True, help="For programs: every line, entry and diagnostic")
@settings_options
def command(sources: tuple[str, ...], as_json: bool, authority: tuple[Path, ...], **settings: Any) -> None:
    """Read and resolve SOURCE... only, and say what became of each line."""
    made = Settings(authority=authority, **settings)
    known = made.load_authority()
    checked = [check(reading, known) for reading in readings(sources, made)]
    for each in checked:
        print_diagnostics(each.diagnostics)
    if as_json:
        click.echo(json.dumps({"sources": [c.to_json() for c in checked]}, ensure_ascii=False, indent=1))
    else:
        _print(checked)
    errors = sum(d.severity == "error" for c in checked for d in c.diagnostics)
    if errors:
        raise DataRefused(f"{errors} {'place' if errors == 1 else 'places'} in the input could not be used")


def _print(checked: list[Checked]) -> None:
    console = Console(width=None if Console().is_terminal else 160, markup=False, emoji=False)
    for each in checked:
        source = each.reading.source
        kinds = {kind: sum(n.kind == kind for n in each.lines) for kind in ("field", "heading", "diagnostic")}
        console.print(
            f"{source.name}: {len(each.records)} entries; {len(each.lines)} non-blank lines: "
            f"{kinds['field']} in fields, {kinds['heading']} headings, {kinds['diagnostic']} not understood "
            f"({source.format}, {source.encoding})",
            highlight=False,
        )
        table = Table("lines", "title", "authors", "institutions", "venue", box=None, pad_edge=False)
        for record in each.records:
            resolved = sum(bool(m.resolutions) for m in record.mentions)
            venues = [" ".join(str(v) for v in (c.series or "?", c.year or "", c.track or "")) for c in record.claims]
            table.add_row(
                f"{record.entry.first_line}-{record.entry.last_line}",
                record.title,
                str(len(record.authorships)),
                f"{resolved} of {len(record.mentions)}" if record.mentions else "",
                "; ".join(v.replace("series/", "") for v in dict.fromkeys(venues)),
            )
        console.print(table)
