"""The SPARQL 1.1 Protocol for queries: each media type by GET, form and direct POST, the body read back."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from rdflib import Graph

from tests.server.conftest import Reply, Server

SELECT = (
    'SELECT ?title WHERE { ?p a kg:Paper ; fabio:hasTranslatedTitle ?title FILTER(CONTAINS(?title, "无监督解缠")) }'
)
TITLE = "无监督解缠无需妥协：函数正交性如何强制可识别性"
CONSTRUCT = "CONSTRUCT { ?p dcterms:title ?title } WHERE { ?p a kg:Paper ; fabio:hasTranslatedTitle ?title }"
XML = "{http://www.w3.org/2005/sparql-results#}"


def get(server: Server, query: str, accept: str) -> Reply:
    return server.ask("GET", "/sparql?" + urlencode({"query": query}), headers={"Accept": accept})


def form(server: Server, query: str, accept: str) -> Reply:
    headers = {"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"}
    return server.ask("POST", "/sparql", urlencode({"query": query}), headers)


def direct(server: Server, query: str, accept: str) -> Reply:
    return server.ask("POST", "/sparql", query, {"Accept": accept, "Content-Type": "application/sparql-query"})


WAYS = pytest.mark.parametrize("way", [get, form, direct])
RESULTS: list[tuple[str, Callable[[str], str]]] = [
    ("application/sparql-results+json", lambda t: json.loads(t)["results"]["bindings"][0]["title"]["value"]),
    ("application/sparql-results+xml", lambda t: str(ElementTree.fromstring(t).find(f".//{XML}literal").text)),  # type: ignore[union-attr]
    ("text/csv", lambda t: list(csv.reader(io.StringIO(t, newline="")))[1][0]),
    ("text/tab-separated-values", lambda t: t.splitlines()[1].split("@")[0].strip('"')),
]


@WAYS
@pytest.mark.parametrize(("media", "read"), RESULTS, ids=[m for m, _ in RESULTS])
def test_results(server: Server, way: Callable[..., Reply], media: str, read: Callable[[str], str]) -> None:
    reply = way(server, SELECT, media)
    assert (reply.status, reply.type) == (200, media)
    assert read(reply.text) == TITLE
    assert "Accept" in reply.headers["vary"]
    if media.startswith("text/"):
        assert "charset=utf-8" in reply.headers["content-type"]


@WAYS
@pytest.mark.parametrize(
    ("media", "parser"),
    [
        ("text/turtle", "turtle"),
        ("application/ld+json", "json-ld"),
        ("application/n-triples", "nt"),
        ("application/rdf+xml", "xml"),
    ],
)
@pytest.mark.parametrize("query", [CONSTRUCT, "DESCRIBE ?p WHERE { ?p a kg:Paper }"], ids=["construct", "describe"])
def test_graphs(server: Server, way: Callable[..., Reply], media: str, parser: str, query: str) -> None:
    reply = way(server, query, media)
    assert (reply.status, reply.type) == (200, media)
    graph = Graph().parse(data=reply.text, format=parser)
    titles = {str(o) for o in graph.objects()}
    assert TITLE in titles
    assert len(set(graph.subjects())) == 30


@WAYS
def test_a_boolean(server: Server, way: Callable[..., Reply]) -> None:
    reply = way(server, 'ASK { ?p fabio:hasTranslatedTitle "不存在"@zh-Hans }', "application/sparql-results+json")
    assert json.loads(reply.text)["boolean"] is False


@WAYS
def test_a_syntax_error_is_400_with_the_position(server: Server, way: Callable[..., Reply]) -> None:
    reply = way(server, "SELECT ?x WHERE {\n ?x a kg:Paper . } }", "*/*")
    assert reply.status == 400
    assert reply.type == "text/plain"
    assert "2:" in reply.text


@WAYS
def test_an_update_is_400_and_does_nothing(server: Server, way: Callable[..., Reply]) -> None:
    reply = way(server, "INSERT DATA { <http://a.example/s> <http://a.example/p> 1 }", "*/*")
    assert reply.status == 400
    assert "update" in reply.text
    asked = server.query("ASK { <http://a.example/s> ?p ?o }")
    assert json.loads(asked.text)["boolean"] is False


@WAYS
@pytest.mark.parametrize(
    ("query", "accept"),
    [(SELECT, "text/turtle"), (CONSTRUCT, "text/csv"), (SELECT, "image/png"), (SELECT, "text/csv;q=0")],
)
def test_what_cannot_be_had_is_406_with_what_can(
    server: Server, way: Callable[..., Reply], query: str, accept: str
) -> None:
    reply = way(server, query, accept)
    assert reply.status == 406
    assert ("text/turtle" in reply.text) == (query is CONSTRUCT)


@pytest.mark.parametrize("media", ["text/plain", "application/json", "multipart/form-data; boundary=x"])
def test_another_body_is_415(server: Server, media: str) -> None:
    assert server.ask("POST", "/sparql", SELECT, {"Content-Type": media}).status == 415


@pytest.mark.parametrize(
    ("name", "media"),
    [("csv", "text/csv"), ("json", "application/sparql-results+json"), ("srx", "application/sparql-results+xml")],
)
def test_format_wins_over_accept(server: Server, name: str, media: str) -> None:
    assert server.query(SELECT, "text/html", format=name).type == media


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * { BIND(<http://127.0.0.1:1/> AS ?x) SERVICE ?x { ?s ?p ?o } }",
    ],
)
def test_service_is_403(server: Server, query: str) -> None:
    assert server.query(query).status == 403


def test_from_fetches_nothing(server: Server, tmp_path: object) -> None:
    for iri in ("file:///etc/passwd", "http://127.0.0.1:1/"):
        reply = server.query(f"SELECT * FROM <{iri}> {{ ?s ?p ?o }}")
        assert reply.status == 200
        assert json.loads(reply.text)["results"]["bindings"] == []


def test_the_same_answer_is_not_sent_twice(server: Server) -> None:
    tag = server.query(SELECT).headers["etag"]
    path = "/sparql?" + urlencode({"query": SELECT})
    json_type = {"Accept": "application/sparql-results+json"}
    assert server.ask("GET", path, headers={**json_type, "If-None-Match": tag}).status == 304
    assert server.ask("GET", path, headers={"Accept": "text/csv", "If-None-Match": tag}).status == 200


def test_the_service_describes_itself(server: Server) -> None:
    reply = server.ask("GET", "/sparql", headers={"Accept": "text/turtle"})
    graph = Graph().parse(data=reply.text, format="turtle")
    assert f"{server.url}/sparql" in {str(o) for o in graph.objects()}
    assert "SPARQL11Update" not in reply.text


def test_health_and_readiness(server: Server) -> None:
    assert json.loads(server.ask("GET", "/health").text) == {"status": "ok"}
    assert server.ask("GET", "/ready").status == 200
    assert "confkg_requests_total" in server.ask("GET", "/metrics").text


def test_writing_is_off(server: Server) -> None:
    assert server.ask("POST", "/update", "CLEAR ALL", {"Content-Type": "application/sparql-update"}).status == 403
    assert server.ask("PUT", "/graphs?default", "", {"Content-Type": "text/turtle"}).status == 403
    assert server.ask("DELETE", "/graphs?default").status == 403
