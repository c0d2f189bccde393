"""The W3C's SPARQL 1.1 query and update evaluation suites through the endpoint: each failure has its reason here."""

from __future__ import annotations

import pytest

from tests.server.conftest import SHARED, Server
from tests.server.w3c_evaluation import Endpoint, cases, manifests, run

SUITE = SHARED / "data" / "w3c" / "rdf-tests" / "sparql" / "sparql11"
#: Reason → tests that fail for it. All are the engine's own (the ``oxigraph`` server fails them too, and others).
NAMED = {
    "a path of length zero starts at a constant only where that is in the graph": [
        f"property-path/zero_or_{most}_set_{end}" for most in ("more", "one") for end in ("start", "end")
    ],
    "a subquery, VALUES or MINUS within GRAPH ?g is not evaluated once a graph": [
        "aggregates/agg-empty-group-count-graph",
        "bindings/graph",
        "negation/graph-minus",
    ],
    "BNODE(label) is one node for all solutions": ["functions/bnode01"],
    "types derived from xsd:integer are kept as xsd:integer, and doubles in one form": [
        "csv-tsv-res/csv03",
        "csv-tsv-res/tsv03",
    ],
}


@pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C's tests lie beside the checkout, in ../shared")
def test_every_failure_of_the_evaluation_suites_is_named(writable: Server) -> None:
    authorised = {"Authorization": f"Bearer {writable.token}"}
    endpoint = Endpoint(f"{writable.url}/sparql", f"{writable.url}/update", f"{writable.url}/graphs", authorised)
    known = [(name, graph, test) for manifest in manifests(SUITE) for name, graph, test in cases(manifest)]
    assert len(known) > 480
    failed = {name: fault for name, graph, test in known if (fault := run(endpoint, graph, test))}
    assert set(failed) == {name for names in NAMED.values() for name in names}, failed
