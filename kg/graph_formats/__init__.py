"""How a network leaves confkg: one format a file, found by its name.

A format is a module with ``TITLE``, ``SUFFIXES`` (of file names, without the dot) and
``write(analysis, out)``, which writes bytes. It computes nothing: what it writes is in the
:class:`~kg.analysis.Analysis`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import Any, BinaryIO

from kg.analysis import Analysis
from kg.errors import UsageError

#: What XML 1.0 (section 2.2) cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def names() -> list[str]:
    """All formats, by file name."""
    return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(__path__))


def module(name: str) -> Any:
    """The module of a format.

    Raises:
        UsageError: there is none; the message lists them.
    """
    if name not in names():
        raise UsageError(f"there is no network format {name!r}; there are: {', '.join(names())}")
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def by_suffix(file: str) -> str | None:
    """The format of a file name, by its longest suffix.

    >>> by_suffix("out/map.graphml"), by_suffix("map")
    ('graphml', None)
    """
    fitting = [
        (len(suffix), name) for name in names() for suffix in module(name).SUFFIXES if file.endswith("." + suffix)
    ]
    return max(fitting)[1] if fitting else None


def write(analysis: Analysis, name: str, out: BinaryIO) -> None:
    """Write a network in the format of that name."""
    module(name).write(analysis, out)


def xml(text: object) -> str:
    """Text for an XML attribute or element: escaped, without the characters that XML cannot hold."""
    escaped = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", str(text)).replace("&", "&amp;").replace("<", "&lt;")
    escaped = escaped.replace(">", "&gt;").replace('"', "&quot;")
    return escaped.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")


def columns(rows: list[dict[str, Any]], skip: tuple[str, ...] = ()) -> dict[str, str]:
    """The columns of rows in order of appearance, each with its type: ``long``, ``double`` or ``string``."""
    found: dict[str, str] = {}
    for row in rows:
        for name, value in row.items():
            if name in skip or value is None:
                continue
            kind = "long" if isinstance(value, int) else "double" if isinstance(value, float) else "string"
            if found.get(name, kind) != kind:
                kind = "double" if {kind, found[name]} == {"long", "double"} else "string"
            found[name] = kind
    return found


#: First suffix of a format → media type; text without one of its own is plain text.
_MEDIA = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "graphml": "application/xml",
    "gexf": "application/xml",
}


def media_type(name: str) -> str:
    """The media type of a format.

    >>> media_type("json"), media_type("pajek")
    ('application/json', 'text/plain; charset=utf-8')
    """
    suffixes = module(name).SUFFIXES
    return (
        _MEDIA.get(suffixes[0].rsplit(".", 1)[-1], "text/plain; charset=utf-8")
        if suffixes
        else "text/plain; charset=utf-8"
    )
