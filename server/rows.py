"""How many rows an answer has, counted in its bytes as they leave: the engine writes them and does not say.

The grammars are those of N-Triples and of the four result formats (W3C sparql11-results-json, rdf-sparql-XMLres,
sparql11-results-csv-tsv) as the engine writes them: no white space between the tokens of JSON and XML, strings escaped
as little as they may be. Memory is constant, whatever a row holds.
"""

from __future__ import annotations

import re
from typing import Protocol


class Rows(Protocol):
    """A count of the rows of a table that comes in blocks, cut anywhere."""

    def take(self, block: bytes) -> None:
        """The next block."""

    def count(self) -> int:
        """The rows, when all blocks were taken."""


class _Triples:
    """A line is a triple: line ends in literals are escaped."""

    def __init__(self) -> None:
        self._lines = 0

    def take(self, block: bytes) -> None:
        self._lines += block.count(b"\n")

    def count(self) -> int:
        return self._lines


class _Tsv(_Triples):
    """The same, less the first line."""

    def count(self) -> int:
        return self._lines - 1


class _Csv:
    """A line is a row, less the first; within quotes a line end is text. A quote in a text is doubled (RFC 4180), which
    leaves and enters it again."""

    def __init__(self) -> None:
        self._lines, self._quoted = 0, 0

    def take(self, block: bytes) -> None:
        pieces = block.split(b'"')
        self._lines += b"".join(pieces[self._quoted :: 2]).count(b"\n")
        self._quoted ^= (len(pieces) - 1) & 1

    def count(self) -> int:
        return self._lines - 1


class _Xml:
    """A row is a start tag: no text holds one unescaped."""

    _TAG = b"<result>"

    def __init__(self) -> None:
        self._rows, self._tail = 0, b""

    def take(self, block: bytes) -> None:
        text = self._tail + block
        self._rows += text.count(self._TAG)
        self._tail = text[1 - len(self._TAG) :]

    def count(self) -> int:
        return self._rows


class _Json:
    """Rows are objects in an array, and nothing else in a table is: between two of them stands ``},{``.

    In a string these three may stand too. To look at every string costs as much as half of the engine's own work, so
    what follows them decides: a row begins with ``"`` and a name, while a string that ends there goes on with ``"``
    and one of ``,}``. Only a row without any value, ``{}``, looks the same in a string; where that is met, the block
    is split at its quotes.
    """

    #: Five bytes each, so that four kept of the block before never hold a whole one.
    _NEXT = re.compile(rb'\},\{(?:"[^,}]|\}[,\]])')
    _ESCAPE = re.compile(rb"\\.", re.DOTALL)

    def __init__(self) -> None:
        self._further = 0
        #: What of the text is still undecided, and whether it begins within a string; the begin of an escape.
        self._tail, self._quoted, self._escape = b"", 0, b""

    def take(self, block: bytes) -> None:
        if self._escape or b"\\" in block:
            block = self._ESCAPE.sub(b"", self._escape + block)
            self._escape = block[len(block) - block.endswith(b"\\") :]
            block = block.removesuffix(b"\\")
        text = self._tail + block
        found = self._NEXT.findall(text)
        if any(separator.startswith(b"},{}") for separator in found):
            outside = b'"'.join(text[:-2].split(b'"')[self._quoted :: 2])
            self._further += outside.count(b"},{")
        else:
            self._further += len(found)
        self._quoted ^= text[:-4].count(b'"') & 1
        self._tail = text[-4:]

    def count(self) -> int:
        return 0 if self._tail == b"[]}}" else self._further + 1


_FORMATS: dict[str, type[Rows]] = {"json": _Json, "xml": _Xml, "csv": _Csv, "tsv": _Tsv, "n-triples": _Triples}


def rows(format_: str) -> Rows | None:
    """A count for a format of :data:`kg.mediatypes.FORMATS`; ``None`` for those whose triples have no mark of their
    own."""
    return _FORMATS[format_]() if format_ in _FORMATS else None
