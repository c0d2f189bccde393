"""Statements that no source makes but a named rule concludes, each rule in a graph of its own.

A rule is a function of one subject and a view of the merged graph, so it can be run for a whole store or
for just the subjects that a change touches, with the same result. Removing ``graph/rule/{name}`` takes back
everything that the rule ever said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from rdflib import URIRef
from rdflib.namespace import RDF, SKOS
from rdflib.term import Node

from kg.stores import Quad, Triple
from kg.vocab import KG, KGS, SCHEMA, Iris


class View(Protocol):
    """What a rule may ask: the merged graph, forwards and backwards."""

    def objects(self, subject: Node, predicate: URIRef) -> Iterator[Node]: ...

    def subjects(self, predicate: URIRef, object_: Node) -> Iterator[Node]: ...


@dataclass(frozen=True)
class Rule:
    """A derivation rule: what it concludes about one subject of a class, and where that is written."""

    name: str
    version: str
    #: what the rule says, for people
    statement: str
    subject_class: URIRef
    conclude: Callable[[Node, View], Iterator[Triple]]
    #: does the conclusion also stand in the merged default graph?
    merged: bool


def identity(author: Node, view: View) -> Iterator[Triple]:
    """How far a name may be taken for one person.

    ``Verified``: an identifier from a source. ``Corroborated``: two papers under the name share an institution
    or a second author. Else ``NameOnly``: the papers have nothing but the name in common.
    """
    if any(view.objects(author, SKOS.exactMatch)):
        yield author, KG.identityStatus, KGS.Verified
        return
    papers = set(view.subjects(SCHEMA.author, author))
    shared: Counter[Node] = Counter()
    if len(papers) > 1:
        for paper in papers:
            shared.update(set(view.objects(paper, SCHEMA.author)) - {author})
            shared.update(set(view.objects(paper, KG.relevantInstitution)))
    corroborated = any(count > 1 for count in shared.values())
    yield author, KG.identityStatus, KGS.Corroborated if corroborated else KGS.NameOnly


def sole_institution(paper: Node, view: View) -> Iterator[Triple]:
    """An author's affiliation where the paper leaves no other reading.

    The condition: each mention of the paper is complete and resolved, and either they all name one organisation
    (so whichever of them is an author's, it is that one) or the paper has one author (so all are the author's).
    """
    mentions = list(view.objects(paper, KG.listsInstitution))
    authorships = list(view.objects(paper, KG.hasAuthorship))
    institutions = set(view.objects(paper, KG.relevantInstitution))
    sound = all(
        KGS.complete in view.objects(mention, KG.mentionQuality) and any(view.objects(mention, KG.resolvesTo))
        for mention in mentions
    )
    if mentions and sound and (len(institutions) == 1 or len(authorships) == 1):
        for authorship in authorships:
            for institution in institutions:
                yield authorship, KG.inferredAffiliation, institution


RULES = (
    Rule(
        "identity",
        "1",
        "A name is Verified by an identifier, Corroborated by two papers that share an institution or a second "
        "author, else NameOnly.",
        KG.Author,
        identity,
        merged=True,
    ),
    Rule(
        "sole-institution",
        "1",
        "Every mention of the paper is complete and resolved, and they name one organisation or the paper has one "
        "author: then each author is affiliated with each of the organisations.",
        KG.Paper,
        sole_institution,
        merged=False,
    ),
)


def conclusions(rule: Rule, subjects: Iterable[Node], view: View, iris: Iris) -> Iterator[Quad]:
    """What a rule says of the subjects: quads of its graph, and of the merged graph where it is merged."""
    graph = iris.rule_graph(rule.name)
    for subject in subjects:
        for triple in rule.conclude(subject, view):
            yield (*triple, graph)
            if rule.merged:
                yield (*triple, None)


def derive_all(view: View, iris: Iris) -> Iterator[Quad]:
    """Every conclusion of every rule over a whole graph."""
    for rule in RULES:
        yield from conclusions(rule, view.subjects(RDF.type, rule.subject_class), view, iris)
