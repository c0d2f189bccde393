"""Measures of a network: one module a file, found by its name; the result says which engine made it.

A measure is a module with

- ``TITLE`` and ``TITLE_ZH``: what people call it; its docstring gives the formula and the source;
- ``SCOPE``: ``node`` (a value each), ``edge`` (a value each) or ``network`` (named numbers);
- ``ENGINES``: engine → function of a :class:`~kg.network.Network` and :class:`Options`; the first is the
  default, ``networkx`` is the oracle where networkx has the measure.

A value that is not defined (the constraint of an isolated node) is NaN in an array and ``None`` in a mapping.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Literal, cast

import numpy as np

from kg.errors import UsageError
from kg.network import Network

Where = Literal["node", "edge", "network"]


@dataclass(frozen=True, slots=True)
class Options:
    """What measures may be told; each takes what concerns it."""

    #: damping of PageRank
    alpha: float = 0.85
    #: sources of sampled path measures; None: exact up to :data:`EXACT` nodes, else 256
    samples: int | None = None
    seed: int = 0
    #: resolution of communities
    resolution: float = 1.0


#: Above this many nodes, measures over all shortest paths are sampled unless told otherwise.
EXACT = 3000


@dataclass(frozen=True)
class Found:
    """What an engine gives back: the values, and whatever a reader must know to repeat or doubt them."""

    values: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)
    #: standard error of an estimate, aligned with ``values``
    error: Any = None
    note: str = ""


Engine = Callable[[Network, Options], Found]


@dataclass(frozen=True)
class Measurement:
    """The values of a measure, with the engine, its version and the parameters that made them."""

    name: str
    title: str
    scope: Where
    values: Any
    engine: str
    version: str
    parameters: Mapping[str, Any]
    error: Any = None
    note: str = ""

    def column(self) -> list[Any]:
        """The values of a node or edge measure as plain Python values, NaN as ``None``."""
        return plain(self.values)

    def method(self) -> dict[str, Any]:
        """How it was made, for the method section."""
        made = asdict(self)
        return {k: made[k] for k in ("name", "title", "engine", "version", "parameters", "note") if made[k]}


def plain(values: Any) -> list[Any]:
    """An array as a list, with ``None`` for NaN, and whole numbers as integers."""
    array = np.asarray(values)
    if array.dtype.kind != "f":
        return cast("list[Any]", array.tolist())
    return [None if v != v else v for v in array.tolist()]


def names() -> list[str]:
    """All measures, by file name."""
    return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__))


def module(name: str) -> Any:
    """The module of a measure.

    Raises:
        UsageError: there is none; the message lists them.
    """
    if name not in names():
        raise UsageError(f"there is no measure {name!r}; there are: {', '.join(names())}")
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def measure(network: Network, name: str, options: Options | None = None, engine: str | None = None) -> Measurement:
    """Compute one measure, with its default engine unless another is named."""
    found_module = module(name)
    engines: dict[str, Engine] = found_module.ENGINES
    chosen = engine or next(iter(engines))
    if chosen not in engines:
        raise UsageError(f"{name} has no engine {chosen!r}; it has: {', '.join(engines)}")
    found = engines[chosen](network, options or Options())
    return Measurement(
        name,
        found_module.TITLE,
        found_module.SCOPE,
        found.values,
        chosen,
        version(chosen),
        found.parameters,
        found.error,
        found.note,
    )


def by_index(network: Network, values: Mapping[str, float]) -> Any:
    """The values of a networkx function, in the order of the network's nodes."""
    return np.array([values[node.id] for node in network.nodes], dtype=np.float64)
