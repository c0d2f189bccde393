"""The embedded store: Oxigraph on disk, in generations.

The folder of a store is that of :mod:`kg.generations`. A write copies the current generation by hard links
(``backup()``, which costs the number of files and not their size), applies the change in one transaction and publishes
the copy. So opening read-only beside a writer, which Oxigraph leaves undefined, never happens.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import oxrdflib
import pyoxigraph as ox
import rdflib
from rdflib import RDFS
from rdflib.term import Node, URIRef

from kg import generations
from kg.errors import QueryError, QueryRefused, QuerySyntaxError, StoreError
from kg.mediatypes import FORMATS
from kg.serialization import RDF, RESULTS, write_triples
from kg.sparql import simple_group_concat, words
from kg.stores import Dataset, Quad, Solutions, Store, Triple
from kg.terms import from_ox, from_ox_quad, to_ox, to_ox_quad, to_ox_quads
from kg.vocab import PREFIXES

TITLE = "embedded store on disk (Oxigraph)"


class OxigraphStore:
    """One generation of a store, open for reading; writing publishes a new generation and moves to it."""

    def __init__(self, location: str, generation: Path | None, engine: ox.Store) -> None:
        self.location = location
        self.previous: str | None = None
        self._generation = generation
        self._engine = engine
        self._writes = 0
        self._removed: frozenset[str] | None = None

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _query(
        self, query: str, base: str | None = None, dataset: Dataset | None = None
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        graphs: dict[str, Any] = {}
        if dataset is not None:
            graphs["default_graph"] = [_graph_name(URIRef(g)) for g in dataset.default]
            graphs["named_graphs"] = [_graph_name(URIRef(g)) for g in dataset.named]
        found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples = _standard(
            self._engine.query, simple_group_concat(query), base_iri=base, **graphs
        )
        return found

    def select(self, query: str) -> Solutions:
        found = self._query(query)
        if not isinstance(found, ox.QuerySolutions):
            raise QueryError("this is no SELECT query")
        names = tuple(v.value for v in found.variables)
        return Solutions(names, (tuple(from_ox(value) for value in row) for row in found))

    def ask(self, query: str) -> bool:
        found = self._query(query)
        if not isinstance(found, ox.QueryBoolean):
            raise QueryError("this is no ASK query")
        return bool(found)

    def construct(self, query: str) -> Iterator[Triple]:
        found = self._query(query)
        if not isinstance(found, ox.QueryTriples):
            raise QueryError("this is no CONSTRUCT or DESCRIBE query")
        return (from_ox_quad(ox.Quad(t.subject, t.predicate, t.object))[:3] for t in found)

    def serialize(
        self, query: str, format: str, out: BinaryIO, *, base: str | None = None, dataset: Dataset | None = None
    ) -> int | None:
        found = self._query(query, base, dataset)
        if isinstance(found, ox.QueryTriples):
            if format in RDF:
                return write_triples(found, format, out)
        elif format in RESULTS:
            found.serialize(out, format=RESULTS[format])
            return None
        what = "triples" if isinstance(found, ox.QueryTriples) else "a table or a boolean"
        raise QueryRefused(f"the query gives {what}, which {format!r} cannot hold")

    def dump(self, out: BinaryIO, format: str, graph: URIRef | None = None) -> None:
        if FORMATS[format].kind == "quads" and graph is None:
            self._engine.dump(out, format=RDF[format], prefixes=PREFIXES)
        else:
            name = _graph_name(graph)
            self._engine.dump(out, format=RDF[format], from_graph=name, prefixes=PREFIXES)

    def quads(self, graph: URIRef | None) -> Iterator[Quad]:
        name = _graph_name(graph)
        return map(from_ox_quad, self._engine.quads_for_pattern(None, None, None, name))

    def match(self, s: Node | None, p: Node | None, o: Node | None, graph: URIRef | None) -> Iterator[Quad]:
        """The statements of one graph that fit a pattern; ``None`` in it is a wildcard."""
        subject, predicate, object_ = (None if t is None else to_ox(t) for t in (s, p, o))
        name = _graph_name(graph)
        found = self._engine.quads_for_pattern(subject, predicate, object_, name)  # type: ignore[arg-type]  # any term
        return map(from_ox_quad, found)

    def graphs_of(self, triple: Triple) -> Iterator[URIRef]:
        """The named graphs in which a triple stands."""
        s, p, o = map(to_ox, triple)
        for quad in self._engine.quads_for_pattern(s, p, o, None):  # type: ignore[arg-type]  # any term
            graph = from_ox_quad(quad)[3]
            if graph is not None:
                yield graph

    def graph_names(self) -> Iterator[URIRef]:
        return (URIRef(g.value) for g in self._engine.named_graphs() if isinstance(g, ox.NamedNode))

    def revision(self) -> str:
        return self._generation.name if self._generation else f"memory-{self._writes}"

    def earlier(self, revision: str) -> Store | None:
        found = generations.kept(Path(self.location), revision) if self._generation else None
        return OxigraphStore(self.location, found, ox.Store.read_only(str(found))) if found else None

    def graph(self) -> rdflib.Graph:
        view = rdflib.Graph(
            oxrdflib.OxigraphStore(store=self._engine), identifier=rdflib.graph.DATASET_DEFAULT_GRAPH_ID
        )
        for prefix, namespace in PREFIXES.items():
            view.bind(prefix, namespace)
        return view

    # ── writing ──────────────────────────────────────────────────────────────────────────────────

    def apply(
        self, remove: Iterable[Quad], insert: Iterable[Quad], *, inspect: Callable[[Store], None] | None = None
    ) -> None:
        remove = list(remove)
        text = _data("DELETE DATA", remove) + _data("INSERT DATA", insert)
        if text:
            subjects = {s for s, _, _, _ in remove if isinstance(s, URIRef)}
            watched = partial(_labelled_of, subjects)
            self.write(partial(_update, update=text), inspect, watched=watched)

    def update(self, update: str, *, base: str | None = None, inspect: Callable[[Store], None] | None = None) -> None:
        watched = _labelled if REMOVING.intersection(words(update)) else _none
        self.write(partial(_update, update=update, base=base), inspect, watched=watched)

    def load(
        self,
        data: bytes,
        format: str,
        graph: URIRef | None,
        *,
        replace: bool,
        base: str | None = None,
        inspect: Callable[[Store], None] | None = None,
    ) -> None:
        name = _graph_name(graph)
        try:  # wholly, before anything is replaced
            parsed = list(ox.parse(data, format=RDF[format], base_iri=base, without_named_graphs=True))
        except SyntaxError as e:
            raise QuerySyntaxError(str(e)) from None
        except ValueError as e:
            raise QueryError(str(e)) from None

        def run(engine: ox.Store) -> None:
            if replace:
                engine.clear_graph(name)
            if isinstance(name, ox.NamedNode):
                engine.add_graph(name)
            engine.bulk_extend(ox.Quad(q.subject, q.predicate, q.object, name) for q in parsed)

        self.write(run, inspect, watched=_labelled if replace else _none)

    def write(
        self,
        change: Callable[[ox.Store], None],
        inspect: Callable[[Store], None] | None = None,
        *,
        watched: Callable[[ox.Store], set[str]],
    ) -> None:
        """Apply ``change`` to a copy of the newest generation and publish it; on any fault nothing has changed.

        ``inspect`` sees the changed copy; what it raises is such a fault. An IRI that ``watched`` finds before the
        change and not after it, and of which the graph says nothing any more, is remembered as removed.
        """
        if self._generation is None:
            change(self._engine)
            self._writes += 1
            return
        with generations.writing(Path(self.location)) as folder:
            current = generations.current(folder)
            copy = generations.fresh(folder)
            try:
                ox.Store.read_only(str(current)).backup(str(copy))
                engine = ox.Store(str(copy))
                before = watched(engine)
                change(engine)
                engine.flush()
                if inspect:
                    inspect(OxigraphStore(self.location, None, engine))
                _remember_removed(folder, before - watched(engine), engine)
                del engine  # closes RocksDB, which must release its lock before the copy is published
            except BaseException:
                shutil.rmtree(copy, ignore_errors=True)
                raise
            generations.publish(folder, copy, keep=current)
        self.previous = current.name
        self._move(copy)

    def removed(self, iri: URIRef) -> bool:
        if self._removed is None:
            self._removed = generations.removed(Path(self.location)) if self._generation else frozenset()
        return str(iri) in self._removed

    def refresh(self) -> bool:
        """Move to the newest generation; true where there was a newer one."""
        if self._generation is None or generations.pointer(self.location) == self._generation.name:
            return False
        newest = generations.current(Path(self.location))
        self._move(newest)
        return True

    def _move(self, generation: Path) -> None:
        self._generation, self._engine = generation, ox.Store.read_only(str(generation))
        self._removed = None

    def close(self) -> None:
        self._engine = ox.Store()  # dropping the last reference closes the files


_UNKNOWN = re.compile(r"The custom function (<[^>]*>) is not supported")


def _standard(run: Callable[..., Any], text: str, **options: Any) -> Any:
    """Run a query or an update; a function that nobody knows is an error of its expression (SPARQL 1.1, section 17.6).

    The engine refuses the whole query for it, before any of it is run: so it is told of a function that always fails.
    """
    functions: dict[ox.NamedNode, Callable[..., None]] = {}
    while True:
        try:
            return run(text, custom_functions=functions, **options)
        except SyntaxError as e:
            raise QuerySyntaxError(str(e)) from None
        except (OSError, RuntimeError, ValueError) as e:
            unknown = _UNKNOWN.match(str(e))
            name = ox.NamedNode(unknown[1][1:-1]) if unknown else None
            if name is None or name in functions:
                raise QueryError(str(e)) from None
            functions[name] = _fails


def _fails(*arguments: object) -> None:
    """A function that has no value for any arguments."""


def _update(engine: ox.Store, update: str, base: str | None = None) -> None:
    _standard(engine.update, simple_group_concat(update), base_iri=base)


# ── what a write removes ─────────────────────────────────────────────────────────────────────────

#: Words of an update that may remove statements.
REMOVING = frozenset({"DELETE", "CLEAR", "DROP", "MOVE", "COPY"})


def _labelled(engine: ox.Store) -> set[str]:
    """The things that have a label: those that a person would look up, and not their parts."""
    found = (q.subject for q in engine.quads_for_pattern(None, _LABEL, None, ox.DefaultGraph()))
    return {node.value for node in found if isinstance(node, ox.NamedNode)}


def _labelled_of(subjects: set[URIRef], engine: ox.Store) -> set[str]:
    found = ((s, engine.quads_for_pattern(ox.NamedNode(s), _LABEL, None, ox.DefaultGraph())) for s in subjects)
    return {str(s) for s, labels in found if any(labels)}


def _labelled_before(location: str) -> set[str]:
    """The labelled things of the store that a new one is to replace; of none or a damaged one nothing is known."""
    try:
        return _labelled(open(location)._engine)
    except StoreError:
        return set()


def _none(engine: ox.Store) -> set[str]:
    return set()


def _remember_removed(folder: Path, gone: set[str], engine: ox.Store) -> None:
    """Keep those of which the graph says nothing now, with those removed before."""
    candidates = gone | generations.removed(folder)
    said = (iri for iri in candidates if any(engine.quads_for_pattern(ox.NamedNode(iri), None, None, None)))
    generations.remember_removed(folder, frozenset(candidates.difference(said)))


_LABEL = ox.NamedNode(str(RDFS.label))


def _graph_name(graph: URIRef | None) -> ox.DefaultGraph | ox.NamedNode:
    """The engine's name of a graph.

    Raises:
        QueryError: it is no IRI.
    """
    try:
        return ox.DefaultGraph() if graph is None else ox.NamedNode(str(graph))
    except ValueError as e:
        raise QueryError(f"<{graph}> is no IRI: {e}") from None


def _data(operation: str, quads: Iterable[Quad]) -> str:
    """An update operation over ground quads (SPARQL 1.1 Update, section 3.1.1), grouped by graph."""
    lines = []
    for quad in quads:
        converted = to_ox_quad(quad)
        triple = f"{converted.subject} {converted.predicate} {converted.object} ."
        graph = converted.graph_name
        lines.append(triple if isinstance(graph, ox.DefaultGraph) else f"GRAPH {graph} {{ {triple} }}")
    return f"{operation} {{\n" + "\n".join(lines) + "\n};\n" if lines else ""


def open(location: str, *, writable: bool = False) -> OxigraphStore:
    """The newest generation of the store in the folder ``location`` (``writable`` only asks for the right to)."""
    folder = Path(location)
    if writable and generations.current(folder) and not os.access(folder, os.W_OK):
        raise StoreError(f"the store at {location!r} may not be written to")
    while True:
        generation = generations.current(folder)
        try:
            return OxigraphStore(location, generation, ox.Store.read_only(str(generation)))
        except (OSError, RuntimeError) as e:
            # A writer may have published, and so removed this generation, between the two lines above.
            if generation == generations.current(folder):
                raise StoreError(f"the store at {location!r} cannot be opened: {e}") from None


def memory(quads: Iterable[Quad] = ()) -> OxigraphStore:
    """A store in memory, for tests and for small graphs that nobody keeps."""
    engine = ox.Store()
    engine.bulk_extend(to_ox_quads(quads))
    return OxigraphStore(":memory:", None, engine)


@contextmanager
def building(location: str) -> Iterator[OxigraphStore]:
    """A new, empty store that takes the place of the one at ``location`` when the block ends without a fault.

    Within the block it is filled with :func:`load`; a fault, or a kill, leaves the old store as it was.
    """
    folder = Path(location)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise StoreError(f"no store can be made at {location!r}: {e.strerror}") from None
    foreign = [p.name for p in folder.iterdir() if not p.name.startswith(generations.OURS)]
    if foreign:
        raise StoreError(f"{location!r} is a folder with other things in it ({foreign[0]}): name a new folder")
    with generations.writing(folder):
        generation = generations.fresh(folder)
        engine = ox.Store(str(generation))
        store = OxigraphStore(location, None, engine)  # no generation yet: writes go straight to the engine
        try:
            yield store
            engine.flush()
            _remember_removed(folder, _labelled_before(location) - _labelled(engine), engine)
            store.close()
            del engine
        except BaseException:
            shutil.rmtree(generation, ignore_errors=True)
            if not (folder / "CURRENT").exists():
                shutil.rmtree(folder, ignore_errors=True)
            raise
        generations.publish(folder, generation)


def load(store: OxigraphStore, quads: Iterable[Quad]) -> None:
    """Bulk-load quads into a store under construction, streaming."""
    store.write(lambda engine: engine.bulk_extend(to_ox_quads(quads)), watched=_none)
