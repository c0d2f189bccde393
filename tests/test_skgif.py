"""SKG-IF: the framework's terms, and the graph's statements in them."""

from __future__ import annotations

import json

import pytest
from pyld import jsonld
from rdflib import RDF, Graph, URIRef
from rdflib.namespace import DCTERMS

from kg.skgif import CONTEXT, skg_if
from kg.stores import Store

#: Terms of the framework's context, version 1.1, as it is published, with its three slips put right.
PUBLISHED = {
    "product": "fabio:Work", "literature": "fabio:ScholarlyWork", "identifiers": "datacite:hasIdentifier",
    "scheme": "datacite:usesIdentifierScheme", "value": "literal:hasLiteralValue", "titles": "dcterms:title",
    "abstracts": "dcterms:abstract", "contributions": "pro:isRelatedToRoleInTime", "by": "pro:isHeldBy",
    "declared_affiliations": "pro:relatesToOrganization", "rank": "co:index", "role": "pro:withRole",
    "author": "pro:author", "manifestations": "frbr:realization", "in": "frbr:partOf",
    "relevant_organisations": "dcterms:relation", "person": "foaf:Person", "agent": "foaf:Agent",
    "organisation": "foaf:Organization", "name": "foaf:name", "other_names": "skos:altLabel",
    "short_name": "frapo:hasAcronym", "country": "frapo:hasCountry", "company": "frapo:Company",
    "education": "frapo:University", "facility": "frapo:Facility", "government": "frapo:GovernmentOrganization",
    "nonprofit": "frapo:NotForProfitOrganization", "venue": "fabio:ExpressionCollection", "title": "dcterms:title",
    "acronym": "frapo:hasAcronym", "conference": "fabio:ConferenceProceedings", "series": "prism:seriesTitle",
    "arxiv": "datacite:arxiv", "doi": "datacite:doi", "orcid": "datacite:orcid", "ror": "datacite:ror",
    "url": "datacite:url", "local_identifier": "@id", "biblio": "@nest",
}  # fmt: skip


@pytest.mark.parametrize("term", sorted(PUBLISHED))
def test_each_term_is_the_framework_s(term: str) -> None:
    ours = CONTEXT[term]
    assert (ours["@id"] if isinstance(ours, dict) else ours) == PUBLISHED[term]


def test_no_slip_is_copied() -> None:
    text = json.dumps(CONTEXT)
    assert not any(slip in text for slip in ("dctemrs", "retricted", "https://www.w3.org/ns/org#"))


def test_products_agents_and_venues(seed_store: Store) -> None:
    entities = json.loads(skg_if(seed_store))["@graph"]
    kinds = [e["entity_type"] for e in entities]
    assert (kinds.count("product"), kinds.count("agent"), kinds.count("venue")) == (30, 128, 3)
    (paper,) = [e for e in entities if e.get("titles", {}).get("en", [""])[0].startswith("DisPOSE")]
    assert [c["rank"] for c in paper["contributions"]] == [1, 2, 3, 4]
    assert len(paper["relevant_organisations"]) == 2
    assert not any("declared_affiliations" in c for e in entities for c in e.get("contributions", ())), "none is stated"


def test_two_readers_see_the_same_graph(seed_store: Store) -> None:
    document = skg_if(seed_store)
    ours = Graph().parse(data=document, format="json-ld")
    theirs = Graph().parse(data=jsonld.to_rdf(json.loads(document), {"format": "application/n-quads"}), format="nquads")
    assert len(ours) == len(theirs) > 1000
    organisation = URIRef("http://xmlns.com/foaf/0.1/Organization")
    for graph in (ours, theirs):
        papers = set(graph.subjects(RDF.type, URIRef("http://purl.org/spar/fabio/Work")))
        assert len(papers) == 30
        assert all((o, RDF.type, organisation) in graph for p in papers for o in graph.objects(p, DCTERMS.relation))


def test_the_same_graph_gives_the_same_bytes(seed_store: Store) -> None:
    assert skg_if(seed_store) == skg_if(seed_store)
