"""The WSGI server: waitress, set up so that slow clients cost nothing and a client that has left is noticed."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, create_server
from waitress.task import WSGITask

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

    def write_soon(self, data: bytes) -> int:
        if self.held is None:
            return int(super().write_soon(data))
        self.held += data
        return len(data)

    def writable(self) -> bool:
        # The loop asks every connection before each wait, so the one with nothing to send is answered first.
        if self.total_outbufs_len and self.requests and self.outbuf_lock.acquire(timeout=0.001):
            self.outbuf_lock.release()
        return bool(self.total_outbufs_len or self.will_close or self.close_when_flushed)


def serving(app: Flask, host: str, port: int) -> TcpWSGIServer:
    """A server that listens; ``run()`` starts it, ``effective_port`` is where.

    Raises:
        UsageError: the address cannot be listened at.
    """
    settings: Settings = app.config["CONFKG"]
    _on_one_core()
    try:
        server = create_server(
            app,
            host=host,
            port=port,
            threads=settings.waiting + settings.workers + 40,  # more than can wait for a worker: pages, refusals
            channel_request_lookahead=1,  # needed to notice that a client has left
            channel_timeout=60,
            cleanup_interval=10,
            connection_limit=1000,
            max_request_body_size=settings.max_upload,
            ident="confkg",
            clear_untrusted_proxy_headers=True,
            asyncore_use_poll=True,
        )
    except OSError as e:
        raise UsageError(f"cannot listen at {host}:{port}: {e.strerror}") from None
    server.channel_class = _Channel
    return server


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
