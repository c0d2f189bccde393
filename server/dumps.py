"""Dumps to keep and to cite: one file a state and format, named by the state's day, with its SHA-256.

``/dumps`` lists those of the newest state. A dump that was listed and whose state has been replaced is gone (410);
a name that never was is not found (404).
"""

from __future__ import annotations

import base64
import hashlib
import tempfile
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, Response, current_app, jsonify, request, send_file, url_for

from kg.mediatypes import DATASET_FORMATS, GRAPH_FORMATS, Format
from server.faults import Refused
from server.pool import Pool
from server.settings import Settings

blueprint = Blueprint("dumps", __name__)
#: A dump may take so many times the time limit of a query.
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Dump:
    """A file on this machine, and the digest of its bytes."""

    path: Path
    sha256: str


class Shelf:
    """The dumps of the newest state, made when first asked for; an older state's files are removed."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="confkg-dumps-")
        self._made: dict[str, Dump] = {}
        self._lock = threading.Lock()
        #: every name that was ever listed
        self.listed: set[str] = set()

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()

    def get(self, name: str, format_: Format, names: set[str]) -> Dump:
        """The dump of that name; ``names`` are those of the newest state."""
        with self._lock:
            for old in set(self._made) - names:
                self._made.pop(old).path.unlink()
            if name not in self._made:
                self._made[name] = self._make(name, format_)
            return self._made[name]

    def _make(self, name: str, format_: Format) -> Dump:
        pool: Pool = current_app.extensions["confkg"]["pool"]
        settings: Settings = current_app.config["CONFKG"]
        path, digest = Path(self._folder.name) / name, hashlib.sha256()
        found = pool.run({"op": "dump", "format": format_.name}, timeout=PATIENCE * settings.timeout)
        try:
            with path.open("wb") as file:
                for block in found:
                    digest.update(block)
                    file.write(block)
        finally:
            found.close()
        return Dump(path, digest.hexdigest())


def names() -> dict[str, Format]:
    """The dumps of the newest state: name → format. In front of another server there are none: which states it has
    had, and whether it still has the one that a name stands for, cannot be known here."""
    extension = current_app.extensions["confkg"]
    pointer = Path(extension["store"]().location) / "CURRENT"
    if not pointer.is_file():
        return {}
    revision = hashlib.sha256(extension["revision"]().encode()).hexdigest()[:8]
    changed = datetime.fromtimestamp(pointer.stat().st_mtime, UTC)
    found = {f"confkg-{changed:%Y-%m-%d}-{revision}.{f.suffix}": f for f in (*GRAPH_FORMATS, *DATASET_FORMATS)}
    extension["shelf"].listed |= set(found)
    return found


@blueprint.get("/dumps")
def dumps() -> Response:
    """The dumps of the newest state, as JSON."""
    listed = [
        {
            "name": name,
            "mediaType": format_.media,
            "url": url_for("dumps.dump", name=name, _external=True),
            "sha256": url_for("dumps.digest", name=name, _external=True),
        }
        for name, format_ in names().items()
    ]
    return jsonify({"dumps": listed})


@blueprint.get("/dumps/<name>")
def dump(name: str) -> Response:
    """A dump; parts of it by ``Range``."""
    found, format_ = _find(name)
    response = send_file(found.path, format_.media, conditional=True, etag=found.sha256, download_name=name)
    response.headers["Repr-Digest"] = f"sha-256=:{_base64(found.sha256)}:"  # RFC 9530
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@blueprint.get("/dumps/<name>.sha256")
def digest(name: str) -> Response:
    """The SHA-256 of a dump, as ``sha256sum --check`` reads it."""
    return Response(f"{_find(name)[0].sha256}  {name}\n", content_type="text/plain; charset=utf-8")


def _find(name: str) -> tuple[Dump, Format]:
    current, shelf = names(), current_app.extensions["confkg"]["shelf"]
    if name in current:
        made: Dump = shelf.get(name, current[name], set(current))
        return made, current[name]
    if name in shelf.listed:
        raise Refused(410, f"the state of this dump has been replaced: {request.url_root}dumps lists the newest")
    raise Refused(404, f"there is no such dump: {request.url_root}dumps lists them")


def _base64(hexadecimal: str) -> str:
    return base64.b64encode(bytes.fromhex(hexadecimal)).decode()
