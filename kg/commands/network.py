"""``kg network``: who writes with whom, and which institutions write together."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import click

from kg.analysis import BASIC, Analysis, analyse
from kg.commands import output, store_option
from kg.errors import UsageError
from kg.graph_formats import by_suffix, write
from kg.graph_formats import names as formats
from kg.metrics import Options
from kg.metrics import names as measures
from kg.network import Kind, Scope, load
from kg.stores import open_store

_SHARED = [
    click.option(
        "--counting",
        type=click.Choice(["full", "fractional", "paper"]),
        default="full",
        help="What a shared paper adds to a tie: 1, 1/(n-1), or 2/(n(n-1)) [full]",
    ),
    click.option("--source", metavar="NAME", help="Only what this source says"),
    click.option("--years", metavar="Y[-Y]", help="Only papers of editions of these years"),
    click.option("--max-entities", type=click.IntRange(1), metavar="N", help="Leave out papers of more entities"),
    click.option(
        "--min-papers", type=click.IntRange(1), default=1, metavar="N", help="Leave out nodes of fewer papers"
    ),
    click.option("--min-weight", type=click.IntRange(1), default=1, metavar="N", help="Leave out ties of fewer papers"),
    click.option("--measures", "wanted", metavar="A,B", help=f"'all', or some of: {', '.join(measures())}"),
    click.option("--samples", type=click.IntRange(2), metavar="K", help="Sources of sampled path measures"),
    click.option("--seed", type=int, default=0, help="Of samples, communities and layout [0]"),
    click.option("--resolution", type=click.FloatRange(min=0), default=1.0, help="Of communities [1]"),
    click.option("--format", "format_", type=click.Choice(formats()), help="[by the file's suffix, else table]"),
    click.option("--output", "target", metavar="FILE", help="File to write [standard output]"),
    store_option,
]


def _shared(function: Callable[..., Any]) -> Callable[..., Any]:
    return functools.reduce(lambda f, option: option(f), reversed(_SHARED), function)


@click.group()
def command() -> None:
    """Networks of authors and institutions: measures, tables, files for Gephi and VOSviewer, pictures."""


@command.command()
@click.option(
    "--identity",
    type=click.Choice(["names", "corroborated"]),
    default="names",
    help="Is a name one person, or only where institutions, co-authors or an identifier agree? [names]",
)
@_shared
def coauthorship(identity: str, **options: Any) -> None:
    """Authors, tied by the papers that both signed."""
    _run("coauthorship", "author", identity, **options)


@command.command()
@click.option(
    "--level",
    type=click.Choice(["institution", "mention", "country", "sector"]),
    default="institution",
    help="Organisations, mentions as printed, countries or sectors [institution]",
)
@_shared
def coaffiliation(level: str, **options: Any) -> None:
    """Institutions, tied by the papers that list both."""
    _run("coaffiliation", level, "names", **options)


def _run(kind: Kind, level: Any, identity: Any, **given: Any) -> None:
    chosen = given["format_"] or by_suffix(given["target"] or "") or "table"
    analysis = _analysis(kind, level, identity, **given)
    with output(given["target"]) as out:
        write(analysis, chosen, out)


def _analysis(kind: Kind, level: Any, identity: Any, **given: Any) -> Analysis:
    network = load(
        open_store(given["store"]),
        kind,
        Scope(level, identity, given["source"], _years(given["years"])),
        counting=given["counting"],
        max_entities=given["max_entities"],
        min_papers=given["min_papers"],
        min_weight=given["min_weight"],
    )
    wanted = given["wanted"]
    named = measures() if wanted == "all" else wanted.split(",") if wanted else list(BASIC)
    options = Options(samples=given["samples"], seed=given["seed"], resolution=given["resolution"])
    return analyse(network, [name.strip() for name in named], options)


def _years(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{4})(?:-(\d{4}))?", text)
    if not found:
        raise UsageError(f"--years takes a year or two, such as 2026 or 2013-2024, not {text!r}")
    return int(found[1]), int(found[2] or found[1])
