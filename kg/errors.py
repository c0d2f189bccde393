"""Bad use, as exceptions: one root, a one-line message that says what to do, an exit code.

Bad *input* is not an exception but a value with an address (:class:`kg.model.Diagnostic`).
"""

from __future__ import annotations


class ConfkgError(Exception):
    """The root of all confkg errors; the command line prints its message and no traceback."""

    exit_code = 2


class UsageError(ConfkgError):
    """The call does not make sense: an unknown format, a missing store, two sources of one name."""


class UnreadableInput(ConfkgError):
    """A source cannot be read as text at all: missing, a directory, binary, another encoding."""

    def __init__(self, source: str, reason: str, line: int | None = None) -> None:
        self.source, self.reason, self.line = source, reason, line
        super().__init__(f"{source}:{line or 1}: error: {reason}")


class DataRefused(ConfkgError):
    """Some lines of the input were refused and so the store was left as it was."""

    exit_code = 1


class StoreError(ConfkgError):
    """A store cannot be opened, is locked by another writer, or is not a confkg store."""


class QueryError(ConfkgError):
    """A query that cannot be run."""

    exit_code = 1


class QuerySyntaxError(QueryError):
    """The engine could not parse the query; the message carries the engine's own position."""


class QueryRefused(QueryError):
    """A well-formed query that this endpoint does not run: an update, ``SERVICE``, ``LOAD``."""


class QueryTimeout(QueryError):
    """The query was stopped at its time limit."""
