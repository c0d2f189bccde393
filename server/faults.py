"""Faults as HTTP answers: plain text that says what to do, under the status that RFC 9110 gives it."""

from __future__ import annotations

from flask import Flask, Response, current_app, g
from werkzeug.exceptions import HTTPException

from kg.errors import ConfkgError, QueryError, QueryRefused, QuerySyntaxError, UsageError
from server.negotiate import NotAcceptable
from server.process import Busy, Fault, Stopped


class Refused(Exception):
    """A request that is answered with a status and a message."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self.status, self.headers = status, headers or {}
        super().__init__(message)


#: Fault of a worker → status.
_FAULTS = {
    "syntax": 400,
    "query": 400,
    "refused": 403,
    "violations": 409,
    "gone": 410,
    "service": 502,
    "store": 503,
    "memory": 503,
    "internal": 500,
}
#: Why a query was stopped → status. A client that has left sees none; 499 stands in the log.
_STOPPED = {"timeout": 503, "died": 503, "memory": 503, "left": 499, "size": 503, "shutdown": 503}


def plain(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """A plain-text answer."""
    response = Response(message.rstrip() + "\n", status, mimetype="text/plain")
    response.headers["Content-Type"] = "text/plain; charset=utf-8"
    response.headers.update(headers or {})
    return response


def register(app: Flask) -> None:
    """Give every fault its answer."""

    @app.errorhandler(Refused)
    def refused(e: Refused) -> Response:
        return plain(e.status, str(e), e.headers)

    @app.errorhandler(NotAcceptable)
    def not_acceptable(e: NotAcceptable) -> Response:
        return plain(406, "nothing that is accepted is available here; available:\n" + "\n".join(e.offers))

    @app.errorhandler(Busy)
    def busy(e: Busy) -> Response:
        return plain(429, "too many queries are waiting: try again in a moment", {"Retry-After": "2"})

    @app.errorhandler(Stopped)
    def stopped(e: Stopped) -> Response:
        g.outcome = e.why
        return plain(
            _STOPPED.get(e.why, 503),
            f"the query was stopped: {e}. It may be asked for less (LIMIT, a narrower pattern) or later",
            {"Retry-After": "5"},
        )

    @app.errorhandler(Fault)
    def fault(e: Fault) -> Response:
        g.outcome = e.kind
        retry = {"Retry-After": "5"} if e.kind in ("store", "memory") else None
        return plain(_FAULTS.get(e.kind, 500), str(e), retry)

    @app.errorhandler(ConfkgError)
    def confkg(e: ConfkgError) -> Response:
        status = 403 if isinstance(e, QueryRefused) else 400 if isinstance(e, (QueryError, QuerySyntaxError)) else 503
        return plain(404 if isinstance(e, UsageError) else status, str(e))

    @app.errorhandler(HTTPException)
    def http(e: HTTPException) -> Response:
        headers = {k: v for k, v in e.get_headers() if k.lower() not in ("content-type", "content-length")}
        message = {404: "there is nothing here", 405: "this method is not for this address"}.get(e.code or 500)
        return plain(e.code or 500, message or e.description or e.name, headers)

    @app.errorhandler(Exception)
    def unforeseen(e: Exception) -> Response:
        current_app.logger.exception("a fault of confkg")
        return plain(500, "a fault of this server; it has been logged")
