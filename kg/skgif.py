"""Graph → SKG-IF: the exchange format of the Scientific Knowledge Graphs interoperability framework, as JSON-LD.

Products with their contributions, agents and venues; what a paper says of institutions as a whole goes to
``relevant_organisations``, which the framework has for exactly that, and only what a source states of one
author to ``declared_affiliations``. The context is written out with the terms that are used, with the IRIs of
the framework's context 1.1; three of that context's own slips are not followed (``org:`` with https, ``dctemrs:``,
``retricted``).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from kg.sparql import declare_prefixes
from kg.stores import Store
from kg.vocab import ATTENDED_FILTER

CONTEXT: dict[str, Any] = {
    "@version": 1.1,
    "co": "http://purl.org/co/",
    "datacite": "http://purl.org/spar/datacite/",
    "dcterms": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "frapo": "http://purl.org/cerif/frapo/",
    "frbr": "http://purl.org/vocab/frbr/core#",
    "literal": "http://www.essepuntato.it/2010/06/literalreification/",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "pro": "http://purl.org/spar/pro/",
    "pso": "http://purl.org/spar/pso/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "local_identifier": "@id",
    "entity_type": {"@id": "@type", "@type": "@vocab"},
    "product_type": {"@id": "@type", "@type": "@vocab"},
    "product": "fabio:Work",
    "literature": "fabio:ScholarlyWork",
    "identifiers": {"@id": "datacite:hasIdentifier", "@type": "@vocab"},
    "scheme": {"@id": "datacite:usesIdentifierScheme", "@type": "@vocab"},
    "value": "literal:hasLiteralValue",
    "arxiv": "datacite:arxiv",
    "doi": "datacite:doi",
    "orcid": "datacite:orcid",
    "ror": "datacite:ror",
    "url": "datacite:url",
    "titles": {"@id": "dcterms:title", "@container": "@language"},
    "abstracts": {"@id": "dcterms:abstract", "@container": "@language"},
    "contributions": {"@id": "pro:isRelatedToRoleInTime", "@type": "@vocab"},
    "by": {"@id": "pro:isHeldBy", "@type": "@vocab"},
    "declared_affiliations": {"@id": "pro:relatesToOrganization", "@type": "@vocab"},
    "rank": {"@id": "co:index", "@type": "xsd:positiveInteger"},
    "role": {"@id": "pro:withRole", "@type": "@vocab"},
    "author": "pro:author",
    "manifestations": {"@id": "frbr:realization", "@type": "@vocab"},
    "biblio": "@nest",
    "in": {"@id": "frbr:partOf", "@type": "@vocab", "@nest": "biblio"},
    "relevant_organisations": {"@id": "dcterms:relation", "@type": "@vocab"},
    "person": "foaf:Person",
    "agent": "foaf:Agent",
    "organisation": "foaf:Organization",
    "name": "foaf:name",
    "other_names": "skos:altLabel",
    "short_name": "frapo:hasAcronym",
    "country": "frapo:hasCountry",
    "types": {"@id": "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "@type": "@vocab"},
    "company": "frapo:Company",
    "education": "frapo:University",
    "facility": "frapo:Facility",
    "government": "frapo:GovernmentOrganization",
    "nonprofit": "frapo:NotForProfitOrganization",
    "venue": "fabio:ExpressionCollection",
    "title": "dcterms:title",
    "acronym": "frapo:hasAcronym",
    "type": {"@id": "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "@type": "@vocab"},
    "conference": "fabio:ConferenceProceedings",
    "series": "prism:seriesTitle",
}

_PAPERS = (
    """SELECT ?paper ?kind ?value WHERE {
  ?paper a kg:Paper .
  { ?paper dcterms:title|fabio:hasTranslatedTitle ?value BIND ("title" AS ?kind) }
  UNION { ?paper dcterms:abstract ?value BIND ("abstract" AS ?kind) }
  UNION { ?paper dcterms:identifier ?value BIND ("identifier" AS ?kind) }
  UNION { ?paper schema:url ?value BIND ("url" AS ?kind) }
  UNION { ?paper kg:relevantInstitution ?value BIND ("organisation" AS ?kind) }
  UNION { ?paper kg:hasVenueClaim ?claim . ?claim kg:claimsEvent ?value BIND ("venue" AS ?kind)
    """
    + ATTENDED_FILTER
    + " } }"
)
_AUTHORSHIPS = """SELECT ?paper ?author ?position ?organisation WHERE {
  ?paper kg:hasAuthorship ?a . ?a kg:position ?position ; pro:isHeldBy ?author .
  OPTIONAL { ?a kg:statedAffiliation ?organisation } }"""
_AGENTS = """SELECT ?agent ?kind ?value WHERE {
  { ?agent a kg:Author ; rdfs:label ?value BIND ("author" AS ?kind) }
  UNION { ?agent a kg:Author ; skos:exactMatch ?value BIND ("orcid" AS ?kind) }
  UNION { ?agent a kg:Author ; kg:identityStatus ?value BIND ("status" AS ?kind) }
  UNION { ?agent a kg:Institution ; skos:prefLabel ?value BIND ("name" AS ?kind) }
  UNION { ?agent a kg:Institution ; skos:altLabel ?value BIND ("other" AS ?kind) }
  UNION { ?agent a kg:Institution ; kg:countryCode ?value BIND ("country" AS ?kind) }
  UNION { ?agent a kg:Institution ; kg:sector ?value BIND ("sector" AS ?kind) }
  UNION { ?agent a kg:Institution ; skos:exactMatch ?value BIND ("ror" AS ?kind) } }"""
_VENUES = """SELECT ?event ?label ?series ?acronym WHERE {
  { ?event a kg:Conference ; kg:inSeries ?s } UNION { ?event a kg:Workshop ; schema:superEvent/kg:inSeries ?s }
  ?event rdfs:label ?label . ?s rdfs:label ?series ; skos:notation ?acronym }"""


def skg_if(store: Store) -> bytes:
    """The papers, agents and venues of a store as one SKG-IF document, sorted: the same graph gives the same bytes."""
    entities = [*_products(store), *_agents(store), *_venues(store)]
    entities.sort(key=lambda e: str(e["local_identifier"]))
    document = {"@context": CONTEXT, "@graph": entities}
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def _rows(store: Store, query: str) -> Iterator[tuple[Any, ...]]:
    return iter(store.select(declare_prefixes(query)))


def _products(store: Store) -> Iterator[dict[str, Any]]:
    facts: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for paper, kind, value in _rows(store, _PAPERS):
        facts[str(paper)][str(kind)].append(value)
    held: dict[str, dict[tuple[int, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    for paper, author, position, organisation in _rows(store, _AUTHORSHIPS):
        stated = held[str(paper)][int(str(position)), str(author)]
        if organisation is not None:
            stated.add(str(organisation))
    for paper in sorted(facts):
        known = facts[paper]
        product: dict[str, Any] = {"local_identifier": paper, "entity_type": "product", "product_type": "literature"}
        if identifiers := [
            *_identifiers(known["identifier"]),
            *({"scheme": "url", "value": u} for u in _texts(known["url"])),
        ]:
            product["identifiers"] = identifiers
        for name, key in (("titles", "title"), ("abstracts", "abstract")):
            if known[key]:
                product[name] = _by_language(known[key])
        product["contributions"] = [
            {"by": author, "rank": position, "role": "author"} | ({"declared_affiliations": sorted(at)} if at else {})
            for (position, author), at in sorted(held[paper].items())
        ]
        if known["organisation"]:
            product["relevant_organisations"] = _texts(known["organisation"])
        if known["venue"]:
            product["manifestations"] = [{"biblio": {"in": v}} for v in _texts(known["venue"])]
        yield product


def _agents(store: Store) -> Iterator[dict[str, Any]]:
    facts: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for agent, kind, value in _rows(store, _AGENTS):
        facts[str(agent)][str(kind)].append(value)
    for iri, known in facts.items():
        if known["author"]:
            names = _texts(known["author"])
            verified = any(str(s).endswith("#Verified") for s in known["status"])
            # A name may be several people: only an identifier makes it a person.
            entity: dict[str, Any] = {"local_identifier": iri, "entity_type": "person" if verified else "agent"}
            entity["name"] = names[0]
            identifiers = [{"scheme": "orcid", "value": o.rsplit("/", 1)[-1]} for o in _texts(known["orcid"])]
        else:
            english = sorted(str(n) for n in known["name"] if n.language == "en")
            entity = {"local_identifier": iri, "entity_type": "organisation"}
            entity["name"] = (english or _texts(known["name"]))[0]
            others = sorted({*_texts(known["name"]), *_texts(known["other"])} - {entity["name"]})
            if others:
                entity["other_names"] = others
            if known["country"]:
                entity["country"] = _texts(known["country"])[0]
            if known["sector"]:
                entity["types"] = [str(s).rsplit("#", 1)[-1] for s in known["sector"]]
            identifiers = [{"scheme": "ror", "value": r} for r in _texts(known["ror"])]
        if identifiers:
            entity["identifiers"] = identifiers
        yield entity


def _venues(store: Store) -> Iterator[dict[str, Any]]:
    seen = set()
    for event, label, series, acronym in sorted(_rows(store, _VENUES), key=lambda r: tuple(map(str, r))):
        if event in seen:
            continue
        seen.add(event)
        yield {
            "local_identifier": str(event),
            "entity_type": "venue",
            "title": str(label),
            "type": "conference",
            "acronym": str(acronym),
            "series": str(series),
        }


def _identifiers(values: list[Any]) -> Iterator[dict[str, str]]:
    for text in _texts(values):
        scheme, _, value = text.partition(":")
        yield {"scheme": scheme.lower(), "value": value}


def _texts(values: list[Any]) -> list[str]:
    return sorted({str(v) for v in values})


def _by_language(values: list[Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for value in values:
        found[value.language or "none"].append(str(value))
    return {tag: sorted(texts) for tag, texts in sorted(found.items())}
