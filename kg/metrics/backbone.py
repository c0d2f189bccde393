"""Is a tie more than the sizes of its ends and papers let expect? p-values of the bipartite configuration model.

The model keeps, on average, the papers of every entity and the entities of every paper and is random else:
p_ik = x_i y_k/(1 + x_i y_k) (Saracco et al. 2015; Neal, Domagalski & Sagan 2021, "SDSM"). The papers that i and
j share are then a sum of independent draws of chances p_ik p_jk; given is P(X ≥ w_ij) from the refined normal
approximation (Volkova 1996), or Poisson's where all chances are small (error below Σ(p_ik p_jk)², Le Cam
1960). ``significant_at_5_percent`` counts the ties that Benjamini & Hochberg (1995) keep at a false
discovery rate of 5 %. Meant for institutions; of authors nearly every tie is significant.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from kg.metrics import Found, Options
from kg.network import Floats, Integers, Network

TITLE, TITLE_ZH, SCOPE = "Backbone (p)", "骨干显著性", "edge"
RATE, STEPS, TOLERANCE = 0.05, 5000, 1e-9


def fit(rows: Integers, columns: Integers) -> tuple[Floats, Integers, Integers, Integers, Integers]:
    """Chances by class: entities of one number of papers, and papers of one size, share theirs.

    Returns:
        The matrix of chances (entity classes × paper classes), each entity's and paper's class, and how many
        entities and papers each class has.
    """
    d, of_row, m = np.unique(rows, return_inverse=True, return_counts=True)
    n, of_column, c = np.unique(columns, return_inverse=True, return_counts=True)
    total = float(max(rows.sum(), 1))
    x, y = d / np.sqrt(total), n / np.sqrt(total)
    for _ in range(STEPS):
        before = x
        x = d / np.maximum((c * y / (1 + np.outer(x, y))).sum(axis=1), 1e-300)
        y = n / np.maximum((m[:, None] * x[:, None] / (1 + np.outer(x, y))).sum(axis=0), 1e-300)
        x, y = np.minimum(x, 1e12), np.minimum(y, 1e12)  # an entity of every paper would have an infinite x
        if np.abs(x - before).max(initial=0) <= TOLERANCE * max(float(x.max(initial=0)), 1):
            break
    product = np.outer(x, y)
    return product / (1 + product), of_row, of_column, m, c


def tail(chances: Floats, counts: Integers, seen: Integers) -> Floats:
    """P(X ≥ seen) row by row, X a sum of ``counts`` draws of each row's ``chances``."""
    mean = (counts * chances).sum(axis=1)
    square = (counts * chances**2).sum(axis=1)
    variance = np.maximum(mean - square, 1e-300)
    third = (counts * chances * (1 - chances) * (1 - 2 * chances)).sum(axis=1)
    sigma = np.sqrt(variance)
    z = (seen - 0.5 - mean) / sigma
    refined = stats.norm.sf(z) - third / (6 * sigma**3) * (1 - z**2) * stats.norm.pdf(z)
    small = square <= np.maximum(0.01 * mean, 1e-6)
    chosen = np.where(small, stats.poisson.sf(seen - 1, mean), refined)
    return np.asarray(np.clip(chosen, 0.0, 1.0), dtype=np.float64)


def kept(p: Floats, tests: int, rate: float = RATE) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which values Benjamini and Hochberg's rule keeps among ``tests`` tests (pairs without a tie have p = 1)."""
    order = np.argsort(p, kind="stable")
    below = np.flatnonzero(p[order] <= rate * np.arange(1, len(p) + 1) / max(tests, 1))
    result = np.zeros(len(p), dtype=bool)
    if len(below):
        result[order[: below[-1] + 1]] = True
    return result


def _scipy(network: Network, _: Options) -> Found:
    matrix = network.incidence.matrix
    rows = np.asarray(matrix.sum(axis=0), dtype=np.int64).ravel()
    chances, of_row, _of_column, _m, counts = fit(rows, network.incidence.sizes)
    pair = np.stack([of_row[network.source], of_row[network.target]])
    classes, back = np.unique(pair, axis=1, return_inverse=True)
    p = np.ones(network.size)
    for start in range(0, network.size, 200_000):  # bounded memory: edges × paper classes
        part = slice(start, start + 200_000)
        joint = chances[classes[0, back[part]]] * chances[classes[1, back[part]]]
        p[part] = tail(joint, counts, network.full[part])
    tests = network.order * (network.order - 1) // 2
    significant = int(kept(p, tests).sum())
    note = f"{significant} of {network.size} ties stand out at a false discovery rate of 5 %"
    return Found(p, {"model": "BiCM", "tests": tests, "significant_at_5_percent": significant}, note=note)


ENGINES = {"scipy": _scipy}
