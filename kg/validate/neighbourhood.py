"""The part of a graph that shapes can see from some papers: what validating a change costs is the size of this."""

from __future__ import annotations

from collections.abc import Iterable

from rdflib import DCTERMS, RDF, Graph, URIRef
from rdflib.term import Node

from kg.stores import Store
from kg.validate.shapes import CONCLUSIONS, MERGED
from kg.vocab import KG, PRO, SCHEMA

#: Statements that are looked at against their arrow: from an author to the papers of the name, from an entry to its
#: fields, from proceedings to a paper of theirs.
_AGAINST = (PRO.isHeldBy, SCHEMA.author, DCTERMS.isPartOf, SCHEMA.isPartOf)


def neighbourhood(store: Store, nodes: Iterable[Node]) -> dict[URIRef, Graph]:
    """The merged graph around papers and authors, and the same with what rules conclude about it.

    Other papers that an author or a volume leads to are seen from outside: that they are papers, not what they say.
    """
    start = set(nodes)
    merged, concluded = Graph(), Graph()
    queue, seen = list(start), set(start)

    def add(s: Node, p: Node, o: Node) -> None:
        merged.add((s, p, o))
        concluded.add((s, p, o))

    while queue:
        node = queue.pop()
        kinds = {o for _, _, o, _ in store.match(node, RDF.type, None, None)}
        for kind in kinds:
            add(node, RDF.type, kind)
        if (KG.Paper in kinds and node not in start) or KG.SourceDocument in kinds:
            if KG.SourceDocument in kinds:  # its own statements, not those of all that stands in it
                for s, p, o, _ in store.match(node, None, None, None):
                    add(s, p, o)
            continue
        for s, p, o, _ in store.match(node, None, None, None):
            add(s, p, o)
            if isinstance(o, URIRef) and o not in seen:
                seen.add(o)
                queue.append(o)
        for predicate in _AGAINST:
            for s, p, o, _ in store.match(None, predicate, node, None):
                add(s, p, o)
                if predicate == DCTERMS.isPartOf and s not in seen:
                    seen.add(s)
                    queue.append(s)
                elif predicate == PRO.isHeldBy and s not in seen:  # perhaps on a paper that is not looked at
                    for known in (RDF.type, KG.nameAsListed):
                        for t, q, u, _ in store.match(s, known, None, None):
                            add(t, q, u)
        for predicate in (KG.hasAuthorship, KG.listsInstitution, KG.hasVenueClaim):
            for s, p, o, _ in store.match(None, predicate, node, None):
                add(s, p, o)
                for t, q, u, _ in store.match(s, RDF.type, None, None):
                    add(t, q, u)
    for name in store.graph_names():
        if "/graph/rule/" in name:
            for node in seen:
                for s, p, o, _ in store.match(node, KG.inferredAffiliation, None, name):
                    concluded.add((s, p, o))
    return {MERGED: merged, CONCLUSIONS: concluded}


def belongs(focus: Node, nodes: set[str]) -> bool:
    """Is a focus node one of the nodes, or a part of one by its IRI?"""
    text = str(focus)
    return text in nodes or (
        "/paper/" in text and text.split("/paper/")[0] + "/paper/" + text.split("/paper/")[1].split("/")[0] in nodes
    )
