"""Adding, replacing and removing a source in a store that stands: the difference, and nothing but it.

The new state is computed as two sets of quads, to remove and to insert, that go into one transaction. What
the merged graph holds is counted by the named graphs: a triple leaves it when no merged named graph holds it
any more. Rules are run again for the papers and authors that the difference touches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rdflib import URIRef
from rdflib.namespace import ORG, RDF
from rdflib.term import Node

from kg.derive import RULES, conclusions
from kg.stores import Quad, Store, Triple
from kg.vocab import KG, SCHEMA, Iris

#: Predicates by which a source, or another description, holds on to an authority's description.
_HOLDS = (
    KG.resolvesTo,
    KG.candidate,
    KG.claimsSeries,
    KG.claimsEvent,
    KG.inSeries,
    ORG.subOrganizationOf,
    SCHEMA.superEvent,
)


@dataclass(frozen=True)
class StoreView:
    """The merged graph of a store, as rules see it."""

    store: Store

    def objects(self, subject: Node, predicate: URIRef) -> Iterator[Node]:
        return (o for _, _, o, _ in self.store.match(subject, predicate, None, None))

    def subjects(self, predicate: URIRef, object_: Node) -> Iterator[Node]:
        return (s for s, _, _, _ in self.store.match(None, predicate, object_, None))


@dataclass
class Overlay:
    """The merged graph as it will be: a store's, less what is removed, with what is added."""

    store: Store
    removed: set[Triple] = field(default_factory=set)
    added: set[Triple] = field(default_factory=set)
    _forwards: dict[tuple[Node, Node], set[Node]] = field(default_factory=lambda: defaultdict(set))
    _backwards: dict[tuple[Node, Node], set[Node]] = field(default_factory=lambda: defaultdict(set))

    def add(self, triple: Triple) -> None:
        s, p, o = triple
        self.removed.discard(triple)
        self.added.add(triple)
        self._forwards[s, p].add(o)
        self._backwards[p, o].add(s)

    def remove(self, triple: Triple) -> None:
        s, p, o = triple
        self.added.discard(triple)
        self.removed.add(triple)
        self._forwards[s, p].discard(o)
        self._backwards[p, o].discard(s)

    def objects(self, subject: Node, predicate: URIRef) -> Iterator[Node]:
        new = self._forwards.get((subject, predicate), set())
        old = (o for _, _, o, _ in self.store.match(subject, predicate, None, None))
        yield from new
        yield from (o for o in old if o not in new and (subject, predicate, o) not in self.removed)

    def subjects(self, predicate: URIRef, object_: Node) -> Iterator[Node]:
        new = self._backwards.get((predicate, object_), set())
        old = (s for s, _, _, _ in self.store.match(None, predicate, object_, None))
        yield from new
        yield from (s for s in old if s not in new and (s, predicate, object_) not in self.removed)


@dataclass(frozen=True)
class Change:
    """One transaction: quads to remove, quads to insert, and the papers and authors that it touches."""

    remove: frozenset[Quad]
    insert: frozenset[Quad]
    touched: frozenset[Node]


def plan(store: Store, sources: dict[URIRef, Iterable[Quad]], iris: Iris) -> Change:
    """The change that makes each graph of ``sources`` hold exactly the given quads (none: the source is removed).

    Quads of the authority's graph may come among them; they are inserted, and descriptions that nothing holds
    on to any more are removed. The cost is that of the old and new graphs named, not of the store.
    """
    unmerged = {iris.ontology_graph, iris.dataset_graph, *(iris.rule_graph(r.name) for r in RULES if not r.merged)}
    wanted: dict[URIRef, set[Triple]] = {graph: set() for graph in sources}
    for graph, quads in sources.items():
        for s, p, o, name in quads:
            wanted.setdefault(name or graph, set()).add((s, p, o))
    remove: set[Quad] = set()
    insert: set[Quad] = set()
    for graph, triples in wanted.items():
        old = {(s, p, o) for s, p, o, _ in store.quads(graph)} if graph in sources else set()
        remove |= {(*t, graph) for t in old - triples}
        insert |= {(*t, graph) for t in triples - old if graph in sources or not any(store.match(*t, graph))}
    after = Overlay(store)
    for s, p, o, _ in insert:
        after.add((s, p, o))
    leaving = {(s, p, o) for s, p, o, _ in remove}
    gone = {(*t, g) for *t, g in remove}

    def held(triple: Triple) -> bool:
        others = (g for g in store.graphs_of(triple) if g not in unmerged and (*triple, g) not in gone)
        return triple in after.added or any(others)

    for triple in leaving:
        if not held(triple):
            after.remove(triple)
    for triple, graph in list(_orphans(store, leaving, after, iris)):
        remove.add((*triple, graph))
        gone.add((*triple, graph))
        if held(triple):
            after.removed.discard(triple)
    touched = _touched(leaving | after.added, store, after, iris)
    for rule in RULES:
        subjects = [n for n in touched if rule.subject_class in set(after.objects(n, RDF.type))]
        new = set(conclusions(rule, subjects, after, iris))
        old_conclusions = set(_concluded(rule.name, touched, store, iris, merged=rule.merged))
        remove |= old_conclusions - new
        insert |= new - old_conclusions
    insert |= {(*t, None) for t in after.added if not any(store.match(*t, None))}
    remove |= {(*t, None) for t in after.removed}
    return Change(frozenset(remove - insert), frozenset(insert), frozenset(touched))


def _orphans(store: Store, leaving: set[Triple], after: Overlay, iris: Iris) -> Iterator[tuple[Triple, URIRef]]:
    """Descriptions in the authority's graph of things that nothing refers to after the change."""
    graph = iris.authority_graph
    queue = [o for _, p, o in leaving if p in _HOLDS]
    seen: set[Node] = set()
    while queue:
        node = queue.pop()
        if node in seen or any(any(after.subjects(p, node)) for p in _HOLDS):
            continue
        seen.add(node)
        for s, p, o, _ in store.match(node, None, None, graph):
            # the parent, the series: may be orphaned in their turn once this statement has gone
            after.remove((s, p, o))
            if p in _HOLDS:
                queue.append(o)
            yield (s, p, o), graph


def _touched(changed: set[Triple], store: Store, after: Overlay, iris: Iris) -> set[Node]:
    """The papers of the changed statements, and every author that they have or had."""
    papers = {paper for s, _, _ in changed if (paper := iris.paper_of(s)) is not None}
    authors: set[Node] = set()
    for paper in papers:
        authors.update(after.objects(paper, SCHEMA.author))
        authors.update(o for _, _, o, _ in store.match(paper, SCHEMA.author, None, None))
    described = {s for s, p, _ in changed if p == RDF.type or str(s).startswith(f"{iris.base}author/")}
    return papers | authors | {s for s in described if str(s).startswith(f"{iris.base}author/")}


def _concluded(rule: str, touched: set[Node], store: Store, iris: Iris, *, merged: bool) -> Iterator[Quad]:
    """What a rule has said so far of the touched nodes (and of the authorships of touched papers)."""
    graph = iris.rule_graph(rule)
    subjects = set(touched)
    for node in touched:
        subjects.update(o for _, _, o, _ in store.match(node, KG.hasAuthorship, None, None))
    for subject in subjects:
        for s, p, o, _ in store.match(subject, None, None, graph):
            yield s, p, o, graph
            if merged:
                yield s, p, o, None
