"""``kg validate``: does a store keep to the shapes?"""

from __future__ import annotations

import click

from kg.commands import output, store_option
from kg.errors import DataRefused
from kg.stores import open_store
from kg.validate import ENGINES, validate_store
from kg.validate.report import FORMATS


@click.command()
@click.option("--format", type=click.Choice(FORMATS), default="text", help="How the report is written [text]")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", help="What validates [auto: by the size]")
@click.option("--output", "target", metavar="FILE", help="File to write [standard output]")
@store_option
def command(format: str, engine: str, target: str | None, store: str | None) -> None:
    """Check a store against the shapes: exit 0 where it conforms, 1 where something is violated.

    Warnings tell of doubtful input and remarks of open questions; neither is a violation.
    """
    report = validate_store(open_store(store), engine)
    with output(target) as out:
        out.write(report.render(format).encode() + b"\n")
    if not report.conforms:
        raise DataRefused("the graph violates the shapes")
