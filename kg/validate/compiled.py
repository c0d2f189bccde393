"""The engine ``sparql``: compiled shapes run inside the store, so that no data leaves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdflib import URIRef
from rdflib.term import Identifier

from kg.stores import Store
from kg.validate.compiler import Check, Compiler, target_pattern
from kg.validate.report import Result
from kg.validate.shapes import NodeShape, Shapes


def compile_shapes(shapes: Shapes, subclasses: bool = False) -> tuple[Check, ...]:
    """Every constraint of every shape as a query."""
    compiler = Compiler(shapes.graph, subclasses)
    return tuple(check for shape in shapes.nodes for check in compiler.compile(shape))


def run(store: Store, checks: Iterable[Check]) -> Iterator[Result]:
    """The results of all checks, check by check."""
    for check in checks:
        c = check.constraint
        for row in store.select(check.query):
            focus = row[0]
            assert focus is not None
            yield Result(
                focus=focus,
                path=c.path,
                value=_value(check, row),
                component=check.component,
                severity=c.severity,
                shape=c.shape,
                constraint=check.source,
            )


_SH = "http://www.w3.org/ns/shacl#"
#: Components whose results are about a set of values and name none (SHACL, section 4).
_VALUELESS = {URIRef(f"{_SH}{c}ConstraintComponent") for c in ("MinCount", "MaxCount", "HasValue", "UniqueLang")}


def _value(check: Check, row: tuple[Identifier | None, ...]) -> Identifier | None:
    """The value of a result: as bound; else, for a SPARQL constraint of a node shape, the focus node (5.3.1)."""
    if len(row) > 1 and check.component not in _VALUELESS:
        return row[1]
    return row[0] if check.source is not None and check.constraint.path is None else None


def count_query(shape: NodeShape) -> str:
    """How many focus nodes a shape has."""
    return f"SELECT (COUNT(DISTINCT ?this) AS ?n) WHERE {{ {target_pattern(shape)} }}"
