"""``/sparql``: queries by the SPARQL 1.1 Protocol, and the service description where there is none."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, current_app, g, request

from kg.errors import QueryRefused
from kg.mediatypes import Format
from kg.sparql import UPDATE_WORDS, declare_prefixes, form, limited, service_targets
from server import negotiate, service
from server.answers import cached, client_gone, digest, streamed, tag, unchanged, whole
from server.faults import Refused
from server.pages import results_page
from server.pool import Pool
from server.protocol import Operation, address, read
from server.remembered import Remembered, lasting
from server.settings import Settings

blueprint = Blueprint("sparql", __name__)


@blueprint.route("/sparql", methods=["GET", "POST"])
def sparql() -> Response:
    """Answer a query."""
    settings: Settings = current_app.config["CONFKG"]
    operation = read(request, "query", settings.max_query)
    if operation is None:
        return service.description()
    return answer(operation, settings)


def answer(operation: Operation, settings: Settings) -> Response:
    """Run a query and stream its answer."""
    g.query_hash = digest(operation.text)
    query = declare_prefixes(operation.text)
    kind = form(query)
    calls = check(query, kind, settings)
    graphs = kind in ("CONSTRUCT", "DESCRIBE")
    chosen = chosen_format(operation, graphs)
    page = chosen is negotiate.HTML
    rows = settings.page_rows + 1 if page else settings.max_rows
    if kind == "SELECT" and rows is not None:
        query = limited(query, rows)
    etag = (
        tag(query, chosen.name, *operation.default_graphs, "|", *operation.named_graphs)
        if lasting(query) and not calls
        else None
    )
    if etag is not None and request.if_none_match.contains_weak(etag):
        return unchanged(etag)
    limit = {"X-Result-Limit": str(settings.max_rows)} if kind == "SELECT" and settings.max_rows is not None else {}
    answers: Remembered = current_app.extensions["confkg"]["answers"]
    base = address(request)
    key = None if etag is None or page else (etag, base)  # relative IRIs depend on the address
    if key is not None and not request.cache_control.no_cache and (known := answers.get(key)) is not None:
        g.remembered = True
        return cached(whole(known.body, chosen.media, known.rows), etag, limit)
    pool: Pool = current_app.extensions["confkg"]["pool"]
    found = pool.run(
        {
            "op": "query",
            "query": query,
            "format": ("turtle" if graphs else "json") if page else chosen.name,
            "base": base,
            "default_graphs": operation.default_graphs,
            "named_graphs": operation.named_graphs,
            "calls": calls,
            "count": settings.access_log and kind != "ASK",
        },
        timeout=operation.timeout(settings.timeout),
        gone=client_gone(),
        short=kind == "ASK",
        key=f"{g.query_hash} {chosen.name}",
    )
    if page:
        return results_page(operation.text, found, graphs=graphs, rows=settings.page_rows)
    keep = None if key is None else partial(answers.put, key)
    return cached(streamed(found, chosen.media, settings.max_answer, keep, answers.largest), etag, limit)


def check(query: str, kind: str | None, settings: Settings) -> bool:
    """Refuse what is no query (400), and what would make this machine call another that is not allowed (403).

    Returns:
        Does the query call endpoints, all of them allowed?
    """
    if kind in UPDATE_WORDS:
        raise Refused(400, f"this is an update ({kind}), and /sparql takes queries: updates go to /update")
    targets = service_targets(query)
    if not targets <= settings.allow_service or (targets and None in targets):
        allowed = "; allowed: " + ", ".join(sorted(settings.allow_service)) if settings.allow_service else ""
        raise QueryRefused(f"SERVICE is off: a query may not make this machine call another one{allowed}")
    return bool(targets)


def chosen_format(operation: Operation, graphs: bool) -> Format:
    """The format of the answer: ``format=`` (or ``output=``), else by the Accept header."""
    offers = (*(negotiate.GRAPHS if graphs else negotiate.RESULTS), negotiate.HTML)
    asked = operation.parameters.get("format") or operation.parameters.get("output")
    if asked:
        return negotiate.by_name(asked, offers)
    return negotiate.choose(request.headers.get("Accept"), offers, graphs=graphs)
