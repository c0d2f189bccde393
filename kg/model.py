"""The values that flow through confkg: what was read, what was understood, what was refused.

Three steps, three families of types, all frozen:

- :class:`Source` and :class:`Field`/:class:`Entry`/:class:`Heading`/:class:`Diagnostic`: *as written*;
- :class:`Record` with its :class:`Authorship`, :class:`Mention` and :class:`VenueClaim`: *as understood*,
  each beside the field (and so the line) that it rests on;
- the graph itself, which :mod:`kg.mapping` writes from a record.

Line numbers are 1-based and inclusive everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NewType

#: Canonical names of the fields of an entry, in the order in which a listing prints them.
FieldName = Literal[
    "title",
    "title-zh",
    "authors",
    "institutions",
    "ai-summary",
    "abstract",
    "comments",
    "journal-ref",
    "identifier",
    "url",
    "date",
    "category",
    "code",
    "note",
]
Severity = Literal["error", "warning", "info"]

#: A string after :func:`kg.names.nfc` and whitespace folding: fit for storage.
Text = NewType("Text", str)
#: The comparison key of a title, a person or an organisation (never shown, never stored).
TitleKey = NewType("TitleKey", str)
PersonKey = NewType("PersonKey", str)
OrganisationKey = NewType("OrganisationKey", str)


@dataclass(frozen=True, slots=True)
class Source:
    """One input document: its name (which is its identity), the digest of its bytes, its format."""

    name: str
    sha256: str
    format: str
    encoding: str = "utf-8"
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """A field as printed: ``raw`` is the whole text of its lines, ``text`` the value without its label."""

    name: FieldName
    text: str
    raw: str
    first_line: int
    last_line: int
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a listing as read: fields in the order of their lines."""

    source: Source
    fields: tuple[Field, ...]

    @property
    def first_line(self) -> int:
        return min(f.first_line for f in self.fields)

    @property
    def last_line(self) -> int:
        return max(f.last_line for f in self.fields)

    def all(self, name: FieldName) -> tuple[Field, ...]:
        """Every field of that name, in order (a label may be repeated)."""
        return tuple(f for f in self.fields if f.name == name)

    def get(self, name: FieldName) -> Field | None:
        """The first field of that name, if the entry has one."""
        return next((f for f in self.fields if f.name == name), None)

    def text(self, name: FieldName) -> str | None:
        """The value of the first field of that name, if the entry has one."""
        found = self.get(name)
        return found.text if found else None


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that is no part of an entry and evidence of nothing: a page or day heading, a page number."""

    source: Source
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something worth telling about the input, with its address. ``error`` means: these lines are refused."""

    source: str
    first_line: int
    last_line: int
    severity: Severity
    code: str
    message: str
    raw: str = ""

    def __str__(self) -> str:
        return f"{self.source}:{self.first_line}: {self.severity}: {self.message}"


#: What a reader yields. Each non-blank line of the source is covered by exactly one entry field,
#: heading or *covering* diagnostic (one whose ``code`` starts with ``unread-``).
Item = Entry | Heading | Diagnostic


# ── as understood ────────────────────────────────────────────────────────────────────────────────

MentionQuality = Literal["complete", "truncated", "splitAtAnd", "personNames", "notAnOrganisation"]
Track = Literal[
    "main",
    "workshop",
    "position",
    "datasets-and-benchmarks",
    "findings",
    "demo",
    "tutorial",
    "blog",
    "industry",
    "doctoral",
    "short",
    "journal",
]
Presentation = Literal["oral", "spotlight", "poster"]
Status = Literal[
    "accepted",
    "published",
    "submitted",
    "under-review",
    "withdrawn",
    "rejected",
    "extended-version-of",
    "revised",
]


@dataclass(frozen=True, slots=True)
class Authorship:
    """One position in an author list: the name as printed and the key under which it is the same name."""

    position: int
    name: str
    key: PersonKey
    field: Field
    #: institutions which the source itself ties to this author (footnote marks), by mention position
    stated_mentions: tuple[int, ...] = ()
    #: identifiers printed beside the name, as IRIs (an ORCID); they make the identity ``Verified``
    identifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a mention was resolved to, how, and how surely (``score`` in 0..1, 1 for exact methods)."""

    #: local part of the organisation's IRI, e.g. ``institution/epfl-1f2e3d4c``: a key of the authority
    organisation: str
    #: one of exact, alias, embedded, label, rejoined, fuzzy, curated
    method: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Mention:
    """One part of an institution line, as printed, and what became of it."""

    position: int
    raw: str
    raw_zh: str | None
    quality: MentionQuality
    field: Field
    resolutions: tuple[Resolution, ...] = ()
    #: the department, school or laboratory named beside the organisation, as printed
    unit: str | None = None
    place: str | None = None
    postal_code: str | None = None
    #: position of the mention that this one is a half of ("Department of Computer Science" ； "Engineering, …")
    joined_with: int | None = None
    #: organisations (IRI local parts) that it might be, where the evidence does not decide
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Workshop:
    """A workshop named in a claim: its name as printed, a slug of it, its own ordinal."""

    name: str
    slug: str
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class VenueClaim:
    """What one text says of the paper's venue. ``text`` stands verbatim in the field's text."""

    field: Field
    text: str
    #: local part of the series' IRI, e.g. ``series/icml``: a key of the authority; None: no series known
    series: str | None = None
    year: int | None = None
    #: ordinal as printed for the series' edition (43rd → 43)
    ordinal: int | None = None
    workshop: Workshop | None = None
    track: Track | None = None
    presentation: Presentation | None = None
    status: Status | None = None
    place: str | None = None
    #: (slug of the proceedings series, volume) as in ``PMLR 306``
    proceedings: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """An entry as understood: everything that :mod:`kg.mapping` turns into statements."""

    entry: Entry
    title: str
    key: TitleKey
    authorships: tuple[Authorship, ...]
    mentions: tuple[Mention, ...] = ()
    claims: tuple[VenueClaim, ...] = ()
    title_zh: str | None = None
    #: URLs of code repositories, arXiv ids of *other* papers named in the comments
    code: tuple[str, ...] = ()
    related_arxiv: tuple[str, ...] = ()
    #: the paper's own arXiv id, DOI and so on, where a field states them
    arxiv_id: str | None = None
    doi: str | None = None
    urls: tuple[str, ...] = ()
    #: ISO 8601 date or year-month or year, as far as stated
    issued: str | None = None
    categories: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = field(default=())
