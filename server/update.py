"""``/update``: SPARQL 1.1 updates, off unless the server was started with them, and with a token only."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, g, request

from kg.errors import QueryRefused
from kg.sparql import QUERY_FORMS, declare_prefixes, form, loads, using, without, words
from server.answers import client_gone, digest
from server.faults import Refused
from server.pool import Pool
from server.protocol import address, read
from server.settings import Settings
from server.tokens import require

blueprint = Blueprint("update", __name__)


@blueprint.route("/update", methods=["POST"])
def update() -> Response:
    """Run an update, in one transaction, and say which state of the store it made."""
    settings: Settings = current_app.config["CONFKG"]
    require("update")
    operation = read(request, "update", settings.max_query)
    if operation is None:
        raise Refused(400, "the request has no update")
    g.query_hash = digest(operation.text)
    text = declare_prefixes(operation.text)
    if form(text) in QUERY_FORMS:
        raise Refused(400, "this is no update: queries go to /sparql")
    found = set(words(text))
    fetched = loads(text) if "LOAD" in found else []
    if "SERVICE" in found or not all(load.silent for load in fetched):
        raise QueryRefused("LOAD and SERVICE are off: an update may not make this machine call another one")
    text = without(text, fetched)
    if operation.default_graphs or operation.named_graphs:
        if found & {"USING", "WITH"}:
            raise Refused(400, "the update names its graphs (USING, WITH) and so do the request's parameters")
        text = using(text, operation.default_graphs, operation.named_graphs)
    response = written({"op": "update", "update": text, "base": address(request)}, operation.timeout(settings.timeout))
    if fetched:  # SILENT: what fails leaves the rest of the update as it is (SPARQL 1.1 Update, section 3.1.4)
        sources = ", ".join(load.source for load in fetched)
        response.status_code, response.content_type = 200, "text/plain; charset=utf-8"
        response.set_data(f"LOAD is off here; SILENT, so the rest was run without: {sources}\n")
    return response


def written(request_: dict[str, object], timeout: float, *, status: int = 204, body: bytes = b"") -> Response:
    """Let the writer do its work, and answer with the new state's name."""
    pool: Pool = current_app.extensions["confkg"]["pool"]
    settings: Settings = current_app.config["CONFKG"]
    found = pool.run({**request_, "strict": settings.strict}, timeout=timeout, gone=client_gone(), body=body)
    g.revision, previous = found.read().decode().split()
    response = Response(status=status)
    response.headers["X-Revision"] = g.revision
    response.headers["Link"] = f'</quality?since={previous}>; rel="describedby"'  # what the change did to it
    return response
