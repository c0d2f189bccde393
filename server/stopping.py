"""Stopping a server that is told to: it takes nothing new, answers what it was asked, and tells the rest."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from server.wsgi import Listening

#: How long a server that is told to stop goes on with what it was asked before, in seconds.
GRACE = 15.0
#: How long those are waited for that are told that it ends, in seconds.
_TELLING = 5.0


def on_signals(server: Listening, end: Callable[[], None]) -> None:
    """Have SIGTERM and SIGINT stop the server, which runs in the main thread.

    At the first, it listens no more and goes on for :data:`GRACE` with the requests that are there; a second
    signal ends that. Then ``end`` stops the work behind requests, and those still there are answered with 503.
    """
    told, hurry, over = threading.Event(), threading.Event(), threading.Event()

    def finish() -> None:
        server.wait(GRACE, hurry)
        end()
        server.wait(_TELLING)
        over.set()
        os.kill(os.getpid(), signal.SIGINT)  # the loop runs in the main thread, where signals are handled

    def stop(signum: int, frame: object) -> None:
        if over.is_set():
            raise KeyboardInterrupt
        if told.is_set():
            hurry.set()
            return
        told.set()
        server.stop_listening()
        threading.Thread(target=finish, daemon=True).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
