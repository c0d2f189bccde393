"""SERVICE: off, and where it is allowed, to the endpoints that are named, by the only workers with sockets."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.conftest import Server, serving
from tests.server.test_hostile import workers


@contextmanager
def silence() -> Iterator[str]:
    """An endpoint that takes a request and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    held.append(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/sparql"
        for one in held:
            one.close()


@pytest.fixture(scope="module")
def closed() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}/sparql"


@pytest.fixture(scope="module")
def federated(seed_folder: Path, server: Server, closed: str) -> Iterator[tuple[Server, str, str]]:
    """A server that may call another one, an address where nobody is, and one where nobody answers."""
    with silence() as silent:
        allowed = [f"{server.url}/sparql", closed, silent]
        options = [option for url in allowed for option in ("--allow-service", url)]
        with serving(seed_folder, "--timeout", "3", "--workers", "2", *options, quiet=False) as found:
            yield found, closed, silent


def count(server: Server, query: str) -> int:
    reply = server.query(query)
    assert reply.status == 200, reply.text
    return int(json.loads(reply.text)["results"]["bindings"][0]["n"]["value"])


def test_an_endpoint_that_is_allowed_is_called(federated: tuple[Server, str, str], server: Server) -> None:
    ours, _, _ = federated
    papers = count(ours, "SELECT (COUNT(*) AS ?n) { ?p a kg:Paper }")
    kind = "<https://w3id.org/confkg/ontology#Paper>"
    there = f"SELECT (COUNT(*) AS ?n) {{ SERVICE <{server.url}/sparql> {{ ?p a {kind} }} }}"
    joined = f"SELECT (COUNT(*) AS ?n) {{ ?p a kg:Paper SERVICE <{server.url}/sparql> {{ ?p a {kind} }} }}"
    assert count(ours, there) == count(ours, joined) == papers > 0
    reply = ours.query(there)
    assert "etag" not in reply.headers, "whether the other has changed is not known"
    assert reply.headers["cache-control"] == "no-store"
    assert "remembered" not in ours.logged(reply.headers["x-request-id"])
    described = ours.ask("GET", "/sparql", headers={"Accept": "application/n-triples"}).text
    assert "#BasicFederatedQuery" in described
    assert "#BasicFederatedQuery" not in server.ask("GET", "/sparql", headers={"Accept": "application/n-triples"}).text


@pytest.mark.parametrize(
    "pattern",
    [
        "SERVICE <http://127.0.0.1:1/sparql> { ?s ?p ?o }",
        "SERVICE SILENT <http://127.0.0.1:1/sparql> { ?s ?p ?o }",
        "SERVICE <{allowed}> { ?s ?p ?o } SERVICE <http://127.0.0.1:1/sparql> { ?a ?b ?c }",
        "SERVICE <{allowed}> { ?s ?p ?o } SERVICE ?s { ?a ?b ?c }",
        "SERVICE <{allowed}/> { ?s ?p ?o }",
        "SERVICE <sparql> { ?s ?p ?o }",
        "SERVICE \\u003Chttp://127.0.0.1:1/> { ?s ?p ?o }",
        "SERVICE x:parql { ?s ?p ?o }",
    ],
)
def test_no_other_endpoint_is(federated: tuple[Server, str, str], server: Server, pattern: str) -> None:
    ours, _, _ = federated
    allowed = f"{server.url}/sparql"
    prefix = f"PREFIX x: <{server.url}/s> "
    reply = ours.query(prefix + "SELECT * { " + pattern.replace("{allowed}", allowed) + " }")
    assert reply.status == 403
    assert allowed in reply.text
    if "{allowed}" not in pattern:
        assert server.query(prefix + "SELECT * { " + pattern + " }").status == 403


def test_one_that_does_not_answer(federated: tuple[Server, str, str]) -> None:
    ours, closed, silent = federated
    reply = ours.query(f"SELECT * {{ SERVICE <{closed}> {{ ?s ?p ?o }} }}")
    assert (reply.status, ours.logged(reply.headers["x-request-id"])["outcome"]) == (502, "service")
    assert "does not answer" in reply.text
    found = json.loads(ours.query(f"SELECT * {{ SERVICE SILENT <{closed}> {{ ?s ?p ?o }} }}").text)
    assert found["results"]["bindings"] == [{}]
    busy = threading.Thread(target=ours.query, args=(f"SELECT * {{ SERVICE <{silent}> {{ ?s ?p ?x }} }}",))
    busy.start()
    time.sleep(0.5)
    assert "confkg_workers_busy 1" in ours.ask("GET", "/metrics").text
    busy.join()
    assert ours.query(f"SELECT * {{ SERVICE <{silent}> {{ ?s ?p ?o }} }}").status == 503
    assert ours.query("ASK { ?s ?p ?o }").status == 200


def test_other_queries_have_no_sockets(federated: tuple[Server, str, str]) -> None:
    """Of the workers, only those for SERVICE have: as many as there are general ones."""
    ours, _, _ = federated
    assert ours.query("ASK {}").status == 200
    roles = {pid: Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[-2] for pid in workers(ours)}
    if "Seccomp:\t2" not in "".join(Path(f"/proc/{pid}/status").read_text() for pid in roles):
        pytest.skip("this system has no seccomp")
    assert sum(role == b"calls" for role in roles.values()) == 2
    for pid, role in roles.items():
        assert ("Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text()) == (role == b"reads")
