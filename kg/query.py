"""Asking a store: the questions that ship with confkg, what is refused, and a time limit that stops the work.

The questions are files, ``kg/queries/*.rq``: the first comment line says in English what one answers, the
second in Chinese; the command line and the web page offer them by name.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from kg.errors import QueryRefused, QueryTimeout, UsageError
from kg.sparql import UPDATE_WORDS, form, words


@dataclass(frozen=True)
class Question:
    """A question that ships with confkg."""

    name: str
    title: str
    title_zh: str
    text: str


def questions() -> list[Question]:
    """All questions, by name."""
    found = []
    for file in files("kg").joinpath("queries").iterdir():
        if file.name.endswith(".rq"):
            text = file.read_text("utf-8")
            comments = [line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")]
            title, title_zh = [*comments, "", ""][:2]
            found.append(Question(file.name.removesuffix(".rq"), title, title_zh, text))
    return sorted(found, key=lambda q: q.name)


def question(name: str) -> Question:
    """The question of that name.

    Raises:
        UsageError: there is none; the message lists them.
    """
    known = {q.name: q for q in questions()}
    if name not in known:
        raise UsageError(f"there is no example {name!r}; there are: {', '.join(known)}")
    return known[name]


def guard(text: str) -> None:
    """Refuse what a query may not do here: change the store, or ask other servers.

    Raises:
        QueryRefused: with the reason.
    """
    first = form(text)
    if first in UPDATE_WORDS:
        raise QueryRefused(f"this is an update ({first}), and only queries are run here")
    if "SERVICE" in words(text):
        raise QueryRefused("SERVICE is off: a query may not make this machine call another one")


def with_limit(work: Callable[..., None], args: tuple[object, ...], seconds: float | None) -> int:
    """Run ``work(*args)`` in a process of its own and kill that when the time is over; its exit code.

    The engine cannot be interrupted, a process can. ``work`` opens its store itself.

    Raises:
        QueryTimeout: the limit was reached and the process is gone.
    """
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    process = context.Process(target=work, args=args, daemon=True)
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        raise QueryTimeout(f"the query was stopped after {seconds:g} s (--timeout sets the limit)")
    return int(process.exitcode or 0)
