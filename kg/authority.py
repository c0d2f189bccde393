"""Known organisations and venue series: names → organisation, acronyms and names → series.

Three sources of one shape: the curated ``ontology/authority.ttl``, Turtle files of the user's own, and an
index that ``kg authority import`` made of a dump of the Research Organization Registry (:mod:`kg.ror`).
What is curated wins: an organisation of the registry that stands in the curated file (same ROR id) keeps the
curated IRI, labels and parents, and only gains the registry's aliases.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from rdflib import Literal as Text
from rdflib import URIRef
from rdflib.namespace import FOAF, ORG, RDF, SKOS
from rdflib.term import Node

from kg import resources
from kg.decisions import Decisions
from kg.errors import UnreadableInput, UsageError
from kg.names import nfc, organisation_key
from kg.terms import is_chinese, read_turtle
from kg.vocab import DEFAULT_BASE, KG, SCHEMA, local_name

NameKind = Literal["name", "alias", "acronym"]


@dataclass(frozen=True, slots=True)
class Organisation:
    """An organisation as the authority describes it; ``path`` is the local part of its IRI."""

    path: str
    name: str
    name_zh: str | None = None
    aliases: tuple[str, ...] = ()
    aliases_zh: tuple[str, ...] = ()
    #: short forms that the registry lists and nobody checked: evidence only together with a place
    acronyms: tuple[str, ...] = ()
    country: str | None = None
    city: str | None = None
    sector: str | None = None
    ror: str | None = None
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """A series of conferences or a journal; ``path`` is the local part of its IRI.

    Where editions are numbered, ``year = offset + interval * ordinal`` from the year ``since`` on.
    """

    path: str
    acronym: str
    name: str
    kind: Literal["conference", "journal"] = "conference"
    aliases: tuple[str, ...] = ()
    homepage: str | None = None
    offset: int | None = None
    interval: int = 1
    since: int = 0

    def ordinal_of(self, year: int) -> int | None:
        """The ordinal of the edition of a year, where the rule is known to hold.

        >>> Series("series/icml", "ICML", "International Conference on Machine Learning", offset=1983).ordinal_of(2026)
        43
        """
        if self.offset is None or year < self.since:
            return None
        ordinal, rest = divmod(year - self.offset, self.interval)
        return ordinal if rest == 0 and ordinal > 0 else None

    def year_of(self, ordinal: int) -> int | None:
        """The year of the edition of an ordinal, where the rule is known to hold."""
        if self.offset is None:
            return None
        year = self.offset + self.interval * ordinal
        return year if year >= self.since else None


@dataclass(frozen=True, slots=True)
class Hit:
    """An organisation that bears a looked-up name, and what sort of name that is."""

    path: str
    kind: NameKind


class Index(Protocol):
    """Where organisations are looked up: in memory (curated files) or on disk (a registry's dump)."""

    def find(self, keys: Iterable[str]) -> dict[str, tuple[Hit, ...]]:
        """The organisations that bear each of the keys (:func:`match_key`)."""

    def near(self, tokens: Iterable[str]) -> Iterator[str]:
        """Keys that share a rare token with these: the candidates of a fuzzy match."""

    def organisation(self, path: str) -> Organisation | None:
        """The organisation of a path, if this index has it."""


_ABBREVIATIONS = {
    "univ": "university", "inst": "institute", "technol": "technology", "tech": "technology", "sci": "science",
    "sciences": "science", "natl": "national", "intl": "international", "acad": "academy", "lab": "laboratory",
    "labs": "laboratory", "laboratories": "laboratory", "ctr": "center", "centre": "center", "hosp": "hospital",
    "technologies": "technology", "sch": "school", "coll": "college", "res": "research", "med": "medical",
    "dept": "department", "corp": "corporation", "co": "company",
}  # fmt: skip
_STOP = frozenset(
    [
        "of",
        "the",
        "at",
        "for",
        "in",
        "and",
        "de",
        "di",
        "da",
        "do",
        "la",
        "le",
        "du",
        "des",
        "der",
        "den",
        "und",
        "et",
        "y",
        "e",
        "del",
        "della",
        "dell",
        "d",
        "l",
    ]
)
_COMPANY = frozenset(["inc", "incorporated", "ltd", "limited", "llc", "corporation", "company", "gmbh", "ag", "plc"])


@lru_cache(maxsize=65536)
def match_key(name: str) -> str:
    """The form in which organisations' names are compared: accents, abbreviations, "of" and "Inc." do not count.

    >>> match_key("École Polytechnique Fédérale de Lausanne"), match_key("Araya Inc."), match_key("Univ. of Tokyo")
    ('ecole polytechnique federale lausanne', 'araya', 'university tokyo')
    """
    key = organisation_key(re.sub(r"(?<=\w)['’](?=s\b)", "", name))
    plain = "".join(c for c in unicodedata.normalize("NFKD", key) if not unicodedata.combining(c))
    words = [_ABBREVIATIONS.get(w, w) for w in plain.replace("ß", "ss").replace("ø", "o").split()]
    kept = [w for w in words if w not in _STOP] or words
    while len(kept) > 1 and kept[-1] in _COMPANY:
        kept.pop()
    return " ".join(kept)


class MemoryIndex:
    """The organisations of curated files."""

    def __init__(self, organisations: Iterable[Organisation]) -> None:
        self.organisations = {o.path: o for o in organisations}
        self._keys: dict[str, dict[str, NameKind]] = {}
        self._tokens: dict[str, set[str]] = {}
        for organisation in self.organisations.values():
            for name, kind in names_of(organisation):
                self._keys.setdefault(match_key(name), {}).setdefault(organisation.path, kind)
        for key in self._keys:
            for token in key.split():
                self._tokens.setdefault(token, set()).add(key)

    def find(self, keys: Iterable[str]) -> dict[str, tuple[Hit, ...]]:
        return {k: tuple(Hit(p, kind) for p, kind in self._keys[k].items()) for k in keys if k in self._keys}

    def near(self, tokens: Iterable[str]) -> Iterator[str]:
        blocks = sorted((self._tokens[t] for t in tokens if t in self._tokens), key=len)
        for block in blocks[:2]:
            if len(block) <= 200:
                yield from sorted(block)

    def organisation(self, path: str) -> Organisation | None:
        return self.organisations.get(path)


def names_of(organisation: Organisation) -> Iterator[tuple[str, NameKind]]:
    """Every name in Latin script under which an organisation is found, the best kind first."""
    yield organisation.name, "name"
    for alias in organisation.aliases:
        yield alias, "alias"
    for acronym in organisation.acronyms:
        yield acronym, "acronym"


@dataclass(frozen=True)
class Authority:
    """All known organisations and series: read-only, passed to whoever needs it."""

    indexes: tuple[Index, ...]
    series_by_path: Mapping[str, Series]
    #: Chinese name → paths
    chinese: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    decisions: Decisions = field(default_factory=Decisions)
    _memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def memo(self, name: str, make: Callable[[], Any]) -> Any:
        """What a stage derives from the authority alone (compiled patterns), made once for this authority."""
        if name not in self._memo:
            self._memo[name] = make()
        return self._memo[name]

    def get(self, path: str) -> Organisation | None:
        """The organisation of a path, if it is known."""
        return next((o for index in self.indexes if (o := index.organisation(path))), None)

    def is_curated(self, path: str) -> bool:
        """Whether an organisation stands in a curated file, and not only in a registry's dump."""
        return bool(self.indexes) and self.indexes[0].organisation(path) is not None

    def organisation(self, path: str) -> Organisation:
        """The organisation of a path.

        Raises:
            KeyError: there is none; paths come from this authority, so that is a fault of the caller.
        """
        found = self.get(path)
        if found is None:
            raise KeyError(path)
        return found

    def series(self, path: str) -> Series:
        """The series of a path such as ``series/icml``."""
        return self.series_by_path[path]

    def find(self, keys: Iterable[str]) -> dict[str, tuple[Hit, ...]]:
        """The organisations that bear each of the keys, each organisation once, the curated ones first."""
        wanted, found = set(keys), dict[str, tuple[Hit, ...]]()
        for index in self.indexes:
            for key, hits in index.find(wanted).items():
                known = found.get(key, ())
                paths = {h.path for h in known}
                found[key] = known + tuple(h for h in hits if h.path not in paths)
        return found

    def find_chinese(self, text: str) -> tuple[str, tuple[str, ...]] | None:
        """The longest Chinese name that stands in ``text``, and the organisations that bear it."""
        for length in range(min(len(text), 24), 1, -1):
            for start in range(len(text) - length + 1):
                paths = self.chinese.get(text[start : start + length])
                if paths:
                    return text[start : start + length], paths
        return None

    def near(self, tokens: Iterable[str]) -> set[str]:
        """Keys that share a rare token with these."""
        wanted = list(tokens)
        return {key for index in self.indexes for key in index.near(wanted)}

    def with_ancestors(self, path: str) -> tuple[Organisation, ...]:
        """The organisation itself, then all it is a part of, each once."""
        done: dict[str, Organisation] = {}
        waiting = [path]
        while waiting:
            organisation = self.get(waiting.pop(0))
            if organisation and organisation.path not in done:
                done[organisation.path] = organisation
                waiting.extend(organisation.parents)
        return tuple(done.values())

    def organisations_of(self, path: str) -> tuple[Organisation, ...]:
        """The tops of the parent chain: the organisation level of a department or a joint laboratory."""
        chain = self.with_ancestors(path)
        known = {o.path for o in chain}
        return tuple(o for o in chain if not known.intersection(o.parents) - {o.path})


def load(*paths: str | Path, base: str = DEFAULT_BASE, decisions: str | Path | None = None) -> Authority:
    """The curated authority and whatever files are given beside it: Turtle, or an index of ``kg authority import``.

    Args:
        paths: files that add organisations and series; on the same IRI the later file wins.
        base: the base of the data's IRIs; it does not matter to the authority, whose paths are local parts.
        decisions: a Turtle file of ``kg split`` and ``kg merge``.

    Raises:
        UnreadableInput: a file is missing, or neither Turtle nor an index.
    """
    organisations: dict[str, Organisation] = {}
    series: dict[str, Series] = {}
    registries: list[Path] = []
    for path in (resources.ontology("authority.ttl"), *map(Path, paths)):
        if _is_sqlite(path):
            registries.append(path)
            continue
        more_organisations, more_series = read_authority(path, (base, DEFAULT_BASE))
        organisations.update(more_organisations)
        series.update(more_series)
    indexes: list[Index] = [MemoryIndex(organisations.values())]
    if registries:
        from kg.ror import RorIndex  # sqlite is loaded only where a registry is used

        curated = {o.ror: o.path for o in organisations.values() if o.ror}
        indexes.extend(RorIndex(path, curated) for path in registries)
    chinese: dict[str, tuple[str, ...]] = {}
    for organisation in organisations.values():
        for name in (organisation.name_zh, *organisation.aliases_zh):
            if name:
                chinese[name] = (*chinese.get(name, ()), organisation.path)
    return Authority(tuple(indexes), series, chinese, Decisions.read(decisions) if decisions else Decisions())


def _is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as e:
        raise UnreadableInput(str(path), f"the authority cannot be read: {e.strerror}") from None


Facts = Mapping[Node, list[Node]]


def read_authority(path: Path, bases: tuple[str, ...]) -> tuple[dict[str, Organisation], dict[str, Series]]:
    """The organisations and series that a Turtle file describes, by path."""
    subjects: dict[Node, dict[Node, list[Node]]] = {}
    for s, p, o in read_turtle(path):
        subjects.setdefault(s, {}).setdefault(p, []).append(o)
    organisations: dict[str, Organisation] = {}
    series: dict[str, Series] = {}
    for subject, facts in subjects.items():
        types, local = set(facts.get(RDF.type, ())), _local(subject, bases)
        if KG.Institution in types:
            if not local.startswith("institution/"):
                raise UsageError(
                    f"{path}: <{subject}> is no organisation's IRI: it must start with {bases[0]}institution/"
                )
            organisations[local] = _organisation(local, facts, bases)
        elif types & {SCHEMA.EventSeries, SCHEMA.Periodical}:
            series[local] = _series(local, facts, SCHEMA.Periodical in types)
    return organisations, series


def _local(iri: Node, bases: tuple[str, ...]) -> str:
    return next((str(iri).removeprefix(b) for b in bases if str(iri).startswith(b)), str(iri))


def _labels(facts: Facts, property: URIRef, chinese: bool) -> list[str]:
    values = [v for v in facts.get(property, ()) if isinstance(v, Text)]
    return [nfc(v) for v in values if is_chinese(v) is chinese]


def _one(facts: Facts, property: URIRef) -> str | None:
    return next((str(v) for v in facts.get(property, ())), None)


def _number(facts: Facts, property: URIRef) -> int | None:
    value = _one(facts, property)
    return int(value) if value is not None else None


def _organisation(path: str, facts: Facts, bases: tuple[str, ...]) -> Organisation:
    names, names_zh = _labels(facts, SKOS.prefLabel, chinese=False), _labels(facts, SKOS.prefLabel, chinese=True)
    sector = _one(facts, KG.sector)
    return Organisation(
        path=path,
        name=names[0] if names else path,
        name_zh=names_zh[0] if names_zh else None,
        aliases=tuple(_labels(facts, SKOS.altLabel, chinese=False)),
        aliases_zh=tuple(_labels(facts, SKOS.altLabel, chinese=True)),
        country=_one(facts, KG.countryCode),
        sector=local_name(sector) if sector else None,
        ror=next((local_name(m) for m in facts.get(SKOS.exactMatch, ()) if "ror.org/" in str(m)), None),
        parents=tuple(_local(p, bases) for p in facts.get(ORG.subOrganizationOf, ())),
    )


def _series(path: str, facts: Facts, journal: bool) -> Series:
    names = _labels(facts, SKOS.prefLabel, chinese=False)
    return Series(
        path=path,
        acronym=_one(facts, SKOS.notation) or path.removeprefix("series/").upper(),
        name=names[0] if names else path,
        kind="journal" if journal else "conference",
        aliases=tuple(_labels(facts, SKOS.altLabel, chinese=False)),
        homepage=_one(facts, FOAF.homepage),
        offset=_number(facts, KG.ordinalOffset),
        interval=_number(facts, KG.editionInterval) or 1,
        since=_number(facts, KG.ordinalRuleSince) or 0,
    )
