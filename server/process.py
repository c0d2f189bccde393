"""One worker process as its server sees it: requests in, frames out, and a kill."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from server.worker import HEADER

#: The processors that this program may use. A process has those of the thread that starts it, and the threads of the
#: WSGI server keep to one (:mod:`server.wsgi`).
_CORES = os.sched_getaffinity(0) if sys.platform == "linux" else frozenset()
#: How often a waiting reader looks whether its client is still there.
LOOK = 0.1


class Stopped(Exception):
    """A query that was stopped: ``why`` is timeout, left, died, memory, size or shutdown."""

    def __init__(self, why: str, message: str) -> None:
        self.why = why
        super().__init__(message)


class Busy(Exception):
    """Too many queries wait already."""


class Fault(Exception):
    """The worker answered with a fault of the request: ``kind`` is syntax, refused, query, store, memory, internal."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class Worker:
    """One process (:mod:`server.worker`)."""

    def __init__(self, location: str, memory: int, scratch: str, role: str = "reads", *, nice: int = 0) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "TMPDIR": scratch,
            "MPLCONFIGDIR": scratch,
        }
        self._process = subprocess.Popen(  # noqa: S603 (our own module; the location is one argument)
            [sys.executable, "-m", "server.worker", location, str(memory), scratch, role],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # a Ctrl-C at the terminal is not theirs
        )
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        if nice:
            os.setpriority(os.PRIO_PROCESS, self._process.pid, nice)
        if _CORES:
            with contextlib.suppress(OSError):  # where the system does not let us, it works on one
                os.sched_setaffinity(self._process.pid, _CORES)
        self._in, self._out = self._process.stdin, self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN | select.POLLHUP)
        self._buffer = bytearray()
        self._ready = False
        self._used = 0.0

    @property
    def pid(self) -> int:
        return self._process.pid

    def alive(self) -> bool:
        """Is the process still there?"""
        return self._process.poll() is None

    def processor_seconds(self) -> float:
        """Processor time used until now; where the system does not tell, time that has passed.

        The clock of another process is clock_getcpuclockid(3), whose arithmetic is part of Linux's interface.
        """
        if sys.platform != "linux":
            return time.monotonic()
        with contextlib.suppress(OSError):  # it has ended
            self._used = time.clock_gettime(~self.pid << 3 | 2)
        return self._used

    def ready(self, seconds: float = 0.0) -> bool:
        """Has the process opened the store? Waits so long for it."""
        if not self._ready and self._poll.poll(1000 * seconds):
            data = os.read(self._out, 1 << 18)
            self._buffer += data
            self._ready = bool(data)
        return self._ready

    def send(self, request: dict[str, Any], body: bytes = b"") -> None:
        """Hand over a request.

        Raises:
            Stopped: the process has died.
        """
        content = json.dumps({**request, "body": len(body)}).encode()
        try:
            self._in.write(HEADER.pack(b"q", len(content)) + content + body)
            self._in.flush()
        except OSError:
            raise Stopped("died", "the process that was to answer has died") from None

    def read(self, deadline: float, gone: Callable[[], bool]) -> tuple[bytes, bytes]:
        """The next frame.

        Raises:
            Stopped: the deadline (of ``time.monotonic``) has passed, the client has gone, the process has died.
        """
        while True:
            if len(self._buffer) >= HEADER.size:
                kind, length = HEADER.unpack_from(self._buffer)
                end = HEADER.size + length
                if len(self._buffer) >= end:
                    content = bytes(self._buffer[HEADER.size : end])
                    del self._buffer[:end]
                    if kind != b"r":
                        return kind, content
                    continue
            left = deadline - time.monotonic()
            if left <= 0:
                raise Stopped("timeout", "the time limit was reached")
            if self._poll.poll(1000 * min(left, LOOK)):
                data = os.read(self._out, 1 << 18)
                if not data:
                    raise Stopped("died", "the process that was answering has died (its memory is limited)")
                self._buffer += data
            elif gone():
                raise Stopped("left", "the client has gone")

    def finishes(self, seconds: float) -> bool:
        """Is the answer that nobody waits for any more at its end within so many seconds? It is read and dropped."""
        deadline = time.monotonic() + seconds
        try:
            while (kind := self.read(deadline, lambda: False)[0]) == b"d":
                pass
        except Stopped:
            return False
        return kind == b"e"

    def end(self) -> None:
        """End the process, and let who reads from it see that."""
        self._process.kill()

    def kill(self) -> None:
        """End the process now; nobody reads from it any more."""
        self.end()
        self._process.wait()
        with contextlib.suppress(OSError):  # what it had not read of its request
            self._in.close()
        assert self._process.stdout is not None
        self._process.stdout.close()
