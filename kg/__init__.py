"""confkg: listings of conference papers as a knowledge graph in which every statement has an address.

>>> from kg import build, open_store, coauthorship, coaffiliation
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.network import coaffiliation, coauthorship
    from kg.pipeline import build
    from kg.stores import open_store

__version__ = "0.1.0"
__all__ = ["__version__", "build", "coaffiliation", "coauthorship", "open_store"]

#: Loaded when first asked for: who only reads a store does not wait for networkx.
_HOME = {"build": "kg.pipeline", "open_store": "kg.stores", "coauthorship": "kg.network", "coaffiliation": "kg.network"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'kg' has no attribute {name!r}")
