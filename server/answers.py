"""Answers: entity tags, cache headers, streams that break off visibly."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response, current_app, g, request

from server.pool import Answer
from server.process import Stopped


@dataclass(slots=True)
class Sent:
    """What has left of an answer, for the log: the bytes, the rows of a table or triples of a graph where they are
    known, and how it ended."""

    size: int | None = None
    rows: int | None = None
    outcome: str = "ok"


def digest(text: str) -> str:
    """What stands for a query or an update in the log."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tag(*parts: str) -> str:
    """An entity tag: the state of the store and everything else that the answer depends on."""
    revision = current_app.extensions["confkg"]["revision"]()
    return hashlib.sha256("\0".join((revision, *parts)).encode()).hexdigest()[:32]


def unchanged(etag: str) -> Response:
    """304."""
    response = Response(status=304)
    response.set_etag(etag, weak=True)
    return response


def cached(response: Response, etag: str | None, headers: Mapping[str, str] | None = None) -> Response:
    """Let caches keep the answer, and ask each time whether it still holds; without a tag, it never does."""
    if etag is not None:
        response.set_etag(etag, weak=True)
    response.headers["Cache-Control"] = "public, max-age=0, must-revalidate" if etag is not None else "no-store"
    response.headers.update(headers or {})
    return response


def client_gone() -> Callable[[], bool]:
    """A function that tells whether the client has left, where the WSGI server can say so."""
    ask = request.environ.get("waitress.client_disconnected")
    return ask if callable(ask) else lambda: False


_TEXT = re.compile(r"^text/|\+xml$|/xml$")


def whole(body: bytes, media: str, rows: int | None = None) -> Response:
    """An answer that is all there."""
    g.sent = Sent(len(body), rows)
    return Response(body, content_type=_content_type(media))


def _content_type(media: str) -> str:
    return f"{media}; charset=utf-8" if _TEXT.search(media) else media


def _too_large(limit: int) -> Stopped:
    return Stopped("size", f"the answer has more than {limit} bytes")


def streamed(
    found: Answer,
    media: str,
    limit: int | None = None,
    keep: Callable[[bytes, int | None], None] | None = None,
    largest: int = 0,
) -> Response:
    """An answer as it comes. A fault after the first byte ends the connection without the last chunk: the client sees
    a broken transfer, never a short answer that looks whole.

    ``keep`` is given the body and the number of its rows at its end, if it had at most ``largest`` bytes.
    """
    body = found.complete
    if body is not None:
        if limit is not None and len(body) > limit:
            raise _too_large(limit)
        if keep is not None:
            keep(body, found.rows)
        return whole(body, media, found.rows)
    if request.method == "HEAD":  # nobody reads on, and nobody would close the stream
        found.close()
        return Response(content_type=_content_type(media))
    figures: Any = current_app.extensions["confkg"]["figures"]
    g.sent = sent = Sent(0, outcome="left")

    def blocks() -> Iterator[bytes]:
        kept = []
        size = 0
        try:
            for block in found:
                size += len(block)
                if limit is not None and size > limit:
                    raise _too_large(limit)
                if keep is not None and size <= largest:
                    kept.append(block)
                else:
                    kept.clear()
                yield block
                sent.size = size
            sent.outcome, sent.rows = "ok", found.rows
            if keep is not None and size <= largest:
                keep(b"".join(kept), found.rows)
        except Stopped as e:
            sent.outcome = e.why
            raise

    def end() -> None:
        found.close()
        if found.expired:
            sent.outcome = "timeout"
        figures.bytes += sent.size
        if sent.outcome != "ok":
            figures.stop(sent.outcome)

    response = Response(blocks(), content_type=_content_type(media))
    response.call_on_close(end)
    return response
