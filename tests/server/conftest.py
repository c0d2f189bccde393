"""Real server processes, asked over real HTTP."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.conftest import ROOT, Cli

SHARED = ROOT.parent / "shared"


@dataclass
class Reply:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0]


@dataclass
class Server:
    """A server process."""

    port: int
    process: subprocess.Popen[str]
    token: str | None = None
    #: its standard error
    told: Path | None = None

    def logged(self, request_id: str) -> dict[str, Any]:
        """The line of a request in the access log, which comes when its answer has left."""
        assert self.told is not None
        for _ in range(200):
            lines = [json.loads(line) for line in self.told.read_text().splitlines()]
            if found := [line for line in lines if line["id"] == request_id]:
                assert len(found) == 1
                return found[0]
            time.sleep(0.05)
        raise AssertionError(f"no line of {request_id} in {lines[-3:]}")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | str | None = None,
        headers: dict[str, str] | None = None,
        timeout: float = 60,
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            data = body.encode() if isinstance(body, str) else body
            connection.request(method, path, data, headers or {})
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def query(self, text: str, accept: str | None = "application/sparql-results+json", **parameters: str) -> Reply:
        headers = {"Accept": accept} if accept else {}
        return self.ask("GET", "/sparql?" + urlencode({"query": text, **parameters}), headers=headers)

    def write(
        self, method: str, path: str, body: bytes | str | None = None, type: str | None = None, **headers: str
    ) -> Reply:
        extra = {k.replace("_", "-"): v for k, v in headers.items()}
        return self.ask(
            method,
            path,
            body,
            {"Authorization": f"Bearer {self.token}", **({"Content-Type": type} if type else {}), **extra},
        )


@contextmanager
def serving(store: Path | str, *options: str, token: str | None = None, quiet: bool = True) -> Iterator[Server]:
    """``kg serve`` at a free port, as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    errors = tempfile.NamedTemporaryFile("a")
    told = Path(errors.name)
    process = subprocess.Popen(
        [sys.executable, "-m", "kg", "serve", "--store", str(store), "--port", "0", *["--quiet"] * quiet, *options],
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r".*http://127\.0\.0\.1:(\d+)", line)  # the last: a remote store has a URL too
        if found is None:
            process.kill()
            raise AssertionError(f"the server did not start: {line}{told.read_text()}")
        yield Server(int(found[1]), process, token, told)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        text = told.read_text()
        errors.close()
        assert "Traceback" not in text, text


@pytest.fixture(scope="session")
def server(seed_folder: Path) -> Iterator[Server]:
    """The seed's store, served read-only."""
    with serving(seed_folder) as found:
        yield found


@pytest.fixture
def empty_store(kg: Cli, tmp_path: Path, seed_folder: Path) -> Path:
    """A store of one's own, to write to: the seed's, emptied by the test where it wants to."""
    import shutil

    return Path(shutil.copytree(seed_folder, tmp_path / "own"))


@pytest.fixture
def writable(kg: Cli, empty_store: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that takes updates, with a token."""
    done = kg("token", "new", "test", "--token-file", tmp_path / "tokens.jsonl")
    assert done.returncode == 0, done.stderr
    with serving(
        empty_store, "--updates", "--token-file", str(tmp_path / "tokens.jsonl"), token=done.stdout.strip()
    ) as found:
        yield found


@pytest.fixture
def through() -> Iterator[Callable[[Server], str]]:
    """A gate in front of a server that adds its token: for clients that cannot."""
    gates = []

    def open_gate(server: Server) -> str:
        class Gate(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else None
                headers = {k: v for k, v in self.headers.items() if k.lower() != "connection"}
                headers["Authorization"] = f"Bearer {server.token}"
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
                connection.request(self.command, self.path, body, headers)
                response = connection.getresponse()
                data = response.read()
                self.send_response_only(response.status)
                for k, v in response.getheaders():
                    if k.lower() not in ("transfer-encoding", "content-length", "connection"):
                        self.send_header(k, v)
                if response.status not in (204, 304):
                    self.send_header("Content-Length", response.headers.get("Content-Length") or str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)
                connection.close()

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_PATCH = handle_any

            def log_message(self, *arguments: object) -> None:
                pass

        gate = ThreadingHTTPServer(("127.0.0.1", 0), Gate)
        threading.Thread(target=gate.serve_forever, daemon=True).start()
        gates.append(gate)
        return f"127.0.0.1:{gate.server_address[1]}"

    yield open_gate
    for gate in gates:
        gate.shutdown()
        gate.server_close()
