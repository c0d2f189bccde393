"""``kg build``: sources → a new store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.commands import print_diagnostics, progress, settings_options, store_option
from kg.errors import DataRefused
from kg.pipeline import Refused, Settings, build
from kg.stores import Store, default_location
from kg.vocab import DEFAULT_BASE


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@store_option
@settings_options
@click.option("--base", metavar="IRI", default=DEFAULT_BASE, help=f"Base of the IRIs of the data [{DEFAULT_BASE}]")
@click.option("--no-validate", is_flag=True, help="Do not check the new graph against the shapes")
def command(
    sources: tuple[str, ...],
    store: str | None,
    base: str,
    no_validate: bool,
    authority: tuple[Path, ...],
    **settings: Any,
) -> None:
    """Build a store from SOURCE... (- is standard input; NAME=PATH gives a source another name).

    The new store takes the place of the old one when it is whole, and not before.
    """
    if not base.endswith(("/", "#")) or ":" not in base:
        raise click.UsageError(f"--base must be an absolute IRI that ends in / or #, not {base!r}")

    def inspect(new: Store) -> None:
        from kg.validate import validate_store

        report = validate_store(new)
        if not report.conforms:
            click.echo(report.render("text"), err=True)
            if not settings["keep_going"]:
                raise DataRefused(
                    "the graph violates the shapes, so the store was left as it was (--keep-going keeps it)"
                )

    made = Settings(base=base, authority=authority, **settings)
    try:
        with progress("entries") as tick:
            outcome = build(sources, store, made, progress=tick, inspect=None if no_validate else inspect)
    except Refused as e:
        print_diagnostics(e.outcome.diagnostics)
        raise
    print_diagnostics(outcome.diagnostics)
    click.echo(f"{outcome.entries} entries of {outcome.sources} sources are in {store or default_location()}", err=True)
    if outcome.refused:
        raise DataRefused(f"{len(outcome.refused)} places in the input were left out")
