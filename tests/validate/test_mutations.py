"""Every way to damage one statement of a valid graph: how many does validation notice, and why not the others?"""

from __future__ import annotations

from collections import Counter

from rdflib import RDF, RDFS, XSD, Literal, URIRef
from rdflib.namespace import DCTERMS

from kg.authority import load
from kg.mapping import describe_organisation, describe_series
from kg.stores import Quad, Store
from kg.validate import compiled, house_checks
from kg.vocab import KG, SCHEMA, Iris
from tests.validate.conftest import in_memory, key, papers_closure

#: Damage that survives, and why: what is left is a graph that some source could have said.
SURVIVORS: dict[tuple[object, str], str] = {
    (KG.rawText, "change"): "words more in a field's text: its evidence still stands in it, only the file could tell",
    (KG.sha256, "change"): "any digest may be the source's: only the file could tell",
    (KG.resolvesTo, "drop"): "another mention, or the other half of the name, resolves to the same organisation",
    (KG.joinedWith, "drop"): "the other half still says that the two are joined",
    (KG.lastLine, "change"): "the last line of a document may lie after its last entry",
    (KG.placeName, "drop"): "a mention need not have a place",
    (KG.placeName, "change"): "a place stands without its postal code, so it need not stand verbatim in the field",
    (KG.postalCode, "drop"): "nor a postal code",
    (KG.unitName, "drop"): "nor a department",
    (KG.ordinal, "drop"): "the ordinal of an edition is the authority's to know",
    (KG.ordinal, "change"): "the ordinal of an edition is the authority's to know",
    (KG.aiSummary, "change"): "a summary with formulas is stored with them decoded, so it need not stand verbatim",
    (RDFS.label, "change"): "a document may have any name",
    (DCTERMS["format"], "change"): "another format may have read it",
}


def mutations(quads: list[Quad]) -> list[tuple[Quad, str, list[Quad]]]:
    found = []
    for q in quads:
        s, p, o, g = q
        found.append((q, "drop", []))
        if isinstance(o, Literal):
            if o.datatype in (XSD.integer, XSD.decimal):
                changed = Literal(str(int(float(o)) + 7), datatype=o.datatype)
            elif o.language:
                changed = Literal(f"{o} x", lang=o.language)
            else:
                changed = Literal(f"{o} x", datatype=o.datatype)
        else:
            changed = URIRef("urn:x:another")  # type: ignore[assignment]
        found.append((q, "change", [(s, p, changed, g)]))
    return found


def test_at_least_95_in_100_single_damages_are_caught(seed_quads: list[Quad]) -> None:
    # four papers: institutions resolved, rejoined and refused, a workshop, an oral, code, a journal reference
    merged = [q for q in seed_quads if q[3] is None]
    marks = ("5f83343f5d10", "ed8d2cfd4dd3", "76c9a36f2b52", "09a271e3009c")
    part = papers_closure(merged, lambda iri: any(m in iri for m in marks))
    authority = {q[0] for q in part if q[1] == RDF.type and q[2] in (KG.Institution, SCHEMA.EventSeries)}
    store = in_memory(part)
    checks = house_checks()
    valid = {key(r) for r in compiled.run(store, checks)}
    assert not any("Violation" in k[4] for k in valid)
    caught, missed, tried = Counter[str](), [], 0
    for quad, how, instead in mutations(part):
        if quad[0] in authority:
            continue  # what the authority says of known organisations: the next test compares it with the authority
        tried += 1
        store.apply([quad], instead)
        found = {key(r) for r in compiled.run(store, checks)}
        store.apply(instead, [quad])
        if found != valid:
            caught[how] += 1
        else:
            missed.append((quad[1], how))
    rate = sum(caught.values()) / tried
    print(f"{tried} damages, {rate:.1%} caught: {dict(caught)}; survivors:")
    for (predicate, how), n in Counter(missed).most_common():
        print(f"  {n:3} {how:6} {predicate}: {SURVIVORS.get((predicate, how), '???')}")
    assert set(missed) <= SURVIVORS.keys(), set(missed) - SURVIVORS.keys()
    assert rate >= 0.95


def test_what_the_authority_says_is_what_stands_in_the_graph(seed_store: Store) -> None:
    """Any single damage to a description of a known organisation or series makes it differ from the authority's."""
    known, iris = load(), Iris()
    described = set()
    graph = {(s, p, o) for s, p, o, _ in seed_store.quads(iris.authority_graph)}
    for s, p, o in graph:
        if (p, o) == (RDF.type, KG.Institution):
            described |= set(describe_organisation(known.organisation(str(s).removeprefix(iris.base)), iris))
        elif (p, o) == (RDF.type, SCHEMA.EventSeries):
            described |= set(describe_series(str(s).removeprefix(iris.base), known, iris))
    events = {t for t in graph if t[1] == KG.ordinal}
    assert graph - events == described
