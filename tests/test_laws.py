"""Laws of building: the graph is a function of the sources, however and in whatever order they came."""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import pipeline
from kg.errors import DataRefused, StoreError, UsageError
from kg.formats import read_path
from kg.model import Entry
from kg.stores import open_store
from tests.conftest import ROOT, SEEDS

#: Statements of two sources that print the same papers differ in these only: where each thing stands.
_ADDRESS = ("/source/", "prov#wasDerivedFrom")


def n_quads(folder: Path) -> list[str]:
    out = io.BytesIO()
    open_store(folder).dump(out, "n-quads")
    return sorted(out.getvalue().decode().splitlines())


def without_addresses(folder: Path) -> list[str]:
    """The merged graph in sorted N-Triples but for source documents, entries and fields, and the links to them."""
    out = io.BytesIO()
    open_store(folder).dump(out, "n-triples")
    return sorted(line for line in out.getvalue().decode().splitlines() if not any(a in line for a in _ADDRESS))


def built(folder: Path, *sources: Path | str, **options: object) -> Path:
    pipeline.build(sources, folder, pipeline.Settings(keep_going=True, **options))  # type: ignore[arg-type]
    return folder


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """The entries of the seed as they stand there, without what lies between them."""
    lines = SEEDS[0].read_text("utf-8").splitlines()
    entries = [item for item in read_path(str(SEEDS[0])) if isinstance(item, Entry)]
    return ["\n".join(lines[e.first_line - 1 : e.last_line]) + "\n" for e in entries]


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    assert n_quads(built(tmp_path / "a", *SEEDS)) == n_quads(built(tmp_path / "b", *SEEDS))


def test_processes_do_not_change_the_graph(tmp_path: Path) -> None:
    assert n_quads(built(tmp_path / "a", *SEEDS)) == n_quads(built(tmp_path / "b", *SEEDS, jobs=2))


def test_the_order_of_the_entries_does_not_change_the_graph(tmp_path: Path, printed: list[str]) -> None:
    (tmp_path / "reversed.txt").write_text("\n".join(reversed(printed)), "utf-8")
    one, other = built(tmp_path / "a", *SEEDS), built(tmp_path / "b", tmp_path / "reversed.txt")
    assert without_addresses(one) == without_addresses(other)
    assert len(without_addresses(one)) > 2000


def test_one_file_per_entry_does_not_change_the_graph(tmp_path: Path, printed: list[str]) -> None:
    for n, text in enumerate(printed):
        (tmp_path / f"{n}.txt").write_text(text, "utf-8")
    one, other = built(tmp_path / "a", *SEEDS), built(tmp_path / "b", *sorted(tmp_path.glob("*.txt")))
    assert without_addresses(one) == without_addresses(other)


def _swap_authors(text: str) -> str:
    """The same paper as another page might print it: other order of the authors, another venue."""
    lines = text.splitlines()
    for n, line in enumerate(lines):
        if ", " in line and "；" not in line and not line.startswith(("Comments", "Journal")) and n < 6:
            lines[n] = ", ".join(reversed(line.split(", ")))
            break
    return "\n".join(lines).replace("ICML 2026", "NeurIPS 2025") + "\n"


@st.composite
def plans(draw: st.DrawFn) -> list[tuple[str, list[tuple[int, bool]]]]:
    """A few sources, each with some entries of the seed, some of them altered; sources overlap."""
    entry = st.tuples(st.integers(0, 29), st.booleans())
    contents = draw(st.lists(st.lists(entry, min_size=1, max_size=4, unique_by=lambda e: e[0]), min_size=2, max_size=4))
    return [(f"source {n}.txt", content) for n, content in enumerate(contents)]


def _write(folder: Path, plan: Iterable[tuple[str, list[tuple[int, bool]]]], printed: list[str]) -> Iterator[Path]:
    for name, content in plan:
        text = "\n".join(_swap_authors(printed[n]) if altered else printed[n] for n, altered in content)
        (folder / name).write_text(text, "utf-8")
        yield folder / name


@pytest.fixture
def fresh() -> Iterator[Callable[[], Path]]:
    made: list[Path] = []

    def make() -> Path:
        made.append(Path(tempfile.mkdtemp()))
        return made[-1]

    yield make
    for folder in made:
        shutil.rmtree(folder, ignore_errors=True)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=plans(), seed=st.randoms(use_true_random=False))
def test_adding_and_removing_is_building(
    plan: list[tuple[str, list[tuple[int, bool]]]],
    seed: random.Random,
    fresh: Callable[[], Path],
    printed: list[str],
) -> None:
    """build(A ∪ B) = build(A), add(B) = build(A ∪ B ∪ C), remove(C): to the byte, in sorted N-Quads."""
    folder = fresh()
    sources = list(_write(folder, plan, printed))
    last = sources[-1]
    keep = pipeline.Settings(keep_going=True)
    whole, less = built(folder / "whole", *sources), built(folder / "less", *sources[:-1])

    shuffled = sources[1:]
    seed.shuffle(shuffled)
    grown = built(folder / "grown", sources[0])
    for source in shuffled:
        pipeline.add([source], grown, keep)
    assert n_quads(grown) == n_quads(whole)

    pipeline.add([last], grown, keep)
    assert n_quads(grown) == n_quads(whole), "adding again changes nothing"

    pipeline.remove([last.name], grown)
    assert n_quads(grown) == n_quads(less)

    # replacing: another content under the same name, then the old one again
    (folder / "other").mkdir()
    replacement = folder / "other" / sources[0].name
    replacement.write_text(last.read_text("utf-8"), "utf-8")
    pipeline.add([replacement], grown, keep)
    assert n_quads(grown) == n_quads(built(folder / "replaced", replacement, *sources[1:-1]))
    pipeline.add([sources[0]], grown, keep)
    assert n_quads(grown) == n_quads(less)


def test_the_merged_graph_is_the_union_of_the_merged_graphs(tmp_path: Path) -> None:
    store = open_store(built(tmp_path / "a", *SEEDS))
    held = {
        (s, p, o)
        for graph in store.graph_names()
        if not str(graph).endswith(("/ontology", "/dataset", "/rule/sole-institution"))
        for s, p, o, _ in store.quads(graph)
    }
    assert {(s, p, o) for s, p, o, _ in store.quads(None)} == held


def test_another_base_changes_nothing_but_the_base(tmp_path: Path) -> None:
    one, other = built(tmp_path / "a", *SEEDS), built(tmp_path / "b", *SEEDS, base="http://localhost:8000/")
    changed = [line.replace("http://localhost:8000/", "https://w3id.org/confkg/") for line in n_quads(other)]
    assert sorted(changed) == n_quads(one)
    pipeline.add([SEEDS[0]], other, pipeline.Settings())
    assert not any("https://w3id.org/confkg/paper" in line for line in n_quads(other)), "a store keeps its base"


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give one another name with NAME="):
        built(tmp_path / "a", SEEDS[0], SEEDS[0])
    built(tmp_path / "a", SEEDS[0], f"again.txt={SEEDS[0]}")
    assert sum("/graph/source/" in str(g) for g in open_store(tmp_path / "a").graph_names()) == 2


def test_removing_what_is_not_there_names_what_is(tmp_path: Path) -> None:
    built(tmp_path / "a", f"mine.txt={SEEDS[0]}")
    with pytest.raises(UsageError, match=r"mine\.txt"):
        pipeline.remove(["other.txt"], tmp_path / "a")


def test_a_refused_source_leaves_no_trace(tmp_path: Path, printed: list[str]) -> None:
    cut = "\n".join(printed[0].splitlines()[:1])
    (tmp_path / "cut.txt").write_text(f"{printed[1]}\n{cut}", "utf-8")
    with pytest.raises(DataRefused):
        pipeline.build([tmp_path / "cut.txt"], tmp_path / "a")
    with pytest.raises(StoreError):
        open_store(tmp_path / "a")
    built(tmp_path / "a", *SEEDS)
    before = n_quads(tmp_path / "a")
    with pytest.raises(DataRefused):
        pipeline.add([tmp_path / "cut.txt"], tmp_path / "a")
    assert n_quads(tmp_path / "a") == before


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_order_of_sets_in_memory_does_not_change_the_graph(tmp_path: Path, seed: str) -> None:
    """Python orders the strings of a set anew in each process; what is built must not depend on it."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "kg", "build", *map(str, SEEDS), "--store", str(tmp_path / "b"), "--no-validate"]
    subprocess.run(command, check=True, env=environment, cwd=ROOT, capture_output=True)
    assert n_quads(built(tmp_path / "a", *SEEDS)) == n_quads(tmp_path / "b")
