"""Writing: off by default, by token only, whole or not at all, and told when it violates the shapes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.server.conftest import Server, serving

UPDATE = "application/sparql-update"
INSERT = "INSERT DATA { GRAPH <http://a.example/g> { <http://a.example/s> <http://a.example/p> '数据' } }"


def there(server: Server, pattern: str) -> bool:
    return bool(json.loads(server.query(f"ASK {{ {pattern} }}").text)["boolean"])


def test_an_update_with_a_token(writable: Server) -> None:
    reply = writable.write("POST", "/update", INSERT, UPDATE)
    assert reply.status == 204
    assert reply.headers["x-revision"]
    assert there(writable, "GRAPH <http://a.example/g> { ?s ?p '数据' }")


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Basic YTpi", "Bearer ", "bearer"])
def test_without_a_valid_token_nothing_is_written(writable: Server, authorization: str | None) -> None:
    headers = {"Content-Type": UPDATE, **({"Authorization": authorization} if authorization else {})}
    reply = writable.ask("POST", "/update", INSERT, headers)
    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")
    assert (
        writable.ask("PUT", "/graphs?graph=http://a.example/g", "", {**headers, "Content-Type": "text/turtle"}).status
        == 401
    )
    assert not there(writable, "GRAPH <http://a.example/g> { ?s ?p ?o }")


@pytest.mark.parametrize(
    "text", ["LOAD <http://127.0.0.1:1/x>", "INSERT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"]
)
def test_an_update_may_fetch_nothing(writable: Server, text: str) -> None:
    assert writable.write("POST", "/update", text, UPDATE).status == 403


def test_a_silent_load_is_left_out_and_told(writable: Server) -> None:
    text = (
        f"LOAD SILENT <http://127.0.0.1:1/x> INTO GRAPH <http://a.example/x>; {INSERT}; LOAD SILENT <http://b.example/>"
    )
    reply = writable.write("POST", "/update", text, UPDATE)
    assert reply.status == 200
    assert "<http://127.0.0.1:1/x>, <http://b.example/>" in reply.text
    assert reply.headers["x-revision"]
    assert there(writable, "GRAPH <http://a.example/g> { ?s ?p '数据' }")
    assert writable.write("POST", "/update", "LOAD SILENT 'x'", UPDATE).status == 400
    assert writable.write("POST", "/update", "LOAD <http://a.example/> INTO <http://a.example/g>", UPDATE).status == 400


def test_what_an_update_removes_is_gone_and_what_comes_back_is_there(writable: Server) -> None:
    text = "SELECT ?p ?a { ?p a kg:Paper ; kg:hasAuthorship ?a } LIMIT 1"
    found = json.loads(writable.query(text).text)["results"]["bindings"][0]
    paper, part = found["p"]["value"], found["a"]["value"]
    paths = [iri.removeprefix("https://w3id.org/confkg") for iri in (paper, part)]
    before = writable.ask("GET", f"/sparql?query=CONSTRUCT%20WHERE%20%7B%3C{paper}%3E%20?p%20?o%7D&format=n-triples")
    removal = f"DELETE WHERE {{ ?s ?p <{paper}> }}; DELETE WHERE {{ GRAPH ?g {{ ?s ?p <{paper}> }} }};"
    for node in (paper, part):
        removal += f"DELETE WHERE {{ <{node}> ?p ?o }}; DELETE WHERE {{ GRAPH ?g {{ <{node}> ?p ?o }} }};"
    assert [writable.ask("GET", path).status for path in (*paths, f"{paths[0]}.ttl")] == [303, 303, 200]
    assert writable.write("POST", "/update", removal, UPDATE).status == 204
    assert [writable.ask("GET", path).status for path in (*paths, f"{paths[0]}.ttl")] == [410, 410, 410]
    assert "has been removed" in writable.ask("GET", paths[0]).text
    assert writable.ask("GET", "/paper/000000000000").status == 404
    assert writable.write("POST", "/update", f"INSERT DATA {{ {before.text} }}", UPDATE).status == 204
    assert writable.ask("GET", paths[0]).status == 303


def test_a_revoked_token_ends_at_once(kg: Cli, empty_store: Path, tmp_path: Path) -> None:
    tokens = tmp_path / "t.jsonl"
    token = kg("token", "new", "a", "--token-file", tokens).stdout.strip()
    assert token not in tokens.read_text()
    assert tokens.stat().st_mode & 0o077 == 0
    only_graphs = kg("token", "new", "b", "--scope", "graphs", "--token-file", tokens).stdout.strip()
    past = kg("token", "new", "c", "--until", "2020-01-01", "--token-file", tokens).stdout.strip()
    assert [line.split("\t")[0] for line in kg("token", "list", "--token-file", tokens).stdout.splitlines()] == [
        "a",
        "b",
        "c",
    ]
    with serving(empty_store, "--updates", "--token-file", str(tokens), token=token) as server:
        assert server.write("POST", "/update", INSERT, UPDATE).status == 204
        headers = {"Content-Type": UPDATE}
        assert (
            server.ask("POST", "/update", INSERT, {**headers, "Authorization": f"Bearer {only_graphs}"}).status == 403
        )
        assert server.ask("POST", "/update", INSERT, {**headers, "Authorization": f"Bearer {past}"}).status == 401
        assert kg("token", "revoke", "a", "--token-file", tokens).returncode == 0
        assert server.write("POST", "/update", INSERT, UPDATE).status == 401


def test_strict_refuses_what_adds_violations(kg: Cli, empty_store: Path, tmp_path: Path) -> None:
    tokens = tmp_path / "t.jsonl"
    token = kg("token", "new", "a", "--token-file", tokens).stdout.strip()
    bad = "INSERT DATA { <http://a.example/p> a <https://w3id.org/confkg/ontology#Paper> }"
    with serving(empty_store, "--updates", "--strict", "--token-file", str(tokens), token=token) as server:
        reply = server.write("POST", "/update", bad, UPDATE)
        assert reply.status == 409
        assert "Paper-title" in reply.text
        assert not there(server, "<http://a.example/p> ?p ?o")
        assert server.write("POST", "/update", INSERT, UPDATE).status == 204
    with serving(empty_store, "--updates", "--token-file", str(tokens), token=token) as server:
        assert server.write("POST", "/update", bad, UPDATE).status == 204
        report = json.loads(server.ask("GET", "/quality?format=json").text)
        assert report["conforms"] is False
        assert any(r["focusNode"] == "http://a.example/p" for r in report["results"])


def test_what_an_update_did_to_the_quality(writable: Server) -> None:
    def report(link: str) -> dict[str, Any]:
        path = re.fullmatch(r'<(/quality\?since=g-[0-9a-f]{16})>; rel="describedby"', link)
        assert path
        found: dict[str, Any] = json.loads(writable.ask("GET", f"{path[1]}&format=json").text)
        return found

    bad = "INSERT DATA { <http://a.example/%s> a <https://w3id.org/confkg/ontology#Paper> }"
    links = []
    for name in ("p", "q"):
        links.append(writable.write("POST", "/update", bad % name, UPDATE).headers["link"])
        found = report(links[-1])
        assert found["conforms"] is False
        assert {r["focusNode"] for r in found["results"]} == {f"http://a.example/{name}"}
    whole = json.loads(writable.ask("GET", "/quality?format=json").text)
    assert {"http://a.example/p", "http://a.example/q"} <= {r["focusNode"] for r in whole["results"]}
    links.append(writable.write("POST", "/update", INSERT, UPDATE).headers["link"])
    found = report(links[-1])
    assert (found["conforms"], found["results"]) == (True, [])
    assert found["since"] in links[-1]
    for form in ("text/plain", "text/html"):
        path = links[-1][1:].partition(">")[0]
        assert "no new violation" in writable.ask("GET", path, headers={"Accept": form}).text.lower()
    for gone in (links[0][1:].partition(">")[0], "/quality?since=..%2F..", "/quality?since="):
        reply = writable.ask("GET", gone)
        assert reply.status == 410
        assert "is not kept" in reply.text


def test_preconditions_of_the_graph_store(writable: Server) -> None:
    path = "/graphs?graph=http://a.example/h"
    body = "<http://a.example/s> <http://a.example/p> 1 ."
    assert writable.write("PUT", path, body, "text/turtle", If_None_Match="*").status == 201
    assert writable.write("PUT", path, body, "text/turtle", If_None_Match="*").status == 412
    tag = writable.ask("GET", path, headers={"Accept": "text/turtle"}).headers["etag"]
    assert (
        writable.write(
            "POST", path, "<http://a.example/s> <http://a.example/p> 2 .", "text/turtle", If_Match=tag
        ).status
        == 204
    )
    assert writable.write("DELETE", path, If_Match=tag).status == 412
    assert writable.write("DELETE", path).status == 204


def test_a_document_too_large_is_413(kg: Cli, server: Server) -> None:
    reply = server.ask("POST", "/sparql", "ASK {} #" + "x" * (5 << 20), {"Content-Type": "application/sparql-query"})
    assert reply.status == 413
