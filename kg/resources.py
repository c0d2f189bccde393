"""Where the ontology, the shapes and the curated tables are: inside the wheel, else in the checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from kg.errors import UsageError


def directory(name: str) -> Path:
    """The folder ``ontology`` or ``shapes``: ``kg/data/…`` of an installed wheel, else the checkout's own."""
    package = Path(str(files("kg")))
    for candidate in (package / "data" / name, package.parent / name):
        if candidate.is_dir():
            return candidate
    raise UsageError(f"the installation is incomplete: no folder {name!r} beside or inside the package")


def ontology(name: str) -> Path:
    """A file of ``ontology/``, for instance ``ontology("authority.ttl")``."""
    return directory("ontology") / name


def shapes() -> list[Path]:
    """The shape files, sorted by name."""
    return sorted(directory("shapes").glob("*.ttl"))
