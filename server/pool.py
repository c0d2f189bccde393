"""Worker processes and who may use them: lanes, limits, and a kill that really stops the work."""

from __future__ import annotations

import json
import logging
import tempfile
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Any

from server.lanes import Idle, Lane
from server.process import LOOK, Fault, Stopped, Worker

_log = logging.getLogger(__name__)
#: A short query's share of the quick lane, before it has to queue with the others: seconds of processor time, since
#: on a busy machine the same work takes longer, and each slice that is not enough costs a process.
_SLICE = 0.25
#: The most that a slice may last by the clock.
_PATIENCE = 1.0
#: A query that was answered in so many seconds, by the clock, is likely short the next time.
_SHORT = 0.08


#: How often a pool looks for answers that nobody takes, in seconds.
_ROUND = 0.5
#: Processes that are kept for what is likely short.
_QUICK = 3


class Pool:
    """Two lanes, so that short queries pass by long ones: three workers are kept for what is likely short.

    Likely short is an ``ASK``, and any query that was short before. One that is not after all loses its place after
    a quarter of a second and queues again with the others, from the start.

    What calls other endpoints (SERVICE, where it is allowed) has workers of its own, the only ones with sockets.
    """

    def __init__(
        self, location: str, *, workers: int, waiting: int, memory: int, writer: bool = False, calling: bool = False
    ) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="confkg-work-")
        scratch = self._scratch.name
        # nice: behind this process, which hands over what they have done
        self._idle = Idle(lambda: Worker(location, memory, scratch, nice=5), workers + _QUICK)
        self._general = Lane(self._idle, workers, waiting)
        self._quick = Lane(self._idle, _QUICK, 2 * waiting)
        self._calling = Idle(lambda: Worker(location, memory, scratch, "calls", nice=5), workers if calling else 0)
        self._caller = Lane(self._calling, workers, waiting) if calling else None
        self._writing = Idle(lambda: Worker(location, 0, scratch, "writes"), 1 if writer else 0)
        self._writer = Lane(self._writing, 1, waiting) if writer else None
        self._reading = tuple(lane for lane in (self._general, self._quick, self._caller) if lane is not None)
        #: query → was it short, the last time, and its seconds of processor time
        self._known: OrderedDict[str, tuple[bool, float]] = OrderedDict()
        self._lock = threading.Lock()
        #: workers that were killed, for ``/metrics``
        self.killed = 0
        #: answers on their way
        self._streams: set[_Rest] = set()
        self._closing = threading.Event()
        threading.Thread(target=self._watch, name="deadlines", daemon=True).start()

    def run(
        self,
        request: dict[str, Any],
        *,
        timeout: float,
        gone: Callable[[], bool] = lambda: False,
        short: bool = False,
        body: bytes = b"",
        key: str | None = None,
    ) -> Answer:
        """Run a request; its first block is there when this returns.

        Raises:
            Busy, Stopped, Fault.
        """
        deadline = time.monotonic() + timeout
        try:
            return self._run(request, deadline, gone, body, key, short=short)
        except Stopped as e:
            if e.why == "died" and self._closing.is_set():
                raise Stopped("shutdown", "the server is stopping") from None
            if e.why != "died" or request["op"] in ("update", "load") or time.monotonic() >= deadline:
                raise
        # Somebody else ended the process, and nothing was sent yet: another one may answer.
        return self._run(request, deadline, gone, body, key, short=short)

    def _run(
        self,
        request: dict[str, Any],
        deadline: float,
        gone: Callable[[], bool],
        body: bytes,
        key: str | None,
        *,
        short: bool,
    ) -> Answer:
        if request["op"] in ("update", "load"):
            assert self._writer is not None
            return self._attempt(self._writer, request, deadline, gone, body, key)
        if request.get("calls"):
            assert self._caller is not None
            return self._attempt(self._caller, request, deadline, gone, body, key)
        # of one that nobody has asked yet it is expected that it takes as long as a short one may
        short, expected = self._known.get(key or "", (short, 0.0 if short else _SHORT))
        if short:
            try:
                return self._attempt(self._quick, request, deadline, gone, body, key, expected, sliced=True)
            except Stopped as e:
                if e.why != "timeout" or time.monotonic() >= deadline:
                    raise
                expected = _SLICE
                self._remember(key, short=False, seconds=expected)
        return self._attempt(self._general, request, deadline, gone, body, key, expected)

    def _attempt(
        self,
        lane: Lane,
        request: dict[str, Any],
        deadline: float,
        gone: Callable[[], bool],
        body: bytes,
        key: str | None,
        expected: float = 0.0,
        *,
        sliced: bool = False,
    ) -> Answer:
        worker = lane.acquire(deadline, gone, expected)
        started = time.monotonic()
        try:
            while not worker.ready(LOOK) and worker.alive() and time.monotonic() < deadline:
                if gone():
                    raise Stopped("left", "the client has gone")
            started, used = time.monotonic(), worker.processor_seconds()
            worker.send(request, body)
            kind, content = _first(worker, deadline, gone, used) if sliced else worker.read(deadline, gone)
            if kind == b"x":
                fault = json.loads(content)
                lane.release(worker, spent=fault["kind"] == "memory")
                raise Fault(fault["kind"], fault["message"])
            if kind == b"e":
                lane.release(worker, spent=False)
                return Answer(b"", None, _number(content))
            rest = _Rest(worker, lane, deadline, gone, self)
            self._streams.add(rest)
            answer = Answer(content, rest)
            took = time.monotonic() - started
            short = answer.complete_within(max(0.0, _SHORT - took)) and took < _SHORT
            self._remember(key, short=short, seconds=worker.processor_seconds() - used)
            return answer
        except Stopped as e:
            self.give_up(worker, lane, e.why)
            raise

    def _watch(self) -> None:
        """A client that does not read holds the thread that writes to it, so the deadline of its answer is seen to
        here: its worker goes to others."""
        while not self._closing.wait(_ROUND):
            for rest in tuple(self._streams):
                try:
                    rest.expire()
                except OSError:  # no new process could be started: the others have deadlines too
                    _log.exception("a worker could not be replaced")

    def over(self, rest: _Rest) -> None:
        """An answer has come to its end."""
        self._streams.discard(rest)

    def give_up(self, worker: Worker, lane: Lane, why: str) -> None:
        """Stop a worker whose answer is not wanted any more. Where its client has left, what is nearly done may end:
        a process costs more than a slice."""
        spent = not (why == "left" and worker.finishes(_SLICE))
        self.killed += spent
        lane.release(worker, spent=spent)

    def _remember(self, key: str | None, *, short: bool, seconds: float) -> None:
        if key is not None:
            with self._lock:
                self._known[key] = short, seconds
                self._known.move_to_end(key)
                while len(self._known) > 4096:
                    self._known.popitem(last=False)

    def pids(self) -> list[int]:
        """The processes that answer queries now."""
        return [w.pid for lane in self._reading for w in tuple(lane.busy)]

    def close(self) -> None:
        """End all processes."""
        self._closing.set()
        for lane in (*self._reading, *([self._writer] if self._writer else [])):
            lane.close()
        for idle in (self._idle, self._calling, self._writing):
            idle.close()
        self._scratch.cleanup()


def _first(worker: Worker, deadline: float, gone: Callable[[], bool], spent: float) -> tuple[bytes, bytes]:
    """The first frame of an answer, within a slice; the process had spent so many seconds before.

    Raises:
        Stopped: the slice is over, or what :meth:`Worker.read` says.
    """
    last = min(deadline, time.monotonic() + _PATIENCE)
    while True:
        left = _SLICE - (worker.processor_seconds() - spent)
        try:
            return worker.read(min(last, time.monotonic() + max(left, 0.01)), gone)
        except Stopped as e:
            used = worker.processor_seconds() - spent if e.why == "timeout" else _SLICE
            if used >= _SLICE or time.monotonic() >= last:
                raise


def _number(content: bytes) -> int | None:
    return int(content) if content else None


class _Rest:
    """What is still to come of an answer."""

    def __init__(self, worker: Worker, lane: Lane, deadline: float, gone: Callable[[], bool], pool: Pool) -> None:
        self._worker, self._lane, self._deadline, self._gone, self._pool = worker, lane, deadline, gone, pool
        self._over = False
        #: stopped at its deadline, while nobody waited for its next block
        self.late = False
        self._lock = threading.RLock()  # the thread that writes the answer, and the one that sees to the deadline
        #: the rows, as the worker counts them: known at the end
        self.rows: int | None = None

    def next(self, deadline: float | None = None) -> bytes | None:
        """The next block, or ``None`` at the end.

        Raises:
            Stopped: at the answer's own deadline the worker is killed; at an earlier ``deadline`` it goes on.
        """
        with self._lock:
            if self.late:
                raise Stopped("timeout", "the time limit was reached before the answer was taken")
            return None if self._over else self._next(deadline)

    def _next(self, deadline: float | None) -> bytes | None:
        try:
            kind, content = self._worker.read(self._deadline if deadline is None else deadline, self._gone)
        except Stopped as e:
            if deadline is None or e.why != "timeout":
                self.close(e.why)
            raise
        if kind == b"d":
            return content
        self._end()
        if kind == b"x":
            fault = json.loads(content)
            self._lane.release(self._worker, spent=True)
            raise Stopped("fault", fault["message"])
        self.rows = _number(content)
        self._lane.release(self._worker, spent=False)
        return None

    def _end(self) -> None:
        self._over = True
        self._pool.over(self)

    def close(self, why: str = "left") -> None:
        """Stop the work, where it still goes on."""
        with self._lock:
            if not self._over:
                self._end()
                self._pool.give_up(self._worker, self._lane, why)

    def expire(self) -> None:
        """Stop the work, where its deadline has passed and nobody waits for its next block (who does sees to it)."""
        if time.monotonic() >= self._deadline and self._lock.acquire(blocking=False):
            try:
                if not self._over:
                    self.late = True
                    self.close("timeout")
            finally:
                self._lock.release()


class Answer:
    """An answer as it comes: iterate over its blocks, and close it (Flask does) whatever happens."""

    def __init__(self, first: bytes, rest: _Rest | None, rows: int | None = None) -> None:
        self._blocks: deque[bytes] = deque([first] if first else [])
        self._rest = rest
        #: rows of a table or triples of a graph, at the end and where the request asked for them
        self.rows = rows

    @property
    def expired(self) -> bool:
        """Was it stopped because its client did not take it within the time limit?"""
        return self._rest is not None and self._rest.late

    @property
    def complete(self) -> bytes | None:
        """The whole body, where it is here already."""
        return b"".join(self._blocks) if self._rest is None else None

    def complete_within(self, seconds: float) -> bool:
        """Is the whole answer here within so many seconds? One of a single block nearly always is."""
        if self._rest is None:
            return True
        try:
            block = self._rest.next(time.monotonic() + seconds)
        except Stopped as e:
            if e.why != "timeout":
                raise
            return False
        if block is None:
            self.rows, self._rest = self._rest.rows, None
            return True
        self._blocks.append(block)
        return False

    def read(self) -> bytes:
        """The whole body."""
        return b"".join(self)

    def __iter__(self) -> Iterator[bytes]:
        while self._blocks:
            yield self._blocks.popleft()
        if self._rest is not None:
            while (block := self._rest.next()) is not None:
                yield block
            self.rows = self._rest.rows

    def close(self) -> None:
        """Stop the work behind this answer."""
        if self._rest is not None:
            self._rest.close()
