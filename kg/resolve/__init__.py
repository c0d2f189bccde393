"""Entry → Record: what the printed fields mean. Sees one entry and a read-only authority, nothing else."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import replace

from kg.authority import Authority
from kg.model import Authorship, Entry, Mention, Record
from kg.names import nfc, title_key
from kg.resolve.institutions import resolve_institutions
from kg.resolve.people import resolve_people
from kg.resolve.venues import resolve_venues

_CODE = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|huggingface\.co|codeberg\.org)/[^\s)\]}>,;，。；]+"
)
_ARXIV = re.compile(
    r"(?:arxiv:\s*|arxiv\.org/(?:abs|pdf)/)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE
)
_BARE_ARXIV = re.compile(r"(?:arxiv[:\s]*)?(\d{4}\.\d{4,5})(?:v\d+)?", re.IGNORECASE)
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"<>，。；]+)", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s\"<>{}|\\^`，。；）)\]]+")
_DATE = re.compile(r"\b((?:19|20)\d\d)(?:[-/.年](\d{1,2}))?(?:[-/.月](\d{1,2}))?")


def resolve(entry: Entry, authority: Authority) -> Record:
    """What an entry says, as a record. A pure function of the entry and the authority."""
    title = entry.text("title") or entry.text("title-zh") or ""
    key = title_key(title)
    people, diagnostics = resolve_people(entry, key, authority.decisions)
    mentions, marks = resolve_institutions(entry, tuple(a for a, _ in people), authority)
    comments = " ".join(f.text for f in (*entry.all("comments"), *entry.all("code"), *entry.all("note")))
    identifiers = " ".join(f.text for f in (*entry.all("identifier"), *entry.all("url")))
    arxiv = _ARXIV.search(identifiers) or _BARE_ARXIV.search(identifiers)
    doi = _DOI.search(identifiers)
    return Record(
        entry=entry,
        title=nfc(title),
        key=key,
        authorships=tuple(_stated(a, m, marks, mentions) for a, m in people),
        mentions=mentions,
        claims=resolve_venues(entry, authority),
        title_zh=nfc(zh) if (zh := entry.text("title-zh")) and entry.text("title") else None,
        code=_unique(m[0].rstrip(".") for m in _CODE.finditer(comments)),
        related_arxiv=_unique(m[1] for m in _ARXIV.finditer(comments) if not arxiv or m[1] != arxiv[1]),
        arxiv_id=arxiv[1] if arxiv else None,
        doi=doi[1].rstrip(".").casefold() if doi else None,
        urls=_unique(m[0].rstrip(".,;:") for f in entry.all("url") for m in _URL.finditer(f.text)),
        issued=_issued(entry.text("date")),
        categories=_categories(entry),
        diagnostics=tuple(diagnostics),
    )


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _stated(
    authorship: Authorship, own: tuple[str, ...], marks: dict[str, tuple[int, ...]], mentions: tuple[Mention, ...]
) -> Authorship:
    """Tie an author to the mentions of its footnote numbers; * † ‡ say something else (equal work, mail)."""
    positions = [p for mark in own for p in marks.get(mark, ())]
    if not marks and mentions:  # affiliations that are not numbered themselves are counted
        numbered = [int(m) for m in own if m.isdigit()]
        positions = [n for n in numbered if 1 <= n <= len(mentions)]
    return replace(authorship, stated_mentions=tuple(dict.fromkeys(positions))) if positions else authorship


def _issued(text: str | None) -> str | None:
    m = _DATE.search(text or "")
    if not m:
        return None
    year, month, day = m[1], int(m[2] or 0), int(m[3] or 0)
    if not 1 <= month <= 12:
        return year
    return f"{year}-{month:02}-{day:02}" if 1 <= day <= monthrange(int(year), month)[1] else f"{year}-{month:02}"


def _categories(entry: Entry) -> tuple[str, ...]:
    return _unique(c for f in entry.all("category") for c in re.split(r"[,;，；、\s]+", f.text) if c)
