"""A real Virtuoso on loopback, filled with a store: its merged graph as a named graph, the others under their names."""

from __future__ import annotations

import io
import shutil
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rdflib import URIRef

from kg.stores import Store

MERGED = URIRef("https://w3id.org/confkg/graph/merged")
PROGRAM, CLIENT = shutil.which("virtuoso-t"), shutil.which("isql-vt") or shutil.which("isql-v")
_INI = """[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DirsAllowed = {folder}
NumberOfBuffers = 10000
MaxQueryCostEstimationTime = 0
SchedulerInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 10
ServerRoot = {folder}
[SPARQL]
ResultSetMaxRows = {rows}
"""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


@contextmanager
def virtuoso(folder: Path, store: Store, rows: int = 100_000) -> Iterator[str]:
    """Its query URL, while it runs."""
    http, sql = free_port(), free_port()
    (folder / "virtuoso.ini").write_text(_INI.format(folder=folder, http=http, sql=sql, rows=rows))
    command = [str(PROGRAM), "+configfile", str(folder / "virtuoso.ini"), "+foreground"]
    with (folder / "out.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{http}"
    try:
        _wait(url, process, folder)
        _load(sql, folder, MERGED, _content(store, None))
        for graph in store.graph_names():
            _load(sql, folder, graph, _content(store, graph))
        yield f"{url}/sparql?" + urllib.parse.urlencode({"default-graph-uri": MERGED})
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(600):
        assert process.poll() is None, (folder / "out.log").read_text(errors="replace")
        try:
            urllib.request.urlopen(f"{url}/sparql?query=ASK%7B%7D", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("Virtuoso has not come up in a minute")


def _content(store: Store, graph: URIRef | None) -> bytes:
    out = io.BytesIO()
    store.dump(out, "n-triples", graph)
    return out.getvalue()


def _load(port: int, folder: Path, graph: URIRef, content: bytes) -> None:
    """By the SQL client, from a file: the Graph Store Protocol of this version breaks off before it asks who is there."""
    file = folder / "load.nt"
    file.write_bytes(content)
    statement = f"DB.DBA.TTLP (file_to_string_output ('{file}'), '', '{graph}', 0);"
    done = subprocess.run(
        [str(CLIENT), f"127.0.0.1:{port}", "dba", "dba", f"exec={statement}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr, done.stderr
