"""Answers that were given in the present state of the store, given again without work.

Many ask the same: a page with its figures, a class of students with one question. What a query answers is a function of
its text and of the state of the store, so an answer may be kept until the state changes; the entity tag that names both
is the key. Least recently used answers go first. Nothing is kept of a query that asks for the time or for chance.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple

from kg.sparql import words

#: Functions whose value is another each time (SPARQL 1.1, sections 17.4.2.12, 17.4.2.13, 17.4.4.5 and 17.4.5.1).
_EACH_TIME = frozenset({"NOW", "RAND", "UUID", "STRUUID"})


def lasting(query: str) -> bool:
    """Is the answer the same as long as the store is?

    >>> lasting("SELECT (RAND() AS ?now) {}"), lasting("SELECT ?now { ?rand ?uuid 'NOW()' }")
    (False, True)
    """
    return _EACH_TIME.isdisjoint(words(query))


class Kept(NamedTuple):
    """The body of an answer, and the number of its rows where it is known."""

    body: bytes
    rows: int | None = None


class Remembered:
    """Bodies of answers by key, of so many bytes at most in all, and each of at most a quarter of that."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._answers: OrderedDict[Hashable, Kept] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self.hits = 0

    @property
    def largest(self) -> int:
        """The most bytes of an answer that is kept."""
        return self._limit // 4

    def get(self, key: Hashable) -> Kept | None:
        """The answer of that key, where it is kept."""
        with self._lock:
            kept = self._answers.get(key)
            if kept is not None:
                self._answers.move_to_end(key)
                self.hits += 1
            return kept

    def put(self, key: Hashable, body: bytes, rows: int | None = None) -> None:
        """Keep an answer; what was not asked for longest gives way."""
        if len(body) > self.largest:
            return
        with self._lock:
            self._size += len(body) - len(self._answers.pop(key, Kept(b"")).body)
            self._answers[key] = Kept(body, rows)
            while self._size > self._limit:
                _, gone = self._answers.popitem(last=False)
                self._size -= len(gone.body)
