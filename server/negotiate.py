"""Content negotiation (RFC 9110, section 12): what a client accepts, against tables of what there is.

The tables are in the server's order of preference, which decides ties. A media type's parameters other than ``q``
are left out of the comparison: SPARQL's types have none that matter here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kg.mediatypes import DATASET_FORMATS, GRAPH_FORMATS, RESULT_FORMATS, Format

HTML = Format("html", "text/html", "html", "results")
#: What a client asks for under another name than the answer's own (browsers and scripts do).
_ALIASES = {
    "application/json": "application/sparql-results+json",
    "application/xml": "application/sparql-results+xml",
    "text/xml": "application/sparql-results+xml",
    "text/plain": "application/n-triples",
}
#: The same for graphs.
_GRAPH_ALIASES = {
    "application/json": "application/ld+json",
    "application/xml": "application/rdf+xml",
    "text/xml": "application/rdf+xml",
    "text/plain": "application/n-triples",
    "text/n3": "text/turtle",
    "application/x-turtle": "text/turtle",
}
RESULTS = RESULT_FORMATS
GRAPHS = GRAPH_FORMATS
DATASETS = DATASET_FORMATS


@dataclass(frozen=True, slots=True)
class Range:
    """A media range of an Accept header."""

    type: str
    subtype: str
    quality: float

    @property
    def specificity(self) -> int:
        return (self.type != "*") + (self.subtype != "*")

    def fits(self, media: str) -> bool:
        """Does a media type lie in the range?"""
        type_, _, subtype = media.partition("/")
        return self.type in ("*", type_) and self.subtype in ("*", subtype)


class NotAcceptable(Exception):
    """Nothing that there is would be accepted; ``offers`` is the list of media types."""

    def __init__(self, offers: Sequence[str]) -> None:
        self.offers = tuple(offers)
        super().__init__("available: " + ", ".join(offers))


def ranges(accept: str | None) -> list[Range]:
    """The media ranges of an Accept header; no header accepts everything, an unreadable part nothing.

    >>> ranges("text/turtle ; q=0.5, */*;q=0")
    [Range(type='text', subtype='turtle', quality=0.5), Range(type='*', subtype='*', quality=0.0)]
    """
    if accept is None or not accept.strip():
        return [Range("*", "*", 1.0)]
    found = []
    for part in accept.split(","):
        media, *parameters = (p.strip() for p in part.split(";"))
        type_, slash, subtype = media.lower().partition("/")
        if not slash or not type_ or not subtype:
            continue
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "q":
                quality = _quality(value.strip())
        found.append(Range(type_, subtype, quality))
    return found


def _quality(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return 0.0


def quality_of(media: str, accepted: Sequence[Range]) -> float:
    """How much a media type is wanted: the quality of the most specific range that it lies in (section 12.5.1)."""
    fitting = [r for r in accepted if r.fits(media)]
    return max(fitting, key=lambda r: r.specificity).quality if fitting else 0.0


def choose(accept: str | None, offers: tuple[Format, ...], *, graphs: bool = False) -> Format:
    """The best of the formats on offer; of equals, the first.

    Raises:
        NotAcceptable: none is acceptable.
    """
    # Programs send the same few headers again and again; those that nobody else sends would fill the memory.
    return (_choose if len(accept or "") <= _USUAL else _choose.__wrapped__)(accept, offers, graphs=graphs)


_USUAL = 256


@lru_cache(256)
def _choose(accept: str | None, offers: tuple[Format, ...], *, graphs: bool) -> Format:
    accepted = ranges(accept)
    aliases = _GRAPH_ALIASES if graphs else _ALIASES
    best, best_quality = None, 0.0
    for offer in offers:
        names = [offer.media, *(alias for alias, media in aliases.items() if media == offer.media)]
        explicit = [q for q in (_explicit(n, accepted) for n in names) if q is not None]
        quality = max(explicit) if explicit else quality_of(offer.media, accepted)
        if quality > best_quality:
            best, best_quality = offer, quality
    if best is None:
        raise NotAcceptable([o.media for o in offers])
    return best


def _explicit(media: str, accepted: Sequence[Range]) -> float | None:
    """The quality of a media type that is named itself."""
    named = [r.quality for r in accepted if f"{r.type}/{r.subtype}" == media]
    return max(named) if named else None


def by_name(name: str, offers: Sequence[Format]) -> Format:
    """A format by its name, its suffix or its media type, as ``?format=`` gives it.

    Raises:
        NotAcceptable: it is none of those on offer.
    """
    wanted = name.strip().lower().replace(" ", "+")  # a plus sign that was not encoded
    for offer in offers:
        if wanted in (offer.name, offer.suffix, offer.media):
            return offer
    raise NotAcceptable([f"{o.name} ({o.media})" for o in offers])
