"""Where the nodes of a network stand in a picture: the same in each run, components side by side.

Each component is laid out by itself with the force model of Fruchterman & Reingold (1991, Software: Practice
and Experience 21): ties attract with d²/k, nodes repel with k²/d; then the components are packed in rows, the
largest first. The random start has a fixed seed.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from kg.network import Floats, Integers, Network

#: Up to this many nodes all pairs repel each other exactly; beyond, only near ones and the centre do.
ALL_PAIRS = 2500


def layout(network: Network, *, seed: int = 0, iterations: int = 300) -> Floats:
    """Positions in a plane, one row a node; the largest component stands around the origin."""
    if not network.order:
        return np.zeros((0, 2))
    count, labels = connected_components(network.pattern, directed=False)
    sizes = np.bincount(labels, minlength=count)
    parts: list[tuple[Integers, Floats]] = []
    for part in sorted(range(count), key=lambda c: (-sizes[c], c)):
        members = np.flatnonzero(labels == part)
        rng = np.random.default_rng([seed, len(parts)])
        parts.append((members, _component(network.adjacency[members][:, members], rng, iterations)))
    return _pack(parts, network.order)


def _component(adjacency: sparse.csr_array, rng: np.random.Generator, iterations: int) -> Floats:
    n = adjacency.shape[0]
    if n == 1:
        return np.zeros((1, 2))
    # Heavy ties pull harder, but a tie of a hundred papers not a hundred times as hard.
    weights = sparse.csr_array((np.log1p(adjacency.data), adjacency.indices, adjacency.indptr), shape=adjacency.shape)
    weights.data /= weights.data.mean()
    place, side = rng.standard_normal((n, 2)) * np.sqrt(n) / 3, np.sqrt(n)
    degree = np.asarray(weights.sum(axis=1)).ravel()
    steps = iterations if n <= ALL_PAIRS else max(60, iterations // 3)
    for step in range(steps):
        force = _repulsion(place) - _attraction(place, weights, degree)
        force -= 0.02 * place  # a weak pull to the middle keeps loose ends in the picture
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        place += force / length * np.minimum(length, side * 0.1 * (1 - step / steps) ** 1.5)
    return np.asarray(place - place.mean(axis=0), dtype=np.float64)


def _attraction(place: Floats, weights: sparse.csr_array, degree: Floats) -> Floats:
    """Σ_j w_ij (x_i - x_j)·|x_i - x_j|, damped by the root of the degree so that hubs do not collapse."""
    matrix = weights.tocoo()
    difference = place[matrix.row] - place[matrix.col]
    pull = difference * (np.linalg.norm(difference, axis=1) * matrix.data)[:, None]
    total = np.column_stack([np.bincount(matrix.row, pull[:, axis], len(place)) for axis in (0, 1)])
    return np.asarray(total / np.sqrt(np.maximum(degree, 1))[:, None], dtype=np.float64)


def _repulsion(place: Floats) -> Floats:
    """Σ_j (x_i - x_j)/|x_i - x_j|², exactly, or from the 32 nearest and a mean field where there are many."""
    n = len(place)
    if n <= ALL_PAIRS:
        difference = place[:, None, :] - place[None, :, :]
        square = np.maximum((difference**2).sum(axis=2), 1e-4)
        return np.asarray((difference / square[:, :, None]).sum(axis=1), dtype=np.float64)
    _, near = cKDTree(place).query(place, k=33)
    difference = place[:, None, :] - place[near]
    square = np.maximum((difference**2).sum(axis=2), 1e-4)
    away = place - place.mean(axis=0)
    spread = np.maximum((away**2).sum(axis=1, keepdims=True), n / 4)
    return np.asarray((difference / square[:, :, None]).sum(axis=1) + (n - 33) * away / spread, dtype=np.float64)


def _pack(parts: list[tuple[Integers, Floats]], n: int) -> Floats:
    """Components in rows under the first, which keeps the origin; distances within a component stay."""
    placed = np.zeros((n, 2))
    boxes = [(members, local - local.min(axis=0), np.ptp(local, axis=0) + 1.5) for members, local in parts]
    width = max(float(boxes[0][2][0]), float(np.sqrt(sum(box[2].prod() for box in boxes)) * 1.2))
    x, y, row = 0.0, 0.0, 0.0
    for members, local, extent in boxes:
        if x and x + extent[0] > width:
            x, y, row = 0.0, y - row, 0.0
        placed[members] = local + np.array([x, y - extent[1]])
        x, row = x + float(extent[0]), max(row, float(extent[1]))
    first = parts[0][0]
    return np.asarray(placed - placed[first].mean(axis=0), dtype=np.float64)
