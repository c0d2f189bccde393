"""``kg authority``: more known organisations."""

from __future__ import annotations

from pathlib import Path

import click

from kg.commands import progress
from kg.ror import import_dump


@click.group()
def command() -> None:
    """Known organisations beside the curated ones."""


@command.command("import")
@click.argument("dump", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="ROR-DUMP")
@click.option(
    "--output", "target", type=click.Path(path_type=Path), default="ror.sqlite", metavar="FILE", help="[ror.sqlite]"
)
def import_(dump: Path, target: Path) -> None:
    """Index a dump of the Research Organization Registry (JSON, JSON lines; plain, gzip or zip).

    'kg build --authority FILE' then knows its organisations; what is curated wins.
    """
    with progress("organisations") as tick:
        count = import_dump(dump, target, tick)
    click.echo(f"{count} organisations are in {target}: use it with 'kg build --authority {target}'", err=True)
