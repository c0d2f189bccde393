"""Answers given again: only what a state of the store makes lasting, never another's, and within bounds."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from server.remembered import Remembered
from tests.server.conftest import Server

COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


def hits(server: Server) -> int:
    found = re.search(r"^confkg_answers_remembered_total (\d+)", server.ask("GET", "/metrics").text, re.MULTILINE)
    assert found
    return int(found[1])


@given(st.lists(st.tuples(st.integers(0, 9), st.binary(max_size=40))), st.integers(0, 100))
def test_what_is_kept_is_what_was_put_and_fits(puts: list[tuple[int, bytes]], limit: int) -> None:
    answers, last = Remembered(limit), {}
    for key, body in puts:
        answers.put(key, body)
        if len(body) <= limit // 4:
            last[key] = body
    kept = {key: found.body for key in range(10) if (found := answers.get(key)) is not None}
    assert all(last[key] == body for key, body in kept.items())
    assert sum(map(len, kept.values())) <= limit
    assert answers.hits == len(kept)


def test_an_answer_is_given_again_until_the_state_changes(writable: Server) -> None:
    first = writable.query(COUNT)
    before = hits(writable)
    again = writable.query(COUNT)
    assert hits(writable) == before + 1
    assert again.body == first.body
    assert {k: again.headers[k] for k in ("etag", "content-type", "cache-control", "vary")} == {
        k: first.headers[k] for k in ("etag", "content-type", "cache-control", "vary")
    }
    assert writable.query(COUNT, accept="text/csv").type == "text/csv"
    asked = {"Accept": "application/sparql-results+json", "Cache-Control": "no-cache"}
    assert writable.ask("GET", "/sparql?query=ASK%20%7B%7D", headers=asked).status == 200
    assert writable.ask("GET", "/sparql?query=ASK%20%7B%7D", headers=asked).status == 200
    assert hits(writable) == before + 1
    insert = "INSERT DATA { <http://a.example/s> <http://a.example/p> 1 }"
    assert writable.write("POST", "/update", insert, "application/sparql-update").status == 204
    assert writable.query(COUNT).body != first.body
    assert hits(writable) == before + 1


def test_time_and_chance_are_asked_each_time(server: Server) -> None:
    before = hits(server)
    answers = {server.query("SELECT (STRUUID() AS ?u) (RAND() AS ?r) {}").body for _ in range(3)}
    assert len(answers) == 3
    reply = server.query("SELECT (NOW() AS ?n) {}")
    assert "etag" not in reply.headers
    assert reply.headers["cache-control"] == "no-store"
    assert hits(server) == before


def test_relative_iris_are_those_of_the_address(server: Server) -> None:
    path = "/sparql?query=SELECT%20(%3Cx%3E%20AS%20%3Fx)%20%7B%7D"
    found = {server.ask("GET", path, headers={"Host": host}).text for host in ("a.example", "b.example", "a.example")}
    assert len(found) == 2


def test_a_long_answer_is_streamed_and_given_again_whole(server: Server) -> None:
    query = "SELECT * { ?s ?p ?o }"
    before = hits(server)
    first, again = (server.query(query, accept="text/csv") for _ in range(2))
    assert first.body == again.body
    assert len(first.body) > 1 << 16
    assert "content-length" not in first.headers
    assert int(again.headers["content-length"]) == len(again.body)
    assert hits(server) == before + 1
