"""``kg add``: sources into a store that stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.changes import Change
from kg.commands import print_diagnostics, progress, settings_options, store_option
from kg.errors import DataRefused
from kg.pipeline import Refused, Settings, add
from kg.stores import Store
from kg.validate import validate_nodes


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@store_option
@settings_options
@click.option("--no-validate", is_flag=True, help="Do not check what changes against the shapes")
def command(
    sources: tuple[str, ...], store: str | None, no_validate: bool, authority: tuple[Path, ...], **settings: Any
) -> None:
    """Add SOURCE... to a store, each in place of the source of its name, in one transaction.

    What changes is checked against the shapes, at the cost of the change.
    """

    def inspect(new: Store, change: Change) -> None:
        report = validate_nodes(new, change.touched)
        if not report.conforms:
            click.echo(report.render("text"), err=True)
            raise DataRefused("the change violates the shapes, so the store was left as it was")

    made = Settings(authority=authority, **settings)
    try:
        with progress("entries") as tick:
            outcome, change = add(sources, store, made, progress=tick, inspect=None if no_validate else inspect)
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
