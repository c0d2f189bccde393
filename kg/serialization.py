"""The engine's serialisers, by the names of :mod:`kg.mediatypes`, and how triples leave through them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import BinaryIO

import pyoxigraph as ox

from kg.vocab import PREFIXES

RESULTS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
RDF = {
    "turtle": ox.RdfFormat.TURTLE,
    "n-triples": ox.RdfFormat.N_TRIPLES,
    "n-quads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "rdf-xml": ox.RdfFormat.RDF_XML,
    "json-ld": ox.RdfFormat.JSON_LD,
}


def write_triples(triples: Iterable[ox.Triple], format: str, out: BinaryIO) -> int | None:
    """Stream triples, in Turtle (which people read) with prefixes.

    Returns:
        How many they were; ``None`` for N-Triples of a query, which leave a third faster uncounted, a line each.
    """
    if format == "n-triples" and isinstance(triples, ox.QueryTriples):
        triples.serialize(out, format=RDF[format])
        return None
    number = itertools.count()
    counted = map(lambda triple, _: triple, triples, number)  # takes a number for each triple it got
    ox.serialize(counted, out, format=RDF[format], prefixes=PREFIXES if format == "turtle" else None)
    return next(number)
