"""The probes and the W3C's HTTP tests, against the real server process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.conftest import SHARED, Server

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the probes lie beside the checkout, in ../shared")


@needs_shared
def test_every_probe_passes(writable: Server, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable, str(SHARED / "probe" / "protocol_probe.py"),
            f"{writable.url}/sparql", f"{writable.url}/update", f"{writable.url}/graphs",
            "--destructive", "--auth", f"Bearer {writable.token}", "--json", str(tmp_path / "r.json"),
        ],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAIL", "SKIP"))]
    assert failed == []
    assert "TOTAL  pass 119" in done.stdout


@needs_shared
def test_a_server_that_only_reads_passes_every_probe_that_only_reads(server: Server) -> None:
    done = subprocess.run(
        [sys.executable, str(SHARED / "probe" / "protocol_probe.py"), f"{server.url}/sparql"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("FAIL")] == []


@needs_shared
def test_every_http_test_of_the_w3c_passes(writable: Server, through: Callable[[Server], str], tmp_path: Path) -> None:
    gate = through(writable)
    done = subprocess.run(
        [
            sys.executable, str(SHARED / "probe" / "w3c_http_runner.py"),
            str(SHARED / "data" / "w3c" / "rdf-tests" / "sparql" / "sparql11"),
            f"http://{gate}/sparql", f"http://{gate}/update", f"http://{gate}/graphs",
            "--json", str(tmp_path / "r.json"),
        ],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    print(done.stdout[-4000:], done.stderr[-2000:])
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "r.json").read_text())
    assert results
