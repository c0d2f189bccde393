"""``kg token``: who may write to a served store."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

_file = click.option(
    "--token-file", type=click.Path(path_type=Path), metavar="F", default="tokens.jsonl", help="[tokens.jsonl]"
)


@click.group()
def command() -> None:
    """Make, list and revoke the tokens of 'kg serve --updates'."""


@command.command()
@click.argument("name")
@click.option("--scope", multiple=True, type=click.Choice(["update", "graphs"]), help="What it is for [both]")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="Last day on which it holds")
@_file
def new(name: str, scope: tuple[str, ...], until: datetime | None, token_file: Path) -> None:
    """Make a token. It is printed once and kept only as a digest."""
    from server import tokens

    click.echo(tokens.new(token_file, name, scope or tokens.SCOPES, until.date() if until else None))


@command.command("list")
@_file
def list_(token_file: Path) -> None:
    """List the tokens: name, scopes, last day."""
    from server import tokens

    for token in tokens.read(token_file):
        click.echo(f"{token.name}\t{','.join(token.scopes)}\t{token.until or ''}")


@command.command()
@click.argument("name")
@_file
def revoke(name: str, token_file: Path) -> None:
    """Take a token back; a running server minds it at once."""
    from server import tokens

    tokens.revoke(token_file, name)
