"""The WSGI server: waitress, set up so that slow clients cost nothing and a client that has left is noticed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, create_server
from waitress.task import WSGITask
from waitress.wasyncore import dispatcher

from kg.errors import UsageError
from server.settings import Settings

if TYPE_CHECKING:
    from flask import Flask


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request whose head and first block leave together, where waitress sends each alone."""

    def write(self, data: bytes) -> None:
        if self.wrote_header or not data:
            super().write(data)
            return
        self.channel.held = held = bytearray()
        try:
            super().write(data)
        finally:
            self.channel.held = None
        self.channel.write_soon(bytes(held))


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection whose loop does not spin.

    While a thread sends an answer, waitress's loop finds the connection writable, cannot have its lock, and asks
    again at once, a dozen times for a short answer, each time at the cost of the thread that it waits for. Waiting for
    the lock, a millisecond at most, leaves the interpreter to that thread: a third more short answers a second.
    """

    task_class = _Task
    #: what a task has written of its head and first block, while it does
    held: bytearray | None = None
    #: since when a task waits for the client to take what there is (seconds of ``time.time``)
    waits_since: float | None = None
    #: bytes that the system had not delivered when it was last asked
    undelivered = 0

    def write_soon(self, data: bytes) -> int:
        if self.held is None:
            if not self.total_outbufs_len:
                self.last_activity = time.time()  # however long the answer took: the client has it to take from now on
            return int(super().write_soon(data))
        self.held += data
        return len(data)

    def _flush_outbufs_below_high_watermark(self) -> None:
        self.waits_since = time.time()
        try:
            super()._flush_outbufs_below_high_watermark()
        finally:
            self.waits_since = None

    def _cut_if_stuck(self) -> None:
        """Cut the connection of a client that takes nothing, or so little that a task cannot go on.

        Waitress ends idle connections by themselves and those that can be written to; this one is neither, and would
        hold its thread for as long as the client likes.
        """
        now, patience = time.time(), self.adj.channel_timeout
        if now - self.last_activity > 1 and self._delivers():
            self.last_activity = now
        if now - self.last_activity > patience or now - (self.waits_since or now) > patience:
            with contextlib.suppress(OSError):  # it has just left
                # no lingering: what it has not taken is dropped, and it sees a broken transfer
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.socket.shutdown(socket.SHUT_RDWR)  # the loop is told, and closes it

    def _delivers(self) -> bool:
        """Has the client taken something since the last look? The system takes from us by the megabyte at times, and
        hands that to a slow client for minutes."""
        try:
            left = struct.unpack("i", fcntl.ioctl(self.socket.fileno(), termios.TIOCOUTQ, bytes(4)))[0]
        except OSError:  # it has just left, or the system does not tell
            return False
        before, self.undelivered = self.undelivered, left
        return bool(left < before)

    def writable(self) -> bool:
        if self.total_outbufs_len:
            self._cut_if_stuck()
        # The loop asks every connection before each wait, so the one with nothing to send is answered first.
        if self.total_outbufs_len and self.requests and self.outbuf_lock.acquire(timeout=0.001):
            self.outbuf_lock.release()
        return bool(self.total_outbufs_len or self.will_close or self.close_when_flushed)


class Listening(NamedTuple):
    """A server that listens at a port; ``run()`` serves until it is interrupted."""

    port: int
    run: Callable[[], None]
    parts: tuple[TcpWSGIServer, ...]

    def stop_listening(self) -> None:
        """Take no new connection, in the thread that runs the server; those that are there go on."""
        for part in self.parts:
            dispatcher.close(part)  # without its trigger, by which threads wake the loop

    def wait(self, seconds: float, hurry: threading.Event | None = None) -> None:
        """Until the requests that are there are answered, or so many seconds have passed, or until ``hurry``."""
        last, hurry = time.monotonic() + seconds, hurry or threading.Event()
        while any(_busy(part) for part in self.parts) and time.monotonic() < last and not hurry.wait(0.05):
            pass


def _busy(part: TcpWSGIServer) -> bool:
    return any(c.requests or c.total_outbufs_len for c in tuple(part.active_channels.values()))


def serving(app: Flask, host: str, port: int) -> Listening:
    """Listen at every address that ``host`` has (``localhost`` often has two), at the same port.

    Raises:
        UsageError: an address cannot be listened at.
    """
    settings: Settings = app.config["CONFKG"]
    _on_one_core()
    sockets = _sockets(host, port)
    parts: dict[int, object] = {}  # what waitress's loop looks at, the listening sockets among it
    server = create_server(
        app,
        map=parts,
        sockets=sockets,
        threads=settings.waiting + settings.workers + 40,  # more than can wait for a worker: pages, refusals
        channel_request_lookahead=1,  # needed to notice that a client has left
        channel_timeout=settings.patience,
        cleanup_interval=10,
        connection_limit=1000,
        max_request_body_size=settings.max_upload,
        ident="confkg",
        clear_untrusted_proxy_headers=True,
        asyncore_use_poll=True,
    )
    listening = tuple(part for part in parts.values() if isinstance(part, TcpWSGIServer))
    for part in listening:
        part.channel_class = _Channel
    return Listening(sockets[0].getsockname()[1], server.run, listening)


def _sockets(host: str, port: int) -> list[socket.socket]:
    """A socket for each address of the host that this machine has; where any port would do, at the same."""
    found: list[socket.socket] = []
    missing: OSError | None = None
    try:
        addresses = [(one[0], one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        for family, address in dict.fromkeys(addresses):
            try:
                found.append(socket.create_server((address, port), family=family))
            except OSError as e:
                if e.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                missing = e  # a name that stands for IPv6 too, on a machine without it
                continue
            port = found[0].getsockname()[1]
        if not found and missing:
            raise missing
    except OSError as e:
        for one in found:
            one.close()
        reason = (e.strerror or str(e)).partition(" (while ")[0]  # create_server says the address once more
        raise UsageError(f"cannot listen at {host}:{port}: {reason}") from None
    return found


def _on_one_core() -> None:
    """Keep this thread, and those that it starts from now on, on one processor of those that it may use.

    The interpreter's lock lets one of them run at a time anyhow. On one processor the lock passes from thread to thread
    without waking another processor, and the next finds what it needs in the cache: half as many short answers a second
    again. The workers, which do the work, are not bound (:class:`server.process.Worker`).
    """
    if sys.platform == "linux" and getattr(sys, "_is_gil_enabled", lambda: True)():
        cores = sorted(os.sched_getaffinity(0))
        with contextlib.suppress(OSError):  # where the system does not let us, it is only slower
            os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
