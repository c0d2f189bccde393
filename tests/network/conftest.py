"""Graphs to make networks from: drawn ones for laws, and the store of the seed."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import strategies as st
from rdflib import RDF, RDFS, SKOS, Literal, URIRef

from kg.extraction import assemble
from kg.network import Counting, Kind, Network, Node, Scope
from kg.pipeline import build
from kg.projection import project
from kg.stores import Quad, Store, open_store
from kg.stores.oxigraph import memory
from kg.vocab import KG, KGS, SCHEMA, Iris

IRIS = Iris()
SEED = Path(__file__).parents[2] / "seeds" / "000_97a3effe746da716.txt"

#: Papers as sets of single letters: solo papers, repeated papers and papers of nobody come up.
papers = st.lists(st.sets(st.sampled_from(string.ascii_lowercase[:14]), max_size=6), max_size=16)


def network_of(
    listed: Sequence[Iterable[str]], counting: Counting = "full", kind: Kind = "coauthorship", idle: str = ""
) -> Network:
    """The network of papers, each a collection of entities; ``idle`` entities stand on none."""
    ids = sorted({e for paper in listed for e in paper} | set(idle))
    pairs = [(f"p{k:03}", e) for k, paper in enumerate(listed) for e in paper]
    scope = Scope("author" if kind == "coauthorship" else "institution")
    names = [f"p{k:03}" for k in range(len(listed))]
    return project(assemble(kind, scope, names, [_node(i) for i in ids], pairs), counting)


def _node(name: str) -> Node:
    """Countries and sectors by letter, every fourth or so unknown."""
    country, sector = {0: "CN", 1: "CH", 2: "US"}.get(ord(name) % 4), {0: "education", 1: "company"}.get(ord(name) % 3)
    known = {"country": country, "sector": sector}
    return Node(name, name.upper(), None, tuple((k, v) for k, v in known.items() if v))


def author_quads(listed: Sequence[Sequence[str]], status: str = "NameOnly") -> list[Quad]:
    """The statements of papers and their authors, as the mapping writes them."""
    quads: list[Quad] = []
    for k, names in enumerate(listed):
        paper = IRIS.local(f"paper/p{k:03}")
        quads.append((paper, RDF.type, KG.Paper, None))
        for name in names:
            author = IRIS.local(f"author/{name}")
            quads.append((paper, SCHEMA.author, author, None))
            quads.append((author, RDF.type, KG.Author, None))
            quads.append((author, RDFS.label, Literal(name), None))
            quads.append((author, KG.identityStatus, KGS[status], None))
    return quads


def institution_quads(listed: Sequence[Sequence[tuple[str, str, str]]]) -> list[Quad]:
    """The statements of papers and their organisations: (name, country, sector) each."""
    quads: list[Quad] = []
    for k, organisations in enumerate(listed):
        paper = IRIS.local(f"paper/p{k:03}")
        quads.append((paper, RDF.type, KG.Paper, None))
        for name, country, sector in organisations:
            node = URIRef(f"{IRIS.base}institution/{name}")
            quads.append((paper, KG.relevantInstitution, node, None))
            quads.append((node, RDF.type, KG.Institution, None))
            quads.append((node, SKOS.prefLabel, Literal(name, lang="en"), None))
            if country:
                quads.append((node, KG.countryCode, Literal(country), None))
            if sector:
                quads.append((node, KG.sector, KGS[sector], None))
    return quads


@pytest.fixture
def store_of():
    return memory


@pytest.fixture(scope="session")
def seed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seed") / "store"
    build([SEED], folder)
    return folder


@pytest.fixture(scope="session")
def seed_store(seed_folder: Path) -> Store:
    return open_store(seed_folder)
