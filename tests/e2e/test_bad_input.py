"""Bad input is told by file and line, bad use in one line that says what to do; neither leaves anything half built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import SEEDS, Cli

SEED = SEEDS[0].read_text("utf-8")
BINARY = b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 4

#: name, content (None: no file; "dir": a folder), exit code
BAD = [
    ("missing.txt", None, 2),
    ("folder.txt", "dir", 2),
    ("binary.txt", BINARY, 2),
    ("picture.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"\x00" * 64, 2),
    ("broken.txt", SEED.encode()[:3000] + b"\xff\xfe\x80" + SEED.encode()[3000:], 2),
    ("empty.txt", b"", 1),
    ("blank.txt", b"\n  \n\t\n", 1),
    ("prose.txt", b"Dear all,\n\nplease find the minutes attached.\n", 1),
    # the first entry whole, the second cut after its title and translated title
    ("cut.txt", None, 1),
]


@pytest.fixture(params=BAD, ids=[b[0] for b in BAD])
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int]:
    name, content, code = request.param
    path = tmp_path / name
    if content == "dir":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    elif name == "cut.txt":
        lines = SEED.splitlines()
        second = next(n for n, line in enumerate(lines) if n > 5 and line.startswith(("Comments", "Journal"))) + 1
        titles = [n for n in range(second, len(lines)) if lines[n].strip()][:2]
        path.write_text("\n".join(lines[: titles[-1] + 1]), "utf-8")
    return path, code


@pytest.mark.parametrize("command", ["build", "check"])
def test_each_fault_is_told_with_its_address(kg: Cli, bad: tuple[Path, int], command: str, tmp_path: Path) -> None:
    path, code = bad
    done = kg(command, path, *(["--store", tmp_path / "kg-store"] if command == "build" else []))
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    addressed = [
        line for line in done.stderr.splitlines() if re.match(rf".*{re.escape(path.name)}:\d+: error: \S", line)
    ]
    assert addressed, done.stderr
    assert not (tmp_path / "kg-store").exists()


@pytest.mark.parametrize("command", ["build", "add"])
def test_what_stood_there_stands_there_still(kg: Cli, bad: tuple[Path, int], command: str, tmp_path: Path) -> None:
    path, code = bad
    (tmp_path / "good.txt").write_text(SEED, "utf-8")
    assert kg("build", tmp_path / "good.txt", "--store", tmp_path / "s").returncode == 0
    before = kg("export", "--format", "n-quads", "--store", tmp_path / "s").stdout
    assert kg(command, path, "--store", tmp_path / "s").returncode == code
    assert kg("export", "--format", "n-quads", "--store", tmp_path / "s").stdout == before


def test_a_listing_in_gb18030_is_read_and_said_to_be_one(kg: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(SEED.encode("gb18030"))
    done = kg("check", tmp_path / "a.txt", "--json")
    assert done.returncode == 0, done.stderr
    assert "gb18030" in done.stderr.lower()
    assert "无监督解缠无需妥协" in done.stdout


def test_all_faults_of_all_sources_are_told_at_once(kg: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("", "utf-8")
    (tmp_path / "b.txt").write_text("hello\n", "utf-8")
    done = kg("check", tmp_path / "a.txt", tmp_path / "b.txt")
    assert done.returncode == 1
    assert "a.txt:1: error:" in done.stderr
    assert "b.txt:1: error:" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["build"],
        ["build", "seed.txt", "--frobnicate"],
        ["build", "seed.txt", "--format", "frobnicate"],
        ["build", "seed.txt", "--base", "not an iri"],
        ["stats", "--store", "nowhere"],
        ["query", "SELECT * { ?s ?p ?o }", "--store", "nowhere"],
        ["query"],
        ["query", "--example", "frobnicate"],
        ["export", "--format", "frobnicate"],
        ["export", "--format", "turtle", "--store", "nowhere"],
        ["network", "frobnicate"],
        ["network", "coaffiliation", "--store", "nowhere"],
        ["validate", "--store", "nowhere"],
        ["remove", "x", "--store", "nowhere"],
        ["serve", "--store", "nowhere"],
        ["why", "kg:Paper", "--store", "nowhere"],
    ],
    ids=" ".join,
)
def test_bad_use_exits_with_2_and_says_what_to_do(kg: Cli, arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "seed.txt").write_text(SEED, "utf-8")
    done = kg(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    assert len([line for line in done.stderr.splitlines() if "rror" in line]) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["seed.txt"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SELECT * { ?s ?p }", "1:"),
        ("SELECT ?x WHERE { ?x a kg:Paper . } }", "1:"),
        ("INSERT DATA { <a:a> <b:b> <c:c> }", "update"),
        ("SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }", "SERVICE"),
    ],
)
def test_a_query_that_cannot_be_run_exits_with_1(kg: Cli, seed_folder: Path, text: str, says: str) -> None:
    done = kg("query", text, "--store", seed_folder)
    assert done.returncode == 1
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_query_in_chinese(kg: Cli, seed_folder: Path) -> None:
    text = """SELECT DISTINCT ?机构 {
        ?论文 kg:relevantInstitution ?机构 . ?机构 skos:prefLabel ?名 FILTER(CONTAINS(STR(?名), "北京大学"))
    }"""
    done = kg("query", text, "--format", "csv", "--store", seed_folder)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2
    assert done.stdout.startswith("机构")
    assert (
        "北京大学"
        in kg(
            "query", 'SELECT ?x { ?i skos:prefLabel ?x FILTER(?x = "北京大学"@zh-Hans) }', "--store", seed_folder
        ).stdout
    )


def test_a_query_is_stopped_at_its_limit(kg: Cli, seed_folder: Path) -> None:
    heavy = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    done = kg("query", heavy, "--timeout", "1", "--store", seed_folder)
    assert done.returncode == 1
    assert "stopped after 1 s" in done.stderr
