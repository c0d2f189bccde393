"""The same graph behind a real Virtuoso: what is read there is what is read here, and the server works in front of it."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from rdflib import URIRef

from kg.errors import QueryError, QuerySyntaxError, StoreError
from kg.network import coaffiliation, coauthorship
from kg.query import questions
from kg.sparql import declare_prefixes
from kg.stats import stats
from kg.stores import Store, open_store
from kg.why import why
from tests.server.conftest import Server, serving
from tests.stores.virtuoso import PROGRAM, virtuoso

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="Virtuoso (virtuoso-opensource) is not installed")
ROWS = 10_000


@pytest.fixture(scope="module")
def url(seed_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with virtuoso(tmp_path_factory.mktemp("virtuoso"), seed_store, ROWS) as found:
        yield found


@pytest.fixture(scope="module")
def remote(url: str) -> Store:
    return open_store(url)


@pytest.fixture(scope="module")
def front(url: str) -> Iterator[Server]:
    """Our server in front of Virtuoso."""
    with serving(url) as found:
        yield found


def test_the_graph_is_the_same_statement_for_statement(remote: Store, seed_store: Store) -> None:
    assert set(remote.quads(None)) == set(seed_store.quads(None))
    assert set(remote.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")) == {q[:3] for q in seed_store.quads(None)}
    assert set(seed_store.graph_names()) <= set(remote.graph_names())
    for graph in seed_store.graph_names():
        assert set(remote.quads(graph)) == set(seed_store.quads(graph))


def test_what_is_made_of_it_is_the_same(remote: Store, seed_store: Store) -> None:
    assert stats(remote).to_json() == stats(seed_store).to_json()
    for network in (coaffiliation, coauthorship):
        here, there = network(seed_store), network(remote)
        assert dict(here.nodes(data=True)) == dict(there.nodes(data=True))
        assert {frozenset(e) for e in here.edges} == {frozenset(e) for e in there.edges}


@pytest.mark.parametrize("question", questions(), ids=lambda q: q.name)
def test_questions_have_the_same_answers(question, remote: Store, seed_store: Store) -> None:
    text = declare_prefixes(question.text)
    here, there = seed_store.select(text), remote.select(text)
    assert here.variables == there.variables
    assert Counter(map(_plain, here)) == Counter(map(_plain, there))


def _plain(row):
    """A row without what Virtuoso 7.2 does its own way: booleans are its integers, a concatenation of nothing is no
    string but unbound, and the order within a concatenation is anyone's."""
    texts = ("" if x is None else {"true": "1", "false": "0"}.get(str(x), str(x)) for x in row)
    return tuple(" | ".join(sorted(text.split(" | "))) for text in texts)


def test_why_works_there(remote: Store, seed_store: Store) -> None:
    title = next(iter(seed_store.match(None, URIRef("http://purl.org/dc/terms/title"), None, None)))
    assert list(why(remote, *title[:3])) == list(why(seed_store, *title[:3]))


def test_a_pattern_finds_what_it_finds_here(remote: Store, seed_store: Store) -> None:
    for s, p, o, _ in list(seed_store.quads(None))[::97]:
        for pattern in ((s, None, None), (s, p, None), (None, p, o), (s, p, o)):
            assert set(remote.match(*pattern, None)) == set(seed_store.match(*pattern, None))
        assert set(remote.graphs_of((s, p, o))) == set(seed_store.graphs_of((s, p, o)))


def test_dumps_hold_the_graph(remote: Store, seed_store: Store) -> None:
    for format_ in ("n-triples", "turtle", "json-ld", "rdf-xml"):
        out = io.BytesIO()
        remote.dump(out, format_)
        from rdflib import Graph

        names = {"n-triples": "nt", "rdf-xml": "xml"}
        graph = Graph().parse(data=out.getvalue(), format=names.get(format_, format_))
        assert len(graph) == sum(1 for _ in seed_store.quads(None))


def test_a_cut_answer_is_a_fault_and_not_an_answer(remote: Store) -> None:
    with pytest.raises(QueryError, match=f"cuts answers at {ROWS} rows"):
        list(remote.select("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }"))


def test_faults_are_told_in_a_line(remote: Store) -> None:
    with pytest.raises(QuerySyntaxError, match="SPARQL compiler"):
        remote.select("SELECT WHERE")
    with pytest.raises(StoreError, match="does not answer"):
        open_store("http://127.0.0.1:9/sparql").ask("ASK {}")
    with pytest.raises(StoreError, match="read here and not written"):
        remote.update("CLEAR ALL")


def test_our_protocol_in_front_of_virtuoso(front: Server) -> None:
    asked = front.query("ASK { ?s ?p ?o }")
    assert (asked.status, json.loads(asked.body)["boolean"]) == (200, True)
    assert front.query("SELECT WHERE").status == 400
    assert front.query("SELECT * { ?s ?p ?o }", accept="image/png").status == 406
    assert front.query("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }").status == 403
    count = front.query("SELECT (COUNT(?p) AS ?n) { ?p a kg:Paper }", accept="text/csv")
    assert count.text.split() == ["n", "30"]
    graph = front.query("CONSTRUCT { ?p dcterms:title ?t } WHERE { ?p dcterms:title ?t }", accept="text/turtle")
    assert graph.type == "text/turtle"
    assert front.ask("POST", "/update", "CLEAR ALL", {"Content-Type": "application/sparql-update"}).status in (403, 404)


def test_chinese_goes_through_virtuoso(front: Server) -> None:
    asked = front.query('SELECT ?o { ?o skos:prefLabel ?l FILTER(STR(?l) = "剑桥大学") }', accept="text/csv")
    assert [line.rsplit("/", 1)[-1][:23].rstrip("-") for line in asked.text.split()[1:]] == ["university-of-cambridge"]


def test_a_cut_answer_is_no_200(front: Server) -> None:
    assert front.query("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }").status >= 400


def test_entities_and_pages_in_front_of_virtuoso(front: Server, seed_store: Store) -> None:
    paper = next(str(s) for (s,) in seed_store.select(declare_prefixes("SELECT ?p { ?p a kg:Paper } ORDER BY ?p")))
    path = "/" + quote(paper.removeprefix("https://w3id.org/confkg/"))
    page = front.ask("GET", path + ".html", headers={"Accept": "text/html"})
    assert page.status == 200
    assert "authorship" in page.text.lower()
    data = front.ask("GET", path, headers={"Accept": "text/turtle"})
    assert data.status in (200, 303)
    assert front.ask("GET", "/").status == 200
    assert front.ask("GET", "/ready").status == 200
    assert front.ask("GET", "/network/coaffiliation", headers={"Accept": "text/html"}).status == 200


def test_kg_on_a_url_from_the_command_line(kg, url: str, seed_folder: Path) -> None:
    there, here = (kg("stats", "--json", "--store", where) for where in (url, seed_folder))
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout
    refused = kg("add", seed_folder / "CURRENT", "--store", url)
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
