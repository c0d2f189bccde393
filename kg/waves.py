"""Breadth-first search from many sources at once, as products of a sparse with a dense matrix.

One product advances the wave of every source by one step; path counts are the entries. For the path measures
(betweenness, closeness) this gives the textbook values, with no engine beside scipy and independent of the
order of edges. Cost: sources × edges × eccentricity additions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kg.network import Floats, Integers

#: Numbers in one dense block: about 8 MB each, a third faster than blocks that no cache holds.
BLOCK = 1_000_000


@dataclass(frozen=True, eq=False)
class Wave:
    """The waves of a block of sources: columns are sources, rows nodes."""

    sources: Integers
    #: distance; -1 where the wave did not come
    distance: np.ndarray[tuple[int, int], np.dtype[np.int32]]
    #: number of shortest paths
    paths: np.ndarray[tuple[int, int], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Classes:
    """Nodes with the same closed neighbourhood (the authors of one paper and of no other are), one for all of each.

    They are tied to each other and to the same others, so they lie on the same shortest paths: a class of m counts
    as m where a path may run through, or end at, any of them (Puzis et al. 2012, "Heuristics for Speeding Up
    Betweenness Centrality Computation", structurally equivalent vertices).
    """

    #: the pattern among the first members
    pattern: sparse.csr_array
    #: members of each class
    size: Floats
    #: class of each node
    of: Integers


def classes(pattern: sparse.csr_array) -> Classes:
    """The classes of a pattern; equal neighbourhoods are found by two sums of 64 random bits over each."""
    n = pattern.shape[0]
    bits = np.random.default_rng(0).integers(-(2**62), 2**62, size=(n, 2), dtype=np.int64)
    sums = pattern.astype(np.int64) @ bits + bits  # overflow wraps, which is meant
    _, first, of, size = np.unique(sums, axis=0, return_index=True, return_inverse=True, return_counts=True)
    return Classes(sparse.csr_array(pattern[first][:, first]), size.astype(float), of.ravel().astype(np.int64))


def waves(pattern: sparse.csr_array, sources: Integers, size: Floats | None = None) -> Iterator[Wave]:
    """Distances and path counts from each source, in blocks of bounded memory.

    ``size``: how many nodes each row stands for (see :class:`Classes`); the paths are those to one of them.
    """
    n = pattern.shape[0]
    width = max(1, min(len(sources), BLOCK // max(n, 1)))
    for start in range(0, len(sources), width):
        block = sources[start : start + width]
        columns = np.arange(len(block))
        distance = np.full((n, len(block)), -1, dtype=np.int32)
        paths = np.zeros((n, len(block)))
        distance[block, columns], paths[block, columns] = 0, 1.0
        front, step = paths.copy(), 0
        while front.any():
            step += 1
            # from the source itself one path goes out, from a class on the way one by each member
            front = pattern @ (front if size is None or step == 1 else front * size[:, None])
            front[distance >= 0] = 0.0
            reached = front > 0
            distance[reached] = step
            paths += front
        yield Wave(block, distance, paths)


def dependencies(pattern: sparse.csr_array, wave: Wave, size: Floats | None = None) -> Floats:
    """Brandes' δ_s(v) = Σ_{w : v on a shortest path s–w} σ_sv/σ_sw (1 + δ_s(w)), for every source (column) s.

    With ``size``, that of one member of each class; w runs over all members.

    U. Brandes (2001), J. Math. Sociology 25, 163–177: accumulated from the farthest nodes back.
    """
    distance, paths = wave.distance, wave.paths
    delta, members = np.zeros_like(paths), 1.0 if size is None else size[:, None]
    for step in range(int(distance.max(initial=0)), 0, -1):
        share = np.where(distance == step, members * (1.0 + delta) / np.where(paths > 0, paths, 1.0), 0.0)
        delta += np.where(distance == step - 1, paths * (pattern @ share), 0.0)
    delta[wave.sources, np.arange(len(wave.sources))] = 0.0
    return delta
