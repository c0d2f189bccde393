"""The embedded store: generations, one writer, terms that come back as they went in."""

from __future__ import annotations

import fcntl
import io
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Literal, URIRef
from rdflib.namespace import RDFS, XSD

from kg.errors import QuerySyntaxError, StoreError
from kg.stores import Quad, Store, open_store
from kg.stores import oxigraph as embedded
from kg.terms import from_ox_quad, to_ox_quad

S, P, G = URIRef("http://a.example/论文/1"), RDFS.label, URIRef("http://a.example/g")
ONE: Quad = (S, P, Literal("自动定理证明", lang="zh-Hans"), G)
TWO: Quad = (S, P, Literal("Theorem proving", lang="en"), None)


def make(folder: Path, *quads: Quad) -> Path:
    with embedded.building(str(folder)) as new:
        embedded.load(new, quads)
    return folder


def everything(store: Store) -> list[str]:
    out = io.BytesIO()
    store.dump(out, "n-quads")
    return sorted(out.getvalue().decode().splitlines())


def test_what_was_built_is_what_is_read(tmp_path: Path) -> None:
    store = open_store(make(tmp_path / "s", ONE, TWO))
    assert isinstance(store, Store)
    assert list(store.quads(G)) == [ONE]
    assert list(store.quads(None)) == [TWO]
    assert list(store.graph_names()) == [G]
    assert store.ask("ASK { ?s ?p 'Theorem proving'@en }")
    assert [str(row[0]) for row in store.select("SELECT ?o { GRAPH ?g { ?s ?p ?o } }")] == ["自动定理证明"]
    assert list(store.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")) == [TWO[:3]]


def test_the_rdflib_view_is_the_default_graph(tmp_path: Path) -> None:
    graph = open_store(make(tmp_path / "s", ONE, TWO)).graph()
    assert list(graph) == [TWO[:3]]
    assert len(graph) == 1


def test_a_reader_keeps_its_graph_while_others_write(tmp_path: Path) -> None:
    make(tmp_path / "s", ONE)
    reader, writer = open_store(tmp_path / "s"), open_store(tmp_path / "s", writable=True)
    before = reader.revision()
    writer.apply([ONE], [TWO])
    assert list(reader.quads(G)) == [ONE], "the old generation is whole although its folder has gone"
    assert reader.revision() == before != writer.revision()
    assert isinstance(reader, embedded.OxigraphStore)
    assert reader.refresh()
    assert not reader.refresh()
    assert everything(reader) == everything(writer)
    assert list(reader.quads(None)) == [TWO]


def test_a_build_replaces_the_store_at_once(tmp_path: Path) -> None:
    make(tmp_path / "s", ONE)
    make(tmp_path / "s", TWO)
    assert list(open_store(tmp_path / "s").graph_names()) == []
    assert len([p for p in (tmp_path / "s").iterdir() if p.name.startswith("g-")]) == 1


def test_a_build_that_fails_leaves_the_old_store_or_none(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        with embedded.building(str(folder)) as new:
            embedded.load(new, [TWO])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    make(tmp_path / "s", ONE)
    with pytest.raises(ZeroDivisionError):
        fail(tmp_path / "s")
    assert everything(open_store(tmp_path / "s")) == everything(embedded.memory([ONE]))


def test_an_update_that_fails_changes_nothing(tmp_path: Path) -> None:
    store = open_store(make(tmp_path / "s", ONE), writable=True)
    before = store.revision()
    with pytest.raises(QuerySyntaxError):
        store.update("INSERT DATA { <http://a.example/x> <http://a.example/y> 1 } ; INSERT DATA {{")
    assert store.revision() == before
    assert list(store.quads(G)) == [ONE]
    assert len(list((tmp_path / "s").glob("g-*"))) == 1


def _build_forever(folder: str, started: multiprocessing.synchronize.Event) -> None:
    with embedded.building(folder) as new:
        embedded.load(new, [TWO])
        started.set()
        time.sleep(600)


def test_a_killed_writer_leaves_the_old_store_and_no_lock(tmp_path: Path) -> None:
    make(tmp_path / "s", ONE)
    context = multiprocessing.get_context("spawn")
    started = context.Event()
    process = context.Process(target=_build_forever, args=(str(tmp_path / "s"), started))
    process.start()
    assert started.wait(60)
    assert process.pid
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    store = open_store(tmp_path / "s", writable=True)
    assert list(store.quads(G)) == [ONE]
    before = store.revision()
    store.apply([], [TWO])
    found = {p.name for p in (tmp_path / "s").glob("g-*")}
    assert found == {before, store.revision()}, "what the killed writer left is cleared away"


def test_the_state_before_the_last_change_is_kept(tmp_path: Path) -> None:
    store = open_store(make(tmp_path / "s", ONE), writable=True)
    first = store.revision()
    assert store.previous is None
    store.apply([], [TWO])
    second = store.revision()
    assert store.previous == first
    earlier = store.earlier(first)
    assert earlier is not None
    assert list(earlier.quads(G)) == [ONE]
    store.apply([ONE], [])
    assert store.previous == second
    assert store.earlier(first) is None
    present = store.earlier(store.revision())
    assert present is not None
    assert everything(present) == everything(embedded.memory([TWO]))
    assert store.earlier("../s") is None
    make(tmp_path / "s", ONE)  # a new build keeps nothing of the old store
    assert len(list((tmp_path / "s").glob("g-*"))) == 1


def test_a_second_writer_is_told_so(tmp_path: Path) -> None:
    store = open_store(make(tmp_path / "s", ONE), writable=True)
    with (tmp_path / "s" / "LOCK").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="being written by another process"):
            store.apply([], [TWO])


@pytest.mark.parametrize("damage", ["missing", "file", "foreign", "dangling", "outside"])
def test_what_is_no_store_is_said_to_be_none(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "s"
    if damage == "file":
        folder.write_text("x")
    elif damage == "foreign":
        folder.mkdir()
        (folder / "thesis.tex").write_text("x")
        with pytest.raises(StoreError, match="other things in it"):
            make(folder, ONE)
    elif damage != "missing":
        make(folder, ONE)
        (folder / "CURRENT").write_text("g-nowhere\n" if damage == "dangling" else "../elsewhere\n")
    with pytest.raises(StoreError) as e:
        open_store(folder)
    assert "\n" not in str(e.value)


LABELLED: Quad = (URIRef("http://a.example/论文/2"), P, Literal("x"), None)


def test_what_a_write_removes_is_remembered_until_it_comes_back(tmp_path: Path) -> None:
    folder, thing = make(tmp_path / "s", ONE, TWO, LABELLED), URIRef(str(LABELLED[0]))
    store, reader = open_store(folder, writable=True), open_store(folder)
    assert not reader.removed(thing)
    store.apply([LABELLED], [])
    assert store.removed(thing)
    assert not store.removed(S), "the graph still says something of it"
    reader.refresh()
    assert reader.removed(thing)
    store.apply([], [LABELLED])
    assert not store.removed(thing)
    for removal in ("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER (?o = 'x') }", f"DELETE WHERE {{ <{thing}> ?p ?o }}"):
        store.update(removal)
        assert store.removed(thing)
        assert not store.removed(S)
        store.update(f"INSERT DATA {{ <{thing}> <{P}> 'x' }}")
        assert not store.removed(thing)
    store.load(b"", "turtle", None, replace=True)
    assert store.removed(thing)
    assert not store.removed(S), "a named graph still says something of it"


def test_a_store_built_anew_remembers_what_the_old_one_had(tmp_path: Path) -> None:
    folder, thing = make(tmp_path / "s", TWO, LABELLED), URIRef(str(LABELLED[0]))
    make(folder, TWO)
    assert open_store(folder).removed(thing)
    make(folder, TWO)
    assert open_store(folder).removed(thing)
    make(folder, LABELLED)
    assert not open_store(folder).removed(thing)
    assert open_store(folder).removed(S)
    (folder / "CURRENT").write_text("g-nowhere\n")
    make(folder, TWO)
    assert not open_store(folder).removed(S)


def test_a_function_that_nobody_knows_is_an_error_of_its_expression() -> None:
    store = embedded.memory([TWO])
    unknown = "<http://a.example/f>(?o) || <http://a.example/g>()"
    assert list(store.select(f"SELECT ?s {{ ?s ?p ?o FILTER ({unknown}) }}")) == []
    assert list(store.select(f"SELECT (COALESCE({unknown}, 'none') AS ?x) {{ ?s ?p ?o }}")) == [(Literal("none"),)]
    store.update(f"DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o FILTER ({unknown}) }}")
    assert list(store.quads(None)) == [TWO]


def test_group_concat_gives_a_simple_literal() -> None:
    store = embedded.memory([TWO, (S, P, Literal("Proof", lang="en"), None)])
    text = "SELECT (GROUP_CONCAT(DISTINCT ?o; separator=')(') AS ?all) { { SELECT ?o { ?s ?p ?o } ORDER BY ?o } }"
    assert list(store.select(text)) == [(Literal("Proof)(Theorem proving"),)]


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
_LITERALS = st.one_of(
    _TEXT.map(Literal),
    st.builds(lambda t, lang: Literal(t, lang=lang), _TEXT, st.sampled_from(["en", "zh-Hans", "pt-BR"])),
    st.integers().map(Literal),
    st.dates().map(lambda d: Literal(d.isoformat(), datatype=XSD.date)),
)


@given(_LITERALS)
def test_terms_survive_the_conversion_both_ways(value: Literal) -> None:
    quad: Quad = (S, P, value, None)
    assert from_ox_quad(to_ox_quad(quad)) == quad


@given(st.lists(_LITERALS, max_size=8), st.lists(_LITERALS, max_size=8))
def test_apply_is_set_difference_and_union(old: list[Literal], new: list[Literal]) -> None:
    store = embedded.memory((S, P, o, G) for o in old)
    store.apply([(S, P, o, G) for o in old[::2]], [(S, P, o, G) for o in new])
    assert {o for _, _, o, _ in store.quads(G)} == (set(old) - set(old[::2])) | set(new)
