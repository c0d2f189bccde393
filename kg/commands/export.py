"""``kg export``: the graph as a file."""

from __future__ import annotations

import click
from rdflib import URIRef

from kg.commands import output, store_option
from kg.export import EXPORT_FORMATS, export
from kg.stores import open_store


@click.command()
@click.option("--format", type=click.Choice(list(EXPORT_FORMATS)), default="turtle", help="RDF syntax [turtle]")
@click.option("--output", "target", metavar="FILE", help="File to write [standard output]")
@click.option("--graph", metavar="IRI", help="One named graph instead of the merged one")
@store_option
def command(format: str, target: str | None, graph: str | None, store: str | None) -> None:
    """Write the merged graph, one named graph, or (n-quads, trig) everything."""
    opened = open_store(store)
    with output(target) as out:
        export(opened, out, format, URIRef(graph) if graph else None)
