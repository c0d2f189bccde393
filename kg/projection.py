"""Incidence → network: two entities are tied by the papers that list both.

With b_ik = 1 where paper k lists entity i (once, however often it is printed), n_k = Σ_i b_ik:

- ``full``: w_ij = Σ_k b_ik b_jk, the number of shared papers (Newman 2001, Phys. Rev. E 64, 016131);
- ``fractional``: w_ij = Σ_k b_ik b_jk / (n_k - 1), by author (Newman 2001, Phys. Rev. E 64, 016132;
  Perianes-Rodriguez, Waltman & van Eck 2016, J. Informetrics 10): the strength of i is the number of its
  papers that have a second entity;
- ``paper``: w_ij = Σ_k 2 b_ik b_jk / (n_k (n_k - 1)), by paper (Leydesdorff & Park 2017): the total weight is
  the number of papers with two entities or more.

A paper with one entity makes a node and no tie. Never is a higher level summed from the edges of a lower
one: countries are projected from their own incidence, in which a paper lists each country once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from scipy import sparse

from kg.network import Counting, Floats, Incidence, Network

Similarity = Literal["association", "cosine", "jaccard", "inclusion"]


def project(incidence: Incidence, counting: Counting = "full") -> Network:
    """The weighted projection of an incidence on its entities, under all three countings at once."""
    matrix, n = incidence.matrix.astype(np.float64), incidence.sizes.astype(np.float64)
    # Papers of one entity (or none) tie nothing; the guard keeps n - 1 from being divided by.
    ties = np.where(n > 1, 1.0, 0.0)
    by_author = ties / np.maximum(n - 1, 1)
    by_paper = ties * 2 / np.maximum(n * (n - 1), 1)
    upper = sparse.triu(sparse.csr_array(matrix.T @ matrix), k=1).tocsr()
    upper.sort_indices()
    entries = upper.tocoo()
    return Network(
        incidence=incidence,
        counting=counting,
        source=entries.row.astype(np.int64),
        target=entries.col.astype(np.int64),
        full=np.rint(entries.data).astype(np.int64),
        fractional=_weights(matrix, by_author),
        paper=_weights(matrix, by_paper),
    )


def _weights(matrix: sparse.csr_array, factor: Floats) -> Floats:
    """The upper triangle of Bᵀ·diag(factor)·B, in the order of the pattern of Bᵀ·B.

    The factor of a paper with two entities or more is positive, so no entry of the pattern is lost.
    """
    upper = sparse.triu(sparse.csr_array(matrix.T @ sparse.diags_array(factor) @ matrix), k=1).tocsr()
    upper.eliminate_zeros()
    upper.sort_indices()
    return np.asarray(upper.data, dtype=np.float64)


def cut(incidence: Incidence, limit: int) -> Incidence:
    """Without the papers of more than ``limit`` entities; a paper just at the limit counts.

    Entities that stand on no other paper leave with it.
    """
    keep = np.flatnonzero(incidence.sizes <= limit)
    dropped = len(incidence.papers) - len(keep)
    if not dropped:
        return incidence
    kept = sparse.csr_array(incidence.matrix[keep])
    coverage = replace(incidence.coverage, cut=incidence.coverage.cut + dropped)
    reduced = replace(incidence, papers=tuple(incidence.papers[k] for k in keep), matrix=kept, coverage=coverage)
    return select(reduced, np.flatnonzero(np.asarray(kept.sum(axis=0)).ravel() > 0))


def select(incidence: Incidence, nodes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Incidence:
    """The incidence with only these nodes (indices, ascending)."""
    if len(nodes) == len(incidence.nodes):
        return incidence
    return replace(
        incidence,
        nodes=tuple(incidence.nodes[i] for i in nodes),
        matrix=sparse.csr_array(sparse.csc_array(incidence.matrix)[:, nodes]),
    )


def threshold(network: Network, min_papers: int = 1, min_weight: int = 1) -> Network:
    """Without the nodes of fewer than ``min_papers`` papers, then without ties of fewer shared papers.

    The weights of the ties that stay do not change: n_k was taken before any node left.
    """
    stay = np.flatnonzero(network.papers_per_node >= min_papers)
    position = np.full(network.order, -1, dtype=np.int64)
    position[stay] = np.arange(len(stay))
    edges = (position[network.source] >= 0) & (position[network.target] >= 0) & (network.full >= min_weight)
    return replace(
        network,
        incidence=select(network.incidence, stay),
        source=position[network.source[edges]],
        target=position[network.target[edges]],
        full=network.full[edges],
        fractional=network.fractional[edges],
        paper=network.paper[edges],
        thresholds={"min_papers": min_papers, "min_weight": min_weight},
    )


def similarity(network: Network, kind: Similarity) -> Floats:
    """How much more two entities share than their sizes let expect, edge by edge.

    - ``association``: 2m·w_ij / (s_i s_j), m = Σ w (van Eck & Waltman 2009): 1 is what chance gives;
    - ``cosine``: w_ij / √(d_i d_j) (Salton); ``jaccard``: w_ij / (d_i + d_j - w_ij);
      ``inclusion``: w_ij / min(d_i, d_j). These three are of full counts, d is the number of papers.

    ``association`` is of the chosen counting.
    """
    u, v = network.source, network.target
    if kind == "association":
        strength = np.asarray(network.adjacency.sum(axis=1)).ravel()
        total = float(network.weight.sum())
        return np.asarray(2 * total * network.weight / (strength[u] * strength[v]), dtype=np.float64)
    d, w = network.papers_per_node.astype(np.float64), network.full.astype(np.float64)
    if kind == "cosine":
        return np.asarray(w / np.sqrt(d[u] * d[v]), dtype=np.float64)
    if kind == "jaccard":
        return np.asarray(w / (d[u] + d[v] - w), dtype=np.float64)
    return np.asarray(w / np.minimum(d[u], d[v]), dtype=np.float64)
