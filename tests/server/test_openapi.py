"""The description of the server holds: every address is in it, and generated requests find no fault of the server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import kg
from server import close, create_app
from tests.server.conftest import Server

#: What is checked of each answer to a generated request. Left out: positive_data_acceptance and its reverse, since
#: which texts are SPARQL cannot be said in JSON Schema; and use of the wrong method, which test_security.py tries.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance"


def generate(server: Server, folder: Path, *options: str, examples: int) -> str:
    """Lets schemathesis loose on a server, with a folder for what it keeps; what it printed."""
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"),
            *("run", f"{server.url}/openapi.json", "--checks", CHECKS, "--max-examples", str(examples)),
            *("--phases", "examples,coverage,fuzzing", "--seed", "20261202", "--generation-database", "none"),
            *("--no-color", "--suppress-health-check", "all", *options),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_address_is_described_and_each_description_is_an_address(seed_folder: Path) -> None:
    app = create_app(str(seed_folder))
    try:
        described = json.loads(app.test_client().get("/openapi.json").data)
        routes = {
            (re.sub(r"<(?:[^:<>]*:)?(\w+)>", r"{\1}", rule.rule), method.lower())
            for rule in app.url_map.iter_rules()
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
            if rule.endpoint != "static"
        }
    finally:
        close(app)
    operations = {(path, method) for path, methods in described["paths"].items() for method in methods}
    assert operations == routes
    assert described["info"]["version"] == kg.__version__
    ids = [op["operationId"] for methods in described["paths"].values() for op in methods.values()]
    assert len(ids) == len(set(ids)) == len(operations)


def test_the_home_page_says_where_the_description_is(server: Server) -> None:
    reply = server.ask("GET", "/")
    assert '</openapi.json>; rel="service-desc"' in reply.headers["link"]
    assert 'href="/openapi.json"' in reply.text
    assert json.loads(server.ask("GET", "/openapi.json").text)["servers"] == [{"url": server.url}]


def test_generated_requests_find_no_fault_of_a_server_that_is_only_read(server: Server, tmp_path: Path) -> None:
    tried = re.search(r"(\d+) generated", generate(server, tmp_path, examples=15))
    assert tried is not None
    assert int(tried[1]) > 500
    assert server.ask("GET", "/ready").status == 200


def test_generated_requests_find_no_fault_of_a_server_that_takes_updates(writable: Server, tmp_path: Path) -> None:
    token = f"Authorization: Bearer {writable.token}"
    generate(writable, tmp_path, "--header", token, "--include-path-regex", "^/(update|graphs|sparql)", examples=10)
    assert writable.ask("GET", "/ready").status == 200
