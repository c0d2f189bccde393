"""Each file opens in its program's own reader, and says there what the network says: networkx, igraph, schemas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import igraph
import jsonschema
import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from kg.analysis import Analysis, analyse
from kg.graph_formats import names, write
from kg.metrics import Options
from tests.network.conftest import network_of, papers

HERE = Path(__file__).parent
GEXF = etree.RelaxNG(etree.parse(HERE / "gexf13.rng"))
VOSVIEWER = json.loads((HERE / "vosviewer.schema.json").read_text("utf-8"))
#: What people print, and what breaks writers: Chinese, quotes, angle brackets, tabs, line breaks, a lone control sign.
LABELS = st.text(st.sampled_from("Aé清华大学 \"'<>&\t\n\r\\,;|\u0007\u2028\U0001f600"), min_size=1, max_size=8)


def written(analysis: Analysis, name: str) -> bytes:
    out = io.BytesIO()
    write(analysis, name, out)
    return out.getvalue()


@st.composite
def analyses(draw: Callable[..., object]) -> Analysis:
    network = network_of(draw(papers), draw(st.sampled_from(["full", "fractional"])), idle="z")
    nodes = tuple(replace(node, label=draw(LABELS)) for node in network.nodes)
    dated = {p: draw(st.integers(1987, 2030)) for p in network.incidence.papers if draw(st.booleans())}
    incidence = replace(network.incidence, nodes=nodes, years=dated)
    return analyse(replace(network, incidence=incidence), ["degree", "strength"], Options())


def edges_of(analysis: Analysis) -> dict[frozenset[str], float]:
    return {frozenset((r["source"], r["target"])): float(r["weight"]) for r in analysis.edge_rows(evidence=False)}


def visible(label: str) -> str:
    """A label as XML can hold it."""
    return label.replace("\u0007", "\N{REPLACEMENT CHARACTER}")


MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(analysis=analyses())
def test_graphml_in_networkx_and_igraph(analysis, tmp_path_factory):
    file = tmp_path_factory.mktemp("g") / "a.graphml"
    file.write_bytes(written(analysis, "graphml"))
    graph = nx.read_graphml(file)
    assert {n: d["label"] for n, d in graph.nodes(data=True)} == {
        n.id: visible(n.label) for n in analysis.network.nodes
    }
    assert {frozenset(e): w for *e, w in graph.edges(data="weight")} == pytest.approx(edges_of(analysis))
    other = igraph.Graph.Read_GraphML(str(file))
    assert (other.vcount(), other.ecount()) == (analysis.network.order, analysis.network.size)
    assert sum(other.es["weight"]) == pytest.approx(sum(edges_of(analysis).values())) if other.ecount() else True


@MANY
@given(analysis=analyses())
def test_gexf_against_its_schema_and_in_networkx(analysis, tmp_path_factory):
    content = written(analysis, "gexf")
    assert GEXF.validate(etree.fromstring(content)), GEXF.error_log
    file = tmp_path_factory.mktemp("g") / "a.gexf"
    file.write_bytes(content)
    graph = nx.read_gexf(file, version="1.3") if "1.3" in _gexf_versions() else _as_older(file)
    assert {n: d["label"] for n, d in graph.nodes(data=True)} == {
        n.id: visible(n.label) for n in analysis.network.nodes
    }
    assert {frozenset(e): w for *e, w in graph.edges(data="weight")} == pytest.approx(edges_of(analysis))


def _gexf_versions() -> set[str]:
    return set(nx.readwrite.gexf.GEXF.versions)


def _as_older(file: Path) -> nx.Graph:
    """networkx reads GEXF up to 1.2draft: what we use of 1.3 differs from that by its namespaces alone."""
    text = file.read_text("utf-8").replace('version="1.3"', 'version="1.2"')
    text = text.replace("http://gexf.net/1.3/viz", "http://www.gexf.net/1.2draft/viz")
    file.write_text(text.replace("http://gexf.net/1.3", "http://www.gexf.net/1.2draft"), "utf-8", newline="")
    return nx.read_gexf(file)


@MANY
@given(analysis=analyses())
def test_pajek_in_networkx_and_igraph(analysis, tmp_path_factory):
    file = tmp_path_factory.mktemp("g") / "a.net"
    content = written(analysis, "pajek")
    file.write_bytes(content.removeprefix(b"\xef\xbb\xbf"))
    other = igraph.Graph.Read_Pajek(str(file))
    assert (other.vcount(), other.ecount()) == (analysis.network.order, analysis.network.size)
    vertices = content.decode("utf-8-sig").split("*Edges")[0].splitlines()[1:]
    assert len(vertices) == analysis.network.order  # a label ends no line
    assert all(line.count('"') == 2 for line in vertices)
    ends = [line.split() for line in content.decode("utf-8-sig").split("*Edges")[1].splitlines()[1:]]
    found = {frozenset(analysis.network.nodes[int(v) - 1].id for v in pair[:2]): float(pair[2]) for pair in ends}
    assert found == pytest.approx(edges_of(analysis))


def test_pajek_in_networkx(tmp_path):
    file = tmp_path / "a.net"
    network = network_of([["a", "b", "c"], ["a", "b"]])
    nodes = tuple(replace(n, label=f'{n.label} "清华大学"') for n in network.nodes)
    made = analyse(replace(network, incidence=replace(network.incidence, nodes=nodes)), ["degree"], Options())
    file.write_bytes(written(made, "pajek").removeprefix(b"\xef\xbb\xbf"))
    graph = nx.Graph(nx.read_pajek(file))
    assert sorted(graph) == ["A ”清华大学”", "B ”清华大学”", "C ”清华大学”"]
    assert graph.edges["A ”清华大学”", "B ”清华大学”"]["weight"] == 2


@MANY
@given(analysis=analyses())
def test_vosviewer_against_its_schema(analysis):
    document = json.loads(written(analysis, "vosviewer"))
    jsonschema.validate(document, VOSVIEWER)
    items, links = document["network"]["items"], document["network"]["links"]
    ids = [item["id"] for item in items]
    assert len(set(ids)) == len(ids) == analysis.network.order
    assert all({link["source_id"], link["target_id"]} <= set(ids) for link in links)
    name = {i + 1: node.id for i, node in enumerate(analysis.network.nodes)}
    found = {frozenset((name[x["source_id"]], name[x["target_id"]])): x["strength"] for x in links}
    assert found == pytest.approx(edges_of(analysis))


@MANY
@given(analysis=analyses())
def test_vosviewer_map_and_network_are_tables_of_the_same_items(analysis):
    rows = list(csv.DictReader(io.StringIO(written(analysis, "vosviewer-map").decode(), newline=""), delimiter="\t"))
    assert len(rows) == analysis.network.order
    assert all(None not in row and None not in row.values() for row in rows)
    ties = [line.split("\t") for line in written(analysis, "vosviewer-network").decode().splitlines()]
    assert len(ties) == analysis.network.size
    assert {i for tie in ties for i in tie[:2]} <= {row["id"] for row in rows}


@MANY
@given(analysis=analyses())
def test_node_link_and_cytoscape_in_networkx(analysis):
    labels = {n.id: n.label for n in analysis.network.nodes}
    graph = nx.node_link_graph(json.loads(written(analysis, "node-link")), edges="edges")
    assert dict(graph.nodes(data="label")) == labels
    assert {frozenset(e): w for *e, w in graph.edges(data="weight")} == pytest.approx(edges_of(analysis))
    graph = nx.cytoscape_graph(json.loads(written(analysis, "cytoscape")))
    assert {d["id"]: d["label"] for _, d in graph.nodes(data=True)} == labels
    assert len(graph.edges) == analysis.network.size


@MANY
@given(analysis=analyses())
def test_csv_in_the_readers_of_python(analysis):
    rows = list(csv.DictReader(io.StringIO(written(analysis, "csv").decode("utf-8-sig"), newline="")))
    assert {frozenset((r["source"], r["target"])): float(r["weight"]) for r in rows} == pytest.approx(
        edges_of(analysis)
    )
    rows = list(csv.DictReader(io.StringIO(written(analysis, "csv-nodes").decode("utf-8-sig"), newline="")))
    assert [r["label"] for r in rows] == [n.label for n in analysis.network.nodes]


@pytest.mark.parametrize("name", sorted(set(names()) - {"pdf"}))
def test_the_same_network_gives_the_same_bytes(name):
    listed = [["a", "b", "c"], ["c", "d"], ["e"]]
    first, again = (written(analyse(network_of(listed)), name) for _ in range(2))
    assert first == again
