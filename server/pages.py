"""Pages for people: home, query results, quality, search, networks, the ontology. Whatever is shown is escaped."""

from __future__ import annotations

import json
import re
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, render_template, request
from rdflib import Graph, URIRef
from rdflib.namespace import OWL, RDF, RDFS, SKOS

from kg import resources
from kg.graph_formats import media_type, names
from kg.mediatypes import DATASET_FORMATS, GRAPH_FORMATS
from kg.query import questions
from kg.sparql import declare_prefixes
from kg.terms import language_tag
from kg.validate.report import FORMATS as REPORT_FORMATS
from kg.vocab import PREFIXES, local_name
from server import negotiate, service
from server.answers import Sent, cached, streamed, tag, unchanged
from server.faults import Refused
from server.pool import Answer, Pool
from server.settings import Settings

blueprint = Blueprint("pages", __name__)
_ONE_FILE = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def run(request_: dict[str, Any], *, key: str | None = None) -> Answer:
    """Work of our own, in a worker and under the time limit."""
    pool: Pool = current_app.extensions["confkg"]["pool"]
    settings: Settings = current_app.config["CONFKG"]
    return pool.run(request_, timeout=settings.timeout, key=key)


@blueprint.get("/")
def home() -> Response:
    """Counts, example queries, a box for a query of one's own; for programs, where the descriptions are (RFC 8631)."""
    counted = remembered("stats", {"op": "stats"})
    page = render_template(
        "home.html", stats=json.loads(counted), questions=questions(), settings=current_app.config["CONFKG"]
    )
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Link"] = (
        '</openapi.json>; rel="service-desc"; type="application/json", </.well-known/void>; rel="describedby"'
    )
    return response


def remembered(name: str, request_: dict[str, Any]) -> bytes:
    """The answer to a request of our own, asked once a state of the store."""
    known: dict[str, tuple[str, bytes]] = current_app.extensions["confkg"]["remembered"]
    revision = current_app.extensions["confkg"]["revision"]()
    if name not in known or known[name][0] != revision:
        body = run(request_).read()
        for stale in [n for n, (r, _) in tuple(known.items()) if r != revision]:
            known.pop(stale, None)
        known[name] = (revision, body)
        return body
    return known[name][1]


def results_page(query: str, found: Answer, *, graphs: bool, rows: int) -> Response:
    """The answer to a query as a page with a link to every other format."""
    text = found.read().decode()
    head: list[str] = []
    bindings: list[list[dict[str, str] | None]] = []
    boolean = None
    if not graphs:
        answer = json.loads(text)
        boolean = answer.get("boolean")
        head = answer["head"].get("vars", [])
        bindings = [[row.get(v) for v in head] for row in answer.get("results", {}).get("bindings", [])]
        for term in (t for row in bindings for t in row if t and "xml:lang" in t):
            term["xml:lang"] = language_tag(term["xml:lang"])
    offers = GRAPH_FORMATS if graphs else negotiate.RESULTS
    g.sent = Sent(rows=found.rows if graphs else None if boolean is not None else min(len(bindings), rows))
    page = render_template(
        "results.html",
        query=query,
        graph=text if graphs else None,
        head=head,
        rows=bindings[:rows],
        more=len(bindings) > rows,
        limit=rows,
        boolean=boolean,
        formats=offers,
    )
    return Response(page, content_type="text/html; charset=utf-8")


@blueprint.get("/search")
def search() -> str:
    """Things whose label holds the words looked for, in either language."""
    words = request.args.get("q", "").strip()
    found: list[dict[str, Any]] = []
    if words:
        literal = json.dumps(words.lower(), ensure_ascii=False)
        query = declare_prefixes(
            "SELECT DISTINCT ?thing ?kind ?label WHERE { VALUES ?kind { kg:Paper kg:Author kg:Institution "
            "kg:Conference kg:Workshop schema:EventSeries } "
            "?thing a ?kind ; rdfs:label|skos:altLabel|skos:notation ?label . "
            f"FILTER (CONTAINS(LCASE(STR(?label)), {literal})) }} ORDER BY ?kind ?label LIMIT 200"
        )
        found = [
            {"iri": r["thing"]["value"], "kind": local_name(r["kind"]["value"]), "label": r["label"]["value"]}
            for r in service.select(query)
        ]
    return render_template("search.html", words=words, found=found)


@blueprint.get("/quality")
def quality() -> Response:
    """The validation report of the store as it stands; with ``since``, what has come since that state."""
    media = {"html": "text/html", "json": "application/json", "turtle": "text/turtle", "text": "text/plain"}
    asked = request.args.get("format")
    if asked is not None and asked not in REPORT_FORMATS:
        raise Refused(406, "available: " + ", ".join(REPORT_FORMATS))
    name, since = asked or _prefer(media), request.args.get("since")
    body = remembered(f"quality {name} {since}", {"op": "quality", "format": name, "since": since})
    return Response(body, content_type=f"{media[name]}; charset=utf-8")


def _prefer(media: dict[str, str]) -> str:
    accepted = negotiate.ranges(request.headers.get("Accept"))
    best = max(media, key=lambda n: negotiate.quality_of(media[n], accepted))
    if not negotiate.quality_of(media[best], accepted):
        raise negotiate.NotAcceptable(list(media.values()))
    return best


@blueprint.get("/network/<kind>")
def network(kind: str) -> Response:
    """A network with its basic measures: a page that draws it, or any of the formats of ``kg network``."""
    if kind not in ("coauthorship", "coaffiliation"):
        abort(404)
    name = request.args.get("format", "html")
    level = request.args.get("level")
    if name not in names():
        raise Refused(406, "available: " + ", ".join(names()))
    if level not in (None, "institution", "mention", "country", "sector"):
        raise Refused(400, "level must be institution, mention, country or sector")
    body = remembered(f"network {kind} {name} {level}", {"op": "network", "kind": kind, "format": name, "level": level})
    response = Response(body, content_type=media_type(name))
    if name == "html":  # one file with its own script and style, as it is also saved to disk
        response.headers["Content-Security-Policy"] = _ONE_FILE
    return response


@blueprint.get("/export/graph.<suffix>")
def export(suffix: str) -> Response:
    """The merged graph or, in a quad format, the whole dataset."""
    chosen = next((f for f in (*GRAPH_FORMATS, *DATASET_FORMATS) if f.suffix == suffix), None)
    if chosen is None:
        abort(404)
    etag = tag("export", chosen.name)
    if request.if_none_match.contains_weak(etag):
        return unchanged(etag)
    if request.method == "HEAD":
        return cached(Response(content_type=chosen.media), etag)
    response = streamed(run({"op": "dump", "format": chosen.name}), chosen.media)
    response.headers["Content-Disposition"] = f"attachment; filename=confkg.{suffix}"
    return cached(response, etag)


@blueprint.get("/.well-known/void")
def void() -> Response:
    """The data set, described."""
    chosen = negotiate.choose(request.headers.get("Accept"), GRAPH_FORMATS, graphs=True)
    return service.rdf(service.void(), chosen.name, chosen.media)


@blueprint.get("/ontology")
@blueprint.get("/ontology.<suffix>")
def ontology(suffix: str | None = None) -> Response:
    """The ontology: a page in two languages, or RDF."""
    return _document(suffix, [resources.ontology("confkg.ttl"), resources.ontology("schemes.ttl")], "ontology.html")


@blueprint.get("/shapes")
@blueprint.get("/shapes.<suffix>")
def shapes(suffix: str | None = None) -> Response:
    """The shapes: RDF, or a page."""
    return _document(suffix, resources.shapes(), "shapes.html")


def _document(suffix: str | None, paths: list[Any], template: str) -> Response:
    offers = (*GRAPH_FORMATS, negotiate.HTML)
    if suffix is not None:
        chosen = next((o for o in offers if o.suffix == suffix), None)
        if chosen is None:
            abort(404)
    else:
        chosen = negotiate.choose(request.headers.get("Accept"), offers, graphs=True)
    graph = Graph()
    for path in paths:
        graph.parse(path, format="turtle")
    if chosen is not negotiate.HTML:
        response = service.rdf(graph, chosen.name, chosen.media)
    else:
        response = Response(
            render_template(template, terms=_terms(graph), shapes=_shapes(graph)),
            content_type="text/html; charset=utf-8",
        )
    return response


def _terms(graph: Graph) -> list[dict[str, Any]]:
    """The terms of the ontology in the order of their kinds and names."""
    kinds = [
        (OWL.Class, "Class", "类"),
        (OWL.ObjectProperty, "Object property", "对象属性"),
        (OWL.DatatypeProperty, "Datatype property", "数据属性"),
        (SKOS.Concept, "Concept", "概念"),
    ]
    found = []
    for kind, name, name_zh in kinds:
        terms = sorted(t for t in set(graph.subjects(RDF.type, kind)) if isinstance(t, URIRef))
        found += [_term(graph, term, name, name_zh) for term in terms]
    return found


def _term(graph: Graph, term: URIRef, name: str, name_zh: str) -> dict[str, Any]:
    return {
        "iri": str(term),
        "name": short(str(term)),
        "id": local_name(term),
        "kind": name,
        "kind_zh": name_zh,
        **{
            f"{key}_{tag}": _text(graph, term, predicate, language)
            for key, predicate in (("label", RDFS.label), ("definition", SKOS.definition))
            for tag, language in (("en", "en"), ("zh", "zh-Hans"))
        },
        "example": next((str(o) for o in graph.objects(term, SKOS.example)), ""),
        "relations": [
            (label, [short(str(o)) for o in sorted(graph.objects(term, predicate), key=str)])
            for label, predicate in (
                ("domain", RDFS.domain),
                ("range", RDFS.range),
                ("sub-class of", RDFS.subClassOf),
                ("sub-property of", RDFS.subPropertyOf),
                ("close to", SKOS.closeMatch),
                ("in scheme", SKOS.inScheme),
            )
            if (term, predicate, None) in graph
        ],
    }


def _shapes(graph: Graph) -> list[dict[str, str]]:
    sh = "http://www.w3.org/ns/shacl#"
    message = URIRef(f"{sh}message")
    found = []
    for shape in sorted(s for s in set(graph.subjects(message, None)) if isinstance(s, URIRef)):
        severity = next((local_name(o) for o in graph.objects(shape, URIRef(f"{sh}severity"))), "Violation")
        texts = {getattr(o, "language", None): str(o) for o in graph.objects(shape, message)}
        found.append(
            {"name": local_name(shape), "severity": severity, "en": texts.get("en", ""), "zh": texts.get("zh-Hans", "")}
        )
    return found


def _text(graph: Graph, term: URIRef, predicate: URIRef, language: str) -> str:
    return next((str(o) for o in graph.objects(term, predicate) if getattr(o, "language", None) == language), "")


def short(iri: str) -> str:
    """An IRI with the house's prefix, where it has one."""
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


_SAFE = re.compile(r"^https?://", re.IGNORECASE)


def href(iri: str) -> str | None:
    """Where a link to an IRI of the graph goes: our own things under our own root, others where they are; ``None``
    for what must not be a link (``javascript:``, ``data:``)."""
    base: str = current_app.extensions["confkg"]["base"]
    if iri.startswith(base):
        return "/" + iri.removeprefix(base)
    return iri if _SAFE.match(iri) else None
