"""From statements of different kinds to the right lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import SEEDS, Cli

SEED = SEEDS[0].name


def grounds(kg: Cli, store: Path, *terms: str) -> list[dict[str, object]]:
    done = kg("why", *terms, "--json", "--store", store)
    assert done.returncode == 0, done.stderr
    return [g for e in json.loads(done.stdout) for g in e["grounds"]]


def the(kg: Cli, store: Path, query: str) -> str:
    done = kg("query", query, "--format", "csv", "--store", store)
    return str(done.stdout.splitlines()[1].strip())


PAPER = 'SELECT ?p { ?p dcterms:title ?t FILTER(STRSTARTS(?t, "%s")) }'
DISPOSE = PAPER % "DisPOSE"

#: what is asked (a query for the subject, predicate, object), the lines that must be told
CASES = [
    ("a title", DISPOSE, ["dcterms:title"], [331]),
    ("a translated title", DISPOSE, ["fabio:hasTranslatedTitle"], [333]),
    ("an author", DISPOSE, ["schema:author"], [335]),
    ("an institution of a paper", DISPOSE, ["kg:relevantInstitution"], [337]),
    ("a summary", DISPOSE, ["kg:aiSummary"], [339]),
    ("a claim", DISPOSE, ["kg:hasVenueClaim"], [341]),
    ("a type", DISPOSE, ["a", "fabio:ConferencePaper"], [341]),
    ("a position", "SELECT ?a { ?a kg:nameAsListed 'Tolga Birdal' }", ["kg:position"], [335]),
    ("an oral", "SELECT ?c { ?c kg:presentation kgs:oral }", ["kg:presentation"], [109]),
    ("code", PAPER % "Skip a Layer", ["kg:hasCode"], [37]),
    ("a resolution", "SELECT ?m { ?m kg:rawText 'Boston University, Departments of Computer Science' }", ["kg:resolvesTo"], [153]),
    ("a workshop", "SELECT ?w { ?w a kg:Workshop }", ["rdfs:label"], [133]),
    ("a conference", "SELECT ?e { ?e rdfs:label 'ICMLA 2026'@en }", ["kg:editionYear"], None),
]  # fmt: skip


@pytest.mark.parametrize(("what", "subject", "rest", "lines"), CASES, ids=[c[0] for c in CASES])
def test_each_leads_to_its_lines(
    kg: Cli, seed_folder: Path, what: str, subject: str, rest: list[str], lines: list[int] | None
) -> None:
    found = grounds(kg, seed_folder, the(kg, seed_folder, subject), *rest)
    assert found
    told = sorted({a["firstLine"] for g in found for a in g["addresses"]})  # type: ignore[attr-defined]
    printed = SEEDS[0].read_text("utf-8").splitlines()
    if lines is None:
        lines = [n for n, line in enumerate(printed, 1) if "25th IEEE International Conference" in line]
    assert told == lines
    for ground in found:
        assert (ground["kind"], ground["name"]) == ("source", SEED)
        for address in ground["addresses"]:  # type: ignore[attr-defined]
            assert (
                address["text"] == " ".join(printed[address["firstLine"] - 1].split())
                or address["text"] in printed[address["firstLine"] - 1]
            )


def test_a_resolution_says_its_method_and_score(kg: Cli, seed_folder: Path) -> None:
    mention = the(kg, seed_folder, "SELECT ?m { ?m kg:rawTextZh '华盛顿大学'@zh-Hans }")
    (ground,) = grounds(kg, seed_folder, mention, "kg:resolvesTo")
    assert "label" in str(ground["remark"])
    assert "0.95" in str(ground["remark"])


def test_a_conclusion_names_its_rule(kg: Cli, seed_folder: Path) -> None:
    author = the(kg, seed_folder, "SELECT ?a { ?a rdfs:label 'Zhenyu Liao' }")
    (ground,) = grounds(kg, seed_folder, author, "kg:identityStatus")
    assert (ground["kind"], ground["name"]) == ("rule", "identity, version 1")


def test_what_is_curated_says_so(kg: Cli, seed_folder: Path) -> None:
    (ground,) = grounds(kg, seed_folder, "series/icml", "skos:notation")
    assert ground["kind"] == "authority"


def test_a_statement_that_is_not_made_is_bad_use(kg: Cli, seed_folder: Path) -> None:
    done = kg("why", "series/icml", "kg:position", "--store", seed_folder)
    assert done.returncode == 2
    assert "no such statement" in done.stderr
