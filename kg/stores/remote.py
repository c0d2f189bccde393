"""A store behind another SPARQL 1.1 server: read by the SPARQL 1.1 Protocol, written at that server and not here.

``http://host/sparql?default-graph-uri=IRI`` says which of its graphs is the merged one, where the server's default
graph is another. What the server answers is parsed and serialised anew, so that formats, and faults in the middle of
an answer, are the same as those of a store on this machine.
"""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, BinaryIO, NoReturn

import pyoxigraph as ox
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from rdflib.term import BNode, Identifier, Node, URIRef

from kg.errors import QueryError, QueryRefused, QuerySyntaxError, StoreError
from kg.mediatypes import FORMATS
from kg.serialization import RDF, RESULTS, write_triples
from kg.stores import Dataset, Quad, Solutions, Store, Triple
from kg.terms import from_ox, from_ox_quad
from kg.vocab import PREFIXES

TITLE = "another SPARQL 1.1 server, for reading"
#: Seconds without a byte from the server.
PATIENCE = 60.0
_GRAPH = re.compile(r"\bGRAPH\b", re.IGNORECASE)
_TABLES = {"application/sparql-results+json": "json", "application/sparql-results+xml": "xml"}
_GRAPHS = {"application/n-triples": "n-triples", "text/turtle": "turtle", "application/rdf+xml": "rdf-xml"}
_ACCEPT_TABLE = "application/sparql-results+xml, application/sparql-results+json;q=0.9"
_ACCEPT_GRAPH = "application/n-triples, text/turtle;q=0.9, application/rdf+xml;q=0.5"


class RemoteStore:
    """Another server's graph. Each call is a request; nothing is kept between them."""

    def __init__(self, location: str) -> None:
        self.location = location
        self.previous = None
        split = urllib.parse.urlsplit(location)
        given = urllib.parse.parse_qs(split.query)
        self._default = tuple(given.pop("default-graph-uri", ()))
        rest = urllib.parse.urlencode(given, doseq=True)
        self._endpoint = urllib.parse.urlunsplit((split.scheme, split.netloc, split.path, rest, ""))

    @cached_property
    def _others(self) -> tuple[str, ...]:
        """The named graphs beside the merged one: a request that names its default graph must name these too
        (SPARQL 1.1 Protocol, section 2.1.4)."""
        rows = RemoteStore(self._endpoint).select("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }")
        return tuple(sorted({str(g) for (g,) in rows} - set(self._default)))

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def _ask(self, query: str, accept: str, dataset: Dataset | None = None) -> Any:
        """Send a query as a form, which every server takes, and give back the open response."""
        default = dataset.default if dataset else self._default
        named = dataset.named if dataset else self._others if self._default and _GRAPH.search(query) else ()
        fields = [
            ("query", query),
            *(("default-graph-uri", g) for g in default),
            *(("named-graph-uri", g) for g in named),
        ]
        request = urllib.request.Request(  # noqa: S310 (http or https: kg.stores.open_store looks)
            self._endpoint, urllib.parse.urlencode(fields).encode(), {"Accept": accept, "User-Agent": "confkg"}
        )
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE)  # noqa: S310 (as above)
        except urllib.error.HTTPError as e:
            said = e.read(2000).decode("utf-8", "replace").strip()
            message = said.splitlines()[0] if said else str(e.reason)
            if e.code == 400:
                raise QuerySyntaxError(message) from None
            if e.code in (401, 403):
                raise QueryRefused(message) from None
            raise StoreError(f"the server at {self._endpoint} answered {e.code}: {message}") from None
        except OSError as e:
            raise StoreError(f"the server at {self._endpoint} does not answer: {getattr(e, 'reason', e)}") from None

    def _table(self, query: str, dataset: Dataset | None = None) -> ox.QuerySolutions | ox.QueryBoolean:
        response = self._ask(query, _ACCEPT_TABLE, dataset)
        format_ = RESULTS[self._named(response, _TABLES)]
        try:
            limit, content = response.headers.get("X-SPARQL-MaxRows"), response
            if limit is not None:
                # Virtuoso says here where it cuts; a table of just that many rows may have been cut.
                content = response.read()
                rows = ox.parse_query_results(content, format=format_)
                if isinstance(rows, ox.QuerySolutions) and sum(1 for _ in rows) >= int(limit):
                    raise QueryError(
                        f"the server at {self._endpoint} cuts answers at {limit} rows: ask for fewer with LIMIT"
                    )
            found = ox.parse_query_results(content, format=format_)
            return found if isinstance(found, ox.QueryBoolean) else _boolean(found)
        except (SyntaxError, ValueError, OSError) as e:
            raise self._broken(e) from None

    def _triples(self, query: str, dataset: Dataset | None = None) -> Iterator[ox.Triple]:
        response = self._ask(query, _ACCEPT_GRAPH, dataset)
        format_ = RDF[self._named(response, _GRAPHS)]
        try:
            for quad in ox.parse(response, format=format_, base_iri=self._endpoint, without_named_graphs=True):
                yield quad.triple
        except (SyntaxError, ValueError, OSError) as e:
            raise self._broken(e) from None

    def _named(self, response: Any, known: dict[str, str]) -> str:
        media = response.headers.get_content_type()
        if media in (_GRAPHS if known is _TABLES else _TABLES):
            what = "triples" if known is _TABLES else "a table or a boolean"
            raise QueryRefused(f"the query gives {what}, which the format asked for cannot hold")
        if media not in known:
            raise StoreError(f"the server at {self._endpoint} answered in {media}, not in {' or '.join(known)}")
        return known[media]

    def _broken(self, error: Exception) -> StoreError:
        return StoreError(f"the answer of the server at {self._endpoint} is broken: {error}")

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def select(self, query: str) -> Solutions:
        found = self._table(query)
        if not isinstance(found, ox.QuerySolutions):
            raise QueryError("this is no SELECT query")
        return Solutions(tuple(v.value for v in found.variables), self._rows(found))

    def _rows(self, found: ox.QuerySolutions) -> Iterator[tuple[Identifier | None, ...]]:
        try:
            for row in found:
                yield tuple(from_ox(value) for value in row)
        except (SyntaxError, ValueError, OSError) as e:
            raise self._broken(e) from None

    def ask(self, query: str) -> bool:
        found = self._table(query)
        if not isinstance(found, ox.QueryBoolean):
            raise QueryError("this is no ASK query")
        return bool(found)

    def construct(self, query: str) -> Iterator[Triple]:
        return (from_ox_quad(ox.Quad(t.subject, t.predicate, t.object))[:3] for t in self._triples(query))

    def serialize(
        self, query: str, format: str, out: BinaryIO, *, base: str | None = None, dataset: Dataset | None = None
    ) -> int | None:
        asked = f"BASE <{base}>\n{query}" if base else query
        try:
            if FORMATS[format].kind != "results":
                return write_triples(self._triples(asked, dataset), format, out)
            self._table(asked, dataset).serialize(out, format=RESULTS[format])
            return None
        except (SyntaxError, OSError) as e:
            raise self._broken(e) from None

    def dump(self, out: BinaryIO, format: str, graph: URIRef | None = None) -> None:
        if FORMATS[format].kind != "quads" or graph is not None:
            self.serialize(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {_pattern(graph)} }}", format, out)
            return
        found = self._table("SELECT ?s ?p ?o ?g WHERE { GRAPH ?g { ?s ?p ?o } }")
        assert isinstance(found, ox.QuerySolutions)
        quads = (ox.Quad(s, p, o, g) for s, p, o, g in found)
        ox.serialize(quads, out, format=RDF[format], prefixes=PREFIXES)

    def quads(self, graph: URIRef | None) -> Iterator[Quad]:
        return self.match(None, None, None, graph)

    def match(self, s: Node | None, p: Node | None, o: Node | None, graph: URIRef | None) -> Iterator[Quad]:
        ends = [f"?{name}" if term is None else _n3(term) for name, term in (("s", s), ("p", p), ("o", o))]
        wanted = [end for end in ends if end.startswith("?")]
        if s is not None and p is not None and o is not None:
            return iter([(s, p, o, graph)] if self.ask(f"ASK {{ {_pattern(graph, *ends)} }}") else [])
        query = f"SELECT {' '.join(wanted)} WHERE {{ {_pattern(graph, *ends)} }}"
        return (self._filled((s, p, o), row, graph) for row in self.select(query))

    @staticmethod
    def _filled(given: tuple[Node | None, ...], row: Iterable[Node | None], graph: URIRef | None) -> Quad:
        found = iter(row)
        s, p, o = (next(found) if term is None else term for term in given)
        assert s is not None
        assert p is not None
        assert o is not None
        return s, p, o, graph

    def graphs_of(self, triple: Triple) -> Iterator[URIRef]:
        rows = self.select(f"SELECT ?g WHERE {{ GRAPH ?g {{ {' '.join(map(_n3, triple))} }} }}")
        return (URIRef(str(g)) for (g,) in rows if str(g) not in self._default)

    def graph_names(self) -> Iterator[URIRef]:
        return map(URIRef, self._others)

    def removed(self, iri: URIRef) -> bool:
        return False  # another server's past is not known here

    def refresh(self) -> bool:
        self.__dict__.pop("_others", None)
        return True

    def revision(self) -> str:
        """Another token each time: whether the other server has changed cannot be known."""
        return f"remote-{uuid.uuid4().hex}"

    def earlier(self, revision: str) -> Store | None:
        return None

    def graph(self) -> rdflib.Graph:
        graph = rdflib.Graph(SPARQLStore(self._endpoint), identifier=self._default[0] if self._default else None)
        for prefix, namespace in PREFIXES.items():
            graph.bind(prefix, namespace)
        return graph

    # ── writing ──────────────────────────────────────────────────────────────────────────────────

    def _read_only(self) -> NoReturn:
        raise StoreError(f"{self._endpoint} is read here and not written: update it at that server itself")

    def apply(
        self, remove: Iterable[Quad], insert: Iterable[Quad], *, inspect: Callable[[Store], None] | None = None
    ) -> None:
        self._read_only()

    def update(self, update: str, *, base: str | None = None, inspect: Callable[[Store], None] | None = None) -> None:
        self._read_only()

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
        self._read_only()

    def close(self) -> None:
        """Nothing is open between calls."""


def _boolean(found: ox.QuerySolutions) -> ox.QuerySolutions | ox.QueryBoolean:
    """The answer of an ASK, which Virtuoso 7 gives as a table of one number."""
    if [v.value for v in found.variables] != ["__ASK_RETVAL"]:
        return found
    told = any(isinstance(value := row[0], ox.Literal) and value.value in ("1", "true") for row in found)
    answer = f'{{"head": {{}}, "boolean": {"true" if told else "false"}}}'
    made = ox.parse_query_results(answer, format=RESULTS["json"])
    assert isinstance(made, ox.QueryBoolean)
    return made


def _pattern(graph: URIRef | None, s: str = "?s", p: str = "?p", o: str = "?o") -> str:
    triple = f"{s} {p} {o} ."
    return triple if graph is None else f"GRAPH {graph.n3()} {{ {triple} }}"


def _n3(term: Node) -> str:
    """A term in a query.

    Raises:
        QueryError: a blank node, which has no name outside its own server.
    """
    if isinstance(term, BNode):
        raise QueryError("a blank node of another server cannot be asked for")
    return term.n3()


def open(location: str, *, writable: bool = False) -> RemoteStore:
    """The server at a URL; it is asked nothing yet.

    Raises:
        StoreError: it is asked for writing.
    """
    store = RemoteStore(location)
    if writable:
        store.update("")
    return store
