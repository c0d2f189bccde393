"""The nineteen questions on the seed: each expected answer was found by reading the listing (lines in brackets)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kg.query import question, questions
from kg.sparql import declare_prefixes
from kg.stores import Store

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def ask(seed_store: Store) -> Callable[[str], Rows]:
    def run(name: str) -> Rows:
        found = seed_store.select(declare_prefixes(question(name).text))
        return [{v: str(x) for v, x in zip(found.variables, row, strict=True) if x is not None} for row in found]

    return run


def one(rows: Rows, **known: Any) -> dict[str, str]:
    """The one row with these values."""
    (row,) = [r for r in rows if all(r.get(k) == str(v) for k, v in known.items())]
    return row


def test_there_are_nineteen() -> None:
    assert len(questions()) == 19


def test_main_conference(ask: Callable[[str], Rows]) -> None:
    rows = ask("main-conference")
    icml = {r["title"] for r in rows if r["event"] == "ICML 2026"}
    assert len(icml) == 27
    assert not any(t.startswith(("AgentPSO", "SimulCost")) for t in icml)  # a workshop [133]; no year [183]
    assert len({r["title"] for r in rows if r["event"] == "ICMLA 2026"}) == 1


def test_workshop_papers(ask: Callable[[str], Rows]) -> None:
    (row,) = ask("workshop-papers")
    assert row["event"] == "ICML 2026"
    assert row["workshop"].startswith("AI for Math")
    assert row["title"].startswith("AgentPSO")


def test_presentations(ask: Callable[[str], Rows]) -> None:
    (row,) = ask("presentations")  # [109]
    assert (row["presentation"], row["evidence"]) == ("oral", "ICML 2026 Oral")
    assert row["title"] == "How Many Different Outputs Can a Transformer Generate?"


def test_series_without_edition(ask: Callable[[str], Rows]) -> None:
    (row,) = ask("series-without-edition")  # [183]
    assert row["series"] == "ICML"
    assert row["evidence"] == "post conference revision version at ICML"


def test_venue_evidence(ask: Callable[[str], Rows]) -> None:
    rows = ask("venue-evidence")
    assert len(rows) == 31
    assert one(rows, line=183)["claimed"] == "ICML"
    assert one(rows, line=109)["evidence"] == "ICML 2026 Oral"
    assert one(rows, line=13)["field"] == "comments"
    assert {r["field"] for r in rows if r["line"] in ("121", "207", "277")} == {"journal-ref"}


def test_comments_and_journal_ref(ask: Callable[[str], Rows]) -> None:
    (row,) = ask("comments-and-journal-ref")  # [275, 277]
    assert row["title"].startswith("Bend the Basics")
    assert row["agree"] == "true"


def test_authors_in_order(ask: Callable[[str], Rows]) -> None:
    rows = ask("authors-in-order")
    assert len(rows) == 129
    names = [r["name"] for r in rows if r["title"].startswith("DisPOSE")]  # [335]
    assert names == ["Tony Danjun Wang", "Tolga Birdal", "Nassir Navab", "Lennart Bastian"]


def test_coauthorship(ask: Callable[[str], Rows]) -> None:
    rows = ask("coauthorship")
    assert len(rows) == 301
    assert {r["papers"] for r in rows} == {"1"}
    assert one(rows, name1="Sunmook Choi", name2="Yahya Sattar")["titles"].startswith("Two-Layer Linear")  # [19]


def test_collaborators_of_collaborators(ask: Callable[[str], Rows]) -> None:
    rows = ask("collaborators-of-collaborators")
    assert {r["through"] for r in rows} == {"Zhenyu Liao"}  # the only name on two papers [161, 225]
    assert len(rows) == 3 * 6  # the others of the one paper, times those of the other


def test_coaffiliation(ask: Callable[[str], Rows]) -> None:
    rows = ask("coaffiliation")
    assert len(rows) == 48
    heavy = [r for r in rows if r["papers"] != "1"]
    assert [(r["name1"], r["name2"], r["papers"]) for r in heavy] == [
        ("Huawei", "Huazhong University of Science and Technology", "2")
    ]


def test_papers_of_institution(ask: Callable[[str], Rows]) -> None:
    rows = ask("papers-of-institution")
    assert len({r["paper"] for r in rows if r["institution"] == "Imperial College London"}) == 2  # [21, 337]
    assert {r["printed"] for r in rows if r["institution"] == "Huawei"} == {
        "Huawei Noah's Ark Lab, Huawei Technologies",
        "Huawei Noah’s Ark Lab",
    } or len({r["paper"] for r in rows if r["institution"] == "Huawei"}) == 2


def test_university_and_company(ask: Callable[[str], Rows]) -> None:
    rows = ask("university-and-company")
    assert {r["companies"] for r in rows} == {"Google DeepMind", "Huawei", "Araya", "Tencent", "Amazon"}
    assert len(rows) == 6  # Huawei twice


def test_name_only_bridges(ask: Callable[[str], Rows]) -> None:
    assert ask("name-only-bridges") == []  # Zhenyu Liao's papers share an institution, so more than the name


def test_curation_queue(ask: Callable[[str], Rows]) -> None:
    rows = ask("curation-queue")
    assert [(r["line"], r["quality"]) for r in rows] == [
        ("33", "personNames"),
        ("81", "notAnOrganisation"),
        ("117", "splitAtAnd"),
        ("117", "truncated"),
        ("141", "splitAtAnd"),
        ("141", "splitAtAnd"),
        ("153", "truncated"),
        ("165", "splitAtAnd"),
        ("165", "splitAtAnd"),
    ]


def test_bilingual(ask: Callable[[str], Rows]) -> None:
    rows = ask("bilingual")
    assert len([r for r in rows if r["kind"] == "paper" and r.get("english") and r.get("chinese")]) == 30
    assert one(rows, english="Huawei")["chinese"] == "华为"


def test_coverage(ask: Callable[[str], Rows]) -> None:
    (row,) = ask("coverage")
    assert row == {
        "papers": "30",
        "withAuthors": "30",
        "withInstitutionLine": "24",
        "withResolvedInstitution": "22",  # not [33] and [81]
        "withVenueClaim": "30",
        "withEvent": "29",
        "withTranslatedTitle": "30",
        "withSummary": "30",
    }


def test_inferred_affiliations(ask: Callable[[str], Rows]) -> None:
    rows = ask("inferred-affiliations")
    assert {r["rule"] for r in rows} == {"Rule sole-institution, version 1"}
    assert sorted(r["name"] for r in rows if r["title"].startswith("Unsupervised Disentanglement")) == [
        "Christophe De Vleeschouwer",
        "Mathieu Cyrille Simon",
        "Pascal Frossard",
    ]
    assert not any(r["title"].startswith("Two-Layer") for r in rows)  # four institutions, six authors


def test_series_editions(ask: Callable[[str], Rows]) -> None:
    rows = ask("series-editions")
    found = {(r["series"], r["edition"], r.get("workshop", ""), r["track"]): int(r["papers"]) for r in rows}
    assert found == {
        ("ICML", "ICML 2026", "", "main"): 27,
        ("ICML", "ICML 2026", "AI for Math at ICML 2026", "workshop"): 1,
        ("ICMLA", "ICMLA 2026", "", "main"): 1,
    }


def test_code_and_versions(ask: Callable[[str], Rows]) -> None:
    rows = ask("code-and-versions")  # [37]
    assert {(r["what"], r["value"]) for r in rows} == {
        ("code", "https://github.com/tianyi-lab/PoLar"),
        ("related paper", "2507.07996"),
    }
