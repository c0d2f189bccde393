"""Dated dumps: whole, with the right digest, gone when replaced."""

from __future__ import annotations

import base64
import datetime
import hashlib
import json

import pytest
from rdflib import Dataset

from tests.server.conftest import Server


def listed(server: Server) -> dict[str, dict[str, str]]:
    found = json.loads(server.ask("GET", "/dumps").body)["dumps"]
    return {entry["name"].rsplit(".", 1)[-1]: entry for entry in found}


@pytest.mark.parametrize("suffix", ["ttl", "nt", "jsonld", "rdf", "nq", "trig"])
def test_a_dump_has_the_digest_that_is_told(server: Server, suffix: str) -> None:
    entry = listed(server)[suffix]
    assert f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}" in entry["name"]
    reply = server.ask("GET", f"/dumps/{entry['name']}")
    digest = hashlib.sha256(reply.body)
    assert reply.status == 200
    assert server.ask("GET", f"/dumps/{entry['name']}.sha256").text == f"{digest.hexdigest()}  {entry['name']}\n"
    assert reply.headers["repr-digest"] == f"sha-256=:{base64.b64encode(digest.digest()).decode()}:"
    part = server.ask("GET", f"/dumps/{entry['name']}", headers={"Range": "bytes=10-19"})
    assert (part.status, part.body) == (206, reply.body[10:20])


def test_a_dump_of_quads_holds_every_graph(server: Server) -> None:
    entry = listed(server)["nq"]
    data = Dataset()
    data.parse(data=server.ask("GET", f"/dumps/{entry['name']}").text, format="nquads")
    graphs = json.loads(server.query("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }").text)["results"]["bindings"]
    assert {row["g"]["value"] for row in graphs} <= {str(g.identifier) for g in data.graphs()}


def test_a_replaced_dump_is_gone_and_an_invented_one_was_never(writable: Server) -> None:
    before = listed(writable)["nt"]["name"]
    assert writable.ask("GET", f"/dumps/{before}").status == 200
    assert writable.write("POST", "/update", "INSERT DATA { <http://x/a> <http://x/b> 1 }", "application/sparql-update")
    after = listed(writable)["nt"]["name"]
    assert after != before
    assert writable.ask("GET", f"/dumps/{before}").status == 410
    assert writable.ask("GET", f"/dumps/{before}.sha256").status == 410
    assert b"<http://x/a>" in writable.ask("GET", f"/dumps/{after}").body
    assert writable.ask("GET", "/dumps/confkg-2020-01-01-00000000.nt").status == 404
