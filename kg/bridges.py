"""Who holds a co-authorship network together, and how far a name may be trusted with that.

An author of several papers is a merge: of one name on several author lists. Taking the merge back leaves one node
a paper. A merge is a bridge where that cuts a component apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kg.network import Network, Scope, load
from kg.stores import Store


@dataclass(frozen=True, slots=True)
class Bridge:
    """An author whose merge connects what would else be apart."""

    id: str
    label: str
    #: NameOnly, Corroborated or Verified
    identity: str
    papers: tuple[str, ...]
    #: components more, were this one merge taken back
    parts: int


@dataclass(frozen=True)
class Bridges:
    """The bridges of a network, and the network with and without merges that rest on a name."""

    bridges: tuple[Bridge, ...]
    #: identity switch → (nodes, edges, components, largest component)
    shapes: dict[str, tuple[int, int, int, int]]


def components(network: Network) -> tuple[int, int]:
    """How many, and the size of the largest."""
    if not network.order:
        return 0, 0
    count, labels = sparse.csgraph.connected_components(network.pattern, directed=False)
    return int(count), int(np.bincount(labels).max())


def bridges(store: Store) -> Bridges:
    """Every bridge of a store's co-authorship network, the one with most consequence first."""
    shapes = {}
    for identity in ("names", "corroborated", "verified"):
        network = load(store, "coauthorship", Scope("author", identity))
        shapes[identity] = (network.order, network.size, *components(network))
    network = load(store, "coauthorship", Scope("author"))
    matrix, found = network.incidence.matrix, []
    by_author = matrix.tocsc()
    for i in np.flatnonzero(network.papers_per_node > 1).tolist():
        rows = by_author.indices[by_author.indptr[i] : by_author.indptr[i + 1]]
        parts = _parts_without(network, i, rows.tolist())
        if parts > 1:
            node = network.nodes[i]
            papers = tuple(network.incidence.papers[r] for r in rows.tolist())
            found.append(Bridge(node.id, node.label, node.get("identity") or "NameOnly", papers, parts - 1))
    return Bridges(tuple(sorted(found, key=lambda b: (-b.parts, b.id))), shapes)


def _parts_without(network: Network, author: int, papers: list[int]) -> int:
    """Into how many parts the author's papers fall, were the author another person on each of them."""
    ends = np.concatenate([network.source, network.target]), np.concatenate([network.target, network.source])
    keep = (ends[0] != author) & (ends[1] != author)
    size = network.order + len(papers)
    rows, columns = ends[0][keep], ends[1][keep]
    matrix = network.incidence.matrix
    extra = [
        (network.order + k, other)
        for k, paper in enumerate(papers)
        for other in matrix.indices[matrix.indptr[paper] : matrix.indptr[paper + 1]].tolist()
        if other != author
    ]
    u = np.concatenate([rows, np.array([a for a, _ in extra], dtype=np.int64)])
    v = np.concatenate([columns, np.array([b for _, b in extra], dtype=np.int64)])
    graph = sparse.csr_array((np.ones(len(u)), (u, v)), shape=(size, size))
    _, labels = sparse.csgraph.connected_components(graph, directed=False)
    return len({int(labels[network.order + k]) for k in range(len(papers))})
