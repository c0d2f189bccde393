"""``kg split``: one name is several people."""

from __future__ import annotations

from pathlib import Path

import click

from kg.decisions import record_split


@click.command()
@click.argument("name")
@click.option("--paper", "papers", multiple=True, required=True, metavar="TITLE", help="A paper of the other person")
@click.option("--label", required=True, help="What tells this person from the others of the name, such as 2")
@click.option(
    "--decisions", type=click.Path(path_type=Path), default="decisions.ttl", metavar="FILE", help="[decisions.ttl]"
)
def command(name: str, papers: tuple[str, ...], label: str, decisions: Path) -> None:
    """Record that NAME on some papers is another person: builds with --decisions FILE obey it."""
    record_split(decisions, name, list(papers), label)
    click.echo(f"{decisions}: {name!r} on {len(papers)} papers is {label!r}", err=True)
