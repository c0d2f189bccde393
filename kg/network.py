"""Who writes with whom, and which institutions write together: networks as frozen values.

A network is projected from an :class:`Incidence` (which paper lists which entity) that
:mod:`kg.extraction` reads from a store by SPARQL; the arithmetic is in :mod:`kg.projection`, the measures in
:mod:`kg.metrics`. :func:`coauthorship` and :func:`coaffiliation` go the whole way to a ``networkx.Graph``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

if TYPE_CHECKING:
    from kg.stores import Store

#: The last two have two kinds of nodes (:mod:`kg.twomode`).
Kind = Literal["coauthorship", "coaffiliation", "affiliations", "venues"]
Level = Literal["author", "institution", "mention", "country", "sector"]
Counting = Literal["full", "fractional", "paper"]
Identity = Literal["names", "corroborated", "verified"]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which papers count, and how an entity is told from another.

    ``identity="corroborated"`` takes back the merges that rest on a name alone: an author whose
    kg:identityStatus is NameOnly becomes one node a paper; ``verified`` takes back all but those by an identifier.
    """

    level: Level = "institution"
    identity: Identity = "names"
    #: local part or IRI of a source's graph name, e.g. ``icml.txt``; None: the merged graph
    source: str | None = None
    #: editions by their year, from venue claims; None: all papers, those without a year too
    years: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """An author, organisation, mention, country or sector, with what the graph says of it."""

    id: str
    label: str
    label_zh: str | None = None
    #: country, sector, identity: sorted pairs, so that nodes compare and hash
    attributes: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str | None:
        """The attribute of that name, if the graph states it."""
        return dict(self.attributes).get(name)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the network cannot see: the papers behind it, and those it says nothing about."""

    #: papers in scope
    papers: int
    #: papers that name at least one entity
    covered: int
    #: papers with exactly one entity: they make a node and no edge
    solo: int
    #: papers over the limit of entities, left out
    cut: int = 0
    #: papers that list institutions of which at least one is not resolved (organisation level and above)
    unresolved: int = 0
    #: (paper, entity) pairs whose entity has no value at this level (an organisation without a country)
    unknown: int = 0


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which paper lists which entity: a 0/1 matrix, papers × nodes, each pair once however often it is printed."""

    kind: Kind
    scope: Scope
    papers: tuple[str, ...]
    nodes: tuple[Node, ...]
    matrix: sparse.csr_array
    coverage: Coverage
    #: paper → year of the edition it is at, the first of several; papers without one are not in it
    years: Mapping[str, int] = field(default_factory=dict)

    @property
    def sizes(self) -> Integers:
        """n_k: the number of entities of each paper."""
        return np.asarray(np.diff(self.matrix.indptr), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Network:
    """An undirected weighted network without self-pairs, nodes sorted by id, edges by (source, target) index.

    ``full``, ``fractional`` and ``paper`` are the weights under the three countings of
    :mod:`kg.projection`; ``weight`` is the chosen one.
    """

    incidence: Incidence
    counting: Counting
    source: Integers
    target: Integers
    full: Integers
    fractional: Floats
    paper: Floats
    #: what was asked for beyond the scope (thresholds), for the method section
    thresholds: Mapping[str, int] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        return self.incidence.kind

    @property
    def level(self) -> Level:
        return self.incidence.scope.level

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.incidence.nodes

    @property
    def order(self) -> int:
        """Number of nodes."""
        return len(self.incidence.nodes)

    @property
    def size(self) -> int:
        """Number of edges."""
        return len(self.source)

    @property
    def weight(self) -> Floats:
        """Edge weights under the chosen counting."""
        chosen: dict[Counting, Any] = {"full": self.full, "fractional": self.fractional, "paper": self.paper}
        return np.asarray(chosen[self.counting], dtype=np.float64)

    @cached_property
    def papers_per_node(self) -> Integers:
        """d_i: the papers that list each node, of those that count."""
        return np.asarray(self.incidence.matrix.sum(axis=0), dtype=np.int64).ravel()

    @cached_property
    def blocks_per_node(self) -> Integers:
        """The biconnected components that hold each node: as many parts its component falls into without it."""
        graph = self.to_networkx(evidence=False)
        blocks: Iterable[set[str]] = nx.biconnected_components(graph)  # type: ignore[assignment]  # the stubs say lists
        count = Counter(name for block in blocks for name in block)
        return np.array([count[node.id] for node in self.nodes], dtype=np.int64)

    @cached_property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric matrix of :attr:`weight`."""
        return self._symmetric(self.weight)

    @cached_property
    def pattern(self) -> sparse.csr_array:
        """The symmetric 0/1 matrix of the edges."""
        return self._symmetric(np.ones(self.size))

    def _symmetric(self, values: Floats) -> sparse.csr_array:
        row, column = np.concatenate([self.source, self.target]), np.concatenate([self.target, self.source])
        shape = (self.order, self.order)
        return sparse.csr_array((np.concatenate([values, values]), (row, column)), shape=shape)

    @cached_property
    def _shared(self) -> tuple[Integers, Integers]:
        """The papers of every edge at once: offsets by edge, paper indices in ascending order."""
        matrix, n = self.incidence.matrix, self.incidence.sizes
        keys, papers = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for size in np.unique(n[n > 1]).tolist():  # papers of one size make one rectangular block
            rows = np.flatnonzero(n == size)
            listed = matrix.indices[matrix.indptr[rows][:, None] + np.arange(size)].astype(np.int64)
            u, v = np.triu_indices(size, k=1)
            keys.append((listed[:, u] * self.order + listed[:, v]).ravel())
            papers.append(np.repeat(rows, len(u)))
        key, paper = np.concatenate(keys), np.concatenate(papers)
        known = self.source * self.order + self.target
        at = np.searchsorted(known, key)
        found = at < len(known)
        found[found] = known[at[found]] == key[found]
        edge, paper = at[found], paper[found]
        order = np.lexsort((paper, edge))
        offsets = np.searchsorted(edge[order], np.arange(self.size + 1))
        return offsets.astype(np.int64), paper[order]

    def evidence(self, edge: int) -> tuple[str, ...]:
        """The papers that an edge rests on, as IRIs, sorted."""
        offsets, papers = self._shared
        return tuple(self.incidence.papers[k] for k in papers[offsets[edge] : offsets[edge + 1]].tolist())

    def to_networkx(self, *, evidence: bool = True) -> nx.Graph[str]:
        """The same network as a ``networkx.Graph``: nodes by IRI, with label and attributes; edges with weights.

        ``evidence=False`` leaves out each edge's papers, which cost more than everything else together.
        """
        graph: nx.Graph[str] = nx.Graph(
            kind=self.kind, level=self.level, counting=self.counting, papers=self.incidence.coverage.papers
        )
        for node, papers in zip(self.nodes, self.papers_per_node.tolist(), strict=True):
            zh = {"label_zh": node.label_zh} if node.label_zh else {}
            graph.add_node(node.id, label=node.label, papers=papers, **zh, **dict(node.attributes))
        columns = (self.source, self.target, self.weight, self.full, self.fractional)
        for i, (u, v, weight, full, fractional) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
            data: dict[str, Any] = {"weight": weight, "full": full, "fractional": fractional}
            if evidence:
                data["papers"] = list(self.evidence(i))
            graph.add_edge(self.nodes[u].id, self.nodes[v].id, **data)
        return graph


def coauthorship(
    store: Store,
    *,
    counting: Counting = "full",
    identity: Identity = "names",
    source: str | None = None,
    years: tuple[int, int] | None = None,
) -> nx.Graph[str]:
    """The co-authorship network of a store: two authors are tied by the papers that both signed.

    Solo authors are nodes without ties. Weights: ``counting`` (see :mod:`kg.projection`); every edge carries
    ``full``, ``fractional`` and its ``papers``.

    >>> from kg.stores.oxigraph import memory
    >>> len(coauthorship(memory()))
    0
    """
    return load(store, "coauthorship", Scope("author", identity, source, years), counting=counting).to_networkx()


def coaffiliation(
    store: Store,
    *,
    level: Level = "institution",
    counting: Counting = "full",
    source: str | None = None,
    years: tuple[int, int] | None = None,
) -> nx.Graph[str]:
    """The co-affiliation network of a store: two institutions are tied by the papers that list both.

    Several units of one organisation on a paper are one node and no tie. ``level`` may be ``institution``,
    ``mention`` (as printed), ``country`` or ``sector``.
    """
    return load(store, "coaffiliation", Scope(level, "names", source, years), counting=counting).to_networkx()


def load(
    store: Store,
    kind: Kind,
    scope: Scope,
    *,
    counting: Counting = "full",
    max_entities: int | None = None,
    min_papers: int = 1,
    min_weight: int = 1,
) -> Network:
    """From the store to the network, thresholds applied in this order.

    Args:
        store: any store of :mod:`kg.stores`.
        kind: which network.
        scope: which papers, at which level.
        counting: which of the weights is ``weight``.
        max_entities: papers with more entities are left out (and counted in the coverage).
        min_papers: nodes of fewer papers are left out, after n_k was taken.
        min_weight: ties of fewer shared papers are left out; their nodes stay.
    """
    from kg.extraction import extract
    from kg.projection import cut, project, threshold

    incidence = extract(store, kind, scope)
    if max_entities is not None:
        incidence = cut(incidence, max_entities)
    return threshold(project(incidence, counting), min_papers, min_weight)
