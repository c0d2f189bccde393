"""The whole way on the real listing: each figure was found by reading it, not by running this code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rdflib import Dataset, Graph, URIRef
from rdflib.compare import to_isomorphic

from kg.stores import Store
from tests.conftest import SEEDS, Cli

HUAWEI_HUST = {"Huawei", "Huazhong University of Science and Technology"}


def test_the_seed_is_the_listing_as_received() -> None:
    assert len(SEEDS) == 1
    assert sum(bool(line.strip()) for line in SEEDS[0].read_text("utf-8").splitlines()) == 177


def test_counts(kg: Cli, seed_folder: Path) -> None:
    done = kg("stats", "--store", seed_folder, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    expected = {
        "papers": 30,
        "authorships": 129,
        "authors": 128,
        "papers_with_institution_line": 24,
        "institution_mentions": 54,
        "institutions": 40,
        "venue_claims": 31,
    }
    assert {name: found[name] for name in expected} == expected
    venues = {(v["venue"], v["track"]): v for v in found["venues"]}
    main = venues["ICML 2026", "main"]
    assert (main["papers"], main["by_field"]) == (27, {"comments": 23, "journal-ref": 4})
    assert found["presentations"] == {"oral": 1}
    workshops = [v for v in found["venues"] if v["track"] == "workshop"]
    assert [(v["papers"], "ICML 2026" in v["venue"]) for v in workshops] == [(1, True)]
    assert [v["papers"] for v in found["venues"] if v["venue"] == "ICMLA 2026"] == [1]
    assert [v["papers"] for v in found["venues"] if v["venue"] == "ICML (no year)"] == [1]


def test_stats_for_people_say_the_same(kg: Cli, seed_folder: Path) -> None:
    done = kg("stats", "--store", seed_folder)
    assert done.returncode == 0
    assert "128" in done.stdout
    assert "ICMLA 2026" in done.stdout


def test_check_accounts_for_every_line(kg: Cli) -> None:
    done = kg("check", *SEEDS, "--json")
    assert done.returncode == 0, done.stderr
    (source,) = json.loads(done.stdout)["sources"]
    told = [line["line"] for line in source["lines"]]
    printed = SEEDS[0].read_text("utf-8").splitlines()
    assert told == [n for n, text in enumerate(printed, 1) if text.strip()]
    assert len(told) == 177


def test_the_seed_conforms_and_each_shape_saw_something(kg: Cli, seed_folder: Path) -> None:
    done = kg("validate", "--store", seed_folder, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["conforms"] is True
    assert report["shapes"]
    assert all(shape["focusNodes"] > 0 for shape in report["shapes"]), report["shapes"]
    text = kg("validate", "--store", seed_folder).stdout
    assert "personNames" in text or "names of" in text
    assert "splitAtAnd" in text or "and" in text


@pytest.mark.parametrize("network", ["coaffiliation", "coauthorship"])
def test_query_and_network_agree(kg: Cli, seed_folder: Path, network: str) -> None:
    asked = json.loads(kg("query", "--example", network, "--format", "json", "--store", seed_folder).stdout)
    names = [
        (frozenset(row[v]["value"] for v in asked["head"]["vars"] if row[v]["type"] == "uri"), row)
        for row in asked["results"]["bindings"]
    ]
    (weight,) = [
        v for v in asked["head"]["vars"] if "integer" in asked["results"]["bindings"][0][v].get("datatype", "")
    ]
    by_query = {pair: int(row[weight]["value"]) for pair, row in names}
    drawn = json.loads(kg("network", network, "--format", "json", "--store", seed_folder).stdout)
    by_network = {frozenset((edge["source"], edge["target"])): edge["weight"] for edge in drawn["edges"]}
    assert by_query == by_network
    assert len(by_query) == len(names), "each pair once"


def test_one_pair_of_institutions_shares_two_papers(kg: Cli, seed_folder: Path) -> None:
    drawn = json.loads(kg("network", "coaffiliation", "--format", "json", "--store", seed_folder).stdout)
    label = {node["id"]: node["label"] for node in drawn["nodes"]}
    assert len(label) == 40
    heavy = [{label[e["source"]], label[e["target"]]} for e in drawn["edges"] if e["weight"] != 1]
    assert heavy == [HUAWEI_HUST]
    assert (len(drawn["edges"]), sum(e["weight"] for e in drawn["edges"])) == (48, 49)


def merged(store: Store) -> Graph:
    graph = Graph()
    for s, p, o, _ in store.quads(None):
        graph.add((s, p, o))
    return graph


@pytest.mark.parametrize(
    ("name", "parser"), [("turtle", "turtle"), ("json-ld", "json-ld"), ("n-triples", "nt"), ("rdf-xml", "xml")]
)
def test_exports_of_the_graph_are_the_graph(
    kg: Cli, seed_folder: Path, seed_store: Store, name: str, parser: str
) -> None:
    done = kg("export", "--format", name, "--store", seed_folder)
    assert done.returncode == 0, done.stderr
    assert "\\u" not in done.stdout, "Chinese is not escaped"
    assert "定理" in done.stdout
    read = Graph().parse(data=done.stdout, format=parser)
    assert to_isomorphic(read) == to_isomorphic(merged(seed_store))


@pytest.mark.parametrize(("name", "parser"), [("n-quads", "nquads"), ("trig", "trig")])
def test_exports_of_the_dataset_are_the_dataset(
    kg: Cli, seed_folder: Path, seed_store: Store, name: str, parser: str
) -> None:
    done = kg("export", "--format", name, "--store", seed_folder)
    dataset = Dataset()
    dataset.parse(data=done.stdout, format=parser)
    read = {
        (s, p, o, g if g and "default" not in str(g).rsplit("/", 1)[-1] else None) for s, p, o, g in dataset.quads()
    }
    stored = {q for graph in (None, *seed_store.graph_names()) for q in seed_store.quads(graph)}
    assert {(s, p, o, g and URIRef(g)) for s, p, o, g in read} == stored


def test_json_ld_is_compact_and_names_its_context(kg: Cli, seed_folder: Path) -> None:
    document = json.loads(kg("export", "--format", "json-ld", "--store", seed_folder).stdout)
    assert document["@context"]
    papers = [
        node
        for node in document["@graph"]
        if node.get("type", node.get("@type")) in ("Paper", ["Paper"])
        or "Paper" in (node.get("type") or node.get("@type") or [])
    ]
    assert len(papers) == 30
    assert not any(key.startswith("http") for paper in papers for key in paper), "keys are terms, not IRIs"


def test_an_export_to_a_file_is_whole_or_not_there(kg: Cli, seed_folder: Path, tmp_path: Path) -> None:
    assert kg("export", "--format", "turtle", "--store", seed_folder, "--output", tmp_path / "g.ttl").returncode == 0
    assert len(Graph().parse(tmp_path / "g.ttl", format="turtle")) > 1000
    done = kg("export", "--format", "turtle", "--store", seed_folder, "--output", tmp_path / "no" / "g.ttl")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_strict_readers_of_others_read_each_export_without_a_warning(
    kg: Cli, seed_folder: Path, seed_store: Store
) -> None:
    """Oxigraph's strict parsers, and the JSON-LD playground's algorithm (pyld); warnings are errors here."""
    import pyoxigraph
    from pyld import jsonld

    triples = len(list(seed_store.quads(None)))
    for name, format_ in (
        ("n-triples", "nt"),
        ("turtle", "ttl"),
        ("rdf-xml", "rdf"),
        ("n-quads", "nq"),
        ("trig", "trig"),
    ):
        text = kg("export", "--format", name, "--store", seed_folder).stdout
        read = list(pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.from_extension(format_)))
        assert len([q for q in read if isinstance(q.graph_name, pyoxigraph.DefaultGraph)]) == triples, name
    document = json.loads(kg("export", "--format", "json-ld", "--store", seed_folder).stdout)
    lines = jsonld.to_rdf(document, {"format": "application/n-quads"}).splitlines()
    assert len(set(lines)) == triples
