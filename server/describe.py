"""Linked data: every IRI of the graph answers at its path, with 303 to a document in the form that is accepted."""

from __future__ import annotations

import io
import json
from itertools import accumulate
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from rdflib import Graph, Literal, URIRef

from kg.export import compact
from kg.mediatypes import GRAPH_FORMATS, Format
from kg.sparql import declare_prefixes
from kg.stores import Store
from kg.vocab import Iris, local_name, segment
from kg.why import term, why
from server import negotiate, service
from server.answers import cached, tag, unchanged
from server.faults import Refused
from server.pages import short

blueprint = Blueprint("describe", __name__)
KINDS = ("paper", "author", "institution", "series", "event", "source", "proceedings")
_OFFERS = (negotiate.HTML, *GRAPH_FORMATS)
PAGE = 100


@blueprint.get(f"/<any({', '.join(map(repr, KINDS))}):kind>/<path:path>")
def entity(kind: str, path: str) -> Response:
    """A thing (303 to its document), or one of its documents by suffix."""
    iri = iri_of(f"{kind}/{path}")
    if exists(iri):
        chosen = _chosen()
        target = "/" + "/".join(quote(p, safe="") for p in f"{kind}/{path}".split("/")) + f".{chosen.suffix}"
        return redirect(target, 303)  # type: ignore[return-value]  # Flask's is werkzeug's
    stem, dot, suffix = path.rpartition(".")
    chosen_ = next((o for o in _OFFERS if dot and o.suffix == suffix), None)
    if chosen_ is None:
        raise missing(iri)
    iri = iri_of(f"{kind}/{stem}")
    if not exists(iri):
        raise missing(iri)
    return document(iri, chosen_)


def missing(iri: URIRef) -> Refused:
    """410 for a thing, or a part of one, that an earlier state of the store had; 404 for any other."""
    store: Store = current_app.extensions["confkg"]["store"]()
    base: str = current_app.extensions["confkg"]["base"]
    wholes = accumulate(iri.removeprefix(base).split("/"), "{}/{}".format)
    if any(store.removed(URIRef(base + whole)) for whole in wholes):
        return Refused(410, f"<{iri}> was here and has been removed")
    return Refused(404, f"there is no <{iri}> here")


def _chosen() -> Format:
    return negotiate.choose(request.headers.get("Accept"), _OFFERS, graphs=True)


def iri_of(path: str) -> URIRef:
    """The IRI of a decoded path: encoded as :func:`kg.vocab.segment` does, once."""
    base: str = current_app.extensions["confkg"]["base"]
    return URIRef(base + "/".join(segment(p) for p in path.split("/")))


def exists(iri: URIRef) -> bool:
    """Does the graph say anything of it?"""
    store: Store = current_app.extensions["confkg"]["store"]()
    return any(store.match(iri, None, None, None))


def document(iri: URIRef, chosen: Format) -> Response:
    """What the graph says of a thing and of the parts that it alone has."""
    etag = tag("document", str(iri), chosen.name, request.query_string.decode("latin-1"))
    if request.if_none_match.contains_weak(etag):
        return unchanged(etag)
    if chosen is negotiate.HTML:
        response = Response(page(iri), content_type="text/html; charset=utf-8")
    else:
        graph = statements(iri)
        if chosen.name == "json-ld":
            buffer = io.BytesIO(graph.serialize(format="json-ld", encoding="utf-8", auto_compact=False))
            response = Response(compact(json.loads(buffer.getvalue())), content_type=chosen.media)
        else:
            response = service.rdf(graph, chosen.name, chosen.media)
    path = "/" + str(iri).removeprefix(current_app.extensions["confkg"]["base"])
    links = [f'<{quote(path, safe="/%")}.{f.suffix}>; rel="alternate"; type="{f.media}"' for f in GRAPH_FORMATS]
    response.headers["Link"] = ", ".join(links)
    return cached(response, etag)


def statements(iri: URIRef) -> Graph:
    """The thing's own statements, those of its parts (whose IRIs begin with its own), and labels of what they name."""
    store: Store = current_app.extensions["confkg"]["store"]()
    graph = Graph()
    queue, seen = [iri], set()
    while queue:
        subject = queue.pop()
        if subject in seen:
            continue
        seen.add(subject)
        for s, p, o, _ in store.match(subject, None, None, None):
            graph.add((s, p, o))
            if isinstance(o, URIRef) and o.startswith(f"{iri}/"):
                queue.append(o)
    objects = [o for o in set(graph.objects()) if isinstance(o, URIRef)]
    for node, texts in labels(objects).items():
        for text in texts:
            graph.add((URIRef(node), URIRef("http://www.w3.org/2000/01/rdf-schema#label"), text))
    return graph


def labels(nodes: list[URIRef]) -> dict[str, list[Literal]]:
    """The labels of many things, by one query."""
    if not nodes:
        return {}
    store: Store = current_app.extensions["confkg"]["store"]()
    values = " ".join(n.n3() for n in sorted(set(nodes)))
    found: dict[str, list[Literal]] = {}
    query = declare_prefixes(f"SELECT ?node ?label WHERE {{ VALUES ?node {{ {values} }} ?node rdfs:label ?label }}")
    for node, label in store.select(query):
        if isinstance(label, Literal):
            found.setdefault(str(node), []).append(label)
    return found


def page(iri: URIRef) -> str:
    """The page of a thing: statements with a link to their grounds, parts, and what refers to it, paged."""
    store: Store = current_app.extensions["confkg"]["store"]()
    number = max(1, request.args.get("page", 1, type=int))
    outgoing = sorted(
        ((p, o) for _, p, o, _ in store.match(iri, None, None, None)), key=lambda t: (short(str(t[0])), str(t[1]))
    )
    query = f"SELECT ?s ?p WHERE {{ ?s ?p {iri.n3()} }} ORDER BY ?p ?s LIMIT {PAGE + 1} OFFSET {(number - 1) * PAGE}"
    incoming = [(s, p) for s, p in store.select(query) if s is not None and p is not None]
    names = labels(
        [o for _, o in outgoing if isinstance(o, URIRef)] + [s for s, _ in incoming if isinstance(s, URIRef)] + [iri]
    )

    def name(node: Any) -> str:
        found = names.get(str(node))
        return " · ".join(str(x) for x in sorted(found, key=lambda x: x.language or "")) if found else short(str(node))

    kinds = [local_name(o) for p, o in outgoing if local_name(p) == "type"]
    # A script element holds text that HTML does not unescape: only "<" could end it.
    linked = compact(json.loads(statements(iri).serialize(format="json-ld", auto_compact=False))).decode()
    return render_template(
        "entity.html",
        iri=str(iri),
        title=name(iri),
        kinds=kinds,
        outgoing=[(str(p), str(o), isinstance(o, URIRef), getattr(o, "language", None), name(o)) for p, o in outgoing],
        incoming=[(str(s), str(p), name(s)) for s, p in incoming[:PAGE]],
        more=len(incoming) > PAGE,
        number=number,
        formats=GRAPH_FORMATS,
        linked=linked.replace("<", "\\u003c"),
    )


@blueprint.get("/why")
def grounds() -> str:
    """What a statement rests on."""
    store: Store = current_app.extensions["confkg"]["store"]()
    iris = Iris(current_app.extensions["confkg"]["base"])
    subject, predicate, object_ = (request.args.get(n) or None for n in ("s", "p", "o"))
    if subject is None:
        abort(400, "give the subject as s=, and p= and o= to narrow it")
    terms = [None if t is None else term(t, iris) for t in (subject, predicate, object_)]
    if not isinstance(terms[0], URIRef):
        raise Refused(400, f"the subject must be an IRI, prefix:name or a path such as paper/…, not {subject!r}")
    found = []
    for n, explanation in enumerate(why(store, terms[0], terms[1], terms[2], iris=iris)):
        if n == 200:
            break
        found.append(explanation)
    return render_template("why.html", found=found)
