"""``/openapi.json``: the addresses of this server for programs that read OpenAPI 3.1 (spec.openapis.org/oas/v3.1).

Written by hand, from the tables that the server itself uses; a test holds it against the routes, and another lets a
generator of requests loose on it.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, json, request

import kg
from kg.graph_formats import media_type, names
from kg.mediatypes import DATASET_FORMATS, GRAPH_FORMATS, RESULT_FORMATS, Format
from kg.validate.report import FORMATS as REPORT_FORMATS
from server.describe import KINDS
from server.negotiate import HTML
from server.protocol import FORM

blueprint = Blueprint("openapi", __name__)
Part = dict[str, Any]

_IRI = {"type": "string", "format": "iri"}
_SECONDS = {"type": "number", "minimum": 1}  # less is taken, down to what protocol.SHORTEST says, and seldom of use
_RESULTS = (*RESULT_FORMATS, *GRAPH_FORMATS, HTML)
_THINGS = (HTML, *GRAPH_FORMATS)
#: Status → what it means here, for the statuses that several addresses answer with.
_FAULTS = {
    400: "The request cannot be understood; the text says why",
    401: "A token is needed (RFC 6750)",
    403: "Refused: what is asked for is off, or the token is for something else",
    404: "There is nothing of that name",
    406: "Nothing that is accepted is available; the text lists what is",
    409: "The change would add violations of the shapes; the text lists them",
    410: "It was here and has been removed or replaced",
    412: "The graph is not, or no longer, as the precondition says",
    413: "The body is larger than the limit",
    415: "The body has a media type that is not read here",
    429: "Too many queries wait already; Retry-After says when to come again",
    502: "An endpoint that the query calls by SERVICE, where that is allowed, does not answer",
    503: "The work was stopped at its limit, or the store does not answer; Retry-After says when to come again",
}
_CACHING = {
    "ETag": {"description": "The state of the store and the form of the answer", "schema": {"type": "string"}},
    "X-Request-Id": {"description": "The request's name in the log", "schema": {"type": "string"}},
}


def _content(*media: str) -> Part:
    return {m: {"schema": {"type": "string"}} for m in media}


def _media(formats: tuple[Format, ...]) -> list[str]:
    return list(dict.fromkeys(f.media for f in formats))


def _parameter(name: str, where: str, description: str, schema: Part | None = None, **more: Any) -> Part:
    required = {"required": True} if where == "path" else {}
    return {
        "name": name,
        "in": where,
        "description": description,
        "schema": schema or {"type": "string"},
        **required,
        **more,
    }


def _many(name: str, description: str) -> Part:
    return _parameter(name, "query", description, {"type": "array", "items": _IRI}, style="form", explode=True)


def _operation(
    id_: str,
    summary: str,
    tag: str,
    *,
    good: dict[int, Part],
    faults: tuple[int, ...] = (),
    parameters: list[Part] | None = None,
    body: Part | None = None,
    secured: bool = False,
) -> Part:
    responses = {str(status): part for status, part in good.items()}
    for status in faults:
        responses[str(status)] = {"description": _FAULTS[status], "content": _content("text/plain")}
    made: Part = {"operationId": id_, "summary": summary, "tags": [tag], "responses": responses}
    if parameters:
        made["parameters"] = parameters
    if body:
        made["requestBody"] = {"required": True, "content": body}
    if secured:
        made["security"] = [{"token": []}]
    return made


def _answer(description: str, *media: str) -> Part:
    return {"description": description, "headers": _CACHING, "content": _content(*media)}


def _form(name: str) -> Part:
    properties = {name: {"type": "string"}, "timeout": _SECONDS}
    return {"schema": {"type": "object", "properties": properties, "required": [name]}}


_UNCHANGED = {"description": "Unchanged since the entity tag of If-None-Match"}
_FORMAT = _parameter("format", "query", "Format of the answer by name, suffix or media type, before the Accept header")
_TIMEOUT = _parameter("timeout", "query", "Seconds; lowers the server's limit", _SECONDS)


def _sparql() -> Part:
    dataset = [
        _many("default-graph-uri", "Graphs that make up the default graph (SPARQL 1.1 Protocol, section 2.1.4)"),
        _many("named-graph-uri", "Named graphs"),
        _FORMAT,
        _TIMEOUT,
    ]
    good = {200: _answer("The answer", *_media(_RESULTS)), 303: {"description": "Without a query, for browsers"}}
    faults = (400, 403, 406, 413, 415, 429, 502, 503)
    query = _parameter("query", "query", "A SPARQL 1.1 query; without one, the service describes itself")
    body = {FORM: _form("query"), "application/sparql-query": {"schema": {"type": "string"}}}
    get = _operation(
        "query", "Ask", "SPARQL", good={**good, 304: _UNCHANGED}, faults=faults, parameters=[query, *dataset]
    )
    post = _operation(
        "queryByPost", "Ask", "SPARQL", good={**good, 304: _UNCHANGED}, faults=faults, parameters=dataset, body=body
    )
    return {"get": get, "post": post}


def _update() -> Part:
    parameters = [
        _many("using-graph-uri", "Graphs that WHERE sees as the default graph (SPARQL 1.1 Protocol, section 2.2.3)"),
        _many("using-named-graph-uri", "Named graphs that WHERE sees"),
    ]
    body = {FORM: _form("update"), "application/sparql-update": {"schema": {"type": "string"}}}
    good = {
        204: {"description": "Done; X-Revision names the new state"},
        200: _answer("Done without what SILENT let be left out; the text lists that", "text/plain"),
    }
    faults = (400, 401, 403, 409, 413, 415, 429, 503)
    post = _operation(
        "update", "Change", "SPARQL", good=good, faults=faults, parameters=parameters, body=body, secured=True
    )
    return {"post": post}


def _graph_store(*, direct: bool) -> Part:
    where = [_parameter("path", "path", "The rest of the graph's own IRI")] if direct else []
    if not direct:
        where = [
            _parameter("graph", "query", "IRI of a graph", _IRI),
            _parameter("default", "query", "The default graph", {"type": "string"}, allowEmptyValue=True),
        ]
    body = {f.media: {"schema": {"type": "string"}} for f in GRAPH_FORMATS}
    done = {201: {"description": "Made"}, 204: {"description": "Done"}}
    writing = (400, 401, 403, 404, 409, 412, 413, 415, 429, 503)
    name = "Direct" if direct else ""
    read = _operation(
        f"getGraph{name}",
        "Read a graph",
        "Graph Store",
        good={200: _answer("The graph", *_media(GRAPH_FORMATS)), 304: _UNCHANGED},
        faults=(400, 404, 406, 429, 503),
        parameters=[*where, _FORMAT],
    )
    made: Part = {"get": read}
    for method, id_, summary in (("put", "putGraph", "Replace a graph"), ("post", "postGraph", "Add to a graph")):
        made[method] = _operation(
            id_ + name, summary, "Graph Store", good=done, faults=writing, parameters=where, body=body, secured=True
        )
    gone = (400, 401, 403, 404, 409, 412, 429, 503)
    made["delete"] = _operation(
        f"deleteGraph{name}",
        "Remove a graph",
        "Graph Store",
        good={204: {"description": "Removed"}},
        faults=gone,
        parameters=where,
        secured=True,
    )
    return made


def _get(id_: str, summary: str, tag: str, media: list[str], *parameters: Part, **more: Any) -> Part:
    faults = more.get("faults", ())
    good = {200: _answer(summary, *media), **more.get("good", {})}
    return {"get": _operation(id_, summary, tag, good=good, faults=faults, parameters=list(parameters))}


def _paths() -> Part:
    suffix = _parameter("suffix", "path", "Suffix of a format", {"enum": [f.suffix for f in _THINGS]})
    files = (*GRAPH_FORMATS, *DATASET_FORMATS)
    every = _parameter("suffix", "path", "Suffix of a format", {"enum": [f.suffix for f in files]})
    name = _parameter("name", "path", "Name of a dump, as /dumps lists it")
    term = [_parameter(n, "query", d) for n, d in (("s", "Subject"), ("p", "Predicate"), ("o", "Object"))]
    kinds = _parameter("kind", "path", "Kind of thing", {"enum": list(KINDS)})
    network = [
        _parameter("kind", "path", "Kind of network", {"enum": ["coauthorship", "coaffiliation"]}),
        _parameter("format", "query", "A format of kg network", {"enum": list(names())}),
        _parameter("level", "query", "Nodes", {"enum": ["institution", "mention", "country", "sector"]}),
    ]
    see_other = {303: {"description": "To a document about the thing, in the form that is accepted"}}
    page, text, rdf, things = ["text/html"], ["text/plain"], _media(GRAPH_FORMATS), _media(_THINGS)
    drawn = sorted({media_type(name).split(";")[0] for name in names()})
    unchanged = {304: _UNCHANGED}
    ranges = {206: _answer("A part of it", *_media(files)), 416: {"description": "No such part"}}
    limits = (429, 503)
    return {
        "/sparql": _sparql(),
        "/update": _update(),
        "/graphs": _graph_store(direct=False),
        "/graphs/{path}": _graph_store(direct=True),
        "/{kind}/{path}": _get(
            "thing",
            "A thing of the graph, or a document about it",
            "Linked data",
            things,
            kinds,
            _parameter("path", "path", "The rest of its IRI, or of its document's, which ends in a suffix"),
            _parameter("page", "query", "Page of what refers to it", {"type": "integer", "minimum": 1}),
            good={**see_other, **unchanged},
            faults=(404, 406, 410, *limits),
        ),
        "/why": _get("why", "What a statement rests on", "Linked data", page, *term, faults=(400, 404, *limits)),
        "/search": _get(
            "search", "Things by words of their labels", "Pages", page, _parameter("q", "query", "Words"), faults=limits
        ),
        "/": _get("home", "Counts, questions, a box for a query", "Pages", page, faults=limits),
        "/quality": _get(
            "quality",
            "Validation of the graph against its shapes",
            "Pages",
            ["text/html", "application/json", "text/turtle", "text/plain"],
            _parameter("format", "query", "Format", {"enum": list(REPORT_FORMATS)}),
            _parameter("since", "query", "A state of the store: only what has come since", {"type": "string"}),
            faults=(406, 410, *limits),
        ),
        "/network/{kind}": _get(
            "network",
            "A network with its basic measures",
            "Networks",
            drawn,
            *network,
            faults=(400, 404, 406, *limits),
        ),
        "/export/graph.{suffix}": _get(
            "export", "The whole graph", "Data", _media(files), every, good=unchanged, faults=(404, *limits)
        ),
        "/dumps": _get("dumps", "The dated dumps", "Data", ["application/json"], faults=limits),
        "/dumps/{name}": _get(
            "dump",
            "A dated dump",
            "Data",
            _media(files),
            name,
            good={**unchanged, **ranges},
            faults=(404, 410, *limits),
        ),
        "/dumps/{name}.sha256": _get("digest", "The SHA-256 of a dump", "Data", text, name, faults=(404, 410, *limits)),
        "/.well-known/void": _get("void", "The data set, described (VoID)", "Data", rdf, faults=(406, *limits)),
        "/ontology": _get("ontology", "The ontology", "Data", things, faults=(406,)),
        "/ontology.{suffix}": _get("ontologyFile", "The ontology as a file", "Data", things, suffix, faults=(404,)),
        "/shapes": _get("shapes", "The shapes", "Data", things, faults=(406,)),
        "/shapes.{suffix}": _get("shapesFile", "The shapes as a file", "Data", things, suffix, faults=(404,)),
        "/health": _get("health", "The process is alive", "Operations", ["application/json"]),
        "/ready": _get("ready", "The store answers", "Operations", ["application/json"], faults=(503,)),
        "/metrics": _get("metrics", "Figures for Prometheus", "Operations", text),
        "/openapi.json": _get("openapi", "This description", "Operations", ["application/json"]),
    }


def document(root: str, *, updates: bool) -> Part:
    """The description of a server at ``root``; one that takes no updates answers 403 to them, and says so."""
    note = "" if updates else " This one is read-only: /update, and writing to /graphs, is answered with 403."
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "confkg",
            "version": kg.__version__,
            "summary": "A knowledge graph of conference papers that says where each statement comes from",
            "description": "A SPARQL 1.1 endpoint, a graph store, linked data and networks." + note,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": root.rstrip("/")}],
        "paths": _paths(),
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """The description."""
    made = document(request.url_root, updates=current_app.config["CONFKG"].updates)
    return Response(json.dumps(made, ensure_ascii=False) + "\n", content_type="application/json")
