"""A listing of real papers, in the layout of the seed, from the paper lists beside the checkout.

python bench/make_listing.py ../shared/data 10000 > papers.txt
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILES = ("paperlists_icml", "paperlists_neurips", "paperlists_iclr", "paperlists_other")
NAMES = {"nips": "NeurIPS", "neurips": "NeurIPS", "icml": "ICML", "iclr": "ICLR"}


def papers(data: Path, only: str | None = None) -> Iterator[dict[str, Any]]:
    for name in FILES:
        if only and only not in name:
            continue
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def institutions(paper: dict[str, Any]) -> list[str]:
    found = paper.get("affiliations") or []
    if paper.get("aff_scope") == "author":
        found = itertools.chain.from_iterable(a if isinstance(a, list) else [a] for a in found)
    return [clean(a) for a in dict.fromkeys(found) if a and a.strip()]


def clean(text: str) -> str:
    text = "".join(c for c in text if c.isprintable() or c.isspace())
    return " ".join(text.replace("；", ",").replace(";", ",").split())


def entry(paper: dict[str, Any]) -> str | None:
    title, authors = clean(paper.get("title") or ""), [clean(a) for a in paper.get("authors") or [] if a.strip()]
    if len(title) < 12 or not authors:
        return None
    lines = [title, ", ".join(authors)]
    if places := institutions(paper):
        lines.append("机构 * " + " ； ".join(places) + " 纠错")
    venue = str(paper.get("venue") or "")
    series = NAMES.get(venue.split()[0].lower(), venue.split()[0]) if venue else "ICML"
    lines.append(f"Comments Accepted at {series} {paper['year']}")
    return "\n\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--only", help="one list: icml, neurips, iclr, other")
    options = parser.parse_args()
    written = 0
    for paper in papers(options.data, options.only):
        if written == options.count:
            break
        if text := entry(paper):
            sys.stdout.write(text + "\n")
            written += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
