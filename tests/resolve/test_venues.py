"""Venues: the claims of comments, against what a person read in them."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from pathlib import Path

import pytest

from kg.authority import Authority, load
from kg.model import Entry, Field, Source
from kg.resolve.venues import resolve_venues
from tests.conftest import ROOT

LABELS = Path(__file__).parent / "venue_labels.tsv"
COMMENTS = ROOT.parent / "shared" / "data" / "arxiv_comments.jsonl.gz"
SOURCE = Source("x", "", "listing")


@lru_cache(maxsize=1)
def authority() -> Authority:
    return load()


def claims(text: str, field: str = "comments") -> str:
    entry = Entry(SOURCE, (Field(field, text, text, 1, 1),))  # type: ignore[arg-type]
    found = resolve_venues(entry, authority())
    return (
        " ; ".join(
            "|".join(
                (
                    c.series.removeprefix("series/") if c.series else "?",
                    str(c.year or "-"),
                    c.track or "-",
                    c.status or "-",
                )
            )
            for c in found
        )
        or "none"
    )


def labels() -> dict[str, str]:
    rows = (line.split("\t") for line in LABELS.read_text("utf-8").splitlines() if not line.startswith("#"))
    return dict(rows)  # type: ignore[arg-type]


@pytest.mark.skipif(not COMMENTS.exists(), reason="the comments lie beside the checkout, in ../shared")
def test_640_comments_as_a_person_reads_them() -> None:
    wanted = labels()
    assert len(wanted) == 640
    comments = {}
    with gzip.open(COMMENTS, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            comments[row["arxiv"]] = " ".join((row.get("comment") or "").split())
    wrong = [(i, comments[i], want, got) for i, want in wanted.items() if (got := claims(comments[i])) != want]
    assert len(wrong) <= 0.02 * len(wanted), wrong


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Accepted at ICML 2026", "icml|2026|main|accepted"),
        ("ICMLA 2026", "icmla|2026|main|accepted"),
        ("post conference revision version at ICML", "icml|-|main|revised"),
        ("Proceedings of the Forty-Third International Conference on Machine Learning", "icml|2026|main|published"),
        ("Submitted to ICML 2026", "icml|2026|main|submitted"),
        ("Rejected from ICML 2026", "icml|2026|main|rejected"),
        ("Uses the ICML 2026 style file", "none"),
        ("12 pages, 3 figures", "none"),
        ("Accepted to Findings of ACL 2025", "acl|2025|findings|accepted"),
        ("XLLM @ ACL 2025", "acl|2025|workshop|accepted"),
        ("NeurIPS 2025 Datasets and Benchmarks Track", "neurips|2025|datasets-and-benchmarks|accepted"),
        ("Accepted by TPAMI", "tpami|-|journal|accepted"),
        ("Not yet submitted to a journal", "none"),
        ("Under review", "?|-|-|under-review"),
    ],
)
def test_one_comment(text: str, want: str) -> None:
    assert claims(text) == want


def test_a_journal_reference_is_published_and_a_bare_comment_accepted() -> None:
    assert claims("ICML 2026", "journal-ref") == "icml|2026|main|published"
    assert claims("ICML 2026") == "icml|2026|main|accepted"


def test_a_heading_is_evidence_of_nothing() -> None:
    entry = Entry(SOURCE, (Field("title", "ICML 2026", "ICML 2026", 1, 1), Field("category", "ICML", "ICML", 2, 2)))
    assert resolve_venues(entry, authority()) == ()
