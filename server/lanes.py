"""Lanes: who may use how many processes at a time, and who waits for one, in the order of arrival."""

from __future__ import annotations

import threading
import time
from collections import deque
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


class _Ticket:
    """A request's place in the queue of a lane, and later the worker that it waited for."""

    def __init__(self) -> None:
        self.called = threading.Event()
        self.worker: Worker | None = None


class Lane:
    """Work of one kind: so many processes at most, the requests that wait served in the order in which they came."""

    def __init__(self, idle: Idle, size: int, waiting: int) -> None:
        self._idle, self._limit = idle, waiting
        self._room = size
        self._queue: deque[_Ticket] = deque()
        self._starting: list[Worker] = []
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
            self._adopt()
            if self._room:
                self._room -= 1
                return self._taken(self._idle.take())
            if len(self._queue) >= self._limit:
                raise Busy
            self._queue.append(ticket)
        try:
            while not ticket.called.wait(min(max(0.0, deadline - time.monotonic()), LOOK)):
                if time.monotonic() >= deadline:
                    raise Stopped("timeout", "the time limit was reached while waiting for a free worker")
                if gone():
                    raise Stopped("left", "the client has gone")
                with self._lock:
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
        """To who has waited longest, or to the idle ones."""
        if self._queue:
            ticket = self._queue.popleft()
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
        """End the processes at work."""
        with self._lock:
            self._closed = True
            for worker in (*self.busy, *self._starting):
                worker.kill()
