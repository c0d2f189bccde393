"""Answers: entity tags, cache headers, streams that break off visibly."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping

from flask import Response, current_app, g, request

from server.pool import Answer
from server.process import Stopped


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


def whole(body: bytes, media: str) -> Response:
    """An answer that is all there."""
    g.size = len(body)
    return Response(body, content_type=_content_type(media))


def _content_type(media: str) -> str:
    return f"{media}; charset=utf-8" if _TEXT.search(media) else media


def streamed(
    found: Answer,
    media: str,
    limit: int | None = None,
    keep: Callable[[bytes], None] | None = None,
    largest: int = 0,
) -> Response:
    """An answer as it comes. A fault after the first byte ends the connection without the last chunk: the client sees
    a broken transfer, never a short answer that looks whole.

    ``keep`` is given the body at its end, if it had at most ``largest`` bytes.
    """
    body = found.complete
    if body is not None:
        if keep is not None:
            keep(body)
        return whole(body, media)
    if request.method == "HEAD":  # nobody reads on, and nobody would close the stream
        found.close()
        return Response(content_type=_content_type(media))
    outcome = current_app.extensions["confkg"]["streamed"]
    record = {"started": time.monotonic(), "hash": g.get("query_hash"), "id": g.get("request_id")}

    def blocks() -> Iterator[bytes]:
        size, kept = 0, []
        try:
            for block in found:
                size += len(block)
                if limit is not None and size > limit:
                    raise Stopped("size", f"the answer has more than {limit} bytes")
                if keep is not None and size <= largest:
                    kept.append(block)
                else:
                    kept.clear()
                yield block
            if keep is not None and size <= largest:
                keep(b"".join(kept))
        except Stopped as e:
            outcome(record, e.why, size)
            raise
        finally:
            found.close()

    g.size = None
    return Response(blocks(), content_type=_content_type(media))
