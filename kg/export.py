"""Graph → file: every RDF syntax of :mod:`kg.mediatypes`, for colleagues and their tools.

All but JSON-LD stream from the store. JSON-LD is compacted with ``ontology/context.jsonld`` by pyld, in memory,
and sorted, so that the same graph gives the same bytes.
"""

from __future__ import annotations

import io
import json
import re
from typing import Any, BinaryIO

from pyld import jsonld
from rdflib import RDF, URIRef

from kg import resources
from kg.errors import UsageError
from kg.mediatypes import DATASET_FORMATS, GRAPH_FORMATS
from kg.skgif import skg_if
from kg.stores import Store
from kg.terms import language_tag

EXPORT_FORMATS = (*(f.name for f in GRAPH_FORMATS + DATASET_FORMATS), "skg-if")

#: A closing quote and a language tag with subtags. A quote after an odd number of backslashes is text.
_TAG = re.compile(rb'((?<!\\)(?:\\\\)*"@)([a-z]{2,3}(?:-[a-z0-9]{1,8})+)')
#: The same in RDF/XML: text never holds a bare "<", so this matches in tags only.
_XML_TAG = re.compile(rb'(<[^<>"]+ xml:lang=")([a-z]{2,3}(?:-[a-z0-9]{1,8})+)(?=")')


class _LanguageTags(io.RawIOBase):
    """A file that writes language tags as BCP 47 recommends (``zh-Hans``), which the engine keeps in lower case."""

    def __init__(self, out: BinaryIO, pattern: re.Pattern[bytes]) -> None:
        self._out, self._pattern, self._rest = out, pattern, b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        block = self._rest + bytes(data)
        lines, newline, self._rest = block.rpartition(b"\n")
        self._out.write(self._canonical(lines + newline))
        return len(data)

    def finish(self) -> None:
        """Write what stands after the last line end."""
        self._out.write(self._canonical(self._rest))
        self._rest = b""

    def _canonical(self, lines: bytes) -> bytes:
        return self._pattern.sub(lambda m: m[1] + language_tag(m[2].decode()).encode(), lines)


def export(store: Store, out: BinaryIO, format: str, graph: URIRef | None = None) -> None:
    """Write a graph (``None``: the merged graph) or, in a quad format, the whole dataset.

    Raises:
        UsageError: an unknown format, or a graph that the store does not have.
    """
    if format not in EXPORT_FORMATS:
        raise UsageError(f"unknown format {format!r}; there are: {', '.join(EXPORT_FORMATS)}")
    if graph is not None and graph not in set(store.graph_names()):
        raise UsageError(f"the store has no graph <{graph}>")
    if format == "skg-if":
        if graph is not None:
            raise UsageError("skg-if describes the merged graph: leave --graph out")
        out.write(skg_if(store))
        return
    if format == "json-ld":
        out.write(json_ld(store, graph))
        return
    writer = _LanguageTags(out, _XML_TAG if format == "rdf-xml" else _TAG)
    store.dump(io.BufferedWriter(writer, 1 << 16), format, graph)
    writer.finish()


def context() -> dict[str, Any]:
    """The ``@context`` of every JSON-LD document that confkg writes."""
    loaded: dict[str, Any] = json.loads(resources.ontology("context.jsonld").read_text("utf-8"))
    return loaded


def json_ld(store: Store, graph: URIRef | None = None) -> bytes:
    """A graph as compact JSON-LD 1.1: one object a node, sorted, Chinese as Chinese."""
    buffer = io.BytesIO()
    store.dump(buffer, "json-ld", graph)
    return compact(json.loads(buffer.getvalue()))


def compact(expanded: list[dict[str, Any]]) -> bytes:
    """Expanded JSON-LD (node objects) compacted with the house's context and put in order."""
    _readable(expanded)
    if graphs := [n["@graph"] for n in expanded if set(n) == {"@graph"}]:
        expanded = [node for nodes in graphs for node in nodes]
    options = {"graph": True, "documentLoader": _no_network}
    document = jsonld.compact(expanded, context(), options)
    terms = context()["@context"]
    by_language = {t for t, d in terms.items() if isinstance(d, dict) and d.get("@container") == "@language"}
    for node in document["@graph"]:  # pyld puts the tags that are keys in lower case
        for term in by_language.intersection(node):
            node[term] = {language_tag(tag): texts for tag, texts in node[term].items()}
    nodes = sorted(
        (_ordered(node) for node in document["@graph"]), key=lambda node: str(node.get("@id") or node.get("id"))
    )
    return (
        json.dumps({"@context": context()["@context"], "@graph": nodes}, ensure_ascii=False, indent=1).encode() + b"\n"
    )


def _no_network(url: str, options: Any = None) -> Any:
    raise UsageError(f"a remote JSON-LD context is not fetched: {url}")


_INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def _readable(value: Any) -> None:
    """Language tags in the usual letter case, integers as JSON numbers (JSON-LD 1.1 API, section 8.5)."""
    if isinstance(value, list):
        for item in value:
            _readable(item)
    elif isinstance(value, dict):
        if "@language" in value:
            value["@language"] = language_tag(value["@language"])
        if types := value.pop(str(RDF.type), None):  # the engine writes it as a property like any other
            value["@type"] = [t["@id"] for t in types]
        if value.get("@type") == _INTEGER and re.fullmatch(r"-?[1-9][0-9]{0,14}|0", str(value["@value"])):
            value["@value"] = int(value.pop("@value"))
            del value["@type"]
        for item in value.values():
            _readable(item)


def _ordered(value: Any) -> Any:
    """Keys in order, keywords first; arrays are sets in RDF (the context has no ``@list``), so they are sorted too."""
    if isinstance(value, dict):
        first = {"@id": 0, "id": 0, "@type": 1, "type": 1}
        return {k: _ordered(value[k]) for k in sorted(value, key=lambda k: (first.get(k, 2), k))}
    if isinstance(value, list):
        return sorted((_ordered(v) for v in value), key=lambda v: json.dumps(v, ensure_ascii=False, sort_keys=True))
    return value
