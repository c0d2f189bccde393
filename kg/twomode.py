"""Networks of two kinds of nodes: authors and the institutions that a source gives them, institutions and venues.

Nothing is projected here: an edge stands for statements, and its weight counts the papers that make them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import rdflib

from kg.extraction import assemble
from kg.network import Coverage, Network, Node, Scope
from kg.projection import project
from kg.sparql import declare_prefixes
from kg.stores import Store
from kg.terms import is_chinese
from kg.vocab import ATTENDED_FILTER

#: What each network asks for: paper, the two ends, their labels.
_QUERIES = {
    "affiliations": """SELECT DISTINCT ?paper ?one ?oneLabel ?other ?otherLabel WHERE {
      ?paper kg:hasAuthorship ?a . ?a pro:isHeldBy ?one ; kg:statedAffiliation ?other .
      ?one rdfs:label ?oneLabel . ?other skos:prefLabel ?otherLabel }""",
    "venues": f"""SELECT DISTINCT ?paper ?one ?oneLabel ?other ?otherLabel WHERE {{
      ?paper kg:relevantInstitution ?one ; kg:hasVenueClaim ?claim . ?claim kg:claimsEvent ?other .
      {ATTENDED_FILTER}
      ?one skos:prefLabel ?oneLabel . ?other rdfs:label ?otherLabel }}""",
}
KINDS = {"affiliations": ("author", "institution"), "venues": ("institution", "venue")}


def two_mode(store: Store, name: Literal["affiliations", "venues"]) -> Network:
    """The network ``affiliations`` or ``venues``; each node's ``kind`` says which side it is on.

    One row of the incidence is one paper's statement about one pair, so a tie's weight is its number of papers.
    """
    nodes: dict[str, Node] = {}
    chinese: dict[str, str] = {}
    pairs: set[tuple[str, str]] = set()
    papers: dict[str, str] = {}
    for paper, one, one_label, other, other_label in store.select(declare_prefixes(_QUERIES[name])):
        row = f"{paper}\x1f{one}\x1f{other}"
        papers[row] = str(paper)
        for iri, label, kind in ((str(one), one_label, KINDS[name][0]), (str(other), other_label, KINDS[name][1])):
            pairs.add((row, iri))
            if isinstance(label, rdflib.Literal) and is_chinese(label):
                chinese[iri] = str(label)
            elif iri not in nodes or str(label) < nodes[iri].label:
                nodes[iri] = Node(iri, str(label), None, (("kind", kind),))
    for iri, zh in chinese.items():
        known = nodes.get(iri)
        nodes[iri] = Node(iri, known.label if known else zh, zh, known.attributes if known else ())
    found = assemble(name, Scope("institution"), papers, nodes.values(), pairs)
    rows = tuple(papers[row] for row in found.papers)
    ((every,),) = store.select(declare_prefixes("SELECT (COUNT(*) AS ?n) WHERE { ?paper a kg:Paper }"))
    coverage = Coverage(int(str(every)), covered=len(set(rows)), solo=0, unresolved=0, unknown=0)
    return project(replace(found, papers=rows, coverage=coverage), "full")
