"""Where a graph is kept: the contract of a store, and the registry of stores (one module a file).

A store holds the layout of the design, section 6: a merged default graph, a named graph per source
document, one per derivation rule, and those of the authority, the ontology and the dataset.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, runtime_checkable

import rdflib
from rdflib.term import Identifier, Node, URIRef

from kg.errors import UsageError

Triple = tuple[Node, Node, Node]
#: Subject, predicate, object and the name of the graph; ``None`` is the default graph.
Quad = tuple[Node, Node, Node, URIRef | None]

DEFAULT_STORE = "kg-store"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The graphs that a query sees (SPARQL 1.1 Protocol, section 2.1.4): IRIs that make up its default graph, and its
    named graphs."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Solutions:
    """The solutions of a SELECT: variable names, and rows of rdflib terms (``None`` where unbound), lazily."""

    variables: tuple[str, ...]
    rows: Iterator[tuple[Identifier | None, ...]]

    def __iter__(self) -> Iterator[tuple[Identifier | None, ...]]:
        return self.rows


@runtime_checkable
class Store(Protocol):
    """What every stage after the mapping may ask of a store. Queries are SPARQL text, terms are rdflib's."""

    #: the folder or the URL
    location: str
    #: the revision before the last change that was made here, for :meth:`earlier`
    previous: str | None

    def select(self, query: str) -> Solutions: ...

    def ask(self, query: str) -> bool: ...

    def construct(self, query: str) -> Iterator[Triple]: ...

    def serialize(
        self, query: str, format: str, out: BinaryIO, *, base: str | None = None, dataset: Dataset | None = None
    ) -> int | None:
        """Run a query and stream its result in ``format`` (a name of :data:`kg.mediatypes.FORMATS`) into ``out``.

        Returns:
            The triples of a graph; ``None`` for a table, whose rows the engine does not tell.
        """

    def dump(self, out: BinaryIO, format: str, graph: URIRef | None = None) -> None:
        """Stream a graph (``None``: the default graph) or, for a quad format, everything, into ``out``."""

    def quads(self, graph: URIRef | None) -> Iterator[Quad]:
        """All statements of one graph (``None``: the default graph)."""

    def match(self, s: Node | None, p: Node | None, o: Node | None, graph: URIRef | None) -> Iterator[Quad]:
        """The statements of one graph that fit a pattern: ``None`` is any term, and the default graph."""

    def graphs_of(self, triple: Triple) -> Iterator[URIRef]:
        """The named graphs in which a triple stands."""

    def graph_names(self) -> Iterator[URIRef]: ...

    def apply(
        self, remove: Iterable[Quad], insert: Iterable[Quad], *, inspect: Callable[[Store], None] | None = None
    ) -> None:
        """Remove, then insert, in one transaction; what ``inspect`` raises on seeing the new state prevents it."""

    def update(self, update: str, *, base: str | None = None, inspect: Callable[[Store], None] | None = None) -> None:
        """A SPARQL 1.1 update in one transaction; what ``inspect`` raises on seeing the new state prevents it."""

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
        """Put a document of triples into a graph, beside or in place of what it holds, in one transaction."""

    def removed(self, iri: URIRef) -> bool:
        """Of a thing that is not there: did an earlier state say something of it? False where nobody kept it."""

    def refresh(self) -> bool:
        """Look at the newest state; true where it is another than before."""

    def revision(self) -> str:
        """A token that changes with every write: the strong part of an ETag."""

    def earlier(self, revision: str) -> Store | None:
        """The state of that revision: the present one or that before the last update; ``None``: it is not kept."""

    def graph(self) -> rdflib.Graph:
        """The default graph as an ``rdflib.Graph`` view (reads go to the store)."""

    def close(self) -> None: ...


def names() -> list[str]:
    """The kinds of store, by file name."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__))


def default_location() -> str:
    """``KG_STORE`` where it is set, else ``./kg-store``."""
    return os.environ.get("KG_STORE") or DEFAULT_STORE


def is_remote(location: str) -> bool:
    """Is it the address of another server, and not a folder?"""
    return location.startswith(("http://", "https://"))


def open_store(location: str | os.PathLike[str] | None = None, *, writable: bool = False) -> Store:
    """Open the store at a folder or, for an http(s) URL, a remote SPARQL 1.1 server.

    Raises:
        StoreError: there is no store, it is locked by another writer, or it is damaged.
    """
    where = str(location) if location is not None else default_location()
    kind = "remote" if is_remote(where) else "oxigraph"
    if kind not in names():
        raise UsageError(f"this version has no store of the kind {kind!r}; it has: {', '.join(names())}")
    opened: Store = importlib.import_module(f"kg.stores.{kind}").open(where, writable=writable)
    return opened
