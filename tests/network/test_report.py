"""The report: the figures of the network, and a method section that says how each was made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.analysis import analyse
from kg.bridges import bridges
from kg.commands.network import command
from kg.errors import UsageError
from kg.metrics import Options
from kg.network import Scope, load
from kg.network_report import markdown, page, write_report
from tests.network.conftest import network_of

HOSTILE = '<script>alert(1)</script> | "x"'


@pytest.fixture(scope="module")
def analysis(seed_store):
    network = load(seed_store, "coauthorship", Scope("author"), counting="fractional")
    return analyse(network, ["degree", "strength", "pagerank", "structure"], Options())


def test_the_method_section_tells_counting_coverage_and_versions(analysis, seed_store):
    text = markdown(analysis, bridges(seed_store))
    method = text.split("## Method")[1]
    assert "fractional counting" in method
    assert "Newman 2001" in method
    assert "No thresholds" in method
    assert "Of 30 papers" in method
    for made in analysis.measurements:
        assert f"| {made.title} | {made.engine} | {made.version} |" in method
    assert "| nodes | 128 |" in text
    assert "Zhenyu Liao" in text.split("## What rests on a name")[1]


def test_coverage_of_institutions_says_how_many_papers_had_none(seed_store):
    network = load(seed_store, "coaffiliation", Scope("institution"))
    text = markdown(analyse(network, ["degree", "strength"], Options()))
    covered = network.incidence.coverage
    assert f"{covered.papers - covered.covered} name none" in text


def test_every_table_has_as_many_cells_in_each_row_as_in_its_head(analysis, seed_store):
    head = 0
    for line in markdown(analysis, bridges(seed_store)).splitlines():
        if not line.startswith("|"):
            head = 0
            continue
        head = head or line.count("|")
        assert line.count("|") == head, line


def test_labels_stay_text_in_a_page():
    drawn = network_of([["a", "b"]])
    nodes = (replace(drawn.nodes[0], label=HOSTILE), *drawn.nodes[1:])
    made = analyse(replace(drawn, incidence=replace(drawn.incidence, nodes=nodes)), ["degree", "strength"], Options())
    assert "alert(1)" in markdown(made)
    assert "<script>alert" not in page(made)


def test_other_suffixes_are_refused(analysis):
    with pytest.raises(UsageError, match=r"\.html or \.md"):
        write_report(analysis, None, "report.docx", lambda target: Path(target).open("wb"))


def test_the_command_writes_both(seed_folder, tmp_path):
    for name in ("r.html", "r.md"):
        args = ["report", "coaffiliation", "--output", str(tmp_path / name), "--store"]
        made = CliRunner().invoke(command, [*args, str(seed_folder)])
        assert made.exit_code == 0, made.output
        assert "Method" in (tmp_path / name).read_text(encoding="utf-8")
