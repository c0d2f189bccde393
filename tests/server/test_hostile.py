"""A hostile day: heavy queries, clients that are slow or leave, nonsense, workers killed by hand."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import random
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.conftest import ROOT
from tests.server.conftest import Server, serving

HEAVY = [
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?f ?c ?a",
    'SELECT * { ?a ?b ?c . ?d ?e ?f FILTER(REGEX(CONCAT(STR(?c), STR(?f)), "^(a+)+$")) }',
    "SELECT DISTINCT ?a ?d ?g { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "CONSTRUCT { ?a ?e ?f } WHERE { ?a ?b ?c . ?d ?e ?f }",
    "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c = 'nothing' && ?f = ?i) }",
]


ASKER = """
import http.client, json, select, sys, time
found = []
while not select.select([sys.stdin], [], [], 0.05)[0]:
    started = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=60)
    connection.request("GET", "/sparql?query=ASK%20%7B%20%3Fs%20a%20kg%3APaper%20%7D", headers={"Accept": "application/sparql-results+json"})
    response = connection.getresponse()
    right = b"true" in response.read()
    found.append((time.monotonic() - started, response.status if right else -1))
    connection.close()
print(json.dumps(found))
"""


@contextlib.contextmanager
def not_reading(server: Server, clients: int) -> Iterator[list[socket.socket]]:
    """Clients that ask for more than any buffer holds, and read nothing."""
    query = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(clients)]
        for sock in found:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect(("127.0.0.1", server.port))
            sock.sendall(f"GET /sparql?{urlencode({'query': query})} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        yield found


def is_cut(sock: socket.socket) -> bool:
    """Has the other side cut the connection? Nothing is read to know it."""
    poll = select.poll()
    poll.register(sock, 0)
    return bool(poll.poll(0))


def ends(sock: socket.socket, seconds: float) -> int:
    """The bytes that come until a connection is cut."""
    sock.settimeout(seconds)
    size = 0
    with contextlib.suppress(ConnectionResetError):
        while data := sock.recv(1 << 16):
            size += len(data)
    return size


def test_clients_that_do_not_read_hold_no_worker(seed_folder: Path) -> None:
    with serving(seed_folder, "--timeout", "2", "--workers", "2") as server, not_reading(server, 2):
        numbers = itertools.count()

        def served(within: float) -> int:
            query = f"SELECT (COUNT(*) + {next(numbers)} AS ?n) {{ ?s ?p ?o }}"  # never asked before: for a worker
            return server.query(query, timeout=str(within)).status

        until(lambda: served(0.3) == 503)  # both have a worker, and another waits for one
        until(lambda: served(1.5) == 200)  # their time is over


def until(holds: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until something holds."""
    last = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < last, "it never came to hold"
        time.sleep(0.1)


@pytest.mark.parametrize(("limit", "patience"), [(4, 6), (60, 3)])
def test_clients_that_do_not_read_are_cut_off(seed_folder: Path, limit: int, patience: int) -> None:
    """At their patience's end, whether their worker goes on or was stopped at the time limit before."""
    limits = ("--timeout", str(limit), "--patience", str(patience))
    with serving(seed_folder, *limits, "--workers", "3", quiet=False) as server:
        told = server.told
        assert told is not None
        with not_reading(server, 3) as socks:
            until(lambda: all(is_cut(sock) for sock in socks), 30)
            sizes = [ends(sock, 5) for sock in socks]
        assert max(sizes) < 1 << 20, sizes
        until(lambda: len(told.read_text().splitlines()) == 3)
        lines = [json.loads(line) for line in told.read_text().splitlines()]
        assert {line["outcome"] for line in lines} <= {"timeout", "left"}
        assert all("rows" not in line for line in lines)


def test_a_client_that_reads_slowly_has_its_answer(seed_folder: Path) -> None:
    """Whoever takes something is not cut off, though the answer takes longer than the patience, and though the system
    has buffered so much of it that it takes nothing from the server for as long."""
    with serving(seed_folder, "--patience", "2") as server, socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", server.port))
        query = urlencode({"query": "SELECT ?a ?d { ?a ?b ?c . ?d ?e ?f } LIMIT 100000", "format": "csv"})
        sock.sendall(f"GET /sparql?{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        size, end, started = 0, b"", time.monotonic()
        while block := sock.recv(1 << 13):
            size, end = size + len(block), (end + block)[-5:]
            time.sleep(0.1 if time.monotonic() - started < 8 else 0)
        assert time.monotonic() - started > 8
        assert size > 8 << 20
        assert end == b"0\r\n\r\n"


def workers(server: Server) -> list[int]:
    """The processes that answer queries."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                parent = re.search(r"^PPid:\s+(\d+)", (entry / "status").read_text(), re.MULTILINE)
            except OSError:
                continue
            if b"server.worker" in command and parent and int(parent[1]) == server.process.pid:
                found.append(int(entry.name))
    return found


def memory(pids: list[int]) -> int:
    """Resident memory in MiB."""
    total = 0
    for pid in pids:
        try:
            found = re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
        except OSError:
            continue
        total += int(found[1]) // 1024 if found else 0
    return total


def test_a_query_is_really_stopped_at_its_limit(server: Server) -> None:
    started = time.monotonic()
    reply = server.query(HEAVY[0], timeout="1")
    assert reply.status == 503
    assert int(reply.headers["retry-after"]) > 0
    assert time.monotonic() - started < 6
    assert "time limit" in reply.text
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _busy(server):
        time.sleep(0.1)
    assert _busy(server) == 0


def _busy(server: Server) -> int:
    found = re.search(r"^confkg_workers_busy (\d+)", server.ask("GET", "/metrics").text, re.MULTILINE)
    assert found
    return int(found[1])


def test_a_stream_that_is_stopped_is_seen_to_be_broken(server: Server) -> None:
    path = "/sparql?" + urlencode({"query": "SELECT * { ?a ?b ?c . ?d ?e ?f }", "timeout": "1"})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", path, headers={"Accept": "text/csv"})
    response = connection.getresponse()
    assert response.status == 200, response.read()
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        response.read()
    connection.close()


def test_a_client_that_leaves_stops_its_query(server: Server) -> None:
    sock = socket.create_connection(("127.0.0.1", server.port))
    path = "/sparql?" + urlencode({"query": HEAVY[0]})
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and not _busy(server):
        time.sleep(0.05)
    assert _busy(server) >= 1
    sock.close()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _busy(server):
        time.sleep(0.05)
    assert _busy(server) == 0


@pytest.fixture(scope="module")
def logging(seed_folder: Path) -> Iterator[Server]:
    with serving(seed_folder, "--timeout", "60", quiet=False) as found:
        yield found


@pytest.mark.parametrize(
    ("format_", "rows"),
    [("tsv", 3_000_000)] + [(f, 1_000_000) for f in ("csv", "json", "xml", "n-triples", "turtle")],
)
def test_a_large_answer_leaves_with_flat_memory(logging: Server, format_: str, rows: int) -> None:
    """What the server and its workers hold does not grow with the rows.

    Blank nodes make each triple another one; the engine remembers the last million of others, so that it repeats few.
    """
    form = "CONSTRUCT { ?a ?e [] } WHERE" if format_ in ("n-triples", "turtle") else "SELECT ?a ?d"
    path = "/sparql?" + urlencode({"query": f"{form} {{ ?a ?b ?c . ?d ?e ?f }} LIMIT {rows}", "format": format_})
    connection = http.client.HTTPConnection("127.0.0.1", logging.port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    held, size = [], 0
    while block := response.read(1 << 20):
        size += len(block)
        if size >> 23 >= len(held):  # each 8 MB
            held.append(memory([logging.process.pid, *workers(logging)]))
    connection.close()
    line = logging.logged(response.headers["X-Request-Id"])
    assert (line["rows"], line["bytes"], line["outcome"]) == (rows, size, "ok")
    assert len(held) > 5
    assert max(held) - min(held) < 200


def test_a_worker_has_no_sockets(server: Server) -> None:
    """The engine would call out for SERVICE; its process cannot. (The guard in front refuses it before that.)"""
    from server.isolation import without_network

    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            if without_network():
                try:
                    socket.socket()
                except PermissionError:
                    code = 0
            else:
                code = 4
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if os.waitstatus_to_exitcode(status) == 4:
        pytest.skip("this system has no seccomp")
    assert os.waitstatus_to_exitcode(status) == 0
    for worker in workers(server):
        deadline = time.monotonic() + 20  # it may have been started just now
        while time.monotonic() < deadline and "Seccomp:\t2" not in Path(f"/proc/{worker}/status").read_text():
            time.sleep(0.05)
        assert "Seccomp:\t2" in Path(f"/proc/{worker}/status").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="processors are bound on Linux only")
def test_the_web_server_keeps_to_one_processor_and_a_worker_may_use_all(seed_folder: Path) -> None:
    with serving(seed_folder) as server:
        assert server.query("ASK {}").status == 200  # it runs: all its threads are there
        threads = [int(entry.name) for entry in Path(f"/proc/{server.process.pid}/task").iterdir()]
        bound = {frozenset(os.sched_getaffinity(thread)) for thread in threads}
        assert {1, len(os.sched_getaffinity(0))} >= {len(processors) for processors in bound}
        assert len(os.sched_getaffinity(server.process.pid)) == 1
        os.kill(workers(server)[0], signal.SIGKILL)  # one thread of those that are bound starts another in its place
        for _ in range(8):
            assert server.query("ASK {}").status == 200
        assert {frozenset(os.sched_getaffinity(worker)) for worker in workers(server)} == {
            frozenset(os.sched_getaffinity(0))
        }


def test_a_worker_opens_no_file_but_those_it_works_with(seed_folder: Path, tmp_path: Path) -> None:
    """Landlock in a process of its own: the store, Python and our own files are read, the rest of the host is not."""
    (outside := tmp_path / "secret").write_text("x")
    (scratch := tmp_path / "scratch").mkdir()
    program = """
import sys
from pathlib import Path
from server.files import code, only_files
store, scratch, outside = map(Path, sys.argv[1:])
if not only_files([*code(), store], [scratch]):
    sys.exit(4)
from kg.stores import open_store
from kg.validate import validate_store
assert validate_store(open_store(store)).conforms is not None
(scratch / "file").write_text("x")
for attempt in (outside.read_text, Path("/etc/passwd").read_bytes, lambda: list(Path.home().iterdir()),
                (store / "new").touch, (store / "CURRENT").unlink, outside.unlink):
    try:
        attempt()
    except PermissionError:
        continue
    sys.exit(f"{attempt} was let through")
"""
    done = subprocess.run(
        [sys.executable, "-c", program, seed_folder, scratch, outside], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode == 4:
        pytest.skip("this system has no Landlock")
    assert done.returncode == 0, done.stderr
    assert outside.read_text() == "x"


def test_a_hostile_day(seed_folder: Path) -> None:
    with serving(seed_folder, "--timeout", "3") as server:
        before = server.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").text
        statuses: dict[int, int] = {}
        lock = threading.Lock()
        over = threading.Event()

        def count(status: int) -> None:
            with lock:
                statuses[status] = statuses.get(status, 0) + 1

        def heavy(share: int) -> None:
            for n in range(share):
                try:
                    count(server.query(HEAVY[n % len(HEAVY)]).status)
                except (OSError, http.client.HTTPException):
                    count(0)  # a stream that broke off

        def nonsense() -> None:
            rng = random.Random(7)
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            for _ in range(2500):
                method = rng.choice(["GET", "POST", "PUT", "DELETE", "PATCH"])
                path = rng.choice(
                    [
                        "/sparql?query=",
                        "/update",
                        "/graphs?graph=",
                        "/paper/",
                        "/%ff",
                        "/sparql?query=SELEKT",
                        "/static/../x",
                    ]
                )
                tail = "".join(rng.choice("ab%<>{}?&=\u00e9 ") for _ in range(rng.randrange(20)))
                try:
                    connection.request(
                        method,
                        path + tail.encode("utf-8").hex(),
                        b"\xff\x00" * rng.randrange(50),
                        {"Content-Type": rng.choice(["", "x/y", "application/sparql-query"])},
                    )
                    response = connection.getresponse()
                    response.read()
                    count(response.status)
                except (OSError, http.client.HTTPException):
                    connection.close()
                    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

            connection.close()

        def leave() -> None:
            for n in range(40):
                sock = socket.create_connection(("127.0.0.1", server.port))
                sock.sendall(f"GET /sparql?{urlencode({'query': HEAVY[n % 3]})} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                time.sleep(0.1)
                sock.close()

        def slow() -> None:
            socks = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
            while not over.is_set():
                for sock in socks:
                    with contextlib.suppress(OSError):
                        sock.sendall(b"G")
                over.wait(0.5)
            for sock in socks:
                sock.close()

        def kill() -> None:
            rng = random.Random(3)
            while not over.wait(2):
                found = workers(server)
                if found:
                    os.kill(rng.choice(found), signal.SIGKILL)

        threads = [threading.Thread(target=heavy, args=(8,)) for _ in range(25)]
        threads += [threading.Thread(target=f) for f in (nonsense, nonsense, leave, slow, kill)]
        # the one who asks is a process of its own: what is measured is the server, not this test's own threads
        asker = subprocess.Popen(
            [sys.executable, "-c", ASKER, str(server.port)], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
        )
        peak = 0
        for thread in threads:
            thread.start()
        while any(t.is_alive() for t in threads[:-2]):
            peak = max(peak, memory([server.process.pid, *workers(server)]))
            time.sleep(0.2)
        told, _ = asker.communicate("stop\n", timeout=60)
        over.set()
        for thread in threads:
            thread.join()
        answers = json.loads(told)
        assert all(status == 200 for _, status in answers), [a for a in answers if a[1] != 200]
        waits = [wait for wait, _ in answers]
        waits.sort()
        percentile = waits[int(0.99 * (len(waits) - 1))]
        print(
            f"{len(waits)} asks, 99th percentile {percentile:.2f} s; peak {peak} MiB; statuses {dict(sorted(statuses.items()))}"
        )
        assert not any(500 <= s < 503 or s > 503 for s in statuses), statuses
        assert len(waits) > 50
        assert percentile < 1.0
        assert peak < 6000
        assert server.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").text == before
