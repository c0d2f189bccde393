"""``kg add``: sources into a store that stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.commands import print_diagnostics, progress, settings_options, store_option
from kg.errors import DataRefused
from kg.pipeline import Refused, Settings, add


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@store_option
@settings_options
def command(sources: tuple[str, ...], store: str | None, authority: tuple[Path, ...], **settings: Any) -> None:
    """Add SOURCE... to a store, each in place of the source of its name, in one transaction."""
    try:
        with progress("entries") as tick:
            outcome, change = add(sources, store, Settings(authority=authority, **settings), progress=tick)
    except Refused as e:
        print_diagnostics(e.outcome.diagnostics)
        raise
    print_diagnostics(outcome.diagnostics)
    click.echo(
        f"{outcome.entries} entries of {outcome.sources} sources: {len(change.insert)} quads added, "
        f"{len(change.remove)} removed",
        err=True,
    )
    if outcome.refused:
        raise DataRefused(f"{len(outcome.refused)} places in the input were left out")
