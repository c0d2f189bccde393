"""Running it: is it alive, is it ready, what has it done. Log lines are JSON; tokens and addresses are not in them."""

from __future__ import annotations

import json
import logging
import random
import sys
import time
from typing import Any

from flask import Blueprint, Flask, Response, current_app, g, request

from server.faults import plain
from server.pool import Pool
from server.process import Busy, Fault, Stopped
from server.settings import Settings

blueprint = Blueprint("operations", __name__)
_log = logging.getLogger("confkg.access")
#: Key in the log → name under which a request leaves it.
_LOGGED = {"query": "query_hash"} | {name: name for name in ("outcome", "remembered", "token", "revision")}
#: Upper bounds of the latency histogram, in seconds.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Figures:
    """Counters and a histogram, in the text format of Prometheus (version 0.0.4)."""

    def __init__(self) -> None:
        self.requests: dict[tuple[str, str, int], int] = {}
        self.stopped: dict[str, int] = {}
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0
        self.bytes = 0

    def count(self, endpoint: str, method: str, status: int, seconds: float, size: int) -> None:
        """One request more."""
        key = (endpoint, method, status)
        self.requests[key] = self.requests.get(key, 0) + 1
        self.buckets[next((i for i, b in enumerate(BUCKETS) if seconds <= b), len(BUCKETS))] += 1
        self.seconds += seconds
        self.bytes += size

    def stop(self, why: str) -> None:
        """A query was stopped."""
        self.stopped[why] = self.stopped.get(why, 0) + 1

    def render(self, pool: Pool, remembered: int) -> str:
        """The text that Prometheus reads."""
        lines = ["# HELP confkg_requests_total Requests answered.", "# TYPE confkg_requests_total counter"]
        lines += [
            f'confkg_requests_total{{endpoint="{e}",method="{m}",status="{s}"}} {n}'
            for (e, m, s), n in sorted(self.requests.items())
        ]
        lines += ["# HELP confkg_stopped_total Queries stopped, by reason.", "# TYPE confkg_stopped_total counter"]
        lines += [f'confkg_stopped_total{{reason="{w}"}} {n}' for w, n in sorted(self.stopped.items())]
        lines += ["# HELP confkg_request_seconds Time to the first byte.", "# TYPE confkg_request_seconds histogram"]
        total = 0
        for bound, n in zip((*BUCKETS, "+Inf"), self.buckets, strict=True):
            total += n
            lines.append(f'confkg_request_seconds_bucket{{le="{bound}"}} {total}')
        lines += [f"confkg_request_seconds_sum {self.seconds:.6f}", f"confkg_request_seconds_count {total}"]
        lines += [
            "# HELP confkg_answer_bytes_total Bytes of answers that were whole at once.",
            "# TYPE confkg_answer_bytes_total counter",
        ]
        lines += [f"confkg_answer_bytes_total {self.bytes}"]
        lines += ["# HELP confkg_workers_busy Workers at work.", "# TYPE confkg_workers_busy gauge"]
        lines += [f"confkg_workers_busy {len(pool.pids())}"]
        lines += ["# HELP confkg_workers_killed_total Workers killed.", "# TYPE confkg_workers_killed_total counter"]
        lines += [f"confkg_workers_killed_total {pool.killed}"]
        lines += ["# HELP confkg_answers_remembered_total Answers given again without work."]
        lines += ["# TYPE confkg_answers_remembered_total counter", f"confkg_answers_remembered_total {remembered}"]
        return "\n".join(lines) + "\n"


@blueprint.get("/health")
def health() -> Response:
    """The process is alive."""
    return Response(json.dumps({"status": "ok"}) + "\n", content_type="application/json")


@blueprint.get("/ready")
def ready() -> Response:
    """The store answers."""
    pool: Pool = current_app.extensions["confkg"]["pool"]
    try:
        pool.run({"op": "query", "query": "ASK {}", "format": "json"}, timeout=5.0, short=True).read()
    except (Busy, Stopped, Fault) as e:
        return plain(503, f"not ready: {e}", {"Retry-After": "5"})
    revision = current_app.extensions["confkg"]["revision"]()
    return Response(json.dumps({"status": "ready", "revision": revision}) + "\n", content_type="application/json")


@blueprint.get("/metrics")
def metrics() -> Response:
    """Figures for Prometheus."""
    figures: Figures = current_app.extensions["confkg"]["figures"]
    extension = current_app.extensions["confkg"]
    text = figures.render(extension["pool"], extension["answers"].hits)
    return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")


def register(app: Flask) -> None:
    """Count and log every request, and give every answer the headers that all have."""
    settings: Settings = app.config["CONFKG"]
    figures: Figures = app.extensions["confkg"]["figures"]
    if settings.access_log and not _log.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(message)s"))
        _log.addHandler(handler)
        _log.setLevel(logging.INFO)
        _log.propagate = False

    # An answer that is broken off at its limit is no fault to be traced: it is counted and logged here.
    logging.getLogger("waitress").addFilter(_is_a_fault)

    def log(entry: dict[str, Any]) -> None:
        if settings.access_log:
            _log.info(json.dumps(entry, ensure_ascii=False))

    def streamed(record: dict[str, Any], why: str, size: int) -> None:
        figures.stop(why)
        log({"event": "aborted", "id": record["id"], "query": record["hash"], "reason": why, "bytes": size})

    app.extensions["confkg"]["streamed"] = streamed

    @app.before_request
    def begin() -> Response | None:
        g.started = time.perf_counter()
        g.request_id = f"{random.getrandbits(64):016x}"
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return Response(status=204)  # a browser's preflight (Fetch standard, section 3.2)
        return None

    @app.after_request
    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("started", time.perf_counter())
        size = 0 if response.is_streamed else response.calculate_content_length() or 0
        figures.count(request.endpoint or "none", request.method, response.status_code, seconds, size)
        if outcome := g.get("outcome"):
            figures.stop(outcome)
        common_headers(response)
        if not settings.access_log:
            return response
        entry = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "id": g.get("request_id"),
            "method": request.method,
            "path": request.path,
            "status": response.status_code,
            "ms": round(1000 * seconds, 1),
            "bytes": None if response.is_streamed else size,
        }
        for key, name in _LOGGED.items():
            if name in g:
                entry[key] = g.get(name)
        if seconds > settings.slow:
            entry["slow"] = True
        log(entry)
        return response


def _is_a_fault(record: logging.LogRecord) -> bool:
    kind = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
    return not (kind is not None and issubclass(kind, Stopped))


_COMMON = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "ETag, Link, Location, Retry-After, X-Request-Id, X-Result-Limit, X-Revision"),
    ("Vary", "Accept"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)


def common_headers(response: Response) -> None:
    """CORS for everyone and without credentials, Vary, and what keeps a page from being more than a page."""
    headers = response.headers
    headers.extend(_COMMON)
    if request.method == "OPTIONS":
        headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, PUT, DELETE, OPTIONS"
        headers["Access-Control-Allow-Headers"] = "Accept, Authorization, Content-Type, If-Match, If-None-Match"
        headers["Access-Control-Max-Age"] = "86400"
    headers["X-Request-Id"] = g.get("request_id", "")
    headers.setdefault("Content-Security-Policy", _POLICY)
