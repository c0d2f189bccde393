"""The WSGI server: waitress, set up so that slow clients cost nothing and a client that has left is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, create_server

from kg.errors import UsageError
from server.settings import Settings

if TYPE_CHECKING:
    from flask import Flask


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection whose loop does not spin.

    While a thread sends an answer, waitress's loop finds the connection writable, cannot have its lock, and asks
    again at once, a dozen times for a short answer, each time at the cost of the thread that it waits for. Waiting for
    the lock, a millisecond at most, leaves the interpreter to that thread: a third more short answers a second.
    """

    def writable(self) -> bool:
        if self.requests and self.total_outbufs_len and self.outbuf_lock.acquire(timeout=0.001):
            self.outbuf_lock.release()
        return bool(super().writable())


def serving(app: Flask, host: str, port: int) -> TcpWSGIServer:
    """A server that listens; ``run()`` starts it, ``effective_port`` is where.

    Raises:
        UsageError: the address cannot be listened at.
    """
    settings: Settings = app.config["CONFKG"]
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
