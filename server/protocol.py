"""Requests as the SPARQL 1.1 Protocol writes them (section 2): exactly one query, strict UTF-8, decoded once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from flask import Request
from werkzeug.http import parse_options_header
from werkzeug.sansio.utils import get_current_url

from server.faults import Refused

FORM = "application/x-www-form-urlencoded"
_DIRECT = {"query": "application/sparql-query", "update": "application/sparql-update"}
#: The least time limit that a request may ask for, in seconds: no query is answered in less.
SHORTEST = 0.01
#: Parameters that name the dataset (sections 2.1.4 and 2.2.3).
_DATASET = {
    "query": ("default-graph-uri", "named-graph-uri"),
    "update": ("using-graph-uri", "using-named-graph-uri"),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """A query or an update, with its dataset and the other parameters of the request."""

    text: str
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    parameters: dict[str, str]

    def timeout(self, limit: float) -> float:
        """The time limit in seconds: ``timeout=`` may lower it."""
        asked = self.parameters.get("timeout")
        if asked is None:
            return limit
        try:
            seconds = float(asked)
        except ValueError:
            raise Refused(400, f"timeout must be a number of seconds, not {asked!r}") from None
        if not seconds >= SHORTEST:
            raise Refused(400, f"timeout must be at least {SHORTEST} (seconds)")
        return min(limit, seconds)


def pairs(text: bytes) -> list[tuple[str, str]]:
    """The pairs of a query string or a form.

    Raises:
        Refused: 400, it is not UTF-8.
    """
    try:
        return parse_qsl(text.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=1000)
    except UnicodeDecodeError as e:
        raise Refused(400, f"the parameters are not UTF-8: {e.reason} at byte {e.start}") from None
    except ValueError as e:
        raise Refused(400, f"the parameters cannot be read: {e}") from None


def url_parameters(request: Request) -> list[tuple[str, str]]:
    """The parameters of the request's URL, strictly decoded."""
    return pairs(request.query_string)


_address = lru_cache(64)(get_current_url)


def address(request: Request) -> str:
    """The base of relative IRIs: ``request.base_url``, put together once for all requests to the same address."""
    return _address(request.scheme, request.host, request.root_path, request.path)


def media_type(request: Request) -> tuple[str, dict[str, Any]]:
    """The media type of the body, in lower case, and its parameters."""
    name, options = parse_options_header(request.headers.get("Content-Type", ""))
    return name.lower(), options


def body_text(request: Request, limit: int) -> str:
    """The body as text.

    Raises:
        Refused: 400 it is not UTF-8 (or claims to be in another charset), 413 it is too large.
    """
    charset = media_type(request)[1].get("charset", "utf-8").strip("'\"").lower()
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise Refused(400, f"the body must be UTF-8, not {charset}")
    try:
        return body(request, limit).decode("utf-8")
    except UnicodeDecodeError as e:
        raise Refused(400, f"the body is not UTF-8: {e.reason} at byte {e.start}") from None


def body(request: Request, limit: int) -> bytes:
    """The bytes of the body.

    Raises:
        Refused: 413 it is larger than the limit.
    """
    if (request.content_length or 0) > limit:
        raise Refused(413, f"the body may have {limit} bytes at most")
    data = request.stream.read(limit + 1)
    if len(data) > limit:
        raise Refused(413, f"the body may have {limit} bytes at most")
    return data


def read(request: Request, kind: str, limit: int) -> Operation | None:
    """The operation of a request; ``None`` for a GET without one.

    Args:
        request: the request.
        kind: ``query`` or ``update``.
        limit: the most bytes that the body may have.

    Raises:
        Refused: 400, 413 or 415, with the reason.
    """
    parameters = url_parameters(request)
    if request.method == "POST":
        name, _ = media_type(request)
        if name == FORM:
            parameters += pairs(body_text(request, limit).encode())
        elif name == _DIRECT[kind]:
            if any(k == kind for k, _ in parameters):
                raise Refused(400, f"the {kind} stands both in the body and in the address")
            parameters.append((kind, body_text(request, limit)))
        else:
            raise Refused(
                415 if name else 400,
                f"the body must be {FORM} or {_DIRECT[kind]}"
                + (f", not {name}" if name else ": it has no Content-Type"),
            )
    other = "update" if kind == "query" else "query"
    texts = [v for k, v in parameters if k == kind]
    if any(k == other for k, _ in parameters):
        raise Refused(400, f"this address takes a {kind}, and the request has a parameter {other!r}")
    if not texts:
        if request.method == "POST":
            raise Refused(400, f"the request has no {kind}")
        return None
    if len(texts) > 1:
        raise Refused(400, f"the request has {len(texts)} parameters {kind!r}; it must have exactly one")
    if not texts[0].strip():
        raise Refused(400, f"the {kind} is empty")
    default, named = _DATASET[kind]
    known = {kind, default, named}
    return Operation(
        texts[0],
        tuple(_absolute(v) for k, v in parameters if k == default),
        tuple(_absolute(v) for k, v in parameters if k == named),
        {k: v for k, v in parameters if k not in known},
    )


def _absolute(iri: str) -> str:
    """A graph's IRI.

    Raises:
        Refused: 400, it is relative or no IRI.
    """
    scheme, colon, _ = iri.partition(":")
    if not colon or not scheme[:1].isalpha() or any(c in iri for c in '<>"{}|\\^` \n\t'):
        raise Refused(400, f"a graph must be named by an absolute IRI, not {iri!r}")
    return iri


absolute = _absolute
