"""Runs the W3C's SPARQL 1.1 query and update evaluation tests over HTTP, against any endpoint with a graph store."""

from __future__ import annotations

import csv
import io
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from rdflib import RDF, RDFS, Graph, Namespace, URIRef
from rdflib.collection import Collection

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
UT = Namespace("http://www.w3.org/2009/sparql/tests/test-update#")
_RDF = {".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES, ".rdf": ox.RdfFormat.RDF_XML}
_RESULTS = {".srx": ox.QueryResultsFormat.XML, ".srj": ox.QueryResultsFormat.JSON, ".tsv": ox.QueryResultsFormat.TSV}
_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS = {_XSD + n for n in ("integer", "decimal", "double", "float")}


@dataclass
class Endpoint:
    """Where to ask and to write."""

    query: str
    update: str
    store: str
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, url: str, body: bytes | None, **headers: str) -> tuple[int, bytes]:
        request = urllib.request.Request(url, body, {**self.headers, **headers}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as e:
            return e.code, e.read()

    def ask(self, text: str, accept: str) -> tuple[int, bytes]:
        return self.send(
            "POST", self.query, text.encode(), **{"Content-Type": "application/sparql-query", "Accept": accept}
        )

    def run(self, text: str) -> tuple[int, bytes]:
        return self.send("POST", self.update, text.encode(), **{"Content-Type": "application/sparql-update"})

    def put(self, graph: str | None, file: Path) -> None:
        where = "default" if graph is None else "graph=" + urllib.parse.quote(graph, safe="")
        content = ox.serialize(_triples(file), format=ox.RdfFormat.N_TRIPLES)
        status, said = self.send("PUT", f"{self.store}?{where}", content, **{"Content-Type": "application/n-triples"})
        assert status < 300, (status, said)


def _triples(file: Path) -> Iterator[ox.Triple]:
    for quad in ox.parse(path=str(file), format=_RDF[file.suffix], base_iri=file.as_uri()):
        yield quad.triple


def manifests(root: Path) -> list[Path]:
    """Those of the query, results and update suites (no federation, no entailment, no protocol)."""
    found = []
    for name in ("query", "results", "update"):
        file = root / f"manifest-sparql11-{name}.ttl"
        graph = Graph().parse(file, publicID=file.as_uri())
        for head in graph.objects(None, MF.include):
            found += [Path(urllib.parse.unquote(urllib.parse.urlsplit(str(m)).path)) for m in Collection(graph, head)]
    return found


def cases(manifest: Path) -> Iterator[tuple[str, Graph, Any]]:
    graph = Graph().parse(manifest, publicID=manifest.as_uri())
    for head in graph.objects(None, MF.entries):
        for test in Collection(graph, head):
            yield f"{manifest.parent.name}/{str(test).rsplit('#', 1)[-1]}", graph, test


def _path(iri: Any) -> Path:
    return Path(urllib.parse.unquote(urllib.parse.urlsplit(str(iri)).path))


def run(endpoint: Endpoint, graph: Graph, test: Any) -> str:
    """Empty where the test passes, else what was wrong."""
    kind = str(graph.value(test, RDF.type)).rsplit("#", 1)[-1]
    action = graph.value(test, MF.action)
    if "Syntax" in kind:
        return _syntax(endpoint, kind, _path(action))
    _fill(endpoint, graph, action, UT if "Update" in kind else QT)
    if "Update" in kind:
        return _update(endpoint, graph, test, action)
    return _query(endpoint, _path(graph.value(action, QT.query)), _path(graph.value(test, MF.result)))


def _syntax(endpoint: Endpoint, kind: str, file: Path) -> str:
    text = _based(file)
    if "Update" in kind:
        endpoint.run("CLEAR ALL")
        # some of the suite drop a graph, which is a fault of another kind where it is not there
        if "CREATE" not in text:
            endpoint.run(f"CREATE SILENT GRAPH <{file.parent.as_uri()}/graph>")
        status, said = endpoint.run(text)
    else:
        status, said = endpoint.ask(text, "*/*")
    if "Positive" in kind:
        # 403: what is written is understood and not done here. A server's own fault is no answer.
        return "" if status < 300 or status == 403 else f"{status} {said[:200].decode('utf-8', 'replace')}"
    return "" if status in (400, 403) else f"{status} for what is no SPARQL"


def _based(file: Path) -> str:
    return f"BASE <{file.as_uri()}>\n" + file.read_text("utf-8")


def _fill(endpoint: Endpoint, graph: Graph, action: Any, names: Namespace) -> None:
    status, said = endpoint.run("DROP ALL")
    assert status < 300, said
    for file in graph.objects(action, names.data):
        endpoint.put(None, _path(file))
    for node in graph.objects(action, names.graphData):
        file = graph.value(node, names.graph) or node
        label = graph.value(node, RDFS.label)
        endpoint.put(str(label or file), _path(file))


def _query(endpoint: Endpoint, query: Path, expected: Path) -> str:
    table = _declared(expected) if expected.suffix in _RDF else None
    if expected.suffix in _RDF and table is None:
        accept = "application/n-triples"
    else:
        accept = {".csv": "text/csv", ".tsv": "text/tab-separated-values"}.get(
            expected.suffix, "application/sparql-results+json"
        )
    status, content = endpoint.ask(_based(query), accept)
    if status != 200:
        return f"{status} {content[:200].decode('utf-8', 'replace')}"
    if expected.suffix == ".csv":
        here, there = (_cells(x) for x in (content, expected.read_bytes()))
        return "" if here == there else f"has {here}, not {there}"
    if table is not None:
        found = ox.parse_query_results(content, format=ox.QueryResultsFormat.JSON)
        assert isinstance(found, ox.QuerySolutions)
        return _compare(_rows(found), iter(table))
    if expected.suffix in _RDF:
        made = ox.parse(content, format=ox.RdfFormat.N_TRIPLES)
        return _compare((q.triple for q in made), _triples(expected))
    format_ = ox.QueryResultsFormat.TSV if expected.suffix == ".tsv" else ox.QueryResultsFormat.JSON
    found = ox.parse_query_results(content, format=format_)
    wanted = ox.parse_query_results(path=str(expected), format=_RESULTS[expected.suffix])
    if isinstance(found, ox.QueryBoolean) or isinstance(wanted, ox.QueryBoolean):
        return "" if type(found) is type(wanted) and bool(found) == bool(wanted) else "another boolean"
    if {v.value for v in found.variables} != {v.value for v in wanted.variables}:
        return "other variables"
    return _compare(_rows(found), _rows(wanted))


def _cells(content: bytes) -> list[list[tuple[str, str]]]:
    """The rows of a CSV in any order, columns by name; blank nodes are one another's equals."""
    rows = csv.DictReader(io.StringIO(content.decode(), newline=""))
    return sorted(sorted((k, "_:" if v.startswith("_:") else v) for k, v in row.items()) for row in rows)


def _declared(file: Path) -> list[ox.Triple] | None:
    """A table that is itself written as triples (the test suite's result set vocabulary); None for other triples."""
    graph = list(_triples(file))
    of = {(t.subject, t.predicate.value.rsplit("#", 1)[-1]): t.object for t in graph}
    if not any(getattr(t.object, "value", "").endswith("result-set#ResultSet") for t in graph):
        return None
    rows = []
    for solution in (t.object for t in graph if t.predicate.value.endswith("result-set#solution")):
        rows.append(ox.Triple(solution, ox.NamedNode("row:is"), ox.Literal("row")))
        for binding in (
            t.object for t in graph if t.subject == solution and t.predicate.value.endswith("result-set#binding")
        ):
            name = of[binding, "variable"].value
            rows.append(ox.Triple(solution, ox.NamedNode(f"var:{name}"), of[binding, "value"]))
    return rows


def _rows(solutions: ox.QuerySolutions) -> Iterator[ox.Triple]:
    """A table as a graph: a blank node a row, so that tables are compared up to the names of blank nodes."""
    names = [v.value for v in solutions.variables]
    for row in solutions:
        node = ox.BlankNode()
        yield ox.Triple(node, ox.NamedNode("row:is"), ox.Literal("row"))
        for name, value in zip(names, row, strict=True):
            if value is not None:
                yield ox.Triple(node, ox.NamedNode(f"var:{name}"), value)


def _compare(here: Iterator[ox.Triple], there: Iterator[ox.Triple]) -> str:
    sets = []
    for triples in (here, there):
        graph = ox.Dataset(ox.Quad(t.subject, t.predicate, _same_number(t.object)) for t in triples)
        graph.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        sets.append({str(q) for q in graph})
    return "" if sets[0] == sets[1] else f"has {sorted(sets[0] - sets[1])[:3]}, lacks {sorted(sets[1] - sets[0])[:3]}"


def _same_number(term: Any) -> Any:
    """2.0 and 2 of one datatype are one value, and so are true and 1; every other term is its own."""
    if isinstance(term, ox.Literal) and term.datatype.value == _XSD + "boolean":
        return ox.Literal({"1": "true", "0": "false"}.get(term.value, term.value), datatype=term.datatype)
    if not isinstance(term, ox.Literal) or term.datatype.value not in _NUMBERS:
        return term
    try:
        number = Decimal(term.value)
    except InvalidOperation:
        return term
    text = f"{float(number):.6g}" if term.datatype.value.endswith(("double", "float")) else str(number.normalize() + 0)
    return ox.Literal(text, datatype=term.datatype)


def _update(endpoint: Endpoint, graph: Graph, test: Any, action: Any) -> str:
    status, said = endpoint.run(_based(_path(graph.value(action, UT.request))))
    if status >= 300:
        return f"{status} {said[:200].decode('utf-8', 'replace')}"
    result = graph.value(test, MF.result)
    default = [_path(f) for f in graph.objects(result, UT.data)]
    named = {
        str(graph.value(node, RDFS.label) or node): _path(graph.value(node, UT.graph) or node)
        for node in graph.objects(result, UT.graphData)
    }
    faults = [_state(endpoint, None, default)]
    faults += [_state(endpoint, name, [file]) for name, file in named.items()]
    _, content = endpoint.ask("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", "application/sparql-results+json")
    others = {row["g"].value for row in ox.parse_query_results(content, format=ox.QueryResultsFormat.JSON)}
    if extra := others - set(named):
        faults.append(f"has graphs {sorted(extra)}")
    return "; ".join(filter(None, faults))


def _state(endpoint: Endpoint, name: str | None, files: list[Path]) -> str:
    pattern = "?s ?p ?o" if name is None else f"GRAPH <{URIRef(name)}> {{ ?s ?p ?o }}"
    _, content = endpoint.ask(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {pattern} }}", "application/n-triples")
    found = (q.triple for q in ox.parse(content, format=ox.RdfFormat.N_TRIPLES))
    fault = _compare(found, (t for file in files for t in _triples(file)))
    return f"{name or 'default graph'}: {fault}" if fault else ""
