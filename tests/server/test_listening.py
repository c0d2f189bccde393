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

#: ``kg serve`` on a machine where ``localhost`` has the addresses that are named.
ADDRESSES = """
import socket, sys
real = socket.getaddrinfo
def both(host, *rest, **more):
    hosts = sys.argv[-1].split() if host == "localhost" else (host,)
    return [found for one in hosts for found in real(one, *rest, **more)]
socket.getaddrinfo = both
from kg.cli import main
main(["serve", "--quiet", "--host", "localhost", "--port", "0", "--store", sys.argv[1]])
"""


@pytest.mark.parametrize(
    ("addresses", "served"),
    [
        ("::1 127.0.0.1", ["[::1]", "127.0.0.1"]),
        ("127.0.0.1 127.0.0.1", ["127.0.0.1"]),
        ("2001:db8::1 127.0.0.1", ["127.0.0.1"]),  # one that this machine has not
    ],
)
def test_a_host_is_served_at_every_address_that_is_here(seed_folder: Path, addresses: str, served: list[str]) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as e:
        pytest.skip(f"this machine has no IPv6: {e}")
    with subprocess.Popen(
        [sys.executable, "-c", ADDRESSES, str(seed_folder), addresses], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"at http://localhost:(\d+)", process.stdout.readline())
            assert found
            for address in served:
                with urllib.request.urlopen(f"http://{address}:{found[1]}/ready", timeout=30) as answer:
                    assert answer.status == 200
        finally:
            process.terminate()


def test_a_port_in_use_and_an_unknown_host_are_told(kg: Cli, server: Server, seed_folder: Path) -> None:
    for options in (("--port", str(server.port)), ("--host", "nowhere.invalid"), ("--host", "192.0.2.1")):
        done = kg("serve", "--store", seed_folder, *options)
        assert done.returncode == 2
        assert "cannot listen at" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
