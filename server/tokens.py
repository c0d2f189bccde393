"""Bearer tokens for writing: what is kept is their digest, what is compared is compared in constant time.

A token file has one JSON object a line: a name, the SHA-256 of the token, its scopes, an optional end. A token
is 256 random bits, so a plain digest is enough: nothing shorter can be guessed from it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from flask import current_app, g, request

from kg.errors import UsageError
from server.faults import Refused
from server.settings import Settings

SCOPES = ("update", "graphs")


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is kept."""

    name: str
    sha256: str
    scopes: tuple[str, ...] = SCOPES
    #: last day on which it holds, ISO 8601
    until: str | None = None


def read(path: Path) -> list[Token]:
    """The tokens of a file; none where there is no file.

    Raises:
        UsageError: the file is no token file.
    """
    if not path.exists():
        return []
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                values = json.loads(line)
                found.append(Token(values["name"], values["sha256"], tuple(values["scopes"]), values.get("until")))
            except (ValueError, KeyError, TypeError):
                raise UsageError(f"{path}:{number}: this is no line of a token file") from None
    return found


def write(path: Path, tokens: list[Token]) -> None:
    """Write the file anew, for its owner's eyes only."""
    partial = path.with_name(f".{path.name}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(t), ensure_ascii=False) + "\n" for t in tokens)
    partial.replace(path)


def new(path: Path, name: str, scopes: tuple[str, ...] = SCOPES, until: date | None = None) -> str:
    """Make a token, keep its digest, and give it back: it cannot be had a second time.

    Raises:
        UsageError: there is one of that name, or a scope is unknown.
    """
    known = read(path)
    if any(t.name == name for t in known):
        raise UsageError(f"there is a token {name!r} already: revoke it first")
    if unknown := set(scopes) - set(SCOPES):
        raise UsageError(f"unknown scope {min(unknown)!r}; there are: {', '.join(SCOPES)}")
    token = secrets.token_urlsafe(32)
    write(path, [*known, Token(name, _digest(token), scopes, until.isoformat() if until else None)])
    return token


def revoke(path: Path, name: str) -> None:
    """Take a token back.

    Raises:
        UsageError: there is none of that name.
    """
    known = read(path)
    if not any(t.name == name for t in known):
        raise UsageError(f"there is no token {name!r}; there are: {', '.join(t.name for t in known) or 'none'}")
    write(path, [t for t in known if t.name != name])


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def require(scope: str) -> None:
    """Let a write pass only with a token of that scope. Its name is kept for the log.

    Raises:
        Refused: 403 writing is off or the token's scope is another; 401 there is no valid token.
    """
    settings: Settings = current_app.config["CONFKG"]
    if not settings.updates or settings.token_file is None:
        raise Refused(403, "writing is off: start the server with --updates and --token-file")
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    found = None
    digest = _digest(given.strip())
    for token in read(settings.token_file):  # read anew: a revoked token ends at once
        if hmac.compare_digest(token.sha256, digest):
            found = token
    challenge = {"WWW-Authenticate": 'Bearer realm="confkg"'}
    if kind.lower() != "bearer" or found is None:
        raise Refused(401, "writing needs a valid bearer token", challenge)
    if found.until is not None and datetime.now(UTC).date() > date.fromisoformat(found.until):
        raise Refused(401, f"the token {found.name!r} has ended", challenge)
    if scope not in found.scopes:
        raise Refused(403, f"the token {found.name!r} is not for {scope}")
    g.token = found.name
