"""What the text of a query or an update tells without running it, and how it is changed: by its lexical units.

A parser would be the surer tool; rdflib's takes tens of milliseconds for a query, and the engine's is not open to
Python. So nothing here understands more than units, brackets and keywords; what is not certain is the engine's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from kg.errors import QuerySyntaxError
from kg.vocab import PREFIXES

#: The lexical units of SPARQL 1.1 (grammar, section 19.8) that matter here: whatever could hide or fake a
#: keyword is one unit, so that ``SERVICE`` in a string, a comment, an IRI or a name is none.
_TOKEN = re.compile(
    r"""
      (?P<space>\s+ | \#[^\r\n]*)
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


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The lexical units of a query, without comments and white space."""
    return iter(_tokens(text)) if len(text) <= _REMEMBERED else _scan(text)


def _scan(text: str) -> Iterator[re.Match[str]]:
    return (m for m in _TOKEN.finditer(text) if m.lastgroup != "space")


#: A server looks at the units of each query several times; those of longer ones would fill its memory.
_REMEMBERED = 4096


@lru_cache(64)
def _tokens(text: str) -> tuple[re.Match[str], ...]:
    return tuple(_scan(text))


def words(text: str) -> Iterator[str]:
    """The bare words (keywords, functions, booleans) of a query or an update, in upper case."""
    return (m["word"].upper() for m in tokens(text) if m["word"])


def form(text: str) -> str | None:
    """The form of a query, the first operation of an update, or ``None`` where there is neither.

    >>> form("PREFIX select: <http://a/> # ASK\\nCONSTRUCT { ?s ?p 'SELECT' } WHERE { ?s ?p ?o }")
    'CONSTRUCT'
    """
    return next((w for w in words(text) if w in QUERY_FORMS or w in UPDATE_WORDS), None)


def declare_prefixes(text: str) -> str:
    """The query with the house's prefixes declared where it uses them without declaring them itself."""
    found = list(tokens(text))
    declared = {b["name"] for a, b in pairwise(found) if (a["word"] or "").upper() == "PREFIX"}
    used = {m["prefix"] for m in found if m["name"] is not None and m["prefix"]}
    missing = [p for p in PREFIXES if p in used and f"{p}:" not in declared]
    return "".join(f"PREFIX {p}: <{PREFIXES[p]}> " for p in missing) + text


def service_targets(text: str) -> set[str | None]:
    """The endpoints that a query would call by ``SERVICE``; ``None`` for one that only its run would tell."""
    if "service" not in text.lower():
        return set()
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


@dataclass(frozen=True)
class Load:
    """A LOAD operation of an update: where it stands in the text, with the semicolon after it, and what it names."""

    start: int
    end: int
    source: str
    silent: bool


def loads(text: str) -> list[Load]:
    """The LOAD operations of an update (SPARQL 1.1 Update, section 3.1.4).

    >>> [(load.source, load.silent) for load in loads("CLEAR ALL; LOAD SILENT <http://a/> INTO GRAPH <http://g/>")]
    [('<http://a/>', True)]

    Raises:
        QuerySyntaxError: one is not written as the grammar says.
    """
    found: list[Load] = []
    units = [*tokens(text), None]
    for n, unit in enumerate(units):
        if unit is None or (unit["word"] or "").upper() != "LOAD":
            continue
        following = list(units[n + 1 : n + 7])
        said = "".join(_kind(u) for u in following)
        written = _LOAD.match(said)
        if not written:
            raise QuerySyntaxError("LOAD is written: LOAD [SILENT] <source> [INTO GRAPH <graph>]")
        silent = bool(written["silent"])
        source = following[int(silent)]
        last = following[written.end() - 1]
        assert source is not None
        found.append(Load(unit.start(), len(text) if last is None else last.end(), source.group(), silent))
    return found


#: SILENT, an IRI, INTO GRAPH and an IRI, a semicolon or the end, a letter for each.
_LOAD = re.compile("(?P<silent>S)?I(TGI)?[;$]")


def _kind(unit: re.Match[str] | None) -> str:
    if unit is None:
        return "$"
    if unit["iri"] or unit["name"]:
        return "I"
    return {"SILENT": "S", "INTO": "T", "GRAPH": "G", ";": ";"}.get(unit.group().upper(), "-")


def without(text: str, left_out: list[Load]) -> str:
    """The update without some of its operations.

    >>> update = "PREFIX : <http://a/> LOAD SILENT :b; CLEAR ALL; LOAD SILENT :c"
    >>> without(update, loads(update))
    'PREFIX : <http://a/>   CLEAR ALL;  '
    """
    for load in reversed(left_out):
        text = f"{text[: load.start]} {text[load.end :]}"
    return text


def simple_group_concat(text: str) -> str:
    """The text with STR around each GROUP_CONCAT: it gives a simple literal (SPARQL 1.1, section 18.5.1.7), where some
    engines keep a language tag that all the values share.

    >>> simple_group_concat("SELECT (GROUP_CONCAT(?t; separator=')') AS ?all) { ?s ?p ?t }")
    "SELECT (STR(GROUP_CONCAT(?t; separator=')')) AS ?all) { ?s ?p ?t }"
    """
    if "group_concat" not in text.lower():
        return text
    depth, opened, edits = 0, [], []
    units = list(tokens(text))
    for unit, after in pairwise([*units, None]):
        assert unit is not None
        if (unit["word"] or "").upper() == "GROUP_CONCAT" and after is not None and after.group() == "(":
            opened.append(depth)
            edits.append((unit.start(), "STR("))
        elif unit.group() == "(":
            depth += 1
        elif unit.group() == ")":
            depth -= 1
            if opened and opened[-1] == depth:
                opened.pop()
                edits.append((unit.end(), ")"))
    if opened:
        return text  # its brackets do not match: the engine's to say
    for place, piece in reversed(edits):
        text = text[:place] + piece + text[place:]
    return text
