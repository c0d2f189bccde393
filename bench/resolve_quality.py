"""How well organisations are matched: precision, recall and abstention on the affiliation gold set.

    python bench/resolve_quality.py ../shared/data [--part test|tune|all] [--limit N] [--errors N]

The registry's part of ``institutions_ror.jsonl.gz`` is imported into a temporary index. What is compared is the
organisation level, as the graph asserts it (a hospital's institute and the hospital are one), by ROR id. Rows are
split by a digest of their text into a half for tuning and a half that nobody looked at (``test``).

Only strings whose gold organisation this part of the registry holds count (what it does not hold, nobody can find);
rows labelled with another registry's ids only do not. Of these,

- *precision, strings*: of the strings answered, those where the gold organisation is among the answers;
- *recall, strings*: of all strings, the same;
- *precision, answers*: of all organisations answered, those that are gold. Gold mostly names one organisation where
  a string names several ("Université X, CNRS, Inserm"), so here a second right answer counts as wrong;
- *one answer*: precision, strings, where a method gave just one organisation;
- *abstains*: strings without an answer;
- *answered without gold*: of the strings that the gold says name no organisation of the registry (some do: it has
  grown since), those that got an answer.

Baselines in the same run: exact match of a whole comma segment with a name that only one organisation bears, and
rapidfuzz's best name over the whole string (``token_set_ratio`` >= 90 among keys sharing a rare token).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rapidfuzz import fuzz, process

from kg.authority import Authority, load
from kg.names import nfc, organisation_key
from kg.resolve.matching import match, segments_of
from kg.ror import import_dump, records

Answer = Callable[[str], set[str]]


def rows(path: Path, part: str) -> Iterator[tuple[str, frozenset[str]]]:
    """(affiliation, gold ROR ids) once for each affiliation of the wanted part."""
    seen: dict[str, set[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            text = nfc(row["affiliation"])
            if row.get("openalex_ids") and not row["ror_ids"]:
                continue
            odd = hashlib.sha256(text.encode()).digest()[0] % 2
            if part == "all" or odd == (part == "test"):
                seen.setdefault(text, set()).update(r.rsplit("/", 1)[-1] for r in row["ror_ids"])
    yield from ((t, frozenset(ids)) for t, ids in seen.items())


class Level:
    """ROR id → what stands for it at the organisation level."""

    def __init__(self, authority: Authority, held: dict[str, str]) -> None:
        self.authority, self.held = authority, held
        self.curated = {o.ror: o.path for o in authority.indexes[0].organisations.values() if o.ror}  # type: ignore[attr-defined]

    def of(self, rors: Iterable[str]) -> set[str]:
        paths = (self.curated.get(r) or self.held.get(r) for r in rors)
        return {o.path for p in paths if p for o in self.authority.organisations_of(p)}


def ours(authority: Authority) -> Answer:
    def answer(text: str) -> set[str]:
        found = (authority.organisation(r.organisation).ror for r in match(text, authority).resolutions)
        return {ror for ror in found if ror}

    return answer


def exact(names: dict[str, set[str]]) -> Answer:
    def answer(text: str) -> set[str]:
        keys = {organisation_key(s) for s in segments_of(text)}
        return {next(iter(names[k])) for k in keys if len(names.get(k, ())) == 1}

    return answer


def fuzzy(names: dict[str, set[str]]) -> Answer:
    blocks: dict[str, list[str]] = {}
    for key in names:
        for token in set(key.split()):
            blocks.setdefault(token, []).append(key)

    def answer(text: str) -> set[str]:
        key = organisation_key(text)
        near = {k for t in key.split() if len(blocks.get(t, ())) <= 400 for k in blocks.get(t, ())}
        best = process.extractOne(key, near, scorer=fuzz.token_set_ratio, score_cutoff=90)
        return {min(names[best[0]])} if best else set()

    return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path, help="folder with affiliation_gold.jsonl.gz and institutions_ror.jsonl.gz")
    parser.add_argument("--part", choices=["test", "tune", "all"], default="test")
    parser.add_argument("--limit", type=int, default=0, help="only so many rows")
    parser.add_argument("--errors", type=int, default=0, help="print so many wrong matches and misses of ours")
    options = parser.parse_args()
    dump = options.data / "institutions_ror.jsonl.gz"
    names: dict[str, set[str]] = {}
    held: dict[str, str] = {}
    for organisation in records(dump):
        assert organisation.ror
        held[organisation.ror] = organisation.path
        for name in (organisation.name, *organisation.aliases):
            names.setdefault(organisation_key(name), set()).add(organisation.ror)
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "ror.sqlite"
        import_dump(dump, index)
        authority = load(index)
        todo = list(rows(options.data / "affiliation_gold.jsonl.gz", options.part))
        todo = todo[: options.limit] if options.limit else todo
        print(f"{len(held)} organisations of the registry; {len(todo)} strings of the part {options.part!r}\n")
        print(
            "| method | precision, strings | recall, strings | precision, answers | one answer | abstains "
            "| answered without gold | strings/s |"
        )
        print("|---|---|---|---|---|---|---|---|")
        level = Level(authority, held)
        measure("confkg", ours(authority), todo, level, options.errors)
        measure("exact match", exact(names), todo, level, 0)
        measure("rapidfuzz top-1", fuzzy(names), todo, level, 0)
    return 0


def measure(name: str, answer: Answer, todo: list[tuple[str, frozenset[str]]], level: Level, errors: int) -> None:
    n: Counter[str] = Counter()
    wrong: list[str] = []
    missed: list[str] = []
    started = time.perf_counter()
    answers = [answer(text) for text, _ in todo]
    rate = len(todo) / (time.perf_counter() - started)
    for (text, gold), rors in zip(todo, answers, strict=True):
        given, expected = level.of(rors), level.of(gold)
        if not gold:
            n["no gold"] += 1
            n["no gold, answered"] += bool(given)
            continue
        if not expected:
            continue
        hit = bool(given & expected)
        n["strings"] += 1
        n["answered"] += bool(given)
        n["hit"] += hit
        n["answers"] += len(given)
        n["right answers"] += len(given & expected)
        n["single"] += len(given) == 1
        n["single, hit"] += hit and len(given) == 1
        if given - expected:
            wrong.append(f"WRONG {text!r}: {sorted(given)} for {sorted(expected)}")
        elif expected - given:
            missed.append(f"MISS {text!r}: {sorted(expected)}")
    figures = (
        n["hit"] / max(n["answered"], 1),
        n["hit"] / max(n["strings"], 1),
        n["right answers"] / max(n["answers"], 1),
        n["single, hit"] / max(n["single"], 1),
        1 - n["answered"] / max(n["strings"], 1),
        n["no gold, answered"] / max(n["no gold"], 1),
    )
    cells = " | ".join(f"{f:.3f}" for f in figures)
    print(f"| {name} | {cells} | {rate:.0f} |", flush=True)
    for line in [*wrong[:errors], *missed[:errors]]:
        print(line)


if __name__ == "__main__":
    sys.exit(main())
