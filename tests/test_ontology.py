"""The ontology: complete in two languages, aligned with terms that exist, and absurd in no conclusion."""

from __future__ import annotations

import owlrl
import pytest
from rdflib import OWL, RDF, RDFS, Graph, Literal, URIRef
from rdflib.namespace import ORG, PROV, SKOS

from kg import resources
from kg.stores import Store
from kg.vocab import KG, KGS, SCHEMA, STATUS

ONTOLOGY = Graph().parse(resources.ontology("confkg.ttl"))
SCHEMES = Graph().parse(resources.ontology("schemes.ttl"))
OURS = (str(KG._NS), str(KGS))
#: Terms of other vocabularies that the ontology, the schemes and the mapping use, as those vocabularies spell them.
FOREIGN = {
    "http://purl.org/dc/terms/": "abstract bibliographicCitation creator description format identifier isPartOf issued license references relation subject title",
    "http://purl.org/spar/fabio/": "ConferencePaper ConferenceProceedings WorkshopPaper hasTranslatedTitle",
    "http://purl.org/spar/pro/": "RoleInTime author isHeldBy relatesToOrganization withRole",
    "http://purl.org/spar/pso/": "StatusInTime accepted-for-publication published rejected-for-publication revised submitted under-review withStatus withdrawn-from-submission",
    "http://prismstandard.org/namespaces/basic/2.0/": "volume",
    "http://www.w3.org/ns/org#": "Organization classification subOrganizationOf",
    "http://www.w3.org/ns/prov#": "Activity Entity SoftwareAgent wasAssociatedWith wasAttributedTo wasDerivedFrom wasGeneratedBy",
    "http://xmlns.com/foaf/0.1/": "Agent Document homepage",
    "https://schema.org/": "Event EventSeries Periodical ScholarlyArticle author isPartOf superEvent url version",
    "http://www.w3.org/2004/02/skos/core#": "Concept ConceptScheme altLabel closeMatch definition exactMatch example inScheme notation prefLabel scopeNote topConceptOf",
    "http://www.w3.org/2000/01/rdf-schema#": "comment domain isDefinedBy label range subClassOf subPropertyOf",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "langString type",
    "http://www.w3.org/2002/07/owl#": "AnnotationProperty Class DatatypeProperty FunctionalProperty ObjectProperty Ontology disjointWith versionIRI versionInfo",
    "http://www.w3.org/2001/XMLSchema#": "date decimal gYear gYearMonth integer string",
    "http://purl.org/vocab/vann/": "preferredNamespacePrefix preferredNamespaceUri",
    "http://rdfs.org/ns/void#": "Dataset uriSpace",
    "https://dblp.org/rdf/schema#": "AuthorSignature Publication",
    "http://purl.org/ontology/bibo/": "Conference",
    "http://vivoweb.org/ontology/core#": "Authorship",
    "https://creativecommons.org/publicdomain/zero/1.0/": "",
}  # fmt: skip
KNOWN = {f"{ns}{name}" for ns, names in FOREIGN.items() for name in (names.split() or [""])}


def terms() -> list[URIRef]:
    return sorted(s for s in set(ONTOLOGY.subjects()) if isinstance(s, URIRef) and str(s).startswith(str(KG._NS)))


@pytest.mark.parametrize("term", terms(), ids=lambda t: t.rsplit("#", 1)[-1])
def test_each_term_is_labelled_defined_and_shown(term: URIRef) -> None:
    for predicate in (RDFS.label, SKOS.definition):
        languages = {getattr(o, "language", None) for o in ONTOLOGY.objects(term, predicate)}
        assert languages == {"en", "zh-Hans"}, predicate
    assert any(ONTOLOGY.objects(term, SKOS.example))
    assert any(ONTOLOGY.objects(term, RDFS.isDefinedBy))


def test_code_and_ontology_know_the_same_terms() -> None:
    assert {str(t) for t in terms()} == {str(KG[name]) for name in KG.__annotations__ if not name.startswith("_")}


def test_no_foreign_term_is_misspelt(seed_store: Store) -> None:
    used = {str(x) for t in (*ONTOLOGY, *SCHEMES) for x in t if isinstance(x, URIRef)}
    used |= {str(p) for graph in (None, *seed_store.graph_names()) for _, p, _, _ in seed_store.quads(graph)}
    used |= {str(o) for _, _, o, _ in seed_store.match(None, RDF.type, None, None)}
    used |= {str(s) for s in STATUS.values()}
    foreign = {u for u in used if not u.startswith((*OURS, "https://w3id.org/confkg/"))}
    assert foreign <= KNOWN, foreign - KNOWN


def test_alignments_go_upwards_or_sideways() -> None:
    for forbidden in (OWL.equivalentClass, OWL.equivalentProperty, OWL.sameAs, OWL.imports):
        assert (None, forbidden, None) not in ONTOLOGY + SCHEMES
    for predicate in (RDFS.subClassOf, RDFS.subPropertyOf):
        for s, _, o in ONTOLOGY.triples((None, predicate, None)):
            assert str(s).startswith(str(KG._NS)), (s, o)


def test_it_says_what_it_is() -> None:
    node = URIRef(str(KG._NS).rstrip("#"))
    vann = "http://purl.org/vocab/vann/"
    assert (node, URIRef(f"{vann}preferredNamespacePrefix"), Literal("kg")) in ONTOLOGY
    assert (node, OWL.versionIRI, None) in ONTOLOGY
    assert any("publicdomain/zero" in str(o) for o in ONTOLOGY.objects(node))


def test_the_closure_of_the_seed_concludes_nothing_absurd(seed_store: Store) -> None:
    graph = Graph()
    for name in (None, *(n for n in seed_store.graph_names() if "/graph/rule/" in n)):
        for s, p, o, _ in seed_store.quads(name):
            graph.add((s, p, o))  # type: ignore[arg-type]
    data = {s for s in graph.subjects() if str(s).startswith("https://w3id.org/confkg/")}
    graph += ONTOLOGY
    graph += SCHEMES
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    assert not set(graph.subjects(RDF.type, OWL.Nothing))
    assert not any(str(o).startswith("http://www.daml.org") for o in graph.objects())
    foaf = "http://xmlns.com/foaf/0.1/"
    kinds = {
        "paper": set(graph.subjects(RDF.type, SCHEMA.ScholarlyArticle)),
        "agent": set(graph.subjects(RDF.type, URIRef(f"{foaf}Agent"))),
        "organisation": set(graph.subjects(RDF.type, ORG.Organization)),
        "event": set(graph.subjects(RDF.type, SCHEMA.Event)),
        "authorship": set(graph.subjects(RDF.type, KG.Authorship)),
        "mention": set(graph.subjects(RDF.type, KG.InstitutionMention)),
        "claim": set(graph.subjects(RDF.type, KG.VenueClaim)),
    }
    names = sorted(kinds)
    for n, one in enumerate(names):
        for other in names[n + 1 :]:
            both = kinds[one] & kinds[other] & data
            assert not both, (one, other, sorted(both)[:3])
    assert len(kinds["paper"] & data) == 30
    assert len(kinds["agent"] & data) == 128
    assert not set(graph.subjects(RDF.type, KG.Conference)) & set(graph.subjects(RDF.type, KG.Workshop))
    assert {s for s in graph.subjects(RDF.type, PROV.Entity) if s in data} >= kinds["mention"] & data


@pytest.mark.parametrize("scheme", ["confkg.ttl", "schemes.ttl"])
def test_no_blank_nodes(scheme: str) -> None:
    assert all(isinstance(s, URIRef) for s in Graph().parse(resources.ontology(scheme)).subjects())
