"""Asking a store: the questions that ship with confkg, what is refused, and a time limit that stops the work.

The questions are files, ``kg/queries/*.rq``: the first comment line says in English what one answers, the
second in Chinese; the command line and the web page offer them by name.
"""

from __future__ import annotations

import multiprocessing
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any

from kg.errors import QueryRefused, QueryTimeout, UsageError
from kg.vocab import PREFIXES

#: The lexical units of SPARQL 1.1 (grammar, section 19.8) that matter here: whatever could hide or fake a
#: keyword is one unit, so that ``SERVICE`` in a string, a comment, an IRI or a name is none.
_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\r\n]*)
    | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    | (?P<string>\"\"\"(?:\\.|"{0,2}[^"\\])*\"\"\" | '''(?:\\.|'{0,2}[^'\\])*'''
               | "(?:\\.|[^"\\\r\n])*" | '(?:\\.|[^'\\\r\n])*')
    | (?P<variable>[?$]\w+)
    | (?P<name>(?P<prefix>[^\W\d_][\w.\-]*)?:(?:[\w.\-:]|%[0-9A-Fa-f]{2}|\\.)*)
    | (?P<tag>@[A-Za-z0-9-]+)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
#: Words that begin an operation of SPARQL 1.1 Update and none of a query.
UPDATE_WORDS = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "WITH"})
QUERY_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})


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


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The lexical units of a query, without comments and white space."""
    return (m for m in _TOKEN.finditer(text) if m.lastgroup != "comment" and not m.group().isspace())


def words(text: str) -> Iterator[str]:
    """The bare words (keywords, functions, booleans) of a query or an update, in upper case."""
    return (m["word"].upper() for m in tokens(text) if m["word"])


def form(text: str) -> str | None:
    """The form of a query, the first operation of an update, or ``None`` where there is neither.

    >>> form("PREFIX select: <http://a/> # ASK\\nCONSTRUCT { ?s ?p 'SELECT' } WHERE { ?s ?p ?o }")
    'CONSTRUCT'
    """
    return next((w for w in words(text) if w in QUERY_FORMS or w in UPDATE_WORDS), None)


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


def declare_prefixes(text: str) -> str:
    """The query with the house's prefixes declared where it uses them without declaring them itself."""
    found = list(tokens(text))
    declared = {b["name"] for a, b in pairwise(found) if (a["word"] or "").upper() == "PREFIX"}
    used = {m["prefix"] for m in found if m["name"] is not None and m["prefix"]}
    missing = [p for p in PREFIXES if p in used and f"{p}:" not in declared]
    return "".join(f"PREFIX {p}: <{PREFIXES[p]}> " for p in missing) + text


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


def service_targets(text: str) -> set[str | None]:
    """The endpoints that a query would call by ``SERVICE``; ``None`` for one that only its run would tell."""
    found = list(tokens(text))
    targets: set[str | None] = set()
    for n, token in enumerate(found):
        if (token["word"] or "").upper() == "SERVICE":
            following = [t for t in found[n + 1 : n + 3] if (t["word"] or "").upper() != "SILENT"]
            iri = following[0]["iri"] if following else None
            targets.add(iri[1:-1] if iri else None)
    return targets


def limited(text: str, rows: int) -> str:
    """A SELECT query whose solutions are at most ``rows``: its own smaller limit stands.

    >>> limited("SELECT * { ?s ?p ?o } LIMIT 9", 5), limited("SELECT * { { SELECT * { ?s ?p ?o } LIMIT 9 } }", 5)
    ('SELECT * { ?s ?p ?o } LIMIT 5', 'SELECT * { { SELECT * { ?s ?p ?o } LIMIT 9 } }\\nLIMIT 5')
    """
    depth, found, values = 0, list(tokens(text)), None
    for n, token in enumerate(found):
        if token.group() in "{(":
            depth += 1
        elif token.group() in "})":
            depth -= 1
        elif depth == 0 and (token["word"] or "").upper() == "LIMIT":
            digits = _DIGITS.match(text, token.end())
            if digits and int(digits[1]) > rows:
                return f"{text[: digits.start(1)]}{rows}{text[digits.end(1) :]}"
            return text
        elif depth == 0 and n and (token["word"] or "").upper() == "VALUES":
            values = token.start()
    return f"{text}\nLIMIT {rows}" if values is None else f"{text[:values]}\nLIMIT {rows}\n{text[values:]}"


_DIGITS = re.compile(r"\s*(\d+)")


def using(text: str, default: tuple[str, ...], named: tuple[str, ...]) -> str:
    """An update whose WHERE clauses see the given graphs (SPARQL 1.1 Protocol, section 2.2.3), as USING would say it.

    >>> using("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", ("http://a.example/g",), ())
    'DELETE { ?s ?p ?o } USING <http://a.example/g> WHERE { ?s ?p ?o }'
    """
    clauses = "".join([*(f"USING <{g}> " for g in default), *(f"USING NAMED <{g}> " for g in named)])
    depth, places, operation = 0, [], ""
    for token in tokens(text):
        if token.group() in "{}":
            depth += 1 if token.group() == "{" else -1
        elif depth == 0 and token["word"]:
            word = token["word"].upper()
            if word in UPDATE_WORDS:
                operation = word
            elif word == "WHERE" and operation in ("INSERT", "DELETE"):
                places.append(token.start())
    for place in reversed(places):
        text = f"{text[:place]}{clauses}{text[place:]}"
    return text
