"""The access log: one line of JSON a request, on standard error. Tokens, addresses and texts of queries are not in it.

A line is written when the last byte has left, so that it tells what was sent and not what was to be sent.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

from flask import Flask, Response, g, request

from server.answers import Sent
from server.process import Stopped
from server.settings import Settings

_log = logging.getLogger("confkg.access")
#: Key in the log → name under which a request leaves it.
_NOTED = {"query": "query_hash"} | {name: name for name in ("remembered", "token", "revision")}


def register(app: Flask) -> None:
    """Log every request; with ``--quiet`` those that were let in by a token, so that no write goes unseen."""
    settings: Settings = app.config["CONFKG"]
    if not _log.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        _log.addHandler(handler)
        _log.setLevel(logging.INFO)
        _log.propagate = False
    # An answer that is broken off at its limit is no fault to be traced: it is counted and logged here.
    logging.getLogger("waitress").addFilter(_is_a_fault)
    # There are more threads than requests that may wait, so waitress's own queue says nothing; and this is JSON only.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)

    @app.after_request
    def note(response: Response) -> Response:
        if not settings.access_log and "token" not in g:
            return response
        started = g.get("started", time.perf_counter())
        done = response.status_code < 400
        sent: Sent = g.get("sent", Sent()) if done else Sent(outcome=g.get("outcome", _failed(response.status_code)))
        if request.method == "HEAD":
            sent.size = 0
        entry = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "id": g.get("request_id"),
            "method": request.method,
            "path": request.path,
            "status": response.status_code,
        } | {key: g.get(name) for key, name in _NOTED.items() if name in g}
        size = response.content_length if response.is_streamed else response.calculate_content_length()

        def written() -> None:
            _write(entry, sent, started, settings.slow, size)

        if response.is_streamed:
            response.call_on_close(written)
        else:
            written()
        return response


def _write(entry: dict[str, Any], sent: Sent, started: float, slow: float, size: int | None) -> None:
    seconds = time.perf_counter() - started
    entry |= {"outcome": sent.outcome, "ms": round(1000 * seconds, 1)}
    entry["bytes"] = size if sent.size is None else sent.size
    if sent.rows is not None:
        entry["rows"] = sent.rows
    if seconds > slow:
        entry["slow"] = True
    _log.info(json.dumps(entry, ensure_ascii=False))


def _failed(status: int) -> str:
    return "refused" if status < 500 else "fault"


def _is_a_fault(record: logging.LogRecord) -> bool:
    kind = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
    return not (kind is not None and issubclass(kind, Stopped))
