"""``kg remove``: a source, and all that only it said, out of a store."""

from __future__ import annotations

import click

from kg.commands import store_option
from kg.pipeline import remove


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@store_option
def command(sources: tuple[str, ...], store: str | None) -> None:
    """Remove SOURCE... (the names of source documents) from a store, in one transaction."""
    change = remove(sources, store)
    click.echo(f"{len(change.remove)} quads removed, {len(change.insert)} added", err=True)
