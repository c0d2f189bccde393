"""Lanes: who may use how many processes at a time, and who waits for one, by what each is expected to take.

A request that is likely to be short may pass one that is not, up to a limit: it is due at its arrival and a multiple of
the time that it is expected to take, and who is due first is served first. So waiting is shared out by size, as among
threads that share a processor, where a plain queue lets the shortest question wait as long as the longest.
"""

from __future__ import annotations

import threading
import time
from bisect import insort
from collections.abc import Callable

from server.process import LOOK, Busy, Stopped, Worker


class Idle:
    """The processes that wait for work, of all lanes: the one that worked last is on top, since what its engine has
    cached is the warmest."""

    def __init__(self, start: Callable[[], Worker], size: int) -> None:
        self.start = start
        self._stack = [start() for _ in range(size)]
        self._lock = threading.Lock()

    def take(self) -> Worker:
        """The warmest that is ready, else the one that was started first; a lane that has room always finds one."""
        with self._lock:
            worker = next((w for w in reversed(self._stack) if w.ready()), self._stack[0])
            self._stack.remove(worker)
            return worker

    def put(self, worker: Worker) -> None:
        """A process that has nothing to do."""
        with self._lock:
            self._stack.append(worker)

    def close(self) -> None:
        """End them."""
        with self._lock:
            for worker in self._stack:
                worker.kill()


#: A request yields to those that come after it for so many times the time that it is expected to take …
_STRETCH = 32
#: … and for so many seconds at most, whatever it is.
LONGEST_YIELD = 2.0


class _Ticket:
    """A request's place in the queue of a lane, and later the worker that it waited for."""

    def __init__(self, expected: float) -> None:
        self.due = time.monotonic() + min(_STRETCH * expected, LONGEST_YIELD)
        self.called = threading.Event()
        self.worker: Worker | None = None


def _due(ticket: _Ticket) -> float:
    return ticket.due


class Lane:
    """Work of one kind: so many processes at most, and those that wait for one."""

    def __init__(self, idle: Idle, size: int, waiting: int) -> None:
        self._idle, self._limit = idle, waiting
        self._room = size
        self._queue: list[_Ticket] = []  # who is due first is first; of equals, who came first
        self._starting: list[Worker] = []
        self._lock = threading.Lock()
        self._closed = False
        self.busy: set[Worker] = set()

    def acquire(self, deadline: float, gone: Callable[[], bool], expected: float = 0.0) -> Worker:
        """A worker, when one is free, for work that is expected to take so many seconds.

        Raises:
            Busy: too many wait; Stopped: the deadline has passed, or the client has gone.
        """
        ticket = _Ticket(expected)
        with self._lock:
            self._look_if_open()
            self._adopt()
            if self._room:
                self._room -= 1
                return self._taken(self._idle.take())
            if len(self._queue) >= self._limit:
                raise Busy
            insort(self._queue, ticket, key=_due)
        try:
            while not ticket.called.wait(min(max(0.0, deadline - time.monotonic()), LOOK)):
                if time.monotonic() >= deadline:
                    raise Stopped("timeout", "the time limit was reached while waiting for a free worker")
                if gone():
                    raise Stopped("left", "the client has gone")
                with self._lock:
                    self._look_if_open()
                    self._adopt()
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

    def _look_if_open(self) -> None:
        if self._closed:
            raise Stopped("shutdown", "the server is stopping")

    def _taken(self, worker: Worker) -> Worker:
        if not worker.alive():  # killed by hand while it was idle
            worker.kill()
            worker = self._idle.start()
        self.busy.add(worker)
        return worker

    def _adopt(self) -> None:
        """Put the new processes to work that have opened the store by now; until then nobody has to wait for one. One
        that has died is replaced when it is taken."""
        for worker in [w for w in self._starting if w.ready() or not w.alive()]:
            self._starting.remove(worker)
            self._free(worker)

    def _free(self, worker: Worker) -> None:
        """To who is due, or to the idle ones."""
        if self._queue:
            ticket = self._queue.pop(0)
            ticket.worker = worker
            ticket.called.set()
        else:
            self._room += 1
            self._idle.put(worker)

    def release(self, worker: Worker, *, spent: bool) -> None:
        """Give a worker back; one that is ``spent`` is killed and another takes its place."""
        with self._lock:
            if worker not in self.busy:
                return  # given back already
            self.busy.discard(worker)
            if spent or self._closed:
                worker.kill()
            if self._closed:
                return
            if spent:
                self._starting.append(self._idle.start())
            else:
                self._free(worker)

    def close(self) -> None:
        """End the processes at work; who waits for one or for its answer is told."""
        with self._lock:
            self._closed = True
            for worker in self.busy:
                worker.end()
            for worker in self._starting:
                worker.kill()
