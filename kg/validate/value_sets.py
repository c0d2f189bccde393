"""Constraints on the whole set of a focus node's values: parameter → SELECTs of the violations.

SHACL, sections 4.2 (cardinality), 4.4.3 (unique language), 4.5 (property pairs) and 4.8.2 (a value that must be there).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rdflib import SH
from rdflib.term import Node

from kg.validate.shapes import Constraint

#: constraint, the pattern that binds the focus nodes, its SPARQL path if it has one → the queries
Query = Callable[[Constraint, str, str | None], Iterator[str]]


def _min_count(c: Constraint, target: str, path: str | None) -> Iterator[str]:
    least = int(str(c.value))
    if least == 1:
        yield f"SELECT DISTINCT ?this WHERE {{ {target} FILTER NOT EXISTS {{ ?this {path} ?value . }} }}"
    elif least > 1:
        yield (
            f"SELECT ?this WHERE {{ {target} OPTIONAL {{ ?this {path} ?value . }} }} "
            f"GROUP BY ?this HAVING (COUNT(DISTINCT ?value) < {least})"
        )


def _max_count(c: Constraint, target: str, path: str | None) -> Iterator[str]:
    yield (
        f"SELECT ?this WHERE {{ {target} ?this {path} ?value . }} "
        f"GROUP BY ?this HAVING (COUNT(DISTINCT ?value) > {int(str(c.value))})"
    )


def _has_value(c: Constraint, target: str, path: str | None) -> Iterator[str]:
    step = f"?this {path} {c.value.n3()} ." if path else f"FILTER (sameTerm(?this, {c.value.n3()}))"
    if path:
        yield f"SELECT DISTINCT ?this WHERE {{ {target} FILTER NOT EXISTS {{ {step} }} }}"
    else:
        yield f"SELECT DISTINCT ?this WHERE {{ {target} FILTER (!sameTerm(?this, {c.value.n3()})) }}"


def _unique_lang(c: Constraint, target: str, path: str | None) -> Iterator[str]:
    if str(c.value) == "true":  # section 4.4.3: exactly that, not "1"
        yield (
            f'SELECT ?this ?tag WHERE {{ {target} ?this {path} ?value . FILTER (LANG(?value) != "") }} '
            "GROUP BY ?this (LCASE(LANG(?value)) AS ?tag) HAVING (COUNT(DISTINCT ?value) > 1)"
        )


def _equals(c: Constraint, target: str, path: str | None) -> Iterator[str]:
    here = f"?this {path} ?value ." if path else "BIND (?this AS ?value)"
    there = f"?this {c.value.n3()} ?value ."
    yield f"SELECT DISTINCT ?this ?value WHERE {{ {target} {here} MINUS {{ {there} }} }}"
    if path:
        yield f"SELECT DISTINCT ?this ?value WHERE {{ {target} {there} MINUS {{ {here} }} }}"
    else:
        yield f"SELECT DISTINCT ?this ?value WHERE {{ {target} {there} FILTER (!sameTerm(?this, ?value)) }}"


def _disjoint(c: Constraint, target: str, path: str | None) -> Iterator[str]:
    here = f"?this {path} ?value ." if path else "BIND (?this AS ?value)"
    yield f"SELECT DISTINCT ?this ?value WHERE {{ {target} {here} ?this {c.value.n3()} ?value . }}"


def _less_than(operator: str) -> Query:
    def make(c: Constraint, target: str, path: str | None) -> Iterator[str]:
        yield (
            f"SELECT ?this ?value ?other WHERE {{ {target} ?this {path} ?value . ?this {c.value.n3()} ?other . "
            f"FILTER (!COALESCE(?value {operator} ?other, false)) }}"
        )

    return make


WHOLE: dict[Node, Query] = {
    SH.minCount: _min_count,
    SH.maxCount: _max_count,
    SH.hasValue: _has_value,
    SH.uniqueLang: _unique_lang,
    SH.equals: _equals,
    SH.disjoint: _disjoint,
    SH.lessThan: _less_than("<"),
    SH.lessThanOrEquals: _less_than("<="),
}
