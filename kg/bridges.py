"""Who holds a co-authorship network together, and how far a name may be trusted with that.

An author of several papers is a merge: of one name on several author lists. Taking the merge back leaves one node
a paper. A merge is a bridge where that cuts a component apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.metrics import measure
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


def bridges(store: Store) -> Bridges:
    """Every bridge of a store's co-authorship network, the one with most consequence first."""
    networks = {
        identity: load(store, "coauthorship", Scope("author", identity))
        for identity in ("names", "corroborated", "verified")
    }
    network = networks["names"]
    matrix, found = network.incidence.matrix, []
    # What an author's papers fall into without him: the blocks that he is in, and each paper that is his alone.
    alone = np.asarray(matrix[network.incidence.sizes == 1].sum(axis=0)).ravel()
    parts, by_author = network.blocks_per_node + alone, matrix.tocsc()
    for i in np.flatnonzero(parts > 1).tolist():
        node, rows = network.nodes[i], by_author.indices[by_author.indptr[i] : by_author.indptr[i + 1]]
        papers = tuple(network.incidence.papers[r] for r in rows.tolist())
        found.append(Bridge(node.id, node.label, node.get("identity") or "NameOnly", papers, int(parts[i]) - 1))
    shapes = {identity: _shape(made) for identity, made in networks.items()}
    return Bridges(tuple(sorted(found, key=lambda b: (-b.parts, b.id))), shapes)


def _shape(network: Network) -> tuple[int, int, int, int]:
    sizes = np.bincount(measure(network, "components").values)[1:] if network.order else np.zeros(0, np.int64)
    return network.order, network.size, len(sizes), int(sizes.max(initial=0))
