"""What every test may use: the command line as a real process, and the seed's graph, built once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from kg.stores import Store, open_store

ROOT = Path(__file__).resolve().parent.parent
SEEDS = sorted((ROOT / "seeds").glob("*.txt"))

# Other work on the machine must not fail a test: laws are tested, not speed. Derandomised, so that CI says the same.
hypothesis.settings.register_profile("confkg", deadline=None, derandomize=True)
hypothesis.settings.load_profile("confkg")

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def kg() -> Cli:
    """Run ``kg ARGS...`` in a process of its own, in UTF-8 although the locale says C."""

    def run(
        *args: str | Path, input: str | bytes | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("KG_", "LC_", "LANG"))} | {"LANG": "C"}
        data = input.encode() if isinstance(input, str) else input
        done = subprocess.run(
            [sys.executable, "-X", "utf8=0", "-c", "from kg.cli import main; main()", *map(str, args)],
            input=data,
            capture_output=True,
            cwd=cwd,
            env=environment,
            timeout=300,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def seed_folder(tmp_path_factory: pytest.TempPathFactory, kg: Cli) -> Path:
    """The store of the seed listing, made by ``kg build``; not to be written to."""
    folder = tmp_path_factory.mktemp("seed") / "kg-store"
    done = kg("build", *SEEDS, "--store", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def seed_store(seed_folder: Path) -> Store:
    """The same, open for reading."""
    return open_store(seed_folder)
