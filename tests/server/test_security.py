"""What THREAT_MODEL.md promises and no other test holds."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT, Cli
from tests.server.conftest import Server, serving


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port that notes whoever calls."""
    calls: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.2)
        done = threading.Event()

        def accept() -> None:
            while not done.is_set():
                try:
                    calls.append(trap.accept()[0].recv(100))
                except TimeoutError:
                    continue

        thread = threading.Thread(target=accept)
        thread.start()
        yield trap.getsockname()[1], calls
        done.set()
        thread.join()


DOCUMENTS = {
    "application/ld+json": '{{"@context": "http://127.0.0.1:{port}/c.jsonld", "@id": "http://x/a", "name": "n"}}',
    "application/rdf+xml": '<!DOCTYPE r [<!ENTITY e SYSTEM "http://127.0.0.1:{port}/e">]>'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:d="http://purl.org/dc/terms/">'
    '<rdf:Description rdf:about="http://x/a"><d:title>&e;</d:title></rdf:Description></rdf:RDF>',
}


@pytest.mark.parametrize("media", DOCUMENTS)
def test_a_document_makes_the_server_fetch_nothing(writable: Server, media: str) -> None:
    with listening() as (port, calls):
        reply = writable.write("PUT", "/graphs?graph=http%3A%2F%2Fx%2Fg", DOCUMENTS[media].format(port=port), media)
        asked = writable.query("ASK { GRAPH <http://x/g> { ?s ?p ?o } }")
    assert calls == []
    assert 400 <= reply.status < 500
    assert asked.text.replace(" ", "").endswith('"boolean":false}')


def test_entities_that_grow_without_end_do_not(writable: Server) -> None:
    laughs = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 9))
    text = (
        f'<!DOCTYPE r [<!ENTITY a0 "ha">{laughs}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:d="http://purl.org/dc/terms/"><rdf:Description rdf:about="http://x/a"><d:title>&a8;</d:title>'
        "</rdf:Description></rdf:RDF>"
    )
    reply = writable.write("PUT", "/graphs?graph=http%3A%2F%2Fx%2Fg", text, "application/rdf+xml")
    assert (reply.status, b"a1" in reply.body) == (400, True)
    assert writable.query("ASK {}").status == 200


@pytest.mark.parametrize("path", ["/", "/sparql", "/nothing", "/search?q=%3Cscript%3E"])
def test_every_answer_forbids_guessing_and_framing(server: Server, path: str) -> None:
    headers = server.ask("GET", path, headers={"Accept": "text/html"}).headers
    assert headers["x-content-type-options"] == "nosniff"
    if headers.get("content-type", "").startswith("text/html"):
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"].split("script-src")[-1]


@pytest.mark.parametrize("path", ["/static/../pyproject.toml", "/..%2f..%2fetc/passwd", "/static/%2e%2e/settings.py"])
def test_a_path_is_no_file(server: Server, path: str) -> None:
    reply = server.ask("GET", path)
    assert reply.status in (400, 404)
    assert b"root:" not in reply.body


def test_a_header_decides_no_link(server: Server) -> None:
    reply = server.ask("GET", "/sparql?query=ASK%7B%7D", headers={"X-Forwarded-Host": "evil.example", "Accept": "*/*"})
    assert "evil.example" not in str(reply.headers) + reply.body.decode("utf-8", "replace")


def test_links_are_those_of_the_public_url(seed_folder: Path) -> None:
    with serving(seed_folder, "--public-url", "https://kg.example.org") as found:
        text = found.ask("GET", "/.well-known/void", headers={"Accept": "text/turtle", "Host": "evil.example"}).text
    assert "https://kg.example.org/sparql" in text
    assert "evil.example" not in text


def test_a_public_url_with_a_path_is_told_in_a_line(kg: Cli, seed_folder: Path) -> None:
    done = kg("serve", "--store", seed_folder, "--port", "0", "--public-url", "https://kg.example.org/x")
    assert done.returncode == 2
    assert "--public-url takes" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_model_names_tests_that_there_are() -> None:
    named = set(re.findall(r"`(test_\w+\.py)`", (ROOT / "THREAT_MODEL.md").read_text("utf-8")))
    assert named
    assert named <= {p.name for p in Path(__file__).parent.glob("test_*.py")}
