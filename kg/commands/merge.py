"""``kg merge``: two names are one person."""

from __future__ import annotations

from pathlib import Path

import click

from kg.decisions import record_merge


@click.command()
@click.argument("name")
@click.argument("into")
@click.option(
    "--decisions", type=click.Path(path_type=Path), default="decisions.ttl", metavar="FILE", help="[decisions.ttl]"
)
def command(name: str, into: str, decisions: Path) -> None:
    """Record that NAME is the person INTO: builds with --decisions FILE obey it."""
    record_merge(decisions, name, into)
    click.echo(f"{decisions}: {name!r} is {into!r}", err=True)
