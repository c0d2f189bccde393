"""Writing: off by default, by token only, whole or not at all, and told when it violates the shapes."""

from __future__ import annotations

import json
from pathlib import Path

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
