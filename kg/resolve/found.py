"""What was found in an affiliation string."""

from __future__ import annotations

from dataclasses import dataclass

from kg.authority import Organisation
from kg.model import Resolution


@dataclass(frozen=True, slots=True)
class Found:
    """An organisation found in a string: where (segments from, to), how, and what was in doubt."""

    first: int
    last: int
    resolution: Resolution
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """All that was found in one affiliation string."""

    segments: tuple[str, ...]
    found: tuple[Found, ...] = ()
    candidates: tuple[str, ...] = ()

    @property
    def resolutions(self) -> tuple[Resolution, ...]:
        return tuple({f.resolution.organisation: f.resolution for f in self.found}.values())


def fits(organisation: Organisation, places: frozenset[str]) -> bool:
    """Whether the countries of a string do not contradict; a company has laboratories in many."""
    return organisation.country is None or organisation.country in places or organisation.sector == "company"
