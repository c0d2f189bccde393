"""What is asked, what is refused, and a limit that really stops the work."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import QueryRefused, QuerySyntaxError, QueryTimeout, UsageError
from kg.query import guard, question, questions, with_limit
from kg.sparql import declare_prefixes, form, loads, simple_group_concat, tokens, without

NOT_SERVICE = [
    "SELECT * { ?s ?p 'SERVICE' }",
    'SELECT * { ?s ?p """a " SERVICE <x> """ }',
    "SELECT * { ?s ?p 'it\\'s SERVICE' }",
    "SELECT * { ?SERVICE ?p ?o } # SERVICE <http://a.example/>",
    "PREFIX service: <http://a.example/SERVICE#> SELECT * { ?s service:SERVICE ?o }",
    "SELECT * { ?s ?p <http://a.example/SERVICE> }",
    "SELECT * { ?s ?p 'x'@service }",
]


@pytest.mark.parametrize("text", NOT_SERVICE)
def test_a_word_inside_something_else_is_no_keyword(text: str) -> None:
    guard(text)
    pyoxigraph.Store().query(text)  # and the engine takes it, so the example is a real query


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }",
        "select*{service<http://a.example/>{?s ?p ?o}}",
        "SELECT * { SERVICE SILENT ?x { ?s ?p ?o } }",
        "SELECT * { ?s ?p 'a' . #\nSERVICE <http://a.example/> {} }",
        "SELECT * { ?s <p> 1 .service <http://a.example/> {} }",
        "INSERT DATA { <a:a> <b:b> <c:c> }",
        "PREFIX a: <http://a.example/> delete where { ?s ?p ?o }",
        "LOAD <http://a.example/>",
        "DROP ALL",
        "BASE <http://a.example/> # SELECT\nCLEAR DEFAULT",
    ],
)
def test_updates_and_calls_to_other_servers_are_refused(text: str) -> None:
    with pytest.raises(QueryRefused):
        guard(text)


@pytest.mark.parametrize(
    "text",
    [
        "LOAD",
        "LOAD 'x'",
        "LOAD SILENT",
        "LOAD <a:a> <a:b>",
        "LOAD <a:a> INTO <a:b>",
        "LOAD <a:a> INTO GRAPH",
        "LOAD a:b a",
    ],
)
def test_a_load_that_is_no_load_is_a_fault_of_syntax(text: str) -> None:
    with pytest.raises(QuerySyntaxError):
        loads(text)
    with pytest.raises(SyntaxError):
        pyoxigraph.Store().update(f"PREFIX a: <http://a.example/> {text}")


_LOADS = st.sampled_from(
    ["LOAD SILENT <http://127.0.0.1:1/>", "load silent a:b into graph a:c", "#x\nLOAD SILENT <http://127.0.0.1:1/>#;\n"]
)
_OTHERS = st.sampled_from(["CLEAR ALL", "INSERT DATA { a:LOAD a:b 'LOAD <x>' }", "DROP SILENT GRAPH a:LOAD"])


@given(st.lists(_LOADS | _OTHERS, max_size=6))
def test_an_update_without_its_loads_is_the_others(operations: list[str]) -> None:
    prefix = "PREFIX a: <http://a.example/> "
    text = prefix + ";".join(operations)
    found = loads(text)
    assert len(found) == sum("silent" in o.lower() and "load" in o[:8].lower() for o in operations)
    rest = without(text, found)
    assert loads(rest) == []
    with_rest, with_others = pyoxigraph.Store(), pyoxigraph.Store()
    with_rest.update(rest)
    with_others.update(prefix + ";".join(o for o in operations if "SILENT <" not in o and "silent a" not in o))
    assert set(with_rest) == set(with_others)


@given(st.text(max_size=60))
def test_a_text_without_group_concat_stays_and_brackets_are_never_guessed(text: str) -> None:
    assert simple_group_concat(text) == text
    assert simple_group_concat(f"GROUP_CONCAT({text}").count("STR(GROUP_CONCAT(") <= 1


@given(st.text(max_size=60))
def test_any_text_is_cut_into_units_that_cover_it(text: str) -> None:
    covered = sum(len(m.group()) for m in tokens(text))
    assert covered <= len(text)
    form(text)


def test_prefixes_of_the_house_are_declared_where_they_are_used() -> None:
    text = "PREFIX kg: <http://other.example/> SELECT * { ?s kg:x ?o ; schema:author ?a ; rdfs:label 'foaf:x' }"
    done = declare_prefixes(text)
    assert "PREFIX schema: <https://schema.org/>" in done
    assert "PREFIX rdfs:" in done
    assert done.count("PREFIX kg:") == 1, "the query's own declaration stands"
    assert "foaf" not in done.removesuffix(text)
    pyoxigraph.Store().query(done)
    assert declare_prefixes(done) == done


def test_every_question_is_titled_in_both_languages_and_parses() -> None:
    found = questions()
    assert found
    for q in found:
        guard(q.text)
        assert q.title[0].isupper() or not q.title[0].isalpha(), q.name
        assert any("一" <= c <= "鿿" for c in q.title_zh), q.name
        pyoxigraph.Store().query(declare_prefixes(q.text))
        assert question(q.name) == q


def test_an_unknown_question_lists_the_known() -> None:
    with pytest.raises(UsageError, match="coaffiliation"):
        question("nonsense")


def _write_pid_and_spin(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    while True:
        pass


def test_the_limit_stops_the_process_itself(tmp_path: Path) -> None:
    with pytest.raises(QueryTimeout, match=r"after 0\.5 s"):
        with_limit(_write_pid_and_spin, (str(tmp_path / "pid"),), 0.5)
    pid = int((tmp_path / "pid").read_text())
    time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
