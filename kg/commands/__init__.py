"""The commands of ``kg``, one module a file: a thin function that calls a stage and prints what it gives."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def store_option(function: F) -> F:
    """``--store``: a folder or a URL."""
    return click.option(
        "--store", metavar="STORE", help="Folder of the store, or URL of a SPARQL 1.1 server [KG_STORE, else kg-store]"
    )(function)


def settings_options(function: F) -> F:
    """How sources are read: ``--format``, ``--authority``, ``--decisions``, ``--jobs``, ``--keep-going``."""
    options: Any = (
        click.option("--format", metavar="NAME", help="Format of the sources [by their content]"),
        click.option(
            "--authority",
            metavar="FILE",
            multiple=True,
            type=click.Path(path_type=Path, exists=True),
            help="More known organisations: Turtle, or an index made by 'kg authority import'",
        ),
        click.option(
            "--decisions",
            metavar="FILE",
            type=click.Path(path_type=Path, exists=True),
            help="Curated identity decisions, made by 'kg split' and 'kg merge'",
        ),
        click.option("--jobs", metavar="N", default=1, type=click.IntRange(1), help="Processes that resolve [1]"),
        click.option("--keep-going", is_flag=True, help="Leave out what is refused, and use the rest"),
    )
    for option in reversed(options):
        function = option(function)
    return function


def print_diagnostics(diagnostics: Iterable[Any], *, quiet: bool = False) -> None:
    """Diagnostics on standard error, in the order of their addresses; ``quiet`` leaves out what is only info."""
    for diagnostic in sorted(diagnostics, key=lambda d: (d.source, d.first_line)):
        if not (quiet and diagnostic.severity == "info"):
            click.echo(str(diagnostic), err=True)


@contextmanager
def progress(description: str) -> Iterator[Callable[[int], None] | None]:
    """A counter on a terminal, nothing in a pipe; gives a function that takes the number of entries just done."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(description, total=None)
        yield functools.partial(bar.advance, task)


@contextmanager
def output(path: str | None) -> Iterator[BinaryIO]:
    """Where bytes go: a file written whole or not at all, or standard output (``-`` or nothing)."""
    if path in (None, "-"):
        out = sys.stdout.buffer
        yield out
        out.flush()
        return
    target = Path(str(path))
    partial = target.with_name(f".{target.name}.partial")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(target)
    except OSError as e:
        raise click.ClickException(f"{target} cannot be written: {e.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)
