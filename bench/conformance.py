"""The W3C's SPARQL 1.1 query and update evaluation suites, through ``kg serve`` and ``oxigraph serve`` in one run.

    python bench/conformance.py ../shared/data --peers FOLDER

FOLDER holds the peer's ``oxigraph``. Both are judged by the same code, that of tests/server/w3c_evaluation.py; the
tests and the reasons of our failures are named in tests/server/test_evaluation.py.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import track

from bench.endpoint import free_port, started
from kg.stores.oxigraph import building
from tests.server.conftest import serving
from tests.server.w3c_evaluation import Endpoint, cases, manifests, run


@contextmanager
def ours(folder: Path) -> Iterator[Endpoint]:
    """``kg serve`` with updates, over an empty store."""
    with building(str(folder / "store")):
        pass
    tokens = folder / "tokens.jsonl"
    command = [sys.executable, "-m", "kg", "token", "new", "w3c", "--token-file", str(tokens)]
    token = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    with serving(folder / "store", "--updates", "--token-file", str(tokens), token=token) as server:
        headers = {"Authorization": f"Bearer {token}"}
        yield Endpoint(f"{server.url}/sparql", f"{server.url}/update", f"{server.url}/graphs", headers)


@contextmanager
def theirs(folder: Path, peers: Path) -> Iterator[Endpoint]:
    """``oxigraph serve``, over an empty store."""
    root = f"http://127.0.0.1:{free_port()}"
    command = [str(peers / "oxigraph"), "serve", "--location", str(folder / "peer"), "--bind", root[7:]]
    with started(command, f"{root}/query"):
        yield Endpoint(f"{root}/query", f"{root}/update", f"{root}/store")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with w3c/rdf-tests")
    parser.add_argument("--peers", type=Path, required=True, help="folder with 'oxigraph'")
    arguments = parser.parse_args()
    suite = arguments.data.resolve() / "w3c" / "rdf-tests" / "sparql" / "sparql11"
    known = [case for manifest in manifests(suite) for case in cases(manifest)]
    failed: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, start in (("confkg", ours(Path(folder))), ("oxigraph serve", theirs(Path(folder), arguments.peers))):
            with start as endpoint:
                failed[name] = {
                    case: fault
                    for case, graph, test in track(known, description=name, console=Console(stderr=True))
                    if (fault := run(endpoint, graph, test))
                }
    print(f"{len(known)} tests\n\n| Server | passed | failed |\n|---|---:|---:|")
    for name, faults in failed.items():
        print(f"| {name} | {len(known) - len(faults)} | {len(faults)} |")
    for case in sorted(set().union(*failed.values())):
        print(f"\n{case}:", "; ".join(f"{name}: {faults[case]}" for name, faults in failed.items() if case in faults))


if __name__ == "__main__":
    main()
