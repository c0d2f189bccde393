"""The vocabularies, and the IRIs of the data: a pure function of what was read.

``KG`` and ``KGS`` are closed namespaces: a misspelt term raises ``AttributeError`` at once.
A test compares their terms with ``ontology/confkg.ttl`` and ``ontology/schemes.ttl``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from rdflib import Namespace, URIRef
from rdflib.namespace import DCTERMS, FOAF, ORG, OWL, PROV, RDF, RDFS, SKOS, VOID, XSD, DefinedNamespace

from kg.names import digest, nfc, slug

DEFAULT_BASE = "https://w3id.org/confkg/"


class KG(DefinedNamespace):
    """confkg's own terms (``ontology/confkg.ttl``)."""

    _NS = Namespace("https://w3id.org/confkg/ontology#")
    _fail = True

    Paper: URIRef
    Authorship: URIRef
    Author: URIRef
    InstitutionMention: URIRef
    Institution: URIRef
    Conference: URIRef
    Workshop: URIRef
    VenueClaim: URIRef
    SourceDocument: URIRef
    SourceEntry: URIRef
    SourceField: URIRef

    aiSummary: URIRef
    arxivId: URIRef
    comment: URIRef
    hasCode: URIRef
    relatedArxivId: URIRef

    hasAuthorship: URIRef
    position: URIRef
    nameAsListed: URIRef
    identityStatus: URIRef
    statedAffiliation: URIRef
    inferredAffiliation: URIRef

    listsInstitution: URIRef
    mentionPosition: URIRef
    rawText: URIRef
    rawTextZh: URIRef
    mentionQuality: URIRef
    unitName: URIRef
    placeName: URIRef
    postalCode: URIRef
    joinedWith: URIRef
    resolvesTo: URIRef
    candidate: URIRef
    resolutionMethod: URIRef
    resolutionScore: URIRef
    relevantInstitution: URIRef
    countryCode: URIRef
    sector: URIRef

    hasVenueClaim: URIRef
    claimField: URIRef
    claimText: URIRef
    claimsSeries: URIRef
    claimsEvent: URIRef
    track: URIRef
    presentation: URIRef
    inSeries: URIRef
    editionYear: URIRef
    ordinal: URIRef
    ordinalOffset: URIRef
    editionInterval: URIRef
    ordinalRuleSince: URIRef

    mergedName: URIRef
    mergedInto: URIRef
    splitName: URIRef
    onPaper: URIRef
    splitLabel: URIRef

    field: URIRef
    fieldText: URIRef
    firstLine: URIRef
    lastLine: URIRef
    sha256: URIRef


#: SKOS concepts of ``ontology/schemes.ttl`` (tracks, presentations, statuses, identity status, mention quality).
KGS = Namespace("https://w3id.org/confkg/scheme#")
SCHEMA = Namespace("https://schema.org/")
FABIO = Namespace("http://purl.org/spar/fabio/")
PRO = Namespace("http://purl.org/spar/pro/")
PSO = Namespace("http://purl.org/spar/pso/")
PRISM = Namespace("http://prismstandard.org/namespaces/basic/2.0/")
ROR = Namespace("https://ror.org/")

#: The prefixes of every Turtle file, query and page, in the order in which they are printed.
PREFIXES: dict[str, str] = {
    "kg": str(KG._NS),
    "kgs": str(KGS),
    "dcterms": str(DCTERMS),
    "fabio": str(FABIO),
    "foaf": str(FOAF),
    "org": str(ORG),
    "owl": str(OWL),
    "prism": str(PRISM),
    "pro": str(PRO),
    "prov": str(PROV),
    "pso": str(PSO),
    "rdf": str(RDF),
    "rdfs": str(RDFS),
    "schema": str(SCHEMA),
    "skos": str(SKOS),
    "void": str(VOID),
    "xsd": str(XSD),
}

#: ``pso:withStatus`` of each status of :data:`kg.model.Status`; what PSO does not have is ours.
STATUS: dict[str, URIRef] = {
    "accepted": PSO["accepted-for-publication"],
    "published": PSO["published"],
    "submitted": PSO["submitted"],
    "under-review": PSO["under-review"],
    "withdrawn": PSO["withdrawn-from-submission"],
    "rejected": PSO["rejected-for-publication"],
    "revised": PSO["revised"],
    "extended-version-of": KGS["extended-version-of"],
}
#: The statuses with which a paper is not at the event that a claim names.
NOT_ATTENDED = frozenset({"submitted", "under-review", "withdrawn", "rejected", "extended-version-of"})
_ABSENT = ", ".join(STATUS[name].n3() for name in sorted(NOT_ATTENDED))
#: The same in SPARQL, of a ``?claim``.
ATTENDED_FILTER = f"FILTER NOT EXISTS {{ ?claim pso:withStatus ?status FILTER (?status IN ({_ABSENT})) }}"


@dataclass(frozen=True, slots=True)
class Iris:
    """Mints the IRIs of the data under ``base`` (design, section 5): slugs decorate, digests identify."""

    base: str = DEFAULT_BASE

    def local(self, path: str) -> URIRef:
        """The IRI of a path such as ``institution/epfl-1f2e3d4c`` that the authority already made."""
        return URIRef(self.base + path)

    def paper(self, key: str) -> URIRef:
        return self.local(f"paper/{digest(key, 12)}")

    def paper_of(self, node: Any) -> URIRef | None:
        """The paper that an authorship, a mention, a claim or the paper itself belongs to, by its IRI."""
        iri, prefix = str(node), f"{self.base}paper/"
        return URIRef(prefix + iri[len(prefix) :].split("/", 1)[0]) if iri.startswith(prefix) else None

    def authorship(self, paper: URIRef, position: int, person: str) -> URIRef:
        return URIRef(f"{paper}/author/{position}-{digest(person)}")

    def mention(self, paper: URIRef, position: int, raw: str) -> URIRef:
        return URIRef(f"{paper}/institution/{position}-{digest(raw)}")

    def claim(self, paper: URIRef, field: str, *evidence: Any) -> URIRef:
        return URIRef(f"{paper}/claim/{field}-{digest(chr(31).join(map(str, evidence)))}")

    def author(self, key: str) -> URIRef:
        """By the key alone: a name printed in several ways, or merged with another, is one author."""
        return self.local(f"author/{slug(key)}-{digest(key)}")

    def event(self, series: str, year: int, workshop: str | None = None) -> URIRef:
        """``series`` is an IRI local part such as ``series/icml``."""
        path = f"event/{series.removeprefix('series/')}/{year}"
        return self.local(f"{path}/{workshop}" if workshop else path)

    def proceedings(self, series: str, volume: str) -> URIRef:
        return self.local(f"proceedings/{slug(series)}/{slug(volume)}")

    def source(self, name: str) -> URIRef:
        return self.local(f"source/{segment(name)}")

    def source_entry(self, source: str, first: int, last: int) -> URIRef:
        return URIRef(f"{self.source(source)}#L{first}-L{last}")

    def source_field(self, source: str, line: int, field: str) -> URIRef:
        return URIRef(f"{self.source(source)}#L{line}-{field}")

    def source_graph(self, name: str) -> URIRef:
        return self.local(f"graph/source/{segment(name)}")

    def rule_graph(self, rule: str) -> URIRef:
        return self.local(f"graph/rule/{rule}")

    @property
    def automatic_agent(self) -> URIRef:
        """The programs of a listing's site: who wrote its translations, summaries and institution lines."""
        return self.local("agent/listing-site-programs")

    @property
    def authority_graph(self) -> URIRef:
        return self.local("graph/authority")

    @property
    def ontology_graph(self) -> URIRef:
        return self.local("graph/ontology")

    @property
    def dataset_graph(self) -> URIRef:
        return self.local("graph/dataset")

    @property
    def dataset(self) -> URIRef:
        return self.local("dataset")


def segment(name: str) -> str:
    """``name`` as a path segment of an IRI (RFC 3987): letters and digits of every script stand, the rest is encoded.

    >>> segment("我的 list#1.txt")
    '我的%20list%231.txt'
    """
    return "".join(c if c.isalnum() or c in "-._~" else quote(c, safe="") for c in nfc(name))


def organisation_path(label: str, identity: str) -> str:
    """The local part of an organisation's IRI: slug of its English label, digest of its identity.

    ``identity`` is the ROR id where there is one (``https://ror.org/02s376052``), else the
    organisation key of the label.
    """
    return f"institution/{slug(label)}-{digest(identity)}"


def local_name(term: Any) -> str:
    """What stands after the last ``#`` or ``/`` of an IRI.

    >>> local_name("https://w3id.org/confkg/ontology#Paper")
    'Paper'
    """
    return str(term).replace("#", "/").rsplit("/", 1)[-1]


def kg_terms() -> Iterator[str]:
    """The local names of all terms of ``KG``, for the tests that compare them with the ontology."""
    return iter(sorted(KG.__annotations__.keys() - {"_NS", "_fail"}))
