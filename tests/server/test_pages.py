"""The pages, in a real browser, and linked data as machines ask for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from rdflib import Graph, URIRef

from kg.query import questions
from tests.server.conftest import Server

BASE = "https://w3id.org/confkg/"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


def dom(url: str, folder: Path) -> str:
    """The page as the browser has it after it ran."""
    done = subprocess.run(
        [
            str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            f"--user-data-dir={folder}", "--virtual-time-budget=4000", "--dump-dom", url,
        ],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_browser
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/", ["128", "ICMLA 2026", "Which institutions stand on papers together", "哪些机构共同出现在论文中"]),
        (
            "/sparql?" + urlencode({"query": "SELECT ?t { ?p fabio:hasTranslatedTitle ?t } ORDER BY ?t LIMIT 3"}),
            ["3 rows", "@zh-Hans"],
        ),
        ("/quality", ["The graph conforms", "personNames", "Institution mention"]),
        ("/search?" + urlencode({"q": "华为"}), ["/institution/huawei-", "华为技术有限公司"]),
        ("/ontology", ["kg:Authorship", "作者"]),
        ("/shapes", ["Paper-title", "论文须有标题"]),
        ("/network/coaffiliation", ["Huawei"]),
    ],
)
def test_a_page_says_what_it_is_for(server: Server, path: str, says: list[str], tmp_path: Path) -> None:
    page = dom(server.url + path, tmp_path)
    for words in says:
        assert words in page, page[:3000]


def some(server: Server, kind: str) -> str:
    reply = server.query(f"SELECT ?x {{ ?x a {kind} }} ORDER BY ?x LIMIT 1")
    return str(json.loads(reply.text)["results"]["bindings"][0]["x"]["value"])


KINDS = [
    "kg:Paper", "kg:Author", "kg:Authorship", "kg:Institution", "kg:InstitutionMention", "kg:VenueClaim",
    "kg:Conference", "kg:Workshop", "schema:EventSeries", "kg:SourceDocument",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("media", "parser"),
    [
        ("text/turtle", "turtle"),
        ("application/ld+json", "json-ld"),
        ("application/n-triples", "nt"),
        ("application/rdf+xml", "xml"),
        ("text/html", None),
    ],
)
def test_every_iri_answers_at_its_path(server: Server, kind: str, media: str, parser: str | None) -> None:
    iri = some(server, kind)
    path = quote("/" + iri.removeprefix(BASE), safe="/%")
    reply = server.ask("GET", path, headers={"Accept": media})
    assert reply.status == 303
    assert "Accept" in reply.headers["vary"]
    document = server.ask("GET", reply.headers["location"])
    assert (document.status, document.type) == (200, media)
    if parser:
        graph = Graph().parse(data=document.text, format=parser)
        assert (URIRef(iri), None, None) in graph
    else:
        assert "application/ld+json" in document.text
        assert 'rel="alternate"' in document.headers["link"]


def test_an_unknown_thing_is_404(server: Server) -> None:
    for path in ("/paper/0123456789ab", "/paper/0123456789ab.ttl", "/nothing", "/export/graph.exe", "/network/x"):
        assert server.ask("GET", path).status == 404


def test_every_question_of_the_home_page_answers(server: Server) -> None:
    for question in questions():
        reply = server.query(question.text, "text/html")
        assert reply.status == 200, question.name
        assert reply.type == "text/html"


def test_a_hostile_label_is_only_text(server: Server) -> None:
    attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    query = f"SELECT ({json.dumps(attack)} AS ?x) (<javascript:alert(1)> AS ?y) {{}}"
    page = server.query(query, "text/html").text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert "<script>alert" not in server.ask("GET", "/search?" + urlencode({"q": attack})).text


def test_pages_may_load_nothing_from_elsewhere(server: Server) -> None:
    for path in ("/", "/quality", "/network/coaffiliation"):
        assert "default-src 'none'" in server.ask("GET", path).headers["content-security-policy"]


@pytest.mark.parametrize("suffix", ["ttl", "nt", "jsonld", "rdf"])
def test_an_export_is_the_graph(server: Server, suffix: str) -> None:
    reply = server.ask("GET", f"/export/graph.{suffix}")
    assert reply.status == 200
    parser = {"ttl": "turtle", "nt": "nt", "jsonld": "json-ld", "rdf": "xml"}[suffix]
    count = json.loads(server.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").text)["results"]["bindings"][0]["n"][
        "value"
    ]
    assert len(Graph().parse(data=reply.text, format=parser)) == int(count)


def test_void_counts(server: Server) -> None:
    graph = Graph().parse(data=server.ask("GET", "/.well-known/void", headers={"Accept": "text/turtle"}).text)
    classes = {str(o) for o in graph.objects(None, URIRef("http://rdfs.org/ns/void#class"))}
    assert "https://w3id.org/confkg/ontology#Paper" in classes
    dcat = "http://www.w3.org/ns/dcat#"
    assert len(set(graph.objects(None, URIRef(f"{dcat}distribution")))) == 6
    for dump in graph.objects(None, URIRef(f"{dcat}downloadURL")):
        assert server.ask("HEAD", "/" + str(dump).split("/", 3)[3]).status == 200


def test_quality_in_every_format(server: Server) -> None:
    assert json.loads(server.ask("GET", "/quality", headers={"Accept": "application/json"}).text)["conforms"] is True
    assert "sh:ValidationReport" in server.ask("GET", "/quality?format=turtle").text
    assert server.ask("GET", "/quality?format=exe").status == 406


def test_why_leads_to_the_line(server: Server) -> None:
    reply = server.ask("GET", "/why?" + urlencode({"s": "event/icml/2026", "p": "rdf:type"}))
    assert "Accepted at ICML 2026" in reply.text
