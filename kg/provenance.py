"""From a thing in the graph to the lines that it rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from rdflib import URIRef
from rdflib.term import Node

from kg.sparql import declare_prefixes
from kg.stores import Store

_CHUNK = 500

_ADDRESSES = """
SELECT DISTINCT ?node ?source ?first ?last ?field ?text ?where WHERE {{
  VALUES ?node {{ {nodes} }}
  {{ ?node prov:wasDerivedFrom ?where }}
  UNION {{ ?node a kg:SourceField BIND (?node AS ?where) }}
  UNION {{ ?node a kg:SourceEntry BIND (?node AS ?where) }}
  ?where kg:firstLine ?first ; kg:lastLine ?last ; dcterms:isPartOf+ ?document .
  ?document a kg:SourceDocument ; rdfs:label ?source .
  OPTIONAL {{ ?where kg:field ?field }}
  OPTIONAL {{ ?where kg:rawText ?text }}
}}
"""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Lines of a source (1-based, inclusive), with the field's name and raw text where they are one field's."""

    source: str
    first_line: int
    last_line: int
    field: str | None = None
    text: str | None = None
    #: the IRI of the source entry or field
    iri: str | None = None

    def __str__(self) -> str:
        """``listing.txt:9`` or ``listing.txt:3-13``.

        >>> str(Address("a.txt", 3, 13)), str(Address("a.txt", 9, 9))
        ('a.txt:3-13', 'a.txt:9')
        """
        lines = str(self.first_line) if self.first_line == self.last_line else f"{self.first_line}-{self.last_line}"
        return f"{self.source}:{lines}"


def addresses(store: Store, nodes: Iterable[Node]) -> dict[Node, tuple[Address, ...]]:
    """Where each node comes from, in the order of sources and lines; nothing for what no source states."""
    found: dict[Node, set[Address]] = defaultdict(set)
    for chunk in _chunks(sorted({n for n in nodes if isinstance(n, URIRef)})):
        query = _ADDRESSES.format(nodes=" ".join(n.n3() for n in chunk))
        for row in store.select(declare_prefixes(query)):
            node, source, first, last, field, text, where = row
            assert node is not None
            found[node].add(
                Address(
                    str(source),
                    int(str(first)),
                    int(str(last)),
                    None if field is None else str(field),
                    None if text is None else str(text),
                    str(where),
                )
            )
    return {
        node: tuple(sorted(known, key=lambda a: (a.source, a.first_line, a.field or "")))
        for node, known in found.items()
    }


def _chunks(nodes: list[URIRef]) -> Iterator[list[URIRef]]:
    iterator = iter(nodes)
    return iter(lambda: list(islice(iterator, _CHUNK)), [])
