"""From any statement to what it rests on: lines of a source, a rule and its version, or the curated authority."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from rdflib import Literal, URIRef
from rdflib.namespace import DCTERMS, ORG, PROV, RDF, RDFS
from rdflib.term import Node

from kg.derive import RULES
from kg.errors import UsageError
from kg.provenance import Address, addresses
from kg.stores import Store, Triple
from kg.vocab import FABIO, KG, PREFIXES, PRO, SCHEMA, Iris

#: The field that carries what a paper's own statement says, where its text alone does not tell.
_FIELDS: dict[URIRef, tuple[str, ...]] = {
    DCTERMS.title: ("title", "title-zh"),
    RDFS.label: ("title", "title-zh"),
    FABIO.hasTranslatedTitle: ("title-zh",),
    KG.aiSummary: ("ai-summary",),
    DCTERMS.abstract: ("abstract",),
    KG.comment: ("comments",),
    DCTERMS.bibliographicCitation: ("journal-ref",),
    DCTERMS.issued: ("date",),
    DCTERMS.subject: ("category",),
    KG.arxivId: ("identifier", "url"),
    DCTERMS.identifier: ("identifier", "url"),
}
#: What a statement about a paper sums up: from the paper along the first predicate to a node, from which the second
#: path leads to the object; the lines are that node's.
_SHORTCUTS: dict[URIRef, tuple[URIRef, URIRef]] = {
    SCHEMA.author: (KG.hasAuthorship, PRO.isHeldBy),
    KG.relevantInstitution: (KG.listsInstitution, KG.resolvesTo),
}


@dataclass(frozen=True)
class Because:
    """One ground of a statement."""

    #: ``source``, ``rule``, ``authority``, ``ontology`` or ``dataset``
    kind: str
    #: the name of the source, the rule with its version, or the authority
    name: str
    addresses: tuple[Address, ...] = ()
    #: the method and score of a resolution, the words of a rule
    remark: str = ""


@dataclass(frozen=True)
class Explanation:
    """A statement and its grounds."""

    triple: Triple
    grounds: tuple[Because, ...]


def term(text: str, iris: Iris) -> Node:
    """A term as people type it: an IRI, ``prefix:name``, a path of the data (``paper/…``), or else a literal's text.

    >>> [str(term(t, Iris())) for t in ("kg:Paper", "series/icml", "定理")]
    ['https://w3id.org/confkg/ontology#Paper', 'https://w3id.org/confkg/series/icml', '定理']
    """
    if text == "a":
        return RDF.type
    if text.startswith("<") and text.endswith(">"):
        return URIRef(text[1:-1])
    if text.startswith(("http://", "https://")):
        return URIRef(text)
    prefix, colon, name = text.partition(":")
    if colon and prefix in PREFIXES and " " not in text:
        return URIRef(PREFIXES[prefix] + name)
    if text.split("/", 1)[0] in _PATHS and "/" in text and " " not in text:
        return iris.local(text)
    return Literal(text)


_PATHS = {"paper", "author", "institution", "series", "event", "source", "proceedings", "graph"}


def why(
    store: Store, subject: Node, predicate: Node | None = None, object_: Node | None = None, *, iris: Iris | None = None
) -> Iterator[Explanation]:
    """Each statement of the store that fits, with its grounds. A literal object fits by its text alone.

    Raises:
        UsageError: no statement fits.
    """
    iris = iris or Iris()
    if isinstance(subject, Literal):
        raise UsageError(f"the subject must be an IRI, prefix:name or a path such as paper/…, not {str(subject)!r}")
    found: dict[Triple, set[URIRef]] = {}
    for graph in (None, *store.graph_names()):
        exact = None if isinstance(object_, Literal) else object_
        for s, p, o, name in store.match(subject, predicate, exact, graph):
            if not isinstance(object_, Literal) or str(o) == str(object_):
                found.setdefault((s, p, o), set()).update([name] if name is not None else [])
    if not found:
        raise UsageError("the store makes no such statement")
    for triple in sorted(found, key=lambda t: (str(t[1]), str(t[2]))):
        yield Explanation(triple, tuple(_grounds(store, triple, found[triple], iris)))


def _grounds(store: Store, triple: Triple, graphs: Iterable[URIRef], iris: Iris) -> Iterator[Because]:
    rules = {iris.rule_graph(r.name): r for r in RULES}
    for graph in sorted(graphs):
        if graph in rules:
            rule = rules[graph]
            yield Because("rule", f"{rule.name}, version {rule.version}", remark=rule.statement)
        elif graph == iris.authority_graph:
            yield Because("authority", "curated organisations and venue series", remark="not said by a source")
        elif graph == iris.ontology_graph:
            yield Because("ontology", "the ontology of confkg")
        elif graph == iris.dataset_graph:
            yield Because("dataset", "the description of this graph")
        else:
            places, remark = _of_source(store, triple, graph)
            name = places[0].source if places else str(graph).rsplit("/", 1)[-1]
            yield Because("source", name, places, remark)


def _of_source(store: Store, triple: Triple, graph: URIRef) -> tuple[tuple[Address, ...], str]:
    """The lines of a source that a statement of its graph rests on, and how it was understood."""
    subject, predicate, object_ = triple
    remark = ""
    nodes: list[Node] = []
    if predicate in _SHORTCUTS:
        along, onward = _SHORTCUTS[predicate]  # type: ignore[index]  # any Node may be asked for
        for node in _objects(store, subject, along, graph):
            if object_ in _upwards(store, _objects(store, node, onward, graph)):
                nodes.append(node)
                remark = remark or _method(store, node, graph)
    elif predicate in (KG.resolvesTo, KG.candidate):
        remark = _method(store, subject, graph)
    elif predicate == RDF.type and object_ in (FABIO.ConferencePaper, FABIO.WorkshopPaper):
        nodes = list(_objects(store, subject, KG.hasVenueClaim, graph))
    elif (
        isinstance(object_, URIRef) and any(_objects(store, object_, PROV.wasDerivedFrom, graph))
    ) or predicate == PROV.wasDerivedFrom:
        nodes = [object_]
    nodes = nodes or [subject]
    found = addresses(store, nodes)
    places = [a for n in nodes for a in found.get(n, ()) if _in(store, a, graph)]
    if not places:  # a thing that has no origin of its own: a conference, proceedings; what refers to it has
        referring = [s for s, _, _, _ in store.match(None, None, subject, graph)]
        places = [a for known in addresses(store, referring).values() for a in known if _in(store, a, graph)]
    narrowed = [b for a in places for b in _fields(store, a, triple)]
    order = sorted(dict.fromkeys(narrowed), key=lambda a: (a.source, a.first_line, a.field or ""))
    return tuple(order), remark


def _in(store: Store, address: Address, graph: URIRef) -> bool:
    return address.iri is None or any(islice(store.match(URIRef(address.iri), None, None, graph), 1))


def _fields(store: Store, address: Address, triple: Triple) -> Iterator[Address]:
    """Of a whole entry, the fields that carry the statement: those that hold its text, else those of its kind."""
    if address.field is not None or address.iri is None:
        yield address
        return
    parts = [s for s, _, _, _ in store.match(None, DCTERMS.isPartOf, URIRef(address.iri), None)]
    fields = [a for known in addresses(store, parts).values() for a in known]
    wanted = _FIELDS.get(triple[1], ())  # type: ignore[call-overload]  # any Node may be asked for
    text = _folded(str(triple[2])) if isinstance(triple[2], Literal) or triple[1] in (KG.hasCode, SCHEMA.url) else ""
    holding = [a for a in fields if text and text in _folded(a.text or "")]
    chosen = [a for a in holding if a.field in wanted] or holding or [a for a in fields if a.field in wanted]
    yield from sorted(chosen, key=lambda a: a.first_line) or [address]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _objects(store: Store, subject: Node, predicate: URIRef, graph: URIRef) -> Iterator[Node]:
    return (o for _, _, o, _ in store.match(subject, predicate, None, graph))


def _upwards(store: Store, nodes: Iterable[Node]) -> set[Node]:
    """Organisations and all that they are part of."""
    found: set[Node] = set()
    queue = list(nodes)
    while queue:
        node = queue.pop()
        if node not in found:
            found.add(node)
            queue.extend(o for _, _, o, _ in store.match(node, ORG.subOrganizationOf, None, None))
    return found


def _method(store: Store, mention: Node, graph: URIRef) -> str:
    methods = sorted(str(o) for o in _objects(store, mention, KG.resolutionMethod, graph))
    scores = sorted(str(o) for o in _objects(store, mention, KG.resolutionScore, graph))
    return f"resolved by {', '.join(methods)} (score {', '.join(scores)})" if methods else ""
