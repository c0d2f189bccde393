"""A server that is told to stop takes nothing new, and answers what it was asked: with the answer, or with 503."""

from __future__ import annotations

import http.client
import signal
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.server.conftest import Server, serving

#: Some seconds of work.
LONG = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


class Asked(threading.Thread):
    """A query on its way; ``join`` waits for ``status`` and ``body``."""

    def __init__(self, server: Server, query: str) -> None:
        super().__init__()
        self.url = f"{server.url}/sparql?{urlencode({'query': query, 'format': 'csv'})}"
        self.status, self.body = 0, b""
        self.start()
        time.sleep(0.5)

    def run(self) -> None:
        try:
            with urllib.request.urlopen(self.url, timeout=60) as answer:
                self.status, self.body = answer.status, answer.read()
        except urllib.error.HTTPError as e:
            self.status, self.body = e.code, e.read()
        except (OSError, http.client.HTTPException) as e:
            self.body = repr(e).encode()


def ended(server: Server, seconds: float) -> float:
    started = time.monotonic()
    assert server.process.wait(seconds) == 0
    return time.monotonic() - started


def test_what_was_asked_before_is_answered(seed_folder: Path) -> None:
    with serving(seed_folder) as server:
        counted, rows = Asked(server, LONG), Asked(server, "SELECT ?a ?d { ?a ?b ?c . ?d ?e ?f } LIMIT 1000000")
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        with pytest.raises(ConnectionError):
            server.query("ASK {}")
        counted.join()
        rows.join()
        assert (counted.status, counted.body[:3]) == (200, b"n\r\n"), counted.body
        assert (rows.status, rows.body.count(b"\n")) == (200, 1_000_001)
        ended(server, 5)


def test_a_server_that_does_nothing_stops_at_once(seed_folder: Path) -> None:
    with serving(seed_folder) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/health")
        connection.getresponse().read()  # and stays connected
        server.process.send_signal(signal.SIGTERM)
        assert ended(server, 10) < 5
        connection.close()


def test_a_second_signal_stops_what_goes_on(seed_folder: Path) -> None:
    with serving(seed_folder) as server:
        asked = [Asked(server, ENDLESS) for _ in range(2 * 8)]  # some have a worker, others wait for one
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        ended(server, 15)
        for one in asked:
            one.join()
        assert {one.status for one in asked} == {503}, {one.body for one in asked}
        assert {b"the server is stopping" in one.body for one in asked} == {True}
