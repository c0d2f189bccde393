"""The web server: a SPARQL 1.1 endpoint, linked data, and pages over a store.

    from server import Settings, create_app
    app = create_app("kg-store", Settings(timeout=10))

What is named here is loaded when it is asked for: a worker process imports this package too, and needs none of it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from server.app import close, create_app
    from server.settings import Settings

__all__ = ["Settings", "close", "create_app"]
_HOMES = {"Settings": "server.settings", "close": "server.app", "create_app": "server.app"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
