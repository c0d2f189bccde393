"""What the server says of itself: the SPARQL 1.1 Service Description, and VoID of the data."""

from __future__ import annotations

import hashlib
import json

from flask import Response, current_app, redirect, request, url_for
from rdflib import RDF, BNode, Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCAT, DCTERMS, FOAF, VOID, XSD

from kg.mediatypes import DATASET_FORMATS, GRAPH_FORMATS, RESULT_FORMATS
from kg.terms import language_tag
from kg.vocab import KG, PREFIXES
from server import negotiate
from server.faults import Refused
from server.pool import Pool
from server.settings import Settings

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
FORMATS = Namespace("http://www.w3.org/ns/formats/")
#: Formats of the W3C's registry by our names (www.w3.org/ns/formats/).
_W3C = {
    "json": "SPARQL_Results_JSON",
    "xml": "SPARQL_Results_XML",
    "csv": "SPARQL_Results_CSV",
    "tsv": "SPARQL_Results_TSV",
    "turtle": "Turtle",
    "json-ld": "JSON-LD",
    "n-triples": "N-Triples",
    "rdf-xml": "RDF_XML",
}
_RDFLIB = {"turtle": "turtle", "n-triples": "nt", "rdf-xml": "xml", "json-ld": "json-ld"}


def description() -> Response:
    """The service description, or the query page for who prefers HTML."""
    offers = (*negotiate.GRAPHS, negotiate.HTML)
    try:
        chosen = negotiate.choose(request.headers.get("Accept"), offers, graphs=True)
    except negotiate.NotAcceptable as e:  # a format of answers, so a query was meant
        raise Refused(
            400, "the request has no query; without one, /sparql describes itself in: " + ", ".join(e.offers)
        ) from None
    if chosen is negotiate.HTML:
        return redirect(url_for("pages.home"), 303)  # type: ignore[return-value]  # Flask's is werkzeug's
    graph = Graph()
    endpoint = URIRef(request.base_url)
    service, dataset, default = BNode("service"), BNode("dataset"), BNode("default")
    graph.add((service, RDF.type, SD.Service))
    graph.add((service, SD.endpoint, endpoint))
    graph.add((service, SD.supportedLanguage, SD.SPARQL11Query))
    settings: Settings = current_app.config["CONFKG"]
    if settings.updates:
        graph.add((service, SD.supportedLanguage, SD.SPARQL11Update))
    for format_ in (*RESULT_FORMATS, *GRAPH_FORMATS):
        graph.add((service, SD.resultFormat, FORMATS[_W3C[format_.name]]))
    if settings.allow_service:
        graph.add((service, SD.feature, SD.BasicFederatedQuery))
    graph.add((service, SD.defaultDataset, dataset))
    graph.add((dataset, RDF.type, SD.Dataset))
    graph.add((dataset, SD.defaultGraph, default))
    graph.add((default, RDF.type, SD.Graph))
    graph.add((default, RDF.type, VOID.Dataset))
    for predicate, value in counts().items():
        graph.add((default, predicate, Literal(value, datatype=XSD.integer)))
    return rdf(graph, chosen.name, chosen.media)


def counts() -> dict[URIRef, int]:
    """VoID counts of the merged graph, asked of the store once a state."""
    known: dict[str, dict[URIRef, int]] = current_app.extensions["confkg"]["counts"]
    revision = current_app.extensions["confkg"]["revision"]()
    if revision not in known:
        query = "SELECT (COUNT(*) AS ?t) (COUNT(DISTINCT ?s) AS ?n) (COUNT(DISTINCT ?p) AS ?r) WHERE { ?s ?p ?o }"
        (row,) = select(query)
        known.clear()
        known[revision] = {
            VOID.triples: int(row["t"]["value"]),
            VOID.distinctSubjects: int(row["n"]["value"]),
            VOID.properties: int(row["r"]["value"]),
        }
    return known[revision]


def select(query: str) -> list[dict[str, dict[str, str]]]:
    """The rows of a SELECT of our own, by a worker under the time limit."""
    pool: Pool = current_app.extensions["confkg"]["pool"]
    settings: Settings = current_app.config["CONFKG"]
    key = hashlib.sha256(query.encode()).hexdigest()[:16]
    found = pool.run({"op": "query", "query": query, "format": "json"}, timeout=settings.timeout, key=key)
    rows: list[dict[str, dict[str, str]]] = json.loads(found.read())["results"]["bindings"]
    for row in rows:
        for term in row.values():
            if "xml:lang" in term:
                term["xml:lang"] = language_tag(term["xml:lang"])
    return rows


def rdf(graph: Graph, name: str, media: str) -> Response:
    """A small graph of our own making, serialised."""
    for prefix, namespace in {**PREFIXES, "sd": str(SD), "void": str(VOID)}.items():
        graph.bind(prefix, namespace)
    text = graph.serialize(format=_RDFLIB[name])
    charset = "; charset=utf-8" if media.startswith("text/") else ""
    return Response(text, content_type=f"{media}{charset}")


def void() -> Graph:
    """The data set, described (VoID, W3C Interest Group Note)."""
    graph = Graph()
    root = request.url_root
    dataset = URIRef(root + "dataset")
    graph.add((dataset, RDF.type, VOID.Dataset))
    graph.add((dataset, DCTERMS.title, Literal("A confkg knowledge graph of conference papers", lang="en")))
    graph.add((dataset, DCTERMS.title, Literal("confkg 会议论文知识图谱", lang="zh-Hans")))
    graph.add((dataset, FOAF.homepage, URIRef(root)))
    graph.add((dataset, VOID.sparqlEndpoint, URIRef(root + "sparql")))
    graph.add((dataset, VOID.uriSpace, Literal(current_app.extensions["confkg"]["base"])))
    graph.add((dataset, RDF.type, DCAT.Dataset))
    graph.add(
        (
            dataset,
            DCTERMS.description,
            Literal(
                "Papers, authors, institutions and venues of conference listings, "
                "each statement with the lines that it comes from",
                lang="en",
            ),
        )
    )
    for format_ in (*GRAPH_FORMATS, *DATASET_FORMATS):
        dump = URIRef(f"{root}export/graph.{format_.suffix}")
        graph.add((dataset, VOID.dataDump, dump))
        distribution = URIRef(f"{dataset}#{format_.name}")
        graph.add((dataset, DCAT.distribution, distribution))
        graph.add((distribution, RDF.type, DCAT.Distribution))
        graph.add((distribution, DCAT.downloadURL, dump))
        media = URIRef(f"https://www.iana.org/assignments/media-types/{format_.media}")
        graph.add((distribution, DCAT.mediaType, media))
    service = URIRef(root + "sparql")
    graph.add((service, RDF.type, DCAT.DataService))
    graph.add((service, DCAT.endpointURL, service))
    graph.add((service, DCAT.servesDataset, dataset))
    for namespace in PREFIXES.values():
        graph.add((dataset, VOID.vocabulary, URIRef(namespace)))
    for predicate, value in counts().items():
        graph.add((dataset, predicate, Literal(value, datatype=XSD.integer)))
    rows = select(
        "SELECT ?class (COUNT(DISTINCT ?s) AS ?n) (MIN(STR(?s)) AS ?example) WHERE { ?s a ?class } GROUP BY ?class"
    )
    for n, row in enumerate(sorted(rows, key=lambda r: r["class"]["value"])):
        partition = URIRef(f"{dataset}#class-{n}")
        graph.add((dataset, VOID.classPartition, partition))
        graph.add((partition, VOID["class"], URIRef(row["class"]["value"])))
        graph.add((partition, VOID.entities, Literal(int(row["n"]["value"]), datatype=XSD.integer)))
        if row["class"]["value"] == str(KG.Paper):
            graph.add((dataset, VOID.exampleResource, URIRef(row["example"]["value"])))
    for n, row in enumerate(select("SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p ORDER BY ?p")):
        partition = URIRef(f"{dataset}#property-{n}")
        graph.add((dataset, VOID.propertyPartition, partition))
        graph.add((partition, VOID.property, URIRef(row["p"]["value"])))
        graph.add((partition, VOID.triples, Literal(int(row["n"]["value"]), datatype=XSD.integer)))
    return graph
