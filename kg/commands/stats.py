"""``kg stats``: what a store holds."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.table import Table

from kg.commands import store_option
from kg.stats import Stats, stats
from kg.stores import open_store


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For programs: one JSON object")
@store_option
def command(as_json: bool, store: str | None) -> None:
    """Count a store: papers, authors, institutions, and venues by the field that is the evidence."""
    counted = stats(open_store(store))
    if as_json:
        click.echo(json.dumps(counted.to_json(), ensure_ascii=False, indent=2))
    else:
        _print(counted)


def _print(counted: Stats) -> None:
    console = Console()
    table = Table(show_header=False, box=None)
    for name, count in counted.counts.items():
        table.add_row(name.replace("_", " "), str(count))
    console.print(table)
    venues = Table("venue", "track", "papers", "by the field", title="Venues claimed", title_justify="left")
    for venue in counted.venues:
        fields = ", ".join(f"{name} {n}" for name, n in venue.by_field.items())
        venues.add_row(venue.venue, venue.track or "", str(venue.papers), fields)
    console.print(venues)
    for name, count in counted.presentations.items():
        console.print(f"{count} {name}")
    if counted.papers_without_claim:
        console.print(f"{counted.papers_without_claim} papers claim no venue")
