"""Where the server listens: at every address of its host, and nowhere without a word."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import ROOT, Cli
from tests.server.conftest import Server

#: ``kg serve`` on a machine where ``localhost`` has two addresses.
TWO_ADDRESSES = """
import socket, sys
real = socket.getaddrinfo
def both(host, *rest, **more):
    hosts = ("::1", "127.0.0.1") if host == "localhost" else (host,)
    return [found for one in hosts for found in real(one, *rest, **more)]
socket.getaddrinfo = both
sys.argv = ["kg", "serve", "--quiet", "--host", "localhost", "--port", "0", "--store", sys.argv[1]]
from kg.cli import main
main()
"""


def test_a_host_with_two_addresses_is_served_at_both(seed_folder: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as e:
        pytest.skip(f"this machine has no IPv6: {e}")
    with subprocess.Popen(
        [sys.executable, "-c", TWO_ADDRESSES, str(seed_folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"at http://localhost:(\d+)", process.stdout.readline())
            assert found
            for address in ("127.0.0.1", "[::1]"):
                with urllib.request.urlopen(f"http://{address}:{found[1]}/ready", timeout=30) as answer:
                    assert answer.status == 200
        finally:
            process.terminate()


def test_a_port_in_use_and_an_unknown_host_are_told(kg: Cli, server: Server, seed_folder: Path) -> None:
    for options in (("--port", str(server.port)), ("--host", "nowhere.invalid")):
        done = kg("serve", "--store", seed_folder, *options)
        assert done.returncode == 2
        assert "cannot listen at" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
