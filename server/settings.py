"""How the server runs: every limit has a default, and no default lets a stranger write, fetch or wait for ever."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of :func:`server.create_app`; times in seconds, sizes in bytes."""

    #: processes that answer general queries, beside one that is kept for short ones
    workers: int = max(2, os.cpu_count() or 2)
    #: time limit of a query; ``timeout=`` of a request may lower it
    timeout: float = 30.0
    #: how long a client may take nothing of its answer before its connection is cut
    patience: int = 60
    #: general queries that may wait for a worker before others are told 429
    waiting: int = 96
    #: rows of a SELECT; ``None``: as many as there are (they are streamed)
    max_rows: int | None = None
    #: body of an answer; ``None``: no limit
    max_answer: int | None = None
    #: bodies of answers that are kept until the state of the store changes, in all; 0: none
    remember: int = 128 << 20
    #: body of a query or update request
    max_query: int = 4 << 20
    #: body of a document for the graph store
    max_upload: int = 256 << 20
    #: address space of a worker
    worker_memory: int = 4 << 30
    #: rows that a page shows before it says that there are more
    page_rows: int = 1000
    #: writing: off, and with a token only
    updates: bool = False
    token_file: Path | None = None
    #: refuse an update that adds violations of the shapes
    strict: bool = False
    #: SPARQL endpoints that SERVICE may call, named in the query just as here; none by default
    allow_service: frozenset[str] = frozenset()
    #: queries that take longer are logged as slow
    slow: float = 5.0
    #: log requests as JSON lines on standard error
    access_log: bool = True
    #: where this server is seen from outside, e.g. ``https://kg.example.org/``; by default each request says
    public_url: str | None = None
