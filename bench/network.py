"""From store to measures, beside plain networkx: seconds, ratios, and whether the results are the same.

    python bench/network.py ../shared/data [--sizes 1000 10000 100000] [--samples 64] [--stores FOLDER]

Both sides start from the same (paper, author) pairs in memory, and make: the weighted projection, components,
PageRank, betweenness sampled from the same sources, and communities. confkg does it as ``kg network`` does; networkx
does it with its own functions alone (``weighted_projected_graph``, ``connected_components``, ``pagerank`` with a
tolerance that places its nodes right, ``betweenness_centrality(k=…)``, ``louvain_communities``). Equal means: the same
ties with the same weights, the same components, PageRank and betweenness within 1e-9, and communities (which no two
methods share) of at least networkx's modularity.

The last column is what a user waits for: ``kg network coauthorship`` from the store on disk to the printed table.
With ``--stores`` the stores are kept in FOLDER/100000 and so on, and taken from there the next time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from kg.extraction import assemble
from kg.metrics import Options, measure
from kg.metrics.communities import modularity
from kg.network import Network, Node, Scope, load
from kg.projection import project
from kg.stores import open_store

STEPS = ("projection", "components", "pagerank", "betweenness", "communities")


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def ours(incidence: Any, samples: int) -> tuple[Network, dict[str, Any], dict[str, float]]:
    network, seconds = timed(lambda: project(incidence, "full"))
    found, spent = {}, {"projection": seconds}
    for name in STEPS[1:]:
        made, spent[name] = timed(lambda name=name: measure(network, name, Options(samples=samples)))
        found[name] = np.asarray(made.values)
        if name == "betweenness":
            print(f"  betweenness by {made.engine}", file=sys.stderr, flush=True)
    return network, found, spent


def theirs(incidence: Any, samples: int) -> tuple[nx.Graph, dict[str, Any], dict[str, float]]:
    spent, found = {}, {}

    def projection() -> nx.Graph:
        pairs = nx.Graph()
        ids = [n.id for n in incidence.nodes]
        pairs.add_nodes_from(ids)
        indices, bounds = incidence.matrix.indices.tolist(), pairwise(incidence.matrix.indptr.tolist())
        pairs.add_edges_from((k, ids[i]) for k, (a, b) in enumerate(bounds) for i in indices[a:b])
        return nx.bipartite.weighted_projected_graph(pairs, ids)

    graph, spent["projection"] = timed(projection)
    n = len(graph)
    works: dict[str, Callable[[], Any]] = {
        "components": lambda: list(nx.connected_components(graph)),
        "pagerank": lambda: nx.pagerank(graph, tol=1e-10 / n, max_iter=2000),
        "betweenness": lambda: nx.betweenness_centrality(graph, k=min(samples, n), seed=0),
        "communities": lambda: nx.community.louvain_communities(graph, seed=0),
    }
    for name, work in works.items():
        found[name], spent[name] = timed(work)
        print(f"  networkx {name}: {spent[name]:.1f} s", file=sys.stderr, flush=True)
    return graph, found, spent


def differences(network: Network, mine: dict[str, Any], graph: nx.Graph, peers: dict[str, Any]) -> list[str]:
    """What is not equal; empty where all is."""
    ids = [n.id for n in network.nodes]
    index = {name: i for i, name in enumerate(ids)}
    ends = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    ties = {(ids[u], ids[v]): w for u, v, w in ends}
    other = {tuple(sorted(e, key=index.__getitem__)): w for *e, w in graph.edges(data="weight")}
    found = [] if ties == other else ["ties"]
    of = np.empty(len(ids), dtype=np.int64)
    for k, part in enumerate(peers["components"]):
        of[[index[i] for i in part]] = k
    both = {*zip(of.tolist(), mine["components"].tolist(), strict=True)}
    if not len(both) == len(peers["components"]) == len(set(mine["components"].tolist())):
        found.append("components")
    for name in ("pagerank", "betweenness"):
        far = np.abs(mine[name] - np.array([peers[name][i] for i in ids])).max()
        if far >= 1e-9:
            found.append(f"{name} ({far:.1e})")
    for k, part in enumerate(peers["communities"]):
        of[[index[i] for i in part]] = k
    if (modularity(network, mine["communities"]) or 0) < (modularity(network, of) or 0) - 1e-9:
        found.append(f"communities ({modularity(network, mine['communities'])} < {modularity(network, of)})")
    return found


def store_of(data: Path, size: int, folder: Path) -> Path:
    made = folder / str(size)
    if not (made / "CURRENT").exists():
        listing = folder / f"{size}.txt"
        with listing.open("w", encoding="utf-8") as out:
            script = Path(__file__).with_name("make_listing.py")
            subprocess.run([sys.executable, str(script), str(data), str(size)], stdout=out, check=True)
        command = [sys.executable, "-m", "kg", "build", str(listing), "--store", str(made), "--no-validate"]
        subprocess.run([*command, "--keep-going"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--stores", type=Path)
    options = parser.parse_args()
    # what a process pays once, and not for its network
    measure(
        project(
            assemble("coauthorship", Scope("author"), ["p"], [Node("a", "a"), Node("b", "b")], [("p", "a"), ("p", "b")])
        ),
        "communities",
    )
    print("| papers | authors | ties |", " | ".join(STEPS), "| in all | equal | store to table |")
    print("|---|---|---|" + "---|" * (len(STEPS) + 3))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.stores or Path(temporary)
        for size in options.sizes:
            path = store_of(options.data, size, folder)
            incidence = load(open_store(path), "coauthorship", Scope("author")).incidence
            network, mine, spent = ours(incidence, options.samples)
            command = [sys.executable, "-m", "kg", "network", "coauthorship", "--store", str(path)]
            _, waited = timed(lambda c=command: subprocess.run(c, stdout=subprocess.DEVNULL, check=True))
            graph, peers, others = theirs(incidence, options.samples)
            unequal = differences(network, mine, graph, peers)
            cells = [f"{others[s]:.3g} / {spent[s]:.3g} = {others[s] / spent[s]:.0f}×" for s in STEPS]
            a, b = sum(others.values()), sum(spent.values())
            cells.append(f"{a:.3g} / {b:.3g} = **{a / b:.0f}×**")
            shown = f"{len(incidence.papers)} | {network.order} | {network.size} | {' | '.join(cells)}"
            print(f"| {shown} | {', '.join(unequal) or 'yes'} | {waited:.1f} s |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
