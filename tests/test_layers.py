"""The shape of the house: imports go downwards only, and each third-party library has one home."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: From the ground up. A module may import from its own row (but for another module of a registry) and from those
#: before it. A name stands for a module or for a package with all that is in it.
LAYERS: list[set[str]] = [
    {"kg", "kg.model", "kg.errors", "kg.mediatypes", "kg.resources"},
    {"kg.names", "kg.decoding"},
    {"kg.formats"},
    {"kg.vocab"},
    # the contract of a store, the types of a statement, what is used by all that makes or keeps some
    {"kg.stores", "kg.terms", "kg.serialization", "kg.sparql", "kg.generations"},
    {"kg.ror", "kg.decisions", "kg.authority"},
    {"kg.resolve"},
    {"kg.check", "kg.mapping"},
    {"kg.stores.oxigraph", "kg.stores.remote"},
    {"kg.query", "kg.derive", "kg.changes"},
    {"kg.provenance", "kg.skgif"},
    {"kg.export", "kg.stats", "kg.validate", "kg.why"},
    {"kg.network", "kg.extraction", "kg.projection", "kg.waves"},
    {"kg.metrics"},
    {"kg.analysis", "kg.layout", "kg.palette", "kg.twomode", "kg.bridges", "kg.network_change"},
    {"kg.figure"},
    {"kg.graph_formats"},
    {"kg.network_report"},
    {"kg.pipeline"},
    {"server"},
    {"kg.commands"},
    {"kg.cli", "kg.__main__"},
]
_ARRAYS = {
    f"kg.{m}"
    for m in ("network", "extraction", "projection", "waves", "metrics", "layout", "analysis", "figure", "bridges")
}
#: Where a library may be imported. What is not listed may be imported anywhere in kg/ (rdflib) or nowhere.
HOMES: dict[str, set[str]] = {
    "anyascii": {"kg.names"},
    "click": {"kg.commands", "kg.cli"},
    "flask": {"server"},
    "jinja2": {"kg.validate.report"},  # and by way of flask in server/
    "matplotlib": {"kg.figure"},
    "networkit": {"kg.metrics"},
    "networkx": {"kg.network", "kg.metrics"},
    "numpy": _ARRAYS,
    "oxrdflib": {"kg.stores.oxigraph"},
    "pylatexenc": {"kg.names"},
    "pyld": {"kg.export"},
    "pyoxigraph": {"kg.stores.oxigraph", "kg.stores.remote", "kg.terms", "kg.serialization"},
    "pyshacl": {"kg.validate.reference"},
    "rapidfuzz": {"kg.resolve"},
    "rich": {"kg.commands", "kg.graph_formats"},
    "scipy": _ARRAYS,
    "waitress": {"server.wsgi"},
    "werkzeug": {"server"},
}
EVERYWHERE = {"rdflib", "kg", "server"}
#: Of kg/, only the commands that start or set up the server may know it, and they load it when they are called.
KNOW_THE_SERVER = {"kg.commands.serve", "kg.commands.token"}
LINES = 400


def modules() -> dict[str, Path]:
    found = {}
    for package in ("kg", "server"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, at whatever depth of its code."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            known = modules()
            yield from (
                f"{node.module}.{a.name}" if f"{node.module}.{a.name}" in known else node.module for a in node.names
            )


def within(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def layer(module: str) -> int:
    """The row of the longest name in the table that holds the module."""
    fits = [
        (len(name), row) for row, names in enumerate(LAYERS) for name in names if name != "kg" and within(module, name)
    ]
    if module == "kg":
        return 0
    assert fits, f"{module} has no place in LAYERS: decide what it stands on"
    return max(fits)[1]


@pytest.mark.parametrize("module", sorted(modules()))
def test_imports_go_downwards(module: str) -> None:
    if module == "kg":
        return  # names its four entry points lazily
    for target in imports(modules()[module]):
        if not (within(target, "kg") or within(target, "server")) or target == "kg":
            continue
        if within(target, "server") and within(module, "kg"):
            assert module in KNOW_THE_SERVER, f"{module} imports {target}: kg/ does not know the server"
        assert layer(target) <= layer(module), f"{module} imports {target}, which stands above it"


@pytest.mark.parametrize("module", sorted(modules()))
def test_each_library_has_one_home(module: str) -> None:
    for target in imports(modules()[module]):
        top = target.split(".")[0]
        if top in sys.stdlib_module_names or top in EVERYWHERE:
            continue
        assert top in HOMES, f"{module} imports {top}, which has no home yet"
        assert any(within(module, home) for home in HOMES[top]), f"{module} imports {top}: its home is {HOMES[top]}"


@pytest.mark.parametrize("module", sorted(modules()))
def test_no_module_is_too_long_to_read(module: str) -> None:
    lines = len(modules()[module].read_text("utf-8").splitlines())
    assert lines <= LINES, f"{module} has {lines} lines: split it by what it does"


def test_no_drawer_for_odds_and_ends() -> None:
    assert not {m for m in modules() if m.rsplit(".", 1)[-1] in {"utils", "helpers", "common", "misc", "tools"}}
