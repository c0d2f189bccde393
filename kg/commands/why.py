"""``kg why``: what a statement rests on."""

from __future__ import annotations

import json

import click
from rdflib import URIRef
from rdflib.term import Node

from kg.commands import store_option
from kg.pipeline import base_of
from kg.stores import open_store
from kg.vocab import PREFIXES, Iris
from kg.why import Explanation, term, why


@click.command()
@click.argument("subject")
@click.argument("predicate", required=False)
@click.argument("object", required=False)
@click.option("--json", "as_json", is_flag=True, help="For programs: one JSON array")
@store_option
def command(subject: str, predicate: str | None, object: str | None, as_json: bool, store: str | None) -> None:
    """Print what each statement SUBJECT [PREDICATE [OBJECT]] rests on: source lines, rule, method.

    A term is an IRI, prefix:name, a path such as paper/4f1c… or, for OBJECT, the text of a literal.
    """
    opened = open_store(store)
    iris = Iris(base_of(opened))
    terms = [None if t is None else term(t, iris) for t in (subject, predicate, object)]
    assert terms[0] is not None
    found = list(why(opened, terms[0], terms[1], terms[2], iris=iris))
    if as_json:
        click.echo(json.dumps([_plain(e) for e in found], ensure_ascii=False, indent=1))
        return
    for explanation in found:
        click.echo(" ".join(_short(t, iris) for t in explanation.triple))
        for ground in explanation.grounds:
            remark = f": {ground.remark}" if ground.remark else ""
            click.echo(f"  {ground.kind} {ground.name}{remark}")
            for address in ground.addresses:
                click.echo(f"    {address}" + (f"  {address.field}: {address.text}" if address.text else ""))


def _plain(explanation: Explanation) -> dict[str, object]:
    return {
        "statement": [str(t) for t in explanation.triple],
        "grounds": [
            {
                "kind": g.kind,
                "name": g.name,
                "remark": g.remark,
                "addresses": [
                    {
                        "source": a.source,
                        "firstLine": a.first_line,
                        "lastLine": a.last_line,
                        "field": a.field,
                        "text": a.text,
                    }
                    for a in g.addresses
                ],
            }
            for g in explanation.grounds
        ],
    }


def _short(node: Node, iris: Iris) -> str:
    text = str(node)
    if not isinstance(node, URIRef):
        return json.dumps(text, ensure_ascii=False)
    for prefix, namespace in PREFIXES.items():
        if text.startswith(namespace):
            return f"{prefix}:{text.removeprefix(namespace)}"
    return text.removeprefix(iris.base)
