"""One constraint → one SELECT whose solutions are its violations.

Each query binds ``?this`` (the focus node) and, where the constraint is about one, ``?value``. The forms are those
that stay linear in Oxigraph: counting by ``GROUP BY``, absence by a one-pattern ``NOT EXISTS`` or by ``MINUS``.
A constraint that is not in the tables below raises :class:`kg.validate.shapes.UnknownConstraint`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from rdflib import OWL, RDF, RDFS, SH, XSD, Graph, Literal, URIRef
from rdflib.term import Node

from kg.sparql import tokens
from kg.validate.shapes import (
    CONCLUSIONS,
    NOT_CONSTRAINTS,
    Constraint,
    NodeShape,
    UnknownConstraint,
    is_true,
    items,
    sparql_path,
)
from kg.validate.value_sets import WHOLE


@dataclass(frozen=True)
class Check:
    """A compiled constraint."""

    constraint: Constraint
    component: URIRef
    query: str
    #: for a SPARQL constraint, its own node (``sh:sourceConstraint``)
    source: Node | None = None


def target_pattern(shape: NodeShape, subclasses: bool = False) -> str:
    """The graph pattern that binds ``?this`` to the shape's focus nodes."""
    parts = []
    for kind, value in shape.targets:
        if kind == SH.targetNode:
            parts.append(f"VALUES ?this {{ {value.n3()} }}")
        elif kind == SH.targetSubjectsOf:
            parts.append(f"?this {value.n3()} ?targeted .")
        elif kind == SH.targetObjectsOf:
            parts.append(f"?targeting {value.n3()} ?this .")
        else:
            parts.append(f"?this {_type(subclasses)} {value.n3()} .")
    pattern = parts[0] if len(parts) == 1 else " UNION ".join(f"{{ {p} }}" for p in parts)
    if len(parts) > 1 or shape.targets[0][0] != SH.targetClass or subclasses:
        pattern = f"{{ SELECT DISTINCT ?this WHERE {{ {pattern} }} }}"  # a node is looked at once
    return _in_rule_graphs(pattern, shape)


def _type(subclasses: bool) -> str:
    return f"{RDF.type.n3()}/{RDFS.subClassOf.n3()}*" if subclasses else RDF.type.n3()


#: What only rules say, and so stands in their graphs alone.
_CONCLUDED = r"(\S+) (<https://w3id\.org/confkg/ontology#inferredAffiliation>|kg:inferredAffiliation) (\?\w+) ?([.;])"


def _in_rule_graphs(query: str, shape: NodeShape) -> str:
    """For a shape over conclusions: look for what rules say in their graphs, not in the merged one."""
    if shape.over != CONCLUSIONS:
        return query
    changed = re.sub(_CONCLUDED, r"GRAPH ?ruleGraph { \1 \2 \3 } \4", query)
    return re.sub(r"\} ;", "} .", changed)


class Compiler:
    """Compiles the constraints of one shapes graph.

    Args:
        graph: the shapes graph.
        subclasses: whether the data graph holds ``rdfs:subClassOf`` statements that ``sh:class`` and
            ``sh:targetClass`` must follow (SHACL, section 1.1: SHACL instances).
    """

    def __init__(self, graph: Graph, subclasses: bool = False) -> None:
        self.graph, self.subclasses = graph, subclasses

    def compile(self, shape: NodeShape) -> Iterator[Check]:
        """Every constraint of a shape as a query.

        Raises:
            UnknownConstraint: one that is in no table.
        """
        target = target_pattern(shape, self.subclasses)
        for constraint in shape.constraints:
            for component, query, source in self._constraint(constraint, target, shape):
                yield Check(constraint, component, query, source)

    def _constraint(self, c: Constraint, target: str, shape: NodeShape) -> Iterator[tuple[URIRef, str, Node | None]]:
        if c.parameter == SH.sparql:
            if not is_true(self.graph, c.value, SH.deactivated):
                yield SH.SPARQLConstraintComponent, self._sparql(c.value, c, target, shape), c.value
            return
        name = c.parameter.removeprefix(str(SH))
        component = URIRef(f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent")
        path = None if c.path is None else sparql_path(self.graph, c.path)
        step = "BIND (?this AS ?value)" if path is None else f"?this {path} ?value ."
        whole = WHOLE.get(c.parameter)
        if whole is not None:
            for query in whole(c, target, path):
                yield component, _in_rule_graphs(query, shape), None
            return
        valid = self.valid(c.shape, c.parameter, c.value)
        query = f"SELECT DISTINCT ?this ?value WHERE {{ {target} {step} FILTER (!COALESCE({valid}, false)) }}"
        yield component, _in_rule_graphs(query, shape), None

    # ── constraints on one value: a boolean expression that is true of a valid ?value ────────────────

    def valid(self, shape: Node, parameter: URIRef, value: Node) -> str:
        """The expression for a constraint on single values (SHACL, sections 4.1, 4.3, 4.4, 4.6 and 4.8).

        Raises:
            UnknownConstraint: there is none.
        """
        make = _VALUE.get(parameter)
        if make is None:
            raise UnknownConstraint(f"{parameter.n3(self.graph.namespace_manager)} of {shape} is not compiled")
        return make(self, shape, value)

    def conforms(self, shape: Node) -> str:
        """The expression for ``?value`` conforming to a nested node shape of constraints on single values."""
        if (shape, SH.path, None) in self.graph:
            raise UnknownConstraint(f"a nested property shape: {shape}")
        if is_true(self.graph, shape, SH.deactivated):
            return "true"
        parts = [
            self.valid(shape, p, v)  # type: ignore[arg-type]  # a Node of the shapes
            for p, v in sorted(self.graph.predicate_objects(shape))
            if p not in NOT_CONSTRAINTS
        ]
        return "(" + " && ".join(f"COALESCE({p}, false)" for p in parts) + ")" if parts else "true"

    # ── SPARQL constraints ───────────────────────────────────────────────────────────────────────────

    def _sparql(self, source: Node, c: Constraint, target: str, shape: NodeShape) -> str:
        """A SPARQL constraint (SHACL, section 5): its own SELECT as a subquery, joined with the targets."""
        text = self.graph.value(source, SH.select)
        if text is None:
            raise UnknownConstraint(f"a SPARQL constraint without sh:select: {source}")
        query = re.sub(r"\$this\b", "?this", str(text))
        if re.search(r"[$?]PATH\b", query):
            if c.path is None:
                raise UnknownConstraint(f"$PATH without a path: {source}")
            query = re.sub(r"[$?]PATH\b", sparql_path(self.graph, c.path), query)
        if re.search(r"[$?](shapesGraph|currentShape)\b", query):
            raise UnknownConstraint(f"$shapesGraph and $currentShape are not compiled: {source}")
        head = "".join(f"PREFIX {p}: <{n}> " for p, n in sorted(self._prefixes(source)))
        if not re.match(r"\s*SELECT\b", query, re.IGNORECASE):
            raise UnknownConstraint(f"only a plain SELECT is compiled: {source}")
        _only_what_joins(query, source)
        variables = " ?value" if re.search(r"[?$]value\b", query.split("{", 1)[0]) else ""
        inner = _in_rule_graphs(query, shape)
        return f"{head}SELECT DISTINCT ?this{variables} WHERE {{ {target} {{ {inner} }} }}"

    def _prefixes(self, source: Node) -> Iterator[tuple[str, str]]:
        holders = {
            imported
            for holder in self.graph.objects(source, SH.prefixes)
            for imported in self.graph.transitive_objects(holder, OWL.imports)
        }
        for holder in sorted(holders, key=str):
            for declaration in self.graph.objects(holder, SH.declare):
                yield (
                    str(self.graph.value(declaration, SH.prefix)),
                    str(self.graph.value(declaration, SH.namespace)),
                )


def _only_what_joins(query: str, source: Node) -> None:
    """Refuse a query that means something else when it is joined with the focus nodes than when these are pre-bound
    (SHACL, section 5.3.1, appendix A): each group of its WHERE clause must bind ``?this`` by a pattern of its own.

    Raises:
        UnknownConstraint: it does not, or it uses what constraints must not use.
    """
    found = [t for t in tokens(query) if t.group().strip()]
    words = [t.group().upper() for t in found]
    if (
        set(words) & {"MINUS", "VALUES", "SERVICE", "BOUND"}
        or words.count("SELECT") > 1
        or ("AS", "?THIS") in pairwise(words)
    ):
        raise UnknownConstraint(f"a query that cannot be joined with its focus nodes: {source}")
    if "?PATH" in words[: words.index("{")]:
        raise UnknownConstraint(f"a query that gives its own path: {source}")
    depth, bound, groups, inside = 0, {0: True}, [], []
    for before, word in pairwise(["", *words]):
        if word == "{":
            depth += 1
            bound[depth] = False
            inside.append(before)
        elif word == "}":
            # what FILTER, EXISTS, OPTIONAL and GRAPH enclose takes ?this from around it
            if inside.pop() in ("{", "UNION", "}", "."):
                groups.append((depth, bound[depth]))
            elif depth == 1:
                groups.append((1, bound[1]))
            depth -= 1
        elif word == "?THIS" and before not in ("(", "=", "!"):
            bound[depth] = True
    top = [b for d, b in groups if d == 1]
    branches = [b for d, b in groups if d == 2]
    if not (top and top[0]) and not (branches and all(branches)):
        raise UnknownConstraint(f"a query that does not bind $this in its own pattern: {source}")


# ── tables: parameter → expression over ?value ──────────────────────────────────────────────────────

_KINDS = {
    SH.IRI: "isIRI(?value)",
    SH.BlankNode: "isBlank(?value)",
    SH.Literal: "isLiteral(?value)",
    SH.BlankNodeOrIRI: "(isBlank(?value) || isIRI(?value))",
    SH.BlankNodeOrLiteral: "(isBlank(?value) || isLiteral(?value))",
    SH.IRIOrLiteral: "(isIRI(?value) || isLiteral(?value))",
}
#: Datatypes whose cast fails on an ill-formed lexical form (SPARQL 1.1, section 17.5).
_CAST = {XSD.integer, XSD.decimal, XSD.float, XSD.double, XSD.boolean, XSD.dateTime, XSD.date}
#: Lexical spaces of the others that shapes name (XML Schema 1.1, part 2, section 3.3).
_LEXICAL = {
    XSD.string: None,
    RDF.langString: None,
    RDF.HTML: None,
    XSD.anyURI: None,
    XSD.gYear: r"^-?([1-9][0-9]{3,}|0[0-9]{3})(Z|[+-][0-9]{2}:[0-9]{2})?$",
    XSD.gYearMonth: r"^-?([1-9][0-9]{3,}|0[0-9]{3})-(0[1-9]|1[0-2])(Z|[+-][0-9]{2}:[0-9]{2})?$",
    XSD.nonNegativeInteger: r"^(\\+?[0-9]+|-0+)$",
    XSD.positiveInteger: r"^\\+?0*[1-9][0-9]*$",
}


def _datatype(compiler: Compiler, shape: Node, value: Node) -> str:
    same = f"(isLiteral(?value) && DATATYPE(?value) = {value.n3()}"
    if value in _CAST:
        return f"{same} && BOUND(?value) && COALESCE(STRLEN(STR({value.n3()}(STR(?value)))) > 0, false))"
    if value not in _LEXICAL:
        raise UnknownConstraint(f"sh:datatype {value} is not compiled")
    pattern = _LEXICAL[value]  # type: ignore[index]  # a Node of the shapes
    return f"{same})" if pattern is None else f'{same} && REGEX(STR(?value), "{pattern}"))'


def _node_kind(compiler: Compiler, shape: Node, value: Node) -> str:
    return _KINDS[value]  # type: ignore[index]  # a Node of the shapes


def _class(compiler: Compiler, shape: Node, value: Node) -> str:
    return f"EXISTS {{ ?value {_type(compiler.subclasses)} {value.n3()} }}"


def _pattern(compiler: Compiler, shape: Node, value: Node) -> str:
    flags = compiler.graph.value(shape, SH.flags)
    arguments = f"STR(?value), {value.n3()}" + (f", {flags.n3()}" if flags is not None else "")
    return f"(!isBlank(?value) && REGEX({arguments}))"


def _in(compiler: Compiler, shape: Node, value: Node) -> str:
    members = items(compiler.graph, value)
    if not members:
        return "false"
    return (
        "(" + " || ".join(f"sameTerm(?value, {m.n3()})" for m in members) + ")"
        if len(members) <= 16
        else _many(members)
    )


def _many(members: list[Node]) -> str:
    """Long lists of strings or IRIs: ``IN`` by value is the same as by term for these, and quick."""
    if all(isinstance(m, URIRef) or (isinstance(m, Literal) and m.datatype in (None, XSD.string)) for m in members):
        return f"(?value IN ({', '.join(m.n3() for m in members)}))"
    return "(" + " || ".join(f"sameTerm(?value, {m.n3()})" for m in members) + ")"


def _language_in(compiler: Compiler, shape: Node, value: Node) -> str:
    ranges = items(compiler.graph, value)
    matches = " || ".join(f"LANGMATCHES(LANG(?value), {r.n3()})" for r in ranges)
    return f"(isLiteral(?value) && ({matches}))" if ranges else "false"


def _compare(operator: str) -> Callable[[Compiler, Node, Node], str]:
    return lambda compiler, shape, value: f"(?value {operator} {value.n3()})"


def _length(operator: str) -> Callable[[Compiler, Node, Node], str]:
    return lambda compiler, shape, value: f"(!isBlank(?value) && STRLEN(STR(?value)) {operator} {int(str(value))})"


def _not(compiler: Compiler, shape: Node, value: Node) -> str:
    return f"(!{compiler.conforms(value)})"


def _junction(operator: str) -> Callable[[Compiler, Node, Node], str]:
    def make(compiler: Compiler, shape: Node, value: Node) -> str:
        return "(" + f" {operator} ".join(compiler.conforms(m) for m in items(compiler.graph, value)) + ")"

    return make


def _xone(compiler: Compiler, shape: Node, value: Node) -> str:
    terms = " + ".join(f"IF({compiler.conforms(m)}, 1, 0)" for m in items(compiler.graph, value))
    return f"(({terms}) = 1)"


def _node(compiler: Compiler, shape: Node, value: Node) -> str:
    return compiler.conforms(value)


_VALUE: dict[Node, Callable[[Compiler, Node, Node], str]] = {
    SH["class"]: _class,
    SH.datatype: _datatype,
    SH.nodeKind: _node_kind,
    SH.minExclusive: _compare(">"),
    SH.minInclusive: _compare(">="),
    SH.maxExclusive: _compare("<"),
    SH.maxInclusive: _compare("<="),
    SH.minLength: _length(">="),
    SH.maxLength: _length("<="),
    SH.pattern: _pattern,
    SH.languageIn: _language_in,
    SH["in"]: _in,
    SH["not"]: _not,
    SH["and"]: _junction("&&"),
    SH["or"]: _junction("||"),
    SH.xone: _xone,
    SH.node: _node,
}
