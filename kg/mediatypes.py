"""The formats that leave confkg: one table of names, media types and suffixes, each row with its standard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["results", "triples", "quads"]


@dataclass(frozen=True, slots=True)
class Format:
    """A serialisation: its name on the command line, its media type, its file suffix, what it can hold."""

    name: str
    media: str
    suffix: str
    kind: Kind


#: Query results (SELECT, ASK), in the server's order of preference.
RESULT_FORMATS = (
    Format("json", "application/sparql-results+json", "srj", "results"),  # W3C sparql11-results-json
    Format("xml", "application/sparql-results+xml", "srx", "results"),  # W3C rdf-sparql-XMLres
    Format("csv", "text/csv", "csv", "results"),  # W3C sparql11-results-csv-tsv
    Format("tsv", "text/tab-separated-values", "tsv", "results"),  # the same
)
#: Graphs (CONSTRUCT, DESCRIBE, export of one graph).
GRAPH_FORMATS = (
    Format("turtle", "text/turtle", "ttl", "triples"),  # W3C turtle
    Format("json-ld", "application/ld+json", "jsonld", "triples"),  # W3C json-ld11
    Format("n-triples", "application/n-triples", "nt", "triples"),  # W3C n-triples
    Format("rdf-xml", "application/rdf+xml", "rdf", "triples"),  # W3C rdf-syntax-grammar
)
#: Whole datasets, with the names of the graphs.
DATASET_FORMATS = (
    Format("n-quads", "application/n-quads", "nq", "quads"),  # W3C n-quads
    Format("trig", "application/trig", "trig", "quads"),  # W3C trig
)
FORMATS: dict[str, Format] = {f.name: f for f in RESULT_FORMATS + GRAPH_FORMATS + DATASET_FORMATS}
