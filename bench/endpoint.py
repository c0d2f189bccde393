"""Twelve queries that users ask, at 1, 8 and 64 clients: ``kg serve`` beside ``oxigraph serve`` and rdflib-endpoint.

    python bench/endpoint.py STORE --peers FOLDER [--preload LIBRARY] [--rounds 5] [--clients 1 8 64] [--only NAME ...]

STORE is one that ``kg build`` made; its current generation is what all three serve, each from the same files on
disk. FOLDER holds the peers' ``oxigraph`` and a ``python`` with rdflib-endpoint and oxrdflib (a virtual environment
with these three installed). The load comes from ``wrk`` (Debian's package of that name): each client asks its next
query as soon as its last is answered. Every query has parameters (an author, a title, an institution …) that change
with each request; the co-affiliation of everything has none. ``kg serve`` keeps answers until the state of the store
changes: all requests say ``Cache-Control: no-cache``, so that the table compares work with work, and the column
"again" is the same cell without that header.

``oxigraph serve`` has the allocator mimalloc built in for its part in Rust; its RocksDB uses the C library's. ``--preload
libmimalloc.so.2`` gives it to the whole of ``kg serve``, as the README's systemd unit does (Debian's package
libmimalloc2.0); without it ours runs on the C library's.

One cell is a number of clients, a query and a server. It begins with half its time that is not counted and lasts so
many seconds, or for slow queries long enough for an answer to each client, at most ``--longest`` seconds. Since a
machine's speed changes with what its neighbours do, ``kg serve`` and ``oxigraph serve`` take turns, ``--rounds``
times, and the median of the rounds counts; a slow query has one round. rdflib-endpoint would take days: its first
answer is waited for ``--slowest`` seconds, and its cells last a quarter of that at most. The servers are started anew
for each query, and rdflib-endpoint again after a cell in which it answered nothing (it goes on with queries whose
clients have left). Before anything is timed, the answers to the first request are compared.

Latencies are medians in milliseconds. Ratios are ours to the other's: of latencies for ``oxigraph serve`` (below 1
we are faster; the second is that of "again"), of requests per second for rdflib-endpoint (above 1 we are faster); ``≥``
where it answered nothing in the time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from rich.console import Console
from rich.progress import track

from kg.query import question
from kg.sparql import declare_prefixes
from kg.stores import Store, open_store

#: name → a query with ``{}`` where its parameter goes, and the query that lists parameters
QUERIES: dict[str, tuple[str, str]] = {
    "paper-by-title": (
        "SELECT ?paper ?property ?value { ?paper dcterms:title {} ; ?property ?value }",
        "SELECT ?x { ?paper a kg:Paper ; dcterms:title ?x } LIMIT 2000",
    ),
    "authors-in-order": (
        "SELECT ?position ?name ?author { {} kg:hasAuthorship ?a . ?a kg:position ?position ; kg:nameAsListed ?name ;"
        " pro:isHeldBy ?author } ORDER BY ?position",
        "SELECT ?x { ?x a kg:Paper } LIMIT 2000",
    ),
    "papers-of-author": (
        "SELECT ?paper ?title { ?paper schema:author {} ; dcterms:title ?title } ORDER BY ?title",
        "AUTHORS",
    ),
    "co-authors": (
        "SELECT ?other (SAMPLE(?n) AS ?name) (COUNT(DISTINCT ?paper) AS ?papers) { ?paper schema:author {}, ?other ."
        " ?other rdfs:label ?n FILTER (?other != {}) } GROUP BY ?other ORDER BY DESC(?papers) ?other",
        "AUTHORS",
    ),
    "co-authors-of-co-authors": (
        "SELECT ?other (COUNT(DISTINCT ?between) AS ?common) { ?p1 schema:author {}, ?between ."
        " ?p2 schema:author ?between, ?other FILTER (?between != {} && ?other != {} && ?other != ?between)"
        " FILTER NOT EXISTS { ?p3 schema:author {}, ?other } } GROUP BY ?other ORDER BY DESC(?common) ?other LIMIT 20",
        "AUTHORS",
    ),
    "papers-of-institution": (
        "SELECT DISTINCT ?paper ?title ?printed { ?part org:subOrganizationOf* {} . ?mention kg:resolvesTo ?part ;"
        " kg:rawText ?printed . ?paper kg:listsInstitution ?mention ; dcterms:title ?title } ORDER BY ?title ?printed",
        "INSTITUTIONS",
    ),
    "partners-of-institution": (
        "SELECT ?partner (SAMPLE(?n) AS ?name) (COUNT(DISTINCT ?paper) AS ?papers) {"
        " ?paper kg:relevantInstitution {}, ?partner FILTER (?partner != {})"
        ' ?partner skos:prefLabel ?n FILTER (LANG(?n) = "en") } GROUP BY ?partner ORDER BY DESC(?papers) ?partner',
        "INSTITUTIONS",
    ),
    "papers-of-conference": (
        "SELECT ?paper ?title ?evidence { ?claim kg:claimsEvent {} ; kg:track kgs:track-main ; kg:claimText ?evidence ."
        " ?paper kg:hasVenueClaim ?claim ; dcterms:title ?title } ORDER BY ?title LIMIT 500",
        "SELECT ?x { ?x a kg:Conference } LIMIT 200",
    ),
    "papers-by-edition": (
        "SELECT ?edition (COUNT(DISTINCT ?paper) AS ?papers) { ?event kg:inSeries {} ; rdfs:label ?edition ."
        " ?claim kg:claimsEvent ?event . ?paper kg:hasVenueClaim ?claim } GROUP BY ?edition ORDER BY ?edition",
        "SELECT DISTINCT ?x { ?event a kg:Conference ; kg:inSeries ?x }",
    ),
    "title-search": (
        "SELECT ?paper ?title { ?paper a kg:Paper ; dcterms:title ?title FILTER (CONTAINS(LCASE(?title), {})) }"
        " ORDER BY ?title LIMIT 20",
        "WORDS",
    ),
    "evidence-of-venue": (
        "SELECT ?field ?text ?source ?line { {} kg:hasVenueClaim ?claim . ?claim kg:claimField ?field ;"
        " kg:claimText ?text ; prov:wasDerivedFrom ?where . ?where kg:firstLine ?line ;"
        " dcterms:isPartOf/dcterms:isPartOf/rdfs:label ?source } ORDER BY ?line",
        "SELECT ?x { ?x a kg:Paper ; kg:hasVenueClaim ?claim } LIMIT 2000",
    ),
    "co-affiliation": ("", ""),  # the question of that name that ships with confkg
}
LISTS = {
    "AUTHORS": "SELECT ?x { ?paper schema:author ?x } GROUP BY ?x HAVING (COUNT(?paper) > 9) ORDER BY ?x LIMIT 2000",
    "INSTITUTIONS": "SELECT ?x { ?paper kg:relevantInstitution ?x } GROUP BY ?x HAVING (COUNT(?paper) > 9) ORDER BY ?x",
}
WORDS = ["diffusion", "bandit", "graph neural", "transformer", "kernel", "causal", "federated", "sparse", "robust"]

#: What wrk runs: the next path for each request, and a line of JSON at the end (latencies in microseconds).
LUA = """
local paths, n = {}, 0
function init(args) for line in io.lines(args[1]) do paths[#paths + 1] = line end end
function request() n = n + 1; return wrk.format("GET", paths[(n - 1) % #paths + 1]) end
function done(summary, latency, requests)
  io.write(string.format('JSON {"requests": %d, "microseconds": %d, "median": %d, "p99": %d, "refused": %d, "broken": %d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write))
end
"""
RDFLIB_ENDPOINT = """
import sys, oxrdflib, pyoxigraph, rdflib, uvicorn
from rdflib_endpoint import SparqlEndpoint
store = oxrdflib.OxigraphStore(store=pyoxigraph.Store.read_only(sys.argv[1]))
uvicorn.run(SparqlEndpoint(graph=rdflib.Dataset(store=store)), port=int(sys.argv[2]), log_level="error")
"""


@dataclass(frozen=True)
class Cell:
    """What one server did with one query at a number of clients."""

    answered: int
    seconds: float
    median: float
    refused: int

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answered / self.seconds


def paths(store: Store, name: str) -> list[str]:
    """The requests of a query: what follows the address of the endpoint."""
    text, parameters = QUERIES[name]
    if not text:
        queries = [question("coaffiliation").text]
    elif parameters == "WORDS":
        queries = [text.replace("{}", f'"{w}"') for w in WORDS]
    else:
        rows = store.select(declare_prefixes(LISTS.get(parameters, parameters))).rows
        values = sorted(row[0].n3() for row in rows if row[0] is not None)
        random.Random(20261202).shuffle(values)
        queries = [text.replace("{}", value) for value in values[:200]]
    return [f"?query={quote(declare_prefixes(q), safe='')}" for q in queries]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def serving(name: str, store: Path, peers: Path, preload: str | None) -> Iterator[str]:
    """A server process; the address of its endpoint."""
    port = free_port()
    generation = store / (store / "CURRENT").read_text().strip()
    command, path = {
        "confkg": (
            [sys.executable, "-m", "kg", "serve", "--store", store, "--timeout", "900", "--quiet", "--port", port],
            "/sparql",
        ),
        "oxigraph": (
            [peers / "oxigraph", "serve-read-only", "--location", generation, "--bind", f"127.0.0.1:{port}"],
            "/query",
        ),
        "rdflib-endpoint": ([peers / "python", "-c", RDFLIB_ENDPOINT, generation, port], "/"),
    }[name]
    environment = {**os.environ, "LD_PRELOAD": preload} if preload and name == "confkg" else None
    url = f"http://127.0.0.1:{port}{path}"
    with started([str(c) for c in command], url, environment):
        yield url


@contextmanager
def started(command: list[str], url: str, environment: dict[str, str] | None = None) -> Iterator[None]:
    """A server process, from its first answer until the block ends."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        for _ in range(600):
            try:
                fetch(f"{url}?query=ASK%20%7B%7D", 5)
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit(f"{command[0]} does not answer")
        yield
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:  # frozen
            process.kill()
            process.wait()


def fetch(url: str, seconds: float) -> bytes:
    request = urllib.request.Request(url, headers={"Accept": "application/sparql-results+json"})
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return bytes(answer.read())


def rows(answer: bytes) -> list[str]:
    """An answer in a form that does not depend on the order of rows, on that of joined titles, or on the language tag
    that ``oxigraph serve`` leaves at GROUP_CONCAT."""
    bindings = json.loads(answer)["results"]["bindings"]
    return sorted(
        json.dumps({k: sorted(v["value"].split(" | ")) for k, v in b.items()}, sort_keys=True) for b in bindings
    )


def load(url: str, requests: list[str], clients: int, seconds: float, work: Path, *, again: bool = False) -> Cell:
    """Let so many clients ask for so many seconds; ``again`` takes answers that are kept."""
    base = url.split("/", 3)
    (work / "paths").write_text("\n".join(f"/{base[3]}{r}" for r in requests) + "\n")
    (work / "load.lua").write_text(LUA)
    command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds:.0f}s", "--timeout", "900s", "-s", work / "load.lua"]
    command += [] if again else ["-H", "Cache-Control: no-cache"]
    command += ["-H", "Accept: application/sparql-results+json", "/".join(base[:3]), "--", work / "paths"]
    out = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout
    found = json.loads(next(line for line in out.splitlines() if line.startswith("JSON"))[5:])
    answered = found["requests"] - found["refused"]
    return Cell(answered, found["microseconds"] / 1e6, found["median"] / 1000, found["refused"] + found["broken"])


def first_answer(url: str, path: str, longest: float) -> tuple[list[str] | None, float]:
    """The rows of the first request's answer, and how long it took; ``None`` where it took longer than ``longest``."""
    started = time.monotonic()
    try:
        return rows(fetch(url + path, longest)), time.monotonic() - started
    except OSError:
        return None, longest


def measure(name: str, requests: list[str], arguments: argparse.Namespace) -> dict[tuple[str, int], Cell]:
    """All cells of one query."""
    with tempfile.TemporaryDirectory() as folder:
        cells, answer = side_by_side(name, requests, arguments, Path(folder))
        return cells | alone(name, requests, arguments, Path(folder), answer)


def side_by_side(
    name: str, requests: list[str], arguments: argparse.Namespace, work: Path
) -> tuple[dict[tuple[str, int], Cell], list[str]]:
    """The cells of ``kg serve`` and of ``oxigraph serve``, in turns, and the rows of their first answer."""
    seconds, longest = arguments.seconds, arguments.longest
    cells: dict[tuple[str, int], Cell] = {}
    with ExitStack() as stack:
        urls = {
            s: stack.enter_context(serving(s, arguments.store, arguments.peers, arguments.preload))
            for s in ("confkg", "oxigraph")
        }
        answer, took = first_answer(urls["confkg"], requests[0], longest)
        if answer is None or answer != first_answer(urls["oxigraph"], requests[0], longest)[0]:
            raise SystemExit(f"{name}: confkg and oxigraph answer differently")
        short = took < 1
        for count in arguments.clients:
            if short:  # caches warm; a query that takes longer warms them itself
                for url in urls.values():
                    load(url, requests, count, seconds / 2, work)
            length = seconds if short else min(longest, max(seconds, 1.2 * took * count))
            rounds: dict[str, list[Cell]] = {"confkg": [], "again": [], "oxigraph": []}
            for _ in range(arguments.rounds if short else 1):
                rounds["confkg"].append(load(urls["confkg"], requests, count, length, work))
                rounds["again"].append(load(urls["confkg"], requests, count, seconds, work, again=True))
                # last, since it goes on for a while with queries whose clients have left
                rounds["oxigraph"].append(load(urls["oxigraph"], requests, count, length, work))
            cells |= {(server, count): together(found) for server, found in rounds.items()}
    return cells, answer


def alone(
    name: str, requests: list[str], arguments: argparse.Namespace, work: Path, expected: list[str]
) -> dict[tuple[str, int], Cell]:
    """The cells of rdflib-endpoint."""
    seconds, longest = arguments.seconds, arguments.slowest
    cells: dict[tuple[str, int], Cell] = {}
    remaining = list(arguments.clients)
    while remaining:  # once more after each cell in which nothing was answered: a frozen server
        with serving("rdflib-endpoint", arguments.store, arguments.peers, None) as url:
            answer, took = first_answer(url, requests[0], longest)
            if answer is None:
                return cells | {("rdflib-endpoint", n): Cell(0, longest, 0.0, 0) for n in remaining}
            if answer != expected:
                raise SystemExit(f"{name}: rdflib-endpoint answers differently")
            while remaining:
                count = remaining.pop(0)
                cell = load(url, requests, count, min(longest / 4, max(seconds, 1.2 * took * count)), work)
                cells["rdflib-endpoint", count] = cell
                if not cell.answered:
                    break
    return cells


def together(cells: list[Cell]) -> Cell:
    """Several rounds of a cell as one: the median of their medians, the sums of the rest."""
    answered = sum(c.answered for c in cells)
    medians = [c.median for c in cells if c.answered] or [0.0]
    return Cell(answered, sum(c.seconds for c in cells), statistics.median(medians), sum(c.refused for c in cells))


def shown(cell: Cell) -> str:
    if not cell.answered:
        return f"none in {cell.seconds:.0f} s"
    rate = f"{cell.rate:,.0f}" if cell.rate >= 10 else f"{cell.rate:.2g}"
    refused = f", {cell.refused} refused" if cell.refused else ""
    return f"{cell.median:,.{0 if cell.median >= 100 else 1}f} ms, {rate}/s{refused}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--peers", type=Path, required=True, help="folder with 'oxigraph' and 'python'")
    parser.add_argument("--preload", metavar="LIBRARY", help="an allocator for kg serve, by LD_PRELOAD")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a round of a cell")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of a cell")
    parser.add_argument("--longest", type=float, default=240.0, help="length of the slowest cells")
    parser.add_argument("--slowest", type=float, default=80.0, help="how long rdflib-endpoint may take")
    parser.add_argument("--only", nargs="+", default=list(QUERIES), choices=list(QUERIES))
    arguments = parser.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("this needs wrk (apt-get install wrk)")
    store = open_store(str(arguments.store))
    papers = next(iter(store.select(declare_prefixes("SELECT (COUNT(*) AS ?n) { ?p a kg:Paper }")).rows))[0]
    requests = {name: paths(store, name) for name in arguments.only}
    store.close()
    print(f"{int(str(papers)):,} papers\n")
    print(
        "| Query | Clients | confkg | again | `oxigraph serve` | ratio | again | rdflib-endpoint | throughput, ratio |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    ratios: dict[tuple[str, int], list[float]] = {(s, n): [] for s in ("confkg", "again") for n in arguments.clients}
    for name in track(arguments.only, console=Console(stderr=True), description="queries"):
        cells = measure(name, requests[name], arguments)
        for count in arguments.clients:
            peer, slow = cells["oxigraph", count], cells["rdflib-endpoint", count]
            row = {}
            for which in ("confkg", "again"):
                ours, row[which] = cells[which, count], "–"
                if ours.answered and peer.answered:
                    ratios[which, count].append(ours.median / peer.median)
                    row[which] = f"{ratios[which, count][-1]:.2f}"
            rate = "–"
            if (ours := cells["confkg", count]).answered:
                floor = "" if slow.answered else "≥ "
                rate = f"{floor}{ours.rate / (slow.rate or 1 / slow.seconds):,.1f}"
            again = shown(cells["again", count])
            print(
                f"| {name} | {count} | {shown(ours)} | {again} | {shown(peer)} | {row['confkg']} | {row['again']} "
                f"| {shown(slow)} | {rate} |",
                flush=True,
            )
    for which, text in (("confkg", "Median ratio of latencies"), ("again", "The same of answers that were kept")):
        every = [ratio for n in arguments.clients for ratio in ratios[which, n]]
        if every:
            parts = [f"{statistics.median(ratios[which, n]):.2f} at {n}" for n in arguments.clients if ratios[which, n]]
            print(f"\n{text}: {', '.join(parts)} clients; over all {statistics.median(every):.2f}")


if __name__ == "__main__":
    main()
