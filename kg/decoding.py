"""Bytes → lines: which encoding a document is in, told by its bytes and never guessed silently.

UTF-8 is the rule; a byte-order mark says otherwise (Unicode Standard, section 23.8); text that is not UTF-8 but
reads as common Chinese in GB18030 is taken as that, and said to be. Lines end in LF, CR LF or CR, as editors count
them, and at no other character.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from kg.errors import UnreadableInput
from kg.names import nfc

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD = 4096
#: Control characters that no text has (C0 but for tab, line ends, form feed and escape).
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True)
class Document:
    """A text document: its name, the digest of its bytes, its encoding, and its lines, as often as asked."""

    name: str
    sha256: str
    encoding: str
    #: number of lines
    length: int
    #: the first characters, for telling its format
    head: str
    #: what is to be told about the encoding
    note: str | None
    _path: Path | None
    _bytes: bytes | None

    def lines(self) -> Iterator[str]:
        """The lines without their ends, streaming."""
        raw: IO[bytes] = _open(self._path) if self._path is not None else io.BytesIO(self._bytes or b"")
        with raw, io.TextIOWrapper(raw, self.encoding, newline=None) as text:
            for line in text:
                yield line.removesuffix("\n")


def _open(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def open_document(path: str, name: str | None = None) -> Document:
    """Read a document once through: digest, encoding, number of lines (``-`` is standard input).

    Raises:
        UnreadableInput: missing, a folder, binary, or in no encoding that can be told; with the line.
    """
    if path == "-":
        data = sys.stdin.buffer.read()
        return _document(name or "stdin", None, data)
    file = Path(path)
    try:
        return _document(name or nfc(file.name.removesuffix(".gz")), file, None)
    except FileNotFoundError:
        raise UnreadableInput(path, "there is no such file") from None
    except IsADirectoryError:
        raise UnreadableInput(path, "this is a folder: name the files in it") from None
    except (OSError, EOFError) as e:
        raise UnreadableInput(path, f"cannot be read: {getattr(e, 'strerror', None) or e}") from None


def _document(name: str, path: Path | None, data: bytes | None) -> Document:
    with _open(path) if path is not None else io.BytesIO(data or b"") as raw:
        digest = hashlib.sha256()
        start = raw.read(4)
        encoding = next((e for mark, e in _BOMS if start.startswith(mark)), "utf-8")
        decoder = codecs.getincrementaldecoder(encoding)()
        length, last, position, head = 0, "", 0, ""
        block = start + raw.read(1 << 16)
        while True:
            digest.update(block)
            if encoding in ("utf-8", "utf-8-sig") and (bad := _CONTROL.search(block)):
                line = length + block[: bad.start()].count(b"\n") + 1
                what = f"byte {position + bad.start()} is 0x{bad[0][0]:02x}"
                raise UnreadableInput(name, f"this is no text: {what}", line)
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError:
                return _other_encoding(name, path, data if path is None else None, encoding)
            head = head or text[:_HEAD]
            length += text.count("\n") + text.count("\r") - text.count("\r\n") - (last == "\r" and text[:1] == "\n")
            last = text[-1:] or last
            if not block:
                break
            position += len(block)
            block = raw.read(1 << 16)
    length += last not in ("", "\n", "\r")
    return Document(name, digest.hexdigest(), encoding, length, head, None, path, data)


def _other_encoding(name: str, path: Path | None, data: bytes | None, tried: str) -> Document:
    """A document that is not in the encoding it seemed to be in: GB18030 if it reads as common Chinese."""
    if path is not None:
        with _open(path) as raw:
            content = raw.read()
    else:
        content = data or b""
    try:
        content.decode(tried)
    except UnicodeDecodeError as e:
        line = content[: e.start].count(b"\n") + 1
        reason = f"byte {e.start} (0x{content[e.start]:02x}) is not {tried.removesuffix('-sig').upper()}"
    if tried == "utf-8" and not _nearly_utf8(content):
        try:
            text = content.decode("gb18030")
        except UnicodeDecodeError:
            text = ""
        if _common_chinese(text):
            length = len(io.StringIO(text, newline=None).readlines())
            note = f"read as GB18030: {reason} (line {line})"
            sha = hashlib.sha256(content).hexdigest()
            return Document(name, sha, "gb18030", length, text[:_HEAD], note, path, data)
    raise UnreadableInput(name, f"{reason}, and no other encoding fits: save the file as UTF-8", line)


def _nearly_utf8(content: bytes) -> bool:
    """Is this UTF-8 with a few damaged bytes? Then it is not to be read as something else."""
    foreign = sum(b >= 0x80 for b in content)
    return content.decode("utf-8", "replace").count("\ufffd") < 0.2 * foreign


def _common_chinese(text: str) -> bool:
    """Are nine in ten of the characters beyond ASCII in GB 2312, the 6,763 common characters and punctuation?"""
    foreign = [c for c in text if ord(c) >= 0x80]

    def common(c: str) -> bool:
        try:
            c.encode("gb2312")
        except UnicodeEncodeError:
            return False
        return True

    return bool(foreign) and sum(map(common, foreign)) >= 0.9 * len(foreign)
