"""The Research Organization Registry: a dump → a local SQLite index, and look-ups in it.

Dumps come as JSON (schema v1 or v2), JSON lines, gzip or the zip that the registry publishes. The index holds
only what resolving needs and is read through immutable connections, so any number of processes may share it.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from kg.authority import Hit, NameKind, Organisation, match_key, names_of
from kg.errors import UnreadableInput, UsageError
from kg.names import nfc
from kg.vocab import ROR, organisation_path

SCHEMA_VERSION = 1
#: more keys share a commoner token than are worth comparing
RARE = 400
_SECTORS = ("education", "company", "government", "nonprofit", "facility", "healthcare", "archive", "other")
_SCHEMA = """
CREATE TABLE organisation (path TEXT PRIMARY KEY, ror TEXT NOT NULL UNIQUE, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE name (key TEXT NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (key, path)) WITHOUT ROWID;
CREATE TABLE token (token TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (token, key)) WITHOUT ROWID;
"""


def import_dump(source: Path, target: Path, progress: Callable[[int], None] | None = None) -> int:
    """Make an index of a dump; the old one stands until the new one is whole. Returns the number of organisations.

    Raises:
        UnreadableInput: the dump is missing, or neither ROR JSON, JSON lines, gzip nor zip.
    """
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(partial)
        try:
            connection.executescript(_SCHEMA)
            count = _fill(connection, records(source), progress)
            if not count:
                raise UnreadableInput(str(source), "holds no active organisation of the registry")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.commit()
        finally:
            connection.close()
        partial.replace(target)
    except sqlite3.Error as e:
        raise UsageError(f"the index cannot be written to {target}: {e}") from None
    finally:
        partial.unlink(missing_ok=True)
    return count


def _fill(connection: sqlite3.Connection, found: Iterable[Organisation], progress: Callable[[int], None] | None) -> int:
    count, tokens = 0, dict[str, int]()
    for organisation in found:
        count += 1
        body = {s: v for s in Organisation.__slots__ if (v := getattr(organisation, s)) and s != "path"}
        row = (organisation.path, organisation.ror, json.dumps(body, ensure_ascii=False))
        connection.execute("INSERT OR REPLACE INTO organisation VALUES (?, ?, ?)", row)
        for name, kind in names_of(organisation):
            key = match_key(name)
            fresh = connection.execute("SELECT 1 FROM name WHERE key = ? LIMIT 1", (key,)).fetchone() is None
            connection.execute("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", (key, organisation.path, kind))
            if fresh and kind != "acronym":
                for token in set(key.split()):
                    tokens[token] = tokens.get(token, 0) + 1
                    if tokens[token] <= RARE + 1:
                        connection.execute("INSERT OR IGNORE INTO token VALUES (?, ?)", (token, key))
        if progress:
            progress(1)
    connection.executemany("DELETE FROM token WHERE token = ?", [(t,) for t, n in tokens.items() if n > RARE])
    return count


def records(source: Path) -> Iterator[Organisation]:
    """The active organisations of a dump.

    Raises:
        UnreadableInput: as :func:`import_dump`.
    """
    try:
        with _opened(source) as text:
            for record in _json(text):
                organisation = organisation_of(record)
                if organisation:
                    yield organisation
    except OSError as e:
        raise UnreadableInput(str(source), f"the dump cannot be read: {e.strerror or e}") from None
    except (EOFError, zlib.error, zipfile.BadZipFile) as e:
        raise UnreadableInput(str(source), f"the dump is damaged: {e}") from None
    except UnicodeDecodeError as e:
        raise UnreadableInput(str(source), f"the dump is not UTF-8 text: {e.reason} at byte {e.start}") from None
    except json.JSONDecodeError as e:
        raise UnreadableInput(str(source), f"the dump is not JSON: {e.msg}", e.lineno) from None


def _opened(source: Path) -> IO[str]:
    with source.open("rb") as file:
        magic = file.read(4)
    if magic[:2] == b"\x1f\x8b":
        return gzip.open(source, "rt", encoding="utf-8")
    if magic == b"PK\x03\x04":
        archive = zipfile.ZipFile(source)
        inside = sorted((n for n in archive.namelist() if n.endswith(".json")), key=lambda n: ("v2" not in n, n))
        if not inside:
            raise UnreadableInput(str(source), "the archive holds no .json file")
        return io.TextIOWrapper(archive.open(inside[0]), encoding="utf-8")
    return source.open(encoding="utf-8")


def _json(text: IO[str]) -> Iterator[Mapping[str, Any]]:
    """The records of a JSON array, or of JSON lines."""
    first = ""
    while not first.strip():
        first = text.readline()
        if not first:
            return
    if first.lstrip().startswith("["):
        found = json.loads(first + text.read())
    else:
        found = (json.loads(line) for line in (first, *text) if line.strip()) if first.rstrip().endswith("}") else ()
        if found == ():
            raise json.JSONDecodeError("neither an array of records nor one record a line", first, 0)
    for record in found:
        if isinstance(record, dict):
            yield record


def organisation_of(record: Mapping[str, Any]) -> Organisation | None:
    """One record as an organisation: schema v2, v1, or reduced lines with ``ror`` and ``name``; only active ones."""
    if record.get("status", "active") != "active":
        return None
    if "names" in record:
        return _from_v2(record)
    identifier = str(record.get("id") or record.get("ror") or "")
    country = record.get("country")
    place = (record.get("addresses") or [{}])[0]
    labels = [label["label"] if isinstance(label, dict) else _unlabelled(label) for label in record.get("labels") or []]
    related = record.get("relationships")
    parents = (
        [r["id"] for r in related if r.get("type") == "Parent"] if related is not None else record.get("parents") or []
    )
    chinese = [
        label["label"] if isinstance(label, dict) else _unlabelled(label)
        for label in record.get("labels") or []
        if (label["iso639"] if isinstance(label, dict) else label.rsplit("@", 1)[-1]).startswith("zh")
    ]
    return _made(
        identifier,
        str(record.get("name") or ""),
        [*labels, *(record.get("aliases") or ())],
        record.get("acronyms") or (),
        country.get("country_code") if isinstance(country, dict) else country,
        record.get("city") or place.get("city"),
        record.get("types") or (),
        parents,
        chinese,
    )


def _unlabelled(label: str) -> str:
    return label.rsplit("@", 1)[0]


def _from_v2(record: Mapping[str, Any]) -> Organisation | None:
    names = record["names"]
    shown = [n["value"] for n in names if "ror_display" in n.get("types", ())]
    place = (record.get("locations") or [{}])[0].get("geonames_details", {})
    return _made(
        str(record.get("id", "")),
        shown[0] if shown else "",
        [n["value"] for n in names if {"label", "alias"} & set(n.get("types", ()))],
        [n["value"] for n in names if "acronym" in n.get("types", ())],
        place.get("country_code"),
        place.get("name"),
        record.get("types") or (),
        [r["id"] for r in record.get("relationships") or () if r.get("type") == "parent"],
        [n["value"] for n in names if str(n.get("lang") or "").startswith("zh") and "label" in n.get("types", ())],
    )


def _made(
    identifier: str,
    name: str,
    names: Iterable[str],
    acronyms: Iterable[str],
    country: str | None,
    city: str | None,
    types: Iterable[str],
    parents: Iterable[str | Mapping[str, Any]],
    chinese: list[str],
) -> Organisation | None:
    ror = identifier.rsplit("/", 1)[-1]
    if not name or not ror:
        return None
    sectors = [t.casefold() for t in types]
    kept = list(dict.fromkeys(nfc(n) for n in names if n and n != name))
    return Organisation(
        path=organisation_path(nfc(name), str(ROR[ror])),
        name=nfc(name),
        name_zh=nfc(chinese[0]) if chinese else None,
        aliases=tuple(n for n in kept if n not in chinese),
        acronyms=tuple(dict.fromkeys(nfc(a) for a in acronyms if a)),
        country=country,
        city=city,
        sector=next((t for t in sectors if t in _SECTORS), "other"),
        ror=ror,
        parents=tuple((p if isinstance(p, str) else str(p.get("id"))).rsplit("/", 1)[-1] for p in parents),
    )


_UMBRELLA = re.compile(
    r"\b(?:System|Government|Ministry|Department of|Council|Foundation|Trust|Service|Services|Consortium|Association|"
    r"Commission|Network|Alliance|Group|Health|University of London|University of California|Church)\b"
)


class RorIndex:
    """Look-ups in an index. Organisations that the curated authority has answer by their curated path."""

    def __init__(self, path: Path, curated: Mapping[str, str]) -> None:
        self.path = path
        uri = f"file:{path.resolve()}?mode=ro&immutable=1".replace("#", "%23")
        try:
            self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as e:
            raise UnreadableInput(str(path), f"not an index of 'kg authority import': {e}") from None
        if version != SCHEMA_VERSION:
            raise UnreadableInput(
                str(path), "the index is of another version: make it again with 'kg authority import'"
            )
        self._curated: dict[str, str] = {}
        for ror, curated_path in curated.items():
            for (own,) in self._connection.execute("SELECT path FROM organisation WHERE ror = ?", (ror,)):
                self._curated[own] = curated_path
        self._known: dict[str, Organisation | None] = {}

    def find(self, keys: Iterable[str]) -> dict[str, tuple[Hit, ...]]:
        wanted, found = list(keys), dict[str, tuple[Hit, ...]]()
        for start in range(0, len(wanted), 500):  # SQLite's default limit of variables is 999
            chunk = wanted[start : start + 500]
            query = f"SELECT key, path, kind FROM name WHERE key IN ({','.join('?' * len(chunk))})"  # noqa: S608 only marks
            for key, path, kind in self._connection.execute(query, chunk):
                named: NameKind = kind
                found[key] = (*found.get(key, ()), Hit(self._curated.get(path, path), named))
        return found

    def near(self, tokens: Iterable[str]) -> Iterator[str]:
        for token in tokens:
            for (key,) in self._connection.execute("SELECT key FROM token WHERE token = ?", (token,)):
                yield key

    def organisation(self, path: str) -> Organisation | None:
        if path not in self._known:
            row = self._connection.execute("SELECT body FROM organisation WHERE path = ?", (path,)).fetchone()
            self._known[path] = self._read(path, json.loads(row[0])) if row else None
        return self._known[path]

    def _read(self, path: str, body: dict[str, Any]) -> Organisation:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in body.items()}
        values["parents"] = tuple(self._parents(values.get("parents", ()), values.get("sector")))
        return Organisation(path=path, **values)

    def _parents(self, rors: Iterable[str], sector: str | None) -> Iterator[str]:
        """The parents of which it is a part; not a university system, a ministry or a funder above it.

        "University of California System" or "Government of France" would make one organisation of all below.
        """
        for ror in rors:
            row = self._connection.execute("SELECT path, body FROM organisation WHERE ror = ?", (ror,)).fetchone()
            if not row:
                continue
            body = json.loads(row[1])
            below = sector == "education" and body.get("sector") != "education"
            if row[0] in self._curated or not (below or _UMBRELLA.search(body["name"])):
                yield self._curated.get(row[0], row[0])
