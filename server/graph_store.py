"""``/graphs``: the SPARQL 1.1 Graph Store HTTP Protocol, by ``?graph=IRI``, ``?default``, and directly by path."""

from __future__ import annotations

import re

from flask import Blueprint, Response, current_app, request, url_for
from rdflib import URIRef

from kg.mediatypes import GRAPH_FORMATS
from kg.stores import Store
from kg.vocab import segment
from server import negotiate
from server.answers import streamed, tag
from server.faults import Refused
from server.pages import run
from server.protocol import absolute, body, media_type, url_parameters
from server.settings import Settings
from server.tokens import require
from server.update import written

blueprint = Blueprint("graph_store", __name__)
#: Media type of a document → format.
_READ = {f.media: f.name for f in GRAPH_FORMATS} | {"text/plain": "n-triples", "application/x-turtle": "turtle"}
_METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE"]


@blueprint.route("/graphs", methods=_METHODS)
@blueprint.route("/graphs/<path:path>", methods=_METHODS)
def graphs(path: str | None = None) -> Response:
    """Read, replace, extend or remove a graph."""
    graph = named(path)
    if request.method in ("GET", "HEAD"):
        return get(graph)
    require("graphs")
    return {"PUT": put, "POST": post, "DELETE": delete}[request.method](graph, path)


def named(path: str | None) -> URIRef | None:
    """The graph that a request names; ``None`` is the default graph.

    Raises:
        Refused: 400, none or several are named, or a relative IRI.
    """
    parameters = url_parameters(request)
    iris = [v for k, v in parameters if k == "graph"]
    default = any(k == "default" for k, _ in parameters)
    if path is not None:
        if iris or default:
            raise Refused(400, "the graph is named by the path and by a parameter")
        # decoded by the WSGI server, so encoded anew: the graph's name is the address that was asked for
        return URIRef(f"{request.url_root}graphs/" + "/".join(segment(p) for p in path.split("/")))
    if len(iris) + default > 1:
        raise Refused(400, "name one graph: graph=IRI or default")
    if default:
        return None
    if iris:
        return URIRef(absolute(iris[0]))
    if request.method == "POST":  # a new graph (section 5.5): its name is made from its content
        return URIRef(url_for("graph_store.graphs", path=_fresh(), _external=True))
    raise Refused(400, "name a graph: graph=IRI or default")


def _fresh() -> str:
    store: Store = current_app.extensions["confkg"]["store"]()
    known = set(store.graph_names())
    n = len(known)
    while URIRef(url_for("graph_store.graphs", path=f"new-{n}", _external=True)) in known:
        n += 1
    return f"new-{n}"


def etag_of(graph: URIRef | None, format_: str = "") -> str:
    """The tag of a graph's state."""
    return tag(str(graph), format_)


def exists(graph: URIRef | None) -> bool:
    """Does the store have the graph? It always has a default graph."""
    store: Store = current_app.extensions["confkg"]["store"]()
    return graph is None or graph in set(store.graph_names())


def get(graph: URIRef | None) -> Response:
    """The graph as RDF."""
    if not exists(graph):
        raise Refused(404, f"there is no graph <{graph}>")
    asked = request.args.get("format")
    chosen = (
        negotiate.by_name(asked, GRAPH_FORMATS)
        if asked
        else negotiate.choose(request.headers.get("Accept"), GRAPH_FORMATS, graphs=True)
    )
    etag = etag_of(graph, chosen.name)
    if request.if_none_match.contains(etag):
        response = Response(status=304)
        response.set_etag(etag)
        return response
    response = streamed(
        run({"op": "dump", "format": chosen.name, "graph": None if graph is None else str(graph)}), chosen.media
    )
    response.set_etag(etag)
    response.headers["Cache-Control"] = "public, max-age=0, must-revalidate"
    return response


def _precondition(graph: URIRef | None) -> None:
    """If-Match and If-None-Match of a write (RFC 9110, section 13.1)."""
    there = exists(graph)
    tags = {etag_of(graph, f) for f in ("", *(f.name for f in GRAPH_FORMATS))} if there else set()
    if "If-Match" in request.headers and not (
        (request.if_match.star_tag and there) or any(request.if_match.contains(t) for t in tags)
    ):
        raise Refused(412, "the graph is no longer as it was (If-Match)")
    if "If-None-Match" in request.headers and (
        (request.if_none_match.star_tag and there) or any(request.if_none_match.contains(t) for t in tags)
    ):
        raise Refused(412, "the graph is there already (If-None-Match)")


def put(graph: URIRef | None, path: str | None) -> Response:
    """Replace a graph; the document is parsed wholly first."""
    _precondition(graph)
    return _store(graph, replace=True)


def post(graph: URIRef | None, path: str | None) -> Response:
    """Add to a graph."""
    _precondition(graph)
    return _store(graph, replace=False)


def _store(graph: URIRef | None, *, replace: bool) -> Response:
    settings: Settings = current_app.config["CONFKG"]
    created = not exists(graph)
    documents = _documents(settings.max_upload)
    for data, format_ in documents:
        if format_ == "rdf-xml" and (entity := _growing(data)):
            raise Refused(400, f"the entity {entity!r} is made of others, or long: write out what it stands for")
    base = str(graph) if graph is not None else request.base_url
    name = None if graph is None else str(graph)
    response = Response(status=204)
    for n, (data, format_) in enumerate(documents):
        response = written(
            {"op": "load", "format": format_, "graph": name, "replace": replace and n == 0, "base": base},
            settings.timeout,
            status=201 if created else 204,
            body=data,
        )
    if created:
        response.headers["Location"] = str(graph)
    return response


#: An entity's declaration, its name and what it stands for.
_ENTITY = re.compile(rb"""<!ENTITY\s+([^\s"'>]+)\s+("[^"]*"|'[^']*')""")


def _growing(data: bytes) -> str | None:
    """An entity that could make a small document large: OWL files abbreviate namespaces, and nothing longer."""
    for name, value in _ENTITY.findall(data):
        if b"&" in value or len(value) > 300:
            return str(name.decode("utf-8", "replace"))
    return None


def _documents(limit: int) -> list[tuple[bytes, str]]:
    """The documents of a request: its body, or the parts of a form (section 5.5).

    Raises:
        Refused: 413 too large, 415 no format of RDF that is known here.
    """
    name, _ = media_type(request)
    if name == "multipart/form-data":
        if (request.content_length or 0) > limit:
            raise Refused(413, f"the body may have {limit} bytes at most")
        found = [(f.read(), (f.mimetype or "").lower()) for f in request.files.values()]
        if not found:
            raise Refused(400, "the form has no file")
        return [(data, _format(type_)) for data, type_ in found]
    return [(body(request, limit), _format(name or "application/rdf+xml"))]


def _format(media: str) -> str:
    if media not in _READ:
        raise Refused(415, "a graph must be one of: " + ", ".join(f.media for f in GRAPH_FORMATS))
    return _READ[media]


def delete(graph: URIRef | None, path: str | None) -> Response:
    """Remove a graph."""
    _precondition(graph)
    if not exists(graph):
        raise Refused(404, f"there is no graph <{graph}>")
    settings: Settings = current_app.config["CONFKG"]
    update = "DROP DEFAULT" if graph is None else f"DROP GRAPH <{graph}>"
    return written({"op": "update", "update": update}, settings.timeout)
