"""Running it: is it alive, is it ready, what has it done; and what every answer has in its head."""

from __future__ import annotations

import json
import random
import time

from flask import Blueprint, Flask, Response, current_app, g, request

from server.faults import plain
from server.pool import Pool
from server.process import Busy, Fault, Stopped

blueprint = Blueprint("operations", __name__)
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
            "# HELP confkg_answer_bytes_total Bytes of answers.",
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
    """Count every request, and give every answer the headers that all have."""
    figures: Figures = app.extensions["confkg"]["figures"]

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
        return response


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
