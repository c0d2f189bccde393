"""A worker: a process that opens the store for reading and answers one request after another, until it is killed.

The engine cannot be interrupted and need not be trusted with a stranger's query, so it runs here: the process has
a limit on its memory and, for a store on this machine, no sockets. Requests come on standard input, answers go
to standard output, both as frames: one byte of kind, four of length (big-endian), the content.

``r`` ready · ``d`` data · ``e`` end, with the number of rows where it was asked for · ``x`` a fault as JSON (``kind``,
``message``)
"""

from __future__ import annotations

import io
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from kg.errors import ConfkgError, QueryError, QueryRefused, QuerySyntaxError
from kg.stores import Dataset, Store, is_remote, open_store
from server.files import NAMES, code, only_files
from server.isolation import without_network
from server.rows import Rows, rows

if TYPE_CHECKING:
    from kg.validate import Report

#: Nothing leaves before this many bytes or the end: a limit that strikes earlier still gets a true status.
BLOCK = 1 << 16
HEADER = struct.Struct(">cI")


def frame(kind: bytes, content: bytes = b"") -> bytes:
    """One frame."""
    return HEADER.pack(kind, len(content)) + content


class _Frames(io.RawIOBase):
    """What is written becomes data frames; at the end one of kind ``e``."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._end = b""
        #: what is still buffered is not to leave: a fault takes its place
        self.given_up = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self.given_up:
            return len(data)
        # The last block and the end go in one piece, so that a short answer wakes its reader once.
        self._out.write(frame(b"d", bytes(data)) + self._end)
        self._end = b""
        return len(data)

    def end(self, buffered: BinaryIO, count: int | None) -> None:
        """Write what is buffered before this, and the end."""
        self._end = frame(b"e", b"" if count is None else b"%d" % count)
        buffered.flush()
        self._out.write(self._end)


class _Counted(io.RawIOBase):
    """What is written goes on to ``out`` and is counted."""

    def __init__(self, out: BinaryIO, counter: Rows) -> None:
        self._out, self._counter = out, counter

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._counter.take(bytes(data))
        return self._out.write(data)


def _query(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> int | None:
    """``count`` asks for the rows of a table; the triples of a graph are mostly known anyway."""
    dataset = None
    if request.get("default_graphs") or request.get("named_graphs"):
        dataset = Dataset(tuple(request.get("default_graphs", ())), tuple(request.get("named_graphs", ())))
    counter = rows(request["format"]) if request.get("count") else None
    written = cast("BinaryIO", _Counted(out, counter)) if counter else out
    try:
        triples = store.serialize(
            request["query"], request["format"], written, base=request.get("base"), dataset=dataset
        )
    except OSError as e:
        if not request.get("calls"):
            raise
        raise _Unanswered(f"an endpoint that the query calls does not answer: {e}") from None
    return counter.count() if counter else triples


class _Unanswered(ConfkgError):
    """An endpoint that the query calls gave no answer."""


class _NotKept(ConfkgError):
    """An earlier state of the store that is not there."""


def _dump(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> None:
    from rdflib import URIRef

    from kg.export import export

    graph = request.get("graph")
    export(store, out, request["format"], URIRef(graph) if graph else None)


def _stats(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> None:
    from kg.stats import stats

    out.write(json.dumps(stats(store).to_json(), ensure_ascii=False).encode())


def _quality(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> None:
    from kg.validate import validate_store

    report, revision = validate_store(store), request.get("since")
    if revision is not None:
        if (earlier := store.earlier(revision)) is None:
            raise _NotKept(f"the state {revision!r} is not kept: only that before the last update is")
        report = report.after(validate_store(earlier), revision)
    out.write(report.render(request["format"]).encode())


def _network(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> None:
    from kg.analysis import BASIC, analyse
    from kg.graph_formats import write
    from kg.network import Scope, load

    kind = request["kind"]
    scope = Scope(level="author" if kind == "coauthorship" else request.get("level") or "institution")
    network = load(store, kind, scope)
    write(analyse(network, BASIC), request["format"], out)


def _update(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> None:
    with _strictness(store, request) as inspect:
        store.update(request["update"], base=request.get("base"), inspect=inspect)
    out.write(f"{store.revision()} {store.previous}".encode())


def _load(store: Store, request: dict[str, Any], out: BinaryIO, body: bytes) -> None:
    from rdflib import URIRef

    graph = request.get("graph")
    with _strictness(store, request) as inspect:
        store.load(
            body,
            request["format"],
            URIRef(graph) if graph else None,
            replace=request["replace"],
            base=request.get("base"),
            inspect=inspect,
        )
    out.write(f"{store.revision()} {store.previous}".encode())


class _NewViolations(QueryRefused):
    """The update would add violations of the shapes."""


#: The report of the state that this process saw last, by its revision: the state after one change is that before the
#: next.
_seen: dict[str, Report] = {}


@contextmanager
def _strictness(store: Store, request: dict[str, Any]) -> Iterator[Callable[[Store], None] | None]:
    """What is to look at a change before it is published: it refuses one that adds violations, where that is asked."""
    if not request.get("strict"):
        yield None
        return
    from rdflib import SH

    from kg.validate import validate_store

    revision = store.revision()
    before = _seen.get(revision) or validate_store(store)
    after: list[Report] = []

    def inspect(new: Store) -> None:
        after.append(validate_store(new))
        added = [r for r in after[0].after(before, revision).results if r.severity == SH.Violation]
        if added:
            lines = sorted(
                f"{str(r.shape).rsplit('#', 1)[-1]}: {r.focus}{'' if r.value is None else f' {r.value}'}" for r in added
            )
            raise _NewViolations("the update adds violations of the shapes:\n" + "\n".join(lines[:100]))

    yield inspect
    _seen.clear()
    _seen[store.revision()] = after[0]


OPERATIONS: dict[str, Callable[[Store, dict[str, Any], BinaryIO, bytes], int | None]] = {
    "query": _query,
    "dump": _dump,
    "stats": _stats,
    "quality": _quality,
    "network": _network,
    "update": _update,
    "load": _load,
}
WRITING = {"update", "load"}
_KINDS: list[tuple[type[Exception], str]] = [
    (_NewViolations, "violations"),
    (_NotKept, "gone"),
    (_Unanswered, "service"),
    (QuerySyntaxError, "syntax"),
    (QueryRefused, "refused"),
    (QueryError, "query"),
    (ConfkgError, "store"),
    (MemoryError, "memory"),
]


def serve(location: str, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until standard input ends."""
    store = open_store(location)
    answers.write(frame(b"r"))
    while header := requests.read(HEADER.size):
        _, length = HEADER.unpack(header)
        request = json.loads(requests.read(length))
        body = requests.read(request.get("body", 0))
        frames = _Frames(answers)
        out = io.BufferedWriter(frames, BLOCK)
        try:
            store.refresh()
            frames.end(out, OPERATIONS[request["op"]](store, request, out, body))
        except (ConfkgError, MemoryError, KeyError, ValueError) as e:
            fault = next((name for type_, name in _KINDS if isinstance(e, type_)), "internal")
            frames.given_up = True
            out.detach()
            answers.write(frame(b"x", json.dumps({"kind": fault, "message": str(e) or type(e).__name__}).encode()))


def main() -> None:
    """``python -m server.worker LOCATION MEMORY SCRATCH ROLE``: a folder for temporary files; what it is to do.

    The role ``reads`` has the store to read, ``calls`` has sockets as well, for SERVICE, and ``writes`` writes.
    """
    location, memory, scratch, role = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to handle; it ends its workers
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever prints, prints elsewhere than into the frames
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not is_remote(location):
        store = [Path(location)]
        readable = code() if role == "writes" else [*code(), *store]
        if role == "calls":
            readable += NAMES
        else:
            without_network()
        only_files(readable, [scratch, *(store if role == "writes" else [])])
    serve(location, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
