"""Record → statements. One entry in, the quads that say what it says out, and nothing beyond it.

The statements of a record go to the named graph of its source; descriptions of known organisations and
series, which the source does not state, go to the authority's graph. The store keeps each triple a second
time in the merged default graph.
"""

from __future__ import annotations

from collections.abc import Iterator

from rdflib import Literal, URIRef
from rdflib.namespace import DCTERMS, FOAF, ORG, PROV, RDF, RDFS, SKOS, XSD

from kg.authority import Authority, Organisation
from kg.model import Authorship, Entry, Field, Mention, Record, Source, VenueClaim
from kg.names import decode_latex, nfc
from kg.stores import Quad
from kg.vocab import FABIO, KG, KGS, NOT_ATTENDED, PRISM, PRO, PSO, ROR, SCHEMA, STATUS, Iris

EN, ZH = "en", "zh-Hans"
#: Fields of a listing that the site's programs wrote and no author: the translation, the summary, the institution line.
_AUTOMATIC = frozenset({"title-zh", "ai-summary", "institutions"})
Statement = tuple[URIRef, URIRef, URIRef | Literal]


def en(text: str) -> Literal:
    """English text for people: LaTeX decoded, NFC."""
    return Literal(nfc(decode_latex(text)), lang=EN)


def zh(text: str) -> Literal:
    """Chinese text for people: LaTeX decoded, NFC."""
    return Literal(nfc(decode_latex(text)), lang=ZH)


def plain(text: str) -> Literal:
    """Text as printed, NFC: no LaTeX is decoded in evidence."""
    return Literal(nfc(text))


def integer(value: int) -> Literal:
    """Years, positions and ordinals are integers: gYear does not compare in every engine."""
    return Literal(value, datatype=XSD.integer)


def decimal(value: float) -> Literal:
    """A decimal in its canonical form (XSD 1.0 errata: ``1``, ``0.95``), so that a store gives back what it was given.

    >>> str(decimal(1.0)), str(decimal(0.9504))
    ('1', '0.95')
    """
    return Literal(f"{value:.3f}".rstrip("0").rstrip("."), datatype=XSD.decimal, normalize=False)


def tagged(text: str) -> Literal:
    """Text whose language only its script tells: Chinese where it has a Han character, else English."""
    return (zh if any("\u4e00" <= c <= "\u9fff" for c in text) else en)(text)


def map_record(record: Record, authority: Authority, iris: Iris) -> Iterator[Quad]:
    """All quads of a record, for the graph of its source and for the authority's graph.

    A quad may come more than once (an author of two papers); a store holds it once.
    """
    graph = iris.source_graph(record.entry.source.name)
    for statement in _paper(record, authority, iris):
        yield (*statement, graph)
    for statement in _descriptions(record, authority, iris):
        yield (*statement, iris.authority_graph)


def map_source(source: Source, iris: Iris) -> Iterator[Quad]:
    """The source document itself: what it is called, its digest, how many lines it has."""
    document, graph = iris.source(source.name), iris.source_graph(source.name)
    yield document, RDF.type, KG.SourceDocument, graph
    yield document, RDFS.label, plain(source.name), graph
    yield document, KG.sha256, Literal(source.sha256), graph
    yield document, DCTERMS["format"], Literal(source.format), graph
    yield document, KG.firstLine, integer(1), graph
    yield document, KG.lastLine, integer(max(source.lines, 1)), graph


def _entry(entry: Entry, iris: Iris) -> Iterator[Statement]:
    name = entry.source.name
    node = iris.source_entry(name, entry.first_line, entry.last_line)
    yield node, RDF.type, KG.SourceEntry
    yield node, DCTERMS.isPartOf, iris.source(name)
    yield node, KG.firstLine, integer(entry.first_line)
    yield node, KG.lastLine, integer(entry.last_line)
    for field in entry.fields:
        line = iris.source_field(name, field.first_line, field.name)
        yield line, RDF.type, KG.SourceField
        yield line, DCTERMS.isPartOf, node
        yield line, KG.field, Literal(field.name)
        yield line, KG.firstLine, integer(field.first_line)
        yield line, KG.lastLine, integer(field.last_line)
        yield line, KG.rawText, plain(field.raw)
        if entry.source.format == "listing" and field.name in _AUTOMATIC:
            yield line, PROV.wasAttributedTo, iris.automatic_agent
        if nfc(field.text) not in nfc(field.raw):  # entities decoded, emphasis taken off, wrapped lines joined
            yield line, KG.fieldText, plain(field.text)


def _paper(record: Record, authority: Authority, iris: Iris) -> Iterator[Statement]:
    entry, paper = record.entry, iris.paper(record.key)

    def origin(field: Field) -> URIRef:
        return iris.source_field(entry.source.name, field.first_line, field.name)

    yield from _entry(entry, iris)
    yield paper, RDF.type, KG.Paper
    yield paper, PROV.wasDerivedFrom, iris.source_entry(entry.source.name, entry.first_line, entry.last_line)
    for title in (DCTERMS.title, RDFS.label):
        yield paper, title, tagged(record.title)
    if record.title_zh:
        yield paper, FABIO.hasTranslatedTitle, zh(record.title_zh)
        yield paper, RDFS.label, zh(record.title_zh)
    yield from _literals(record, paper)
    for authorship in record.authorships:
        yield from _authorship(authorship, record, paper, iris, origin(authorship.field), authority)
    for mention in record.mentions:
        yield from _mention(mention, record, paper, iris, origin(mention.field), authority)
    for claim in record.claims:
        yield from _claim(claim, paper, iris, origin(claim.field), authority)


def _literals(record: Record, paper: URIRef) -> Iterator[Statement]:
    for summary in record.entry.all("ai-summary"):
        yield paper, KG.aiSummary, tagged(summary.text)
    for abstract in record.entry.all("abstract"):
        yield paper, DCTERMS.abstract, tagged(abstract.text)
    for comment in record.entry.all("comments"):
        yield paper, KG.comment, plain(comment.text)
    for reference in record.entry.all("journal-ref"):
        yield paper, DCTERMS.bibliographicCitation, plain(reference.text)
    for url in record.code:
        yield paper, KG.hasCode, URIRef(url)
    for arxiv in record.related_arxiv:
        yield paper, KG.relatedArxivId, Literal(arxiv)
    if record.arxiv_id:
        yield paper, KG.arxivId, Literal(record.arxiv_id)
        yield paper, DCTERMS.identifier, Literal(f"arXiv:{record.arxiv_id}")
    if record.doi:
        yield paper, DCTERMS.identifier, Literal(f"doi:{record.doi}")
    for url in record.urls:
        yield paper, SCHEMA.url, URIRef(url)
    if record.issued:
        datatype = {4: XSD.gYear, 7: XSD.gYearMonth}.get(len(record.issued), XSD.date)
        yield paper, DCTERMS.issued, Literal(record.issued, datatype=datatype)
    for category in record.categories:
        yield paper, DCTERMS.subject, Literal(category)


def _authorship(
    authorship: Authorship, record: Record, paper: URIRef, iris: Iris, origin: URIRef, authority: Authority
) -> Iterator[Statement]:
    node = iris.authorship(paper, authorship.position, authorship.key)
    author = iris.author(authorship.key)
    yield paper, KG.hasAuthorship, node
    yield paper, SCHEMA.author, author
    yield node, RDF.type, KG.Authorship
    yield node, KG.position, integer(authorship.position)
    yield node, KG.nameAsListed, plain(authorship.name)
    yield node, PRO.isHeldBy, author
    yield node, PRO.withRole, PRO.author
    yield node, PROV.wasDerivedFrom, origin
    yield author, RDF.type, KG.Author
    yield author, RDFS.label, plain(authorship.name)
    yield author, PROV.wasDerivedFrom, origin
    for identifier in authorship.identifiers:
        yield author, SKOS.exactMatch, URIRef(identifier)
    stated = set(authorship.stated_mentions)
    for mention in record.mentions:
        if mention.position in stated:
            for resolution in mention.resolutions:
                for top in authority.organisations_of(resolution.organisation):
                    yield node, KG.statedAffiliation, iris.local(top.path)


def _mention(
    mention: Mention, record: Record, paper: URIRef, iris: Iris, origin: URIRef, authority: Authority
) -> Iterator[Statement]:
    node = iris.mention(paper, mention.position, mention.raw)
    yield paper, KG.listsInstitution, node
    yield node, RDF.type, KG.InstitutionMention
    yield node, KG.mentionPosition, integer(mention.position)
    yield node, KG.rawText, plain(mention.raw)
    if mention.raw_zh:
        yield node, KG.rawTextZh, Literal(nfc(mention.raw_zh), lang=ZH)
    yield node, KG.mentionQuality, KGS[mention.quality]
    yield node, PROV.wasDerivedFrom, origin
    if mention.unit:
        yield node, KG.unitName, plain(decode_latex(mention.unit))
    if mention.place:
        yield node, KG.placeName, plain(mention.place)
    if mention.postal_code:
        yield node, KG.postalCode, Literal(mention.postal_code)
    if mention.joined_with is not None:
        other = next(m for m in record.mentions if m.position == mention.joined_with)
        yield node, KG.joinedWith, iris.mention(paper, other.position, other.raw)
    for candidate in mention.candidates:
        yield node, KG.candidate, iris.local(candidate)
    for resolution in mention.resolutions:
        yield node, KG.resolvesTo, iris.local(resolution.organisation)
        yield node, KG.resolutionMethod, Literal(resolution.method)
        yield node, KG.resolutionScore, decimal(resolution.score)
        for top in authority.organisations_of(resolution.organisation):
            yield paper, KG.relevantInstitution, iris.local(top.path)


def _claim(claim: VenueClaim, paper: URIRef, iris: Iris, origin: URIRef, authority: Authority) -> Iterator[Statement]:
    workshop = claim.workshop.slug if claim.workshop else None
    node = iris.claim(paper, claim.field.name, claim.text, claim.series, claim.year, workshop)
    yield paper, KG.hasVenueClaim, node
    yield node, RDF.type, KG.VenueClaim
    yield node, KG.claimField, Literal(claim.field.name)
    yield node, KG.claimText, plain(claim.text)
    yield node, PROV.wasDerivedFrom, origin
    if claim.track:
        yield node, KG.track, KGS[f"track-{claim.track}"]
    if claim.presentation:
        yield node, KG.presentation, KGS[claim.presentation]
    if claim.status:
        yield node, PSO.withStatus, STATUS[claim.status]
    if claim.place:
        yield node, KG.placeName, plain(claim.place)
    if claim.proceedings:
        volume = iris.proceedings(*claim.proceedings)
        yield paper, SCHEMA.isPartOf, volume
        yield volume, RDF.type, FABIO.ConferenceProceedings
        yield volume, RDFS.label, en(f"{claim.proceedings[0].upper()} {claim.proceedings[1]}")
        yield volume, PRISM.volume, Literal(claim.proceedings[1])
    if claim.series:
        yield node, KG.claimsSeries, iris.local(claim.series)
        if claim.year:
            yield from _event(claim, node, paper, iris, authority)


def _event(claim: VenueClaim, node: URIRef, paper: URIRef, iris: Iris, authority: Authority) -> Iterator[Statement]:
    assert claim.series
    assert claim.year
    series = authority.series(claim.series)
    conference = iris.event(claim.series, claim.year)
    if series.kind == "journal":  # a journal has volumes and years, but no edition that one attends
        return
    yield conference, RDF.type, KG.Conference
    yield conference, KG.inSeries, iris.local(claim.series)
    yield conference, KG.editionYear, integer(claim.year)
    yield conference, RDFS.label, en(f"{series.acronym} {claim.year}")
    attended = claim.status not in NOT_ATTENDED
    if claim.workshop is None:
        yield node, KG.claimsEvent, conference
        if attended:
            yield paper, RDF.type, FABIO.ConferencePaper
        return
    workshop = iris.event(claim.series, claim.year, claim.workshop.slug)
    yield node, KG.claimsEvent, workshop
    yield workshop, RDF.type, KG.Workshop
    yield workshop, SCHEMA.superEvent, conference
    yield workshop, KG.editionYear, integer(claim.year)
    yield workshop, RDFS.label, en(f"{claim.workshop.name} at {series.acronym} {claim.year}")
    if claim.workshop.ordinal:
        yield workshop, KG.ordinal, integer(claim.workshop.ordinal)
    if attended:
        yield paper, RDF.type, FABIO.WorkshopPaper


def _descriptions(record: Record, authority: Authority, iris: Iris) -> Iterator[Statement]:
    """What the authority, not the source, says of the organisations and series that the record refers to."""
    named = {r.organisation for m in record.mentions for r in m.resolutions}
    named |= {c for m in record.mentions for c in m.candidates}
    for path in sorted(named):
        for organisation in authority.with_ancestors(path):
            yield from describe_organisation(organisation, iris)
    for claim in record.claims:
        if claim.series:
            yield from describe_series(claim.series, authority, iris)
            series = authority.series(claim.series)
            ordinal = series.ordinal_of(claim.year) if claim.year else None
            if ordinal:
                assert claim.year
                yield iris.event(claim.series, claim.year), KG.ordinal, integer(ordinal)


def describe_organisation(organisation: Organisation, iris: Iris) -> Iterator[Statement]:
    """What the authority says of an organisation."""
    node = iris.local(organisation.path)
    yield node, RDF.type, KG.Institution
    for label in (RDFS.label, SKOS.prefLabel):
        yield node, label, en(organisation.name)
        if organisation.name_zh:
            yield node, label, zh(organisation.name_zh)
    for alias in organisation.aliases:
        yield node, SKOS.altLabel, en(alias)
    for alias in organisation.aliases_zh:
        yield node, SKOS.altLabel, zh(alias)
    if organisation.country:
        yield node, KG.countryCode, Literal(organisation.country)
    if organisation.sector:
        yield node, KG.sector, KGS[organisation.sector]
    if organisation.ror:
        yield node, SKOS.exactMatch, ROR[organisation.ror]
    for parent in organisation.parents:
        yield node, ORG.subOrganizationOf, iris.local(parent)


def describe_series(path: str, authority: Authority, iris: Iris) -> Iterator[Statement]:
    """What the authority says of a series of conferences or a journal."""
    node, series = iris.local(path), authority.series(path)
    yield node, RDF.type, SCHEMA.Periodical if series.kind == "journal" else SCHEMA.EventSeries
    yield node, RDFS.label, en(series.name)
    yield node, SKOS.prefLabel, en(series.name)
    yield node, SKOS.notation, Literal(series.acronym)
    if series.homepage:
        yield node, FOAF.homepage, URIRef(series.homepage)
