"""The access log: each request has one line, and its rows are those of the answer, whatever stands in them."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import http.client
import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.mediatypes import RESULT_FORMATS
from kg.serialization import RDF, RESULTS
from server.rows import rows
from tests.conftest import Cli
from tests.server.conftest import Server, serving

#: Pieces that look like a border between two rows in one of the formats.
_HOSTILE = [
    "},{",
    "},{}",
    "[]}}",
    '"',
    "\\",
    "\n",
    "\r",
    "\t",
    ",",
    "{",
    "}",
    "<result>",
    "</result>",
    "x",
    "中",
    "\\u",
]
_texts = st.one_of(st.lists(st.sampled_from(_HOSTILE), max_size=8).map("".join), st.text(max_size=8))
_terms = st.one_of(
    st.none(),
    _texts.map(ox.Literal),
    st.builds(ox.Literal, _texts, language=st.just("zh-hans")),
    st.builds(ox.Literal, _texts, datatype=st.just(ox.NamedNode("http://a.example/,,"))),
    st.just(ox.NamedNode("http://a.example/中")),
)
_tables = st.integers(0, 3).flatmap(
    lambda width: st.lists(st.lists(_terms, min_size=width, max_size=width), max_size=7)
)


def counted(format_: str, body: bytes, cuts: list[int]) -> int:
    """The rows of a body that comes in pieces."""
    counter = rows(format_)
    assert counter is not None
    borders = [0, *sorted(cut % (len(body) + 1) for cut in cuts), len(body)]
    for start, end in itertools.pairwise(borders):
        counter.take(body[start:end])
    return counter.count()


@pytest.mark.parametrize("format_", RESULTS)
@given(table=_tables, cuts=st.lists(st.integers(0, 10_000), max_size=40))
def test_the_rows_of_a_table_are_counted_however_it_is_cut(
    format_: str, table: list[list[ox.Literal | ox.NamedNode | None]], cuts: list[int]
) -> None:
    names = " ".join(f"?v{n}" for n in range(len(table[0]) if table else 1))
    values = " ".join("(" + " ".join("UNDEF" if t is None else str(t) for t in row) + ")" for row in table)
    found = ox.Store().query(f"SELECT * {{ VALUES ({names}) {{ {values} }} }}")
    assert isinstance(found, ox.QuerySolutions)
    body = found.serialize(format=RESULTS[format_])
    assert body is not None
    assert counted(format_, body, cuts) == len(table)
    assert counted(format_, body, list(range(len(body)))) == len(table)


@given(st.sets(_texts, max_size=9), st.lists(st.integers(0, 10_000), max_size=20))
def test_the_triples_of_n_triples_are_counted(texts: set[str], cuts: list[int]) -> None:
    node = ox.NamedNode("http://a.example/a")
    body = ox.serialize((ox.Triple(node, node, ox.Literal(t)) for t in texts), format=RDF["n-triples"])
    assert body is not None
    assert counted("n-triples", body, cuts) == len(texts)


@pytest.fixture(scope="module")
def logging(seed_folder: Path) -> Iterator[Server]:
    with serving(seed_folder, "--timeout", "3", quiet=False) as found:
        yield found


EVERYTHING = "SELECT * { ?s ?p ?o }"


@pytest.mark.parametrize("format_", [f.name for f in RESULT_FORMATS])
@pytest.mark.parametrize("limit", ["", " LIMIT 5", " LIMIT 0"])
def test_a_line_tells_what_left(logging: Server, format_: str, limit: str) -> None:
    reply = logging.query(EVERYTHING + limit, accept=None, format="csv")
    expected = len(list(csv.reader(io.StringIO(reply.text, newline="")))) - 1
    for _ in range(2):  # made, and given again
        reply = logging.query(EVERYTHING + limit, accept=None, format=format_)
        line = logging.logged(reply.headers["x-request-id"])
        assert (line["rows"], line["bytes"]) == (expected, len(reply.body))
        assert (line["method"], line["path"], line["status"], line["outcome"]) == ("GET", "/sparql", 200, "ok")
        assert line["query"] == hashlib.sha256((EVERYTHING + limit).encode()).hexdigest()[:16]
        assert line["ms"] > 0
    assert line["remembered"] is True


@pytest.mark.parametrize("format_", ["turtle", "json-ld", "n-triples", "rdf-xml"])
def test_of_a_graph_the_triples_are_counted(logging: Server, format_: str) -> None:
    kinds = json.loads(logging.query("SELECT (COUNT(*) AS ?n) { ?s a ?o }").body)
    expected = int(kinds["results"]["bindings"][0]["n"]["value"])
    reply = logging.query("CONSTRUCT { ?s a ?o } WHERE { ?s a ?o }", accept=None, format=format_)
    assert logging.logged(reply.headers["x-request-id"])["rows"] == expected > 0


def test_a_page_has_the_rows_that_it_shows(logging: Server) -> None:
    reply = logging.query(EVERYTHING, accept="text/html")
    assert logging.logged(reply.headers["x-request-id"])["rows"] == 1000
    assert reply.text.count("<tr>") == 1001


def test_what_has_no_rows_tells_none(logging: Server) -> None:
    for reply in (logging.query("ASK {}"), logging.ask("GET", "/health"), logging.query("ASK {}", accept="text/html")):
        line = logging.logged(reply.headers["x-request-id"])
        assert "rows" not in line
        assert (line["outcome"], line["bytes"]) == ("ok", len(reply.body))


def test_what_was_refused_or_stopped_says_why(logging: Server) -> None:
    for query, status, outcome in (
        ("SELECT", 400, "syntax"),
        ("SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }", 403, "refused"),
        ("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", 503, "timeout"),
    ):
        reply = logging.query(query)
        line = logging.logged(reply.headers["x-request-id"])
        assert (reply.status, line["status"], line["outcome"]) == (status, status, outcome)
        assert line["bytes"] == len(reply.body)
        assert "rows" not in line


def test_a_stream_that_breaks_off_says_so(logging: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", logging.port, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", "/sparql?" + urlencode({"query": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"}))
        response = connection.getresponse()
        with pytest.raises(http.client.IncompleteRead):
            response.read()
    line = logging.logged(response.headers["X-Request-Id"])
    assert (line["status"], line["outcome"]) == (200, "timeout")
    assert line["bytes"] > 1 << 16
    assert line["ms"] >= 2900
    assert "rows" not in line


def test_an_answer_that_is_too_large_breaks_off(seed_folder: Path) -> None:
    with serving(seed_folder, "--max-answer", "1", quiet=False) as server:
        small = server.query(EVERYTHING, accept="text/csv")
        assert server.logged(small.headers["x-request-id"])["outcome"] == "ok"
        assert 1 << 19 < len(small.body) < 1 << 20
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        with contextlib.closing(connection):
            connection.request("GET", "/sparql?" + urlencode({"query": EVERYTHING, "format": "xml"}))
            response = connection.getresponse()
            with pytest.raises(http.client.IncompleteRead):
                response.read()
        line = server.logged(response.headers["X-Request-Id"])
        assert line["outcome"] == "size"
        assert line["bytes"] <= 1 << 20


def test_a_client_that_leaves_is_told(logging: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", logging.port, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", "/sparql?" + urlencode({"query": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?j }"}))
        with connection.getresponse() as response:
            response.read(1000)
    line = logging.logged(response.headers["X-Request-Id"])
    assert (line["status"], line["outcome"]) == (200, "left")


def test_a_write_is_logged_by_a_quiet_server_too(kg: Cli, empty_store: Path, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.jsonl"
    token = kg("token", "new", "keeper", "--token-file", tokens).stdout.strip()
    update = "INSERT DATA { <http://a.example/s> <http://a.example/p> 1 }"
    with serving(empty_store, "--updates", "--token-file", str(tokens), token=token) as server:
        read = server.query("ASK {}")
        reply = server.write("POST", "/update", update, "application/sparql-update")
        line = server.logged(reply.headers["x-request-id"])
        assert (line["token"], line["outcome"], line["revision"]) == ("keeper", "ok", reply.headers["x-revision"])
        assert line["query"] == hashlib.sha256(update.encode()).hexdigest()[:16]
        assert server.told is not None
        text = server.told.read_text()
        assert read.headers["x-request-id"] not in text
        assert token not in text
