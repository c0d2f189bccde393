"""Reading and resolving without a store: what was understood of each line, and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from kg.authority import Authority
from kg.formats import Reading
from kg.model import Diagnostic, Entry, Heading, Record
from kg.resolve import resolve


@dataclass(frozen=True, slots=True)
class Line:
    """What became of a non-blank line."""

    line: int
    kind: Literal["field", "heading", "diagnostic"]
    #: the field's names (several may share a line), the diagnostic's code
    what: str
    #: the number of the entry in its source, from 1
    entry: int | None = None


@dataclass(frozen=True)
class Checked:
    """A source as understood."""

    reading: Reading
    lines: tuple[Line, ...]
    records: tuple[Record, ...]
    diagnostics: tuple[Diagnostic, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values with stable keys."""
        source = self.reading.source
        return {
            "source": source.name,
            "sha256": source.sha256,
            "format": source.format,
            "encoding": source.encoding,
            "lines": [
                {
                    "line": n.line,
                    "kind": n.kind,
                    ("code" if n.kind == "diagnostic" else "field"): n.what,
                    "entry": n.entry,
                }
                if n.kind != "heading"
                else {"line": n.line, "kind": n.kind}
                for n in self.lines
            ],
            "entries": [_entry(n, record) for n, record in enumerate(self.records, 1)],
            "diagnostics": [
                {
                    "firstLine": d.first_line,
                    "lastLine": d.last_line,
                    "severity": d.severity,
                    "code": d.code,
                    "message": d.message,
                }
                for d in self.diagnostics
            ],
        }


def check(reading: Reading, authority: Authority) -> Checked:
    """Read and resolve one source."""
    records: list[Record] = []
    diagnostics: list[Diagnostic] = []
    lines: dict[int, Line] = {}
    nonblank = {n for n, text in enumerate(reading.document.lines(), 1) if text.strip()}
    for item in reading:
        if isinstance(item, Entry):
            record = resolve(item, authority)
            records.append(record)
            diagnostics.extend(record.diagnostics)
        elif isinstance(item, Diagnostic):
            diagnostics.append(item)
        for line in _lines(item, len(records)):
            if line.line in nonblank:
                lines[line.line] = line if line.line not in lines else _both(lines[line.line], line)
    return Checked(
        reading,
        tuple(lines[n] for n in sorted(lines)),
        tuple(records),
        tuple(sorted(diagnostics, key=lambda d: (d.first_line, d.code))),
    )


def check_all(readings: Iterable[Reading], authority: Authority) -> Iterator[Checked]:
    """The same for many, one after another."""
    return (check(reading, authority) for reading in readings)


def _lines(item: Entry | Heading | Diagnostic, entry: int) -> Iterator[Line]:
    if isinstance(item, Heading):
        yield Line(item.line, "heading", "heading")
    elif isinstance(item, Diagnostic):
        if item.code.startswith("unread-"):
            for n in range(item.first_line, item.last_line + 1):
                yield Line(n, "diagnostic", item.code)
    else:
        for field in item.fields:
            for n in range(field.first_line, field.last_line + 1):
                yield Line(n, "field", field.name, entry)


def _both(one: Line, other: Line) -> Line:
    """Two fields on one line."""
    return one if one.what == other.what else Line(one.line, one.kind, f"{one.what} {other.what}", one.entry)


def _entry(number: int, record: Record) -> dict[str, Any]:
    return {
        "entry": number,
        "firstLine": record.entry.first_line,
        "lastLine": record.entry.last_line,
        "title": record.title,
        "titleZh": record.title_zh,
        "authors": [a.name for a in record.authorships],
        "institutions": [
            {
                "rawText": m.raw,
                "quality": m.quality,
                "resolvesTo": [
                    {"organisation": r.organisation, "method": r.method, "score": r.score} for r in m.resolutions
                ],
                "candidates": list(m.candidates),
            }
            for m in record.mentions
        ],
        "venues": [
            {
                "field": c.field.name,
                "line": c.field.first_line,
                "text": c.text,
                "series": c.series,
                "year": c.year,
                "workshop": c.workshop.name if c.workshop else None,
                "track": c.track,
                "presentation": c.presentation,
                "status": c.status,
            }
            for c in record.claims
        ],
    }
