"""``kg network``: who writes with whom, and which institutions write together."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal

import click

from kg.analysis import BASIC, analyse
from kg.bridges import bridges as find_bridges
from kg.commands import output, store_option
from kg.errors import UsageError
from kg.graph_formats import by_suffix, write
from kg.graph_formats import names as formats
from kg.metrics import Options
from kg.metrics import names as measures
from kg.network import Kind, Network, Scope, load
from kg.network_change import Change
from kg.network_report import write_report
from kg.stores import open_store
from kg.twomode import two_mode

#: A year, or two.
_SPAN = re.compile(r"(\d{4})(?:-(\d{4}))?")
_SCOPE = [
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
]
_RESULT = [
    click.option("--measures", "wanted", metavar="A,B", help=f"'all', or some of: {', '.join(measures())}"),
    click.option("--samples", type=click.IntRange(2), metavar="K", help="Sources of sampled path measures"),
    click.option("--seed", type=int, default=0, help="Of samples, communities and layout [0]"),
    click.option("--resolution", type=click.FloatRange(min=0), default=1.0, help="Of communities [1]"),
    click.option("--format", "format_", type=click.Choice(formats()), help="[by the file's suffix, else table]"),
    click.option("--output", "target", metavar="FILE", help="File to write [standard output]"),
    store_option,
]


def _scoped(function: Callable[..., Any]) -> Callable[..., Any]:
    return functools.reduce(lambda f, option: option(f), reversed(_SCOPE + _RESULT), function)


def _measured(function: Callable[..., Any]) -> Callable[..., Any]:
    return functools.reduce(lambda f, option: option(f), reversed(_RESULT), function)


@click.group()
def command() -> None:
    """Networks of authors and institutions: measures, tables, files for Gephi and VOSviewer, pictures."""


@command.command()
@click.option(
    "--identity",
    type=click.Choice(["names", "corroborated", "verified"]),
    default="names",
    help="Is a name one person, or only where institutions or co-authors agree, or only by an identifier? [names]",
)
@_scoped
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
@_scoped
def coaffiliation(level: str, **options: Any) -> None:
    """Institutions, tied by the papers that list both."""
    _run("coaffiliation", level, "names", **options)


@command.command()
@_measured
def venues(**options: Any) -> None:
    """Institutions and the conferences and workshops at which their papers are (two kinds of nodes)."""
    _two_mode("venues", **options)


@command.command()
@_measured
def affiliations(**options: Any) -> None:
    """Authors and the institutions that a source itself gives them (two kinds of nodes)."""
    _two_mode("affiliations", **options)


@command.command()
@click.option("--json", "as_json", is_flag=True, help="For programs: one JSON object")
@store_option
def bridges(as_json: bool, store: str | None) -> None:
    """Authors who hold the co-authorship network together, and what remains where a name is not trusted."""
    found = find_bridges(open_store(store))
    if as_json:
        click.echo(
            json.dumps(
                {"bridges": [asdict(b) for b in found.bridges], "identity": found.shapes}, ensure_ascii=False, indent=1
            )
        )
        return
    for identity, (nodes, edges, parts, largest) in found.shapes.items():
        click.echo(f"identity {identity}: {nodes} authors, {edges} ties, {parts} components, the largest {largest}")
    for bridge in found.bridges:
        click.echo(
            f"{bridge.label} ({bridge.identity}, {len(bridge.papers)} papers): "
            f"without this merge {bridge.parts} more component{'' if bridge.parts == 1 else 's'}"
        )


@command.command()
@click.argument("kind", type=click.Choice(["coauthorship", "coaffiliation"]))
@click.option("--from", "before", required=True, metavar="Y[-Y]|SOURCE", help="Years, or a source, before")
@click.option("--to", "after", required=True, metavar="Y[-Y]|SOURCE", help="Years, or a source, after")
@click.option("--level", type=click.Choice(["institution", "mention", "country", "sector"]), default="institution")
@click.option("--json", "as_json", is_flag=True, help="For programs: one JSON object")
@store_option
def change(kind: Kind, before: str, after: str, level: Any, as_json: bool, store: str | None) -> None:
    """What came, went, grew and shrank between two spans of years, or two sources."""
    opened = open_store(store)

    def network(span: str) -> Network:
        years = _SPAN.fullmatch(span)
        at: Any = "author" if kind == "coauthorship" else level
        return load(opened, kind, Scope(at, "names", None if years else span, _years(span) if years else None))

    found = Change(network(before), network(after))
    if as_json:
        click.echo(
            json.dumps({**found.summary(), "changes": found.ties(), **found.nodes()}, ensure_ascii=False, indent=1)
        )
        return
    summary = found.summary()
    for what in ("nodes", "ties"):
        click.echo(f"{what}: " + ", ".join(f"{n} {k}" for k, n in summary[what].items()))
    for row in found.ties()[:20]:
        click.echo(
            f"{row['change']:+}  {row['source_label']} – {row['target_label']} ({row['before']} → {row['after']})"
        )


@command.command()
@click.argument("kind", type=click.Choice(["coauthorship", "coaffiliation"]))
@click.option("--output", "target", required=True, metavar="FILE", help="report.html or report.md")
@click.option("--years", metavar="Y[-Y]", help="Only papers of editions of these years")
@click.option("--counting", type=click.Choice(["full", "fractional", "paper"]), default="full", help="[full]")
@click.option("--level", type=click.Choice(["institution", "mention", "country", "sector"]), default="institution")
@click.option("--min-papers", type=click.IntRange(1), default=1, metavar="N", help="Leave out nodes of fewer papers")
@click.option("--max-entities", type=click.IntRange(1), metavar="N", help="Leave out papers of more entities")
@store_option
def report(kind: Kind, target: str, years: str | None, store: str | None, **limits: Any) -> None:
    """Write a report: what the network is, how it was made, what it covers, its measures, and a picture (HTML)."""
    opened = open_store(store)
    level = limits.pop("level")
    scope = Scope("author" if kind == "coauthorship" else level, "names", None, _years(years))
    network = load(opened, kind, scope, **limits)
    wanted = [
        "components",
        "degree",
        "strength",
        "betweenness",
        "pagerank",
        "core",
        "clustering",
        "communities",
        "structure",
        "mixing",
        "collaboration",
    ]
    analysis = analyse(network, wanted, Options())
    found = find_bridges(opened) if kind == "coauthorship" else None
    write_report(analysis, found, target, output)


def _two_mode(name: Literal["affiliations", "venues"], **given: Any) -> None:
    _analysed(two_mode(open_store(given["store"]), name), given)


def _run(kind: Kind, level: Any, identity: Any, **given: Any) -> None:
    network = load(
        open_store(given["store"]),
        kind,
        Scope(level, identity, given["source"], _years(given["years"])),
        counting=given["counting"],
        max_entities=given["max_entities"],
        min_papers=given["min_papers"],
        min_weight=given["min_weight"],
    )
    _analysed(network, given)


def _analysed(network: Network, given: dict[str, Any]) -> None:
    """Measure a network and write it, as the options that all networks share say."""
    wanted = given["wanted"]
    named = measures() if wanted == "all" else wanted.split(",") if wanted else list(BASIC)
    options = Options(samples=given["samples"], seed=given["seed"], resolution=given["resolution"])
    analysis = analyse(network, [name.strip() for name in named], options)
    chosen = given["format_"] or by_suffix(given["target"] or "") or "table"
    with output(given["target"]) as out:
        write(analysis, chosen, out)


def _years(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = _SPAN.fullmatch(text)
    if not found:
        raise UsageError(f"--years takes a year or two, such as 2026 or 2013-2024, not {text!r}")
    return int(found[1]), int(found[2] or found[1])
