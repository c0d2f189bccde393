"""People: names in order, marks and identifiers apart, decisions obeyed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.decisions import Decisions, record_merge, record_split
from kg.errors import UsageError
from kg.names import person_key
from kg.resolve.people import names_of
from tests.conftest import Cli


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ann Lee, Bo Li", ["Ann Lee", "Bo Li"]),
        ("Ann Lee and Bo Li", ["Ann Lee", "Bo Li"]),
        ("张三，李四、王五", ["张三", "李四", "王五"]),
        ("张王优，Kohei Saijo，钱彦旻", ["张王优", "Kohei Saijo", "钱彦旻"]),
        (
            "Vincent Y. F. Tan, Sammy Davis, Jr., Ludwig van Beethoven",
            ["Vincent Y. F. Tan", "Sammy Davis, Jr.", "Ludwig van Beethoven"],
        ),
        ('J\\"urgen Schmidhuber, Yann LeCun', ["Jürgen Schmidhuber", "Yann LeCun"]),
        ("Ann Lee1, Bo Li2*, Cy Ng1,2", ["Ann Lee", "Bo Li", "Cy Ng"]),
    ],
)
def test_names_in_order(line: str, names: list[str]) -> None:
    assert [n for n, _, _ in names_of(line)] == names


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Zhenyu Liao", "zhenyu  LIAO", True),
        ("Jean-Pierre Serre", "Jean‐Pierre Serre", True),
        ("Zhenyu Liao", "Zhenyu Liu", False),
        ("Yang Liu", "Liu Yang", False),
        ("李明", "李鸣", False),
    ],
)
def test_the_normal_form_of_a_name(one: str, other: str, same: bool) -> None:
    assert (person_key(one) == person_key(other)) is same


def test_a_decision_is_written_once_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "d.ttl"
    record_merge(path, "V. Tan", "Vincent Y. F. Tan")
    record_split(path, "Yang Liu", ['A "quoted" title \\ 定理'], "2")
    before = path.read_text("utf-8")
    record_merge(path, "V. Tan", "Vincent Y. F. Tan")
    assert path.read_text("utf-8") == before
    known = Decisions.read(path)
    assert known.merged[person_key("V. Tan")] == person_key("Vincent Y. F. Tan")
    assert list(known.split.values()) == ["2"]
    with pytest.raises(UsageError):
        record_merge(path, "Vincent Y. F. Tan", "V. Tan")
    with pytest.raises(UsageError):
        record_merge(path, "Yang Liu", "YANG LIU")


ENTRY = "A Paper About the Number {n} of Things\n第{n}篇论文\n{authors}\nComments ICML 2026\n\n"


def authors(kg: Cli, store: Path) -> dict[str, int]:
    query = "SELECT ?a (COUNT(DISTINCT ?p) AS ?n) { ?p schema:author ?a } GROUP BY ?a"
    rows = json.loads(kg("query", query, "--format", "json", "--store", store).stdout)["results"]["bindings"]
    return {r["a"]["value"].rsplit("/", 1)[-1].rsplit("-", 1)[0]: int(r["n"]["value"]) for r in rows}


def test_builds_obey_decisions(kg: Cli, tmp_path: Path) -> None:
    text = ENTRY.format(n="one", authors="Yang Liu, Ann Lee") + ENTRY.format(n="two", authors="Yang Liu, V. Tan")
    text += ENTRY.format(n="three", authors="Vincent Y. F. Tan, Bo Li")
    (tmp_path / "a.txt").write_text(text, "utf-8")
    decisions = tmp_path / "d.ttl"
    assert kg("build", tmp_path / "a.txt", "--store", tmp_path / "s").returncode == 0
    assert authors(kg, tmp_path / "s") == {"yang-liu": 2, "ann-lee": 1, "v-tan": 1, "vincent-y-f-tan": 1, "bo-li": 1}
    assert kg("merge", "V. Tan", "Vincent Y. F. Tan", "--decisions", decisions).returncode == 0
    split = kg(
        "split",
        "Yang Liu",
        "--paper",
        "A Paper About the Number two of Things",
        "--label",
        "2",
        "--decisions",
        decisions,
    )
    assert split.returncode == 0
    done = kg("build", tmp_path / "a.txt", "--store", tmp_path / "s", "--decisions", decisions)
    assert done.returncode == 0, done.stderr
    assert authors(kg, tmp_path / "s") == {
        "yang-liu": 1,
        "yang-liu-2": 1,
        "ann-lee": 1,
        "vincent-y-f-tan": 2,
        "bo-li": 1,
    }


def test_identity_is_as_sure_as_the_evidence(kg: Cli, tmp_path: Path) -> None:
    text = ENTRY.format(n="one", authors="Yang Liu, Ann Lee") + ENTRY.format(n="two", authors="Yang Liu, Ann Lee")
    text += ENTRY.format(n="three", authors="Bo Li (0000-0002-1825-0097)") + ENTRY.format(
        n="four", authors="Cy Ng, Bo Wu"
    )
    (tmp_path / "a.txt").write_text(text, "utf-8")
    assert kg("build", tmp_path / "a.txt", "--store", tmp_path / "s").returncode == 0
    query = "SELECT ?name ?status { ?a kg:identityStatus ?status ; rdfs:label ?name }"
    rows = json.loads(kg("query", query, "--format", "json", "--store", tmp_path / "s").stdout)["results"]["bindings"]
    found = {r["name"]["value"]: r["status"]["value"].rsplit("#", 1)[-1] for r in rows}
    assert found["Yang Liu"] == found["Ann Lee"] == "Corroborated"
    assert found["Bo Li"] == "Verified"
    assert found["Cy Ng"] == "NameOnly"


def test_sources_that_disagree_are_both_kept_and_told(kg: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ENTRY.format(n="one", authors="Ann Lee, Bo Li"), "utf-8")
    (tmp_path / "b.txt").write_text(
        ENTRY.format(n="one", authors="Bo Li, Ann Lee").replace("ICML 2026", "NeurIPS 2025"), "utf-8"
    )
    done = kg("build", tmp_path / "a.txt", tmp_path / "b.txt", "--store", tmp_path / "s")
    assert done.returncode == 0, done.stderr
    stats = json.loads(kg("stats", "--json", "--store", tmp_path / "s").stdout)
    assert (stats["papers"], stats["source_entries"], stats["authors"]) == (1, 2, 2)
    report = kg("validate", "--store", tmp_path / "s")
    assert report.returncode == 0
    assert "Sources disagree on the authors of this paper" in report.stdout
    assert "Sources disagree on where this paper appears" in report.stdout
    assert "a.txt:1" in report.stdout
