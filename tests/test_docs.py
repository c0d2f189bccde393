"""What the README says, works."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

from tests.conftest import ROOT, SEEDS, Cli

README = (ROOT / "README.md").read_text("utf-8")


def commands() -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("kg ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


def test_each_command_of_the_readme_runs(kg: Cli, tmp_path: Path) -> None:
    shutil.copy(SEEDS[0], tmp_path / "listing.txt")
    shutil.copy(SEEDS[0], tmp_path / "more.txt")
    found = [c for c in commands() if c[0] != "serve" and not {"ror-data.json"} & set(c)]
    assert len(found) > 10
    for command in found:
        done = kg(*command, cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: object) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    shutil.copy(SEEDS[0], tmp_path / "listing.txt")
    names: dict[str, object] = {}
    exec(
        compile(
            code.replace('"listing.txt"', repr(str(tmp_path / "listing.txt"))).replace(
                '"my-store"', repr(str(tmp_path / "s"))
            ),
            "README.md",
            "exec",
        ),
        names,
    )
    assert len(names["network"]) == 40  # type: ignore[arg-type]


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
