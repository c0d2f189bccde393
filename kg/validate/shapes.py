"""The shapes as values: node shapes with their targets, constraints with the path they look along.

Covers SHACL (W3C Recommendation, 2017), sections 2 to 5, as far as our shapes use them. What is not understood is
an error, never passed over: a constraint that nobody checks is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rdflib import RDF, RDFS, SH, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

KGSH = Namespace("https://w3id.org/confkg/shape#")
#: What a shape looks at: the merged graph, or that with the conclusions of the rules.
MERGED, CONCLUSIONS = KGSH.merged, KGSH.conclusions
#: Properties of a shape that constrain nothing (SHACL, sections 2.1 and 2.3.2).
NOT_CONSTRAINTS = {
    RDF.type, RDFS.label, RDFS.comment, SH.path, SH.message, SH.severity, SH.name, SH.description, SH.order, SH.group,
    SH.deactivated, SH.flags, SH.targetClass, SH.targetNode, SH.targetSubjectsOf, SH.targetObjectsOf,
    SH.ignoredProperties, SH.defaultValue, KGSH.over, RDFS.isDefinedBy, SH.declare,
}  # fmt: skip


class UnknownConstraint(Exception):
    """A shape says something that this reader or the compiler does not understand."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint: ``parameter`` (a property such as ``sh:minCount``), its value, and the shape it stands on."""

    node_shape: URIRef
    shape: Node
    path: Node | None
    parameter: URIRef
    value: Node
    severity: URIRef


@dataclass(frozen=True)
class NodeShape:
    """A shape with targets."""

    iri: Node
    label: str
    over: URIRef
    #: pairs of kind (``sh:targetClass`` …) and value
    targets: tuple[tuple[URIRef, Node], ...]
    constraints: tuple[Constraint, ...]

    def focus_nodes(self, data: Graph) -> set[Node]:
        """The nodes that the shape looks at (SHACL, section 2.1.3)."""
        found: set[Node] = set()
        for kind, value in self.targets:
            if kind == SH.targetNode:
                found.add(value)
            elif kind == SH.targetSubjectsOf:
                found.update(data.subjects(value, None))
            elif kind == SH.targetObjectsOf:
                found.update(data.objects(None, value))
            else:
                for c in data.transitive_subjects(RDFS.subClassOf, value):
                    found.update(data.subjects(RDF.type, c))
        return found


@dataclass(frozen=True)
class Shapes:
    """A shapes graph, read."""

    graph: Graph
    nodes: tuple[NodeShape, ...]

    @cached_property
    def messages(self) -> dict[Node, tuple[Literal, ...]]:
        """The messages of each shape and SPARQL constraint, by language."""
        found: dict[Node, tuple[Literal, ...]] = {}
        for shape in set(self.graph.subjects(SH.message, None)):
            texts = [m for m in self.graph.objects(shape, SH.message) if isinstance(m, Literal)]
            found[shape] = tuple(sorted(texts, key=lambda m: (m.language or "", str(m))))
        return found

    @cached_property
    def of_property(self) -> dict[Node, Node]:
        """The node shape that a property shape or SPARQL constraint belongs to."""
        owner: dict[Node, Node] = {}
        for node in self.nodes:
            owner[node.iri] = node.iri
            for c in node.constraints:
                owner.setdefault(c.shape, node.iri)
                if c.parameter == SH.sparql:
                    owner.setdefault(c.value, node.iri)
        return owner


def read_shapes(graph: Graph) -> Shapes:
    """The shapes of a shapes graph that have targets, in the order of their IRIs."""
    targets = (SH.targetClass, SH.targetNode, SH.targetSubjectsOf, SH.targetObjectsOf)
    found = {s for t in targets for s in graph.subjects(t, None)}
    implicit = {
        s
        for c in (RDFS.Class, URIRef("http://www.w3.org/2002/07/owl#Class"))
        for s in graph.subjects(RDF.type, c)
        if is_shape(graph, s)
    }
    nodes = []
    for shape in sorted(found | implicit, key=str):
        if is_true(graph, shape, SH.deactivated):
            continue
        pairs = [(t, v) for t in targets for v in graph.objects(shape, t)]
        pairs += [(SH.targetClass, shape)] if shape in implicit else []
        over = graph.value(shape, KGSH.over) or MERGED
        assert isinstance(over, URIRef)
        label = next((str(o) for o in graph.objects(shape, RDFS.label) if getattr(o, "language", None) == "en"), None)
        constraints = tuple(_constraints(graph, shape, shape))
        nodes.append(NodeShape(shape, label or str(shape), over, tuple(sorted(pairs)), constraints))
    return Shapes(graph, tuple(nodes))


def is_shape(graph: Graph, node: Node) -> bool:
    """Is a node declared as a shape, or does it bear a constraint?"""
    types = set(graph.objects(node, RDF.type))
    return bool(types & {SH.NodeShape, SH.PropertyShape}) or (node, SH.property, None) in graph


def is_true(graph: Graph, node: Node, property_: URIRef) -> bool:
    """Does a boolean property hold?"""
    return any(isinstance(o, Literal) and o.toPython() is True for o in graph.objects(node, property_))


def _constraints(graph: Graph, shape: Node, node_shape: Node) -> Iterator[Constraint]:
    severity = graph.value(shape, SH.severity) or SH.Violation
    path = graph.value(shape, SH.path)
    for parameter, value in sorted(graph.predicate_objects(shape)):
        if parameter in NOT_CONSTRAINTS:
            continue
        if not str(parameter).startswith(str(SH)):
            if any(graph.subjects(SH.parameter, declared) for declared in graph.subjects(SH.path, parameter)):
                raise UnknownConstraint(f"a constraint component of its own: {parameter}")
            continue  # another vocabulary's remark about the shape
        if parameter == SH.property:
            if path is not None:
                raise UnknownConstraint(f"a property shape inside a property shape: {shape}")
            if not is_true(graph, value, SH.deactivated):
                yield from _constraints(graph, value, node_shape)
            continue
        yield Constraint(node_shape, shape, path, parameter, value, severity)  # type: ignore[arg-type]  # a Node of the shapes


def items(graph: Graph, head: Node) -> list[Node]:
    """The members of an RDF list."""
    return list(Collection(graph, head))


_OPERATORS = {SH.zeroOrMorePath: "*", SH.oneOrMorePath: "+", SH.zeroOrOnePath: "?"}


def sparql_path(graph: Graph, path: Node) -> str:
    """A SHACL property path as one of SPARQL (SHACL, section 2.3.1).

    Raises:
        UnknownConstraint: no such path.
    """
    if isinstance(path, URIRef):
        return path.n3()
    if (path, RDF.first, None) in graph:
        return "/".join(f"({sparql_path(graph, p)})" for p in items(graph, path))
    for predicate, value in graph.predicate_objects(path):
        if predicate == SH.inversePath:
            return f"^({sparql_path(graph, value)})"
        if predicate == SH.alternativePath:
            return "|".join(f"({sparql_path(graph, p)})" for p in items(graph, value))
        if predicate in _OPERATORS:
            return f"({sparql_path(graph, value)}){_OPERATORS[predicate]}"  # type: ignore[index]  # a Node of the shapes
    raise UnknownConstraint(f"no property path: {path}")
