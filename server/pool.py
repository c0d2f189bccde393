"""Worker processes and who may use them: lanes, limits, and a kill that really stops the work."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from server.process import LOOK, Busy, Fault, Stopped, Worker

#: A short query's share of the quick lane, before it has to queue with the others.
_SLICE = 0.25
#: A query that was answered in so many seconds is likely short the next time; well below the slice, since on a busy
#: machine the same work takes longer, and each slice that is not enough costs a process.
_SHORT = 0.08


class _Ticket:
    """A request's place in the queue of a lane, and later the worker that it waited for."""

    def __init__(self) -> None:
        self.called = threading.Event()
        self.worker: Worker | None = None


class Lane:
    """Some workers and the requests that wait for one of them, served in the order in which they came."""

    def __init__(self, start: Callable[[], Worker], size: int, waiting: int) -> None:
        self._start, self._limit = start, waiting
        self._idle: deque[Worker] = deque(start() for _ in range(size))
        self._queue: deque[_Ticket] = deque()
        self._lock = threading.Lock()
        self._closed = False
        self.busy: set[Worker] = set()

    def acquire(self, deadline: float, gone: Callable[[], bool]) -> Worker:
        """A worker, when one is free.

        Raises:
            Busy: too many wait; Stopped: the deadline has passed, or the client has gone.
        """
        ticket = _Ticket()
        with self._lock:
            if self._idle:
                # The one that worked last: what its engine has cached is the warmest.
                worker = next((w for w in reversed(self._idle) if w.ready()), self._idle[-1])
                self._idle.remove(worker)
                return self._taken(worker)
            if len(self._queue) >= self._limit:
                raise Busy
            self._queue.append(ticket)
        try:
            while not ticket.called.wait(min(max(0.0, deadline - time.monotonic()), LOOK)):
                if time.monotonic() >= deadline:
                    raise Stopped("timeout", "the time limit was reached while waiting for a free worker")
                if gone():
                    raise Stopped("left", "the client has gone")
        except Stopped:
            with self._lock:
                if ticket.worker is None:
                    self._queue.remove(ticket)
                else:  # called in the same moment
                    self._free(ticket.worker)
            raise
        with self._lock:
            assert ticket.worker is not None
            return self._taken(ticket.worker)

    def _taken(self, worker: Worker) -> Worker:
        if not worker.alive():  # killed by hand while it was idle
            worker.kill()
            worker = self._start()
        self.busy.add(worker)
        return worker

    def _free(self, worker: Worker) -> None:
        """To who has waited longest, or to the idle ones."""
        if self._queue:
            ticket = self._queue.popleft()
            ticket.worker = worker
            ticket.called.set()
        else:
            self._idle.append(worker)

    def release(self, worker: Worker, *, spent: bool) -> None:
        """Give a worker back; one that is ``spent`` is killed and another takes its place."""
        with self._lock:
            if worker not in self.busy:
                return  # given back already
            self.busy.discard(worker)
            if spent or self._closed:
                worker.kill()
            if not self._closed:
                self._free(self._start() if spent else worker)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            for worker in (*self._idle, *self.busy):
                worker.kill()
            self._idle.clear()


@dataclass
class Counters:
    """What happened to requests, for ``/metrics``."""

    outcomes: dict[str, int] = field(default_factory=dict)
    killed: int = 0

    def count(self, outcome: str) -> None:
        """One more of an outcome."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1


class Pool:
    """Two lanes, so that short queries pass by long ones: three workers are kept for what is likely short.

    Likely short is an ``ASK``, and any query that was short before. One that is not after all loses its place after
    a quarter of a second and queues again with the others, from the start.
    """

    def __init__(self, location: str, *, workers: int, waiting: int, memory: int, writer: bool = False) -> None:
        self._general = Lane(lambda: Worker(location, memory, nice=10), workers, waiting)
        self._quick = Lane(lambda: Worker(location, memory, nice=5), 3, 2 * waiting)
        self._writer = Lane(lambda: Worker(location, 0), 1, waiting) if writer else None
        #: query → was it short, the last time?
        self._known: OrderedDict[str, bool] = OrderedDict()
        self._lock = threading.Lock()
        self.counters = Counters()

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
        if self._known.get(key or "", short):
            try:
                return self._attempt(self._quick, request, deadline, gone, body, key, slice_=_SLICE)
            except Stopped as e:
                if e.why != "timeout" or time.monotonic() >= deadline:
                    raise
                self._remember(key, short=False)
        return self._attempt(self._general, request, deadline, gone, body, key)

    def _attempt(
        self,
        lane: Lane,
        request: dict[str, Any],
        deadline: float,
        gone: Callable[[], bool],
        body: bytes,
        key: str | None,
        slice_: float | None = None,
    ) -> Answer:
        worker = lane.acquire(deadline, gone)
        started = time.monotonic()
        try:
            while not worker.ready(LOOK) and worker.alive() and time.monotonic() < deadline:
                if gone():
                    raise Stopped("left", "the client has gone")
            started = time.monotonic()
            worker.send(request, body)
            first_deadline = deadline if slice_ is None else min(deadline, started + slice_)
            kind, content = worker.read(first_deadline, gone)
            if kind == b"x":
                fault = json.loads(content)
                lane.release(worker, spent=fault["kind"] == "memory")
                raise Fault(fault["kind"], fault["message"])
            if kind == b"e":
                lane.release(worker, spent=False)
                return Answer(b"", None, started)
            answer = Answer(content, _Rest(worker, lane, deadline, gone, self), started)
            if answer.complete_within(max(0.0, min(deadline, started + _SHORT) - time.monotonic())):
                self._remember(key, short=True)
            return answer
        except Stopped:
            self.counters.killed += 1
            lane.release(worker, spent=True)
            raise

    def _remember(self, key: str | None, *, short: bool) -> None:
        if key is not None:
            with self._lock:
                self._known[key] = short
                self._known.move_to_end(key)
                while len(self._known) > 4096:
                    self._known.popitem(last=False)

    def pids(self) -> list[int]:
        """The processes at work now."""
        return [w.pid for lane in (self._general, self._quick) for w in tuple(lane.busy)]

    def close(self) -> None:
        """End all processes."""
        for lane in (self._general, self._quick, self._writer):
            if lane is not None:
                lane.close()


class _Rest:
    """What is still to come of an answer."""

    def __init__(self, worker: Worker, lane: Lane, deadline: float, gone: Callable[[], bool], pool: Pool) -> None:
        self._worker, self._lane, self._deadline, self._gone, self._pool = worker, lane, deadline, gone, pool
        self._over = False

    def next(self, deadline: float | None = None) -> bytes | None:
        """The next block, or ``None`` at the end.

        Raises:
            Stopped: at the answer's own deadline the worker is killed; at an earlier ``deadline`` it goes on.
        """
        if self._over:
            return None
        try:
            kind, content = self._worker.read(self._deadline if deadline is None else deadline, self._gone)
        except Stopped as e:
            if deadline is None or e.why != "timeout":
                self.close()
            raise
        if kind == b"d":
            return content
        self._over = True
        if kind == b"x":
            fault = json.loads(content)
            self._lane.release(self._worker, spent=True)
            raise Stopped("fault", fault["message"])
        self._lane.release(self._worker, spent=False)
        return None

    def close(self) -> None:
        """Stop the work, where it still goes on."""
        if not self._over:
            self._over = True
            self._pool.counters.killed += 1
            self._lane.release(self._worker, spent=True)


class Answer:
    """An answer as it comes: iterate over its blocks, and close it (Flask does) whatever happens."""

    def __init__(self, first: bytes, rest: _Rest | None, started: float) -> None:
        self._blocks: deque[bytes] = deque([first] if first else [])
        self._rest = rest
        self.started = started
        self.size = len(first)

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
            self._rest = None
            return True
        self._blocks.append(block)
        return False

    def read(self) -> bytes:
        """The whole body."""
        return b"".join(self)

    def __iter__(self) -> Iterator[bytes]:
        while self._blocks:
            yield self._blocks.popleft()
        while self._rest is not None and (block := self._rest.next()) is not None:
            self.size += len(block)
            yield block

    def close(self) -> None:
        """Stop the work behind this answer."""
        if self._rest is not None:
            self._rest.close()
