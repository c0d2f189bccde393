"""Text → entries. One module per input format; the module's file name is the format's name.

A format module has ``TITLE`` (one line for people), ``matches(head: str) -> bool`` (could a document that
begins like this be one?) and ``read(lines, source) -> Iterator[Item]``; modules whose name begins with an
underscore are parts of others.

Each non-blank line of a document ends in a field of an entry, a heading, or a diagnostic whose code begins with
``unread-``; :class:`Reading` checks that for every document it reads.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from kg.decoding import Document, open_document
from kg.errors import UsageError
from kg.model import Diagnostic, Entry, Heading, Item, Source


def names() -> list[str]:
    """The input formats, by file name."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def format_module(name: str) -> ModuleType:
    """The module of a format.

    Raises:
        UsageError: there is none of that name; the message lists them.
    """
    if name not in names():
        raise UsageError(f"there is no format {name!r}; there are: {', '.join(names())}")
    return importlib.import_module(f"kg.formats.{name}")


def sniff(head: str) -> str:
    """The format of a document by its beginning; a listing is what nothing else claims."""
    for name in names():
        if name != "listing" and format_module(name).matches(head):
            return name
    return "listing"


class LineLost(AssertionError):
    """A reader let go of a line: a fault of confkg, never of the input."""


@dataclass(frozen=True)
class Reading:
    """A document being read: its source, and its items in one pass (each iteration reads it anew)."""

    source: Source
    document: Document

    def __iter__(self) -> Iterator[Item]:
        waiting: set[int] = set()  # lines read and not yet accounted for: those of the entry at hand, no more

        def lines() -> Iterator[tuple[int, str]]:
            for number, line in enumerate(self.document.lines(), 1):
                if line.strip():
                    waiting.add(number)
                yield number, line

        if self.document.note:
            yield Diagnostic(self.source.name, 1, 1, "info", "encoding", self.document.note)
        entries = refused = anything = False
        for item in format_module(self.source.format).read(lines(), self.source):
            entries = entries or isinstance(item, Entry)
            refused = refused or (isinstance(item, Diagnostic) and item.severity == "error")
            anything = True
            waiting.difference_update(covered_lines(item))
            yield item
        if waiting:
            raise LineLost(f"{self.source.name}:{min(waiting)}: {len(waiting)} lines are not accounted for")
        if not entries and not refused:
            what = "has no entry that could be read as a paper" if anything else "is empty"
            yield Diagnostic(self.source.name, 1, 1, "error", "no-entries", f"the document {what}")


def covered_lines(item: Item) -> Iterator[int]:
    """The lines that an item accounts for (those of them that are blank do not count)."""
    if isinstance(item, Heading):
        yield item.line
    elif isinstance(item, Diagnostic):
        if item.code.startswith("unread-"):
            yield from range(item.first_line, item.last_line + 1)
    else:
        yield from {n for f in item.fields for n in range(f.first_line, f.last_line + 1)}


def read_path(path: str, *, format: str | None = None, name: str | None = None) -> Reading:
    """Open a document (``-`` is standard input).

    Args:
        path: a file.
        format: one of :func:`names`; by the document's beginning where it is not given.
        name: the source's name; the file's own where it is not given.

    Raises:
        UnreadableInput: it is missing, a folder, binary, or in no encoding that can be told.
        UsageError: no such format.
    """
    if format is not None:
        format_module(format)
    document = open_document(path, name)
    source = Source(document.name, document.sha256, format or sniff(document.head), document.encoding, document.length)
    return Reading(source, document)
