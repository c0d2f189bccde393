"""Where rdflib's terms and Oxigraph's meet: the one conversion, in both directions.

Two differences are bridged here and nowhere else. Oxigraph gives every plain literal the datatype
``xsd:string``, which rdflib holds unequal to the plain literal (rdflib#2123); and it stores language tags in
lower case, where BCP 47 (section 2.1.1) recommends ``zh-Hans``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

import pyoxigraph as ox
from rdflib import BNode, Literal, URIRef
from rdflib.term import Identifier, Node

from kg.errors import UnreadableInput
from kg.stores import Quad, Triple

_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
_DEFAULT = ox.DefaultGraph()

OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@lru_cache(maxsize=65536)
def _named_node(iri: str) -> ox.NamedNode:
    return ox.NamedNode(iri)


@lru_cache(maxsize=65536)
def _uri(iri: str) -> URIRef:
    return URIRef(iri)


@lru_cache(maxsize=256)
def language_tag(tag: str) -> str:
    """A language tag in the letter case that BCP 47 recommends.

    >>> language_tag("zh-hans"), language_tag("EN-gb")
    ('zh-Hans', 'en-GB')
    """
    first, *rest = tag.split("-")
    cased = (p.upper() if len(p) == 2 else p.title() if len(p) == 4 and p.isalpha() else p.lower() for p in rest)
    return "-".join([first.lower(), *cased])


def is_chinese(text: Literal) -> bool:
    """Is a text tagged as Chinese, of whatever script or region?"""
    return (text.language or "").lower().startswith("zh")


def to_ox(term: Node) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """An rdflib term as Oxigraph's.

    Raises:
        ValueError: an IRI or a language tag that no strict reader would accept.
    """
    if isinstance(term, URIRef):
        return _named_node(str(term))
    if isinstance(term, Literal):
        if term.language:
            return ox.Literal(str(term), language=term.language)
        return ox.Literal(str(term), datatype=_named_node(str(term.datatype or _XSD_STRING)))
    if isinstance(term, BNode):
        return ox.BlankNode(str(term))
    raise TypeError(f"not a term of RDF 1.1: {term!r}")


def to_ox_quad(quad: Quad) -> ox.Quad:
    """A quad of rdflib terms as Oxigraph's."""
    s, p, o, g = quad
    graph = _DEFAULT if g is None else _named_node(str(g))
    return ox.Quad(to_ox(s), to_ox(p), to_ox(o), graph)  # type: ignore[arg-type]  # Nodes of a valid quad


def to_ox_quads(quads: Iterable[Quad]) -> Iterator[ox.Quad]:
    """The same, lazily, for a stream of quads."""
    return map(to_ox_quad, quads)


def from_ox(term: OxTerm | ox.DefaultGraph | None) -> Identifier | None:
    """An Oxigraph term as rdflib's; the default graph and an unbound variable are ``None``."""
    if isinstance(term, ox.NamedNode):
        return _uri(term.value)
    if isinstance(term, ox.Literal):
        if term.language:
            return Literal(term.value, lang=language_tag(term.language))
        datatype = term.datatype.value
        # normalize=False: the lexical form stays as it was stored, as the source may have printed it
        return Literal(term.value, datatype=None if datatype == _XSD_STRING else _uri(datatype), normalize=False)
    if isinstance(term, ox.BlankNode):
        return BNode(term.value)
    if term is None or isinstance(term, ox.DefaultGraph):
        return None
    raise TypeError(f"confkg's graphs hold no triple terms: {term}")


def from_ox_quad(quad: ox.Quad) -> Quad:
    """An Oxigraph quad as rdflib terms."""
    graph = from_ox(quad.graph_name)
    s, p, o = from_ox(quad.subject), from_ox(quad.predicate), from_ox(quad.object)
    assert s is not None
    assert p is not None
    assert o is not None
    return s, p, o, graph if isinstance(graph, URIRef) else None


def read_turtle(path: Path) -> Iterator[Triple]:
    """The triples of a Turtle file, by the engine's parser (an order of magnitude faster than rdflib's).

    Raises:
        UnreadableInput: the file is missing, or not Turtle (with the line).
    """
    try:
        for triple in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE):
            s, p, o = from_ox(triple.subject), from_ox(triple.predicate), from_ox(triple.object)
            if s is not None and p is not None and o is not None:
                yield s, p, o
    except SyntaxError as e:
        raise UnreadableInput(str(path), f"not Turtle: {e.msg}", e.lineno) from None
    except OSError as e:
        raise UnreadableInput(str(path), f"cannot be read: {e.strerror}") from None
