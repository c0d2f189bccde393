"""The colours of groups: ten that colour-blind readers tell apart, then grey.

The first eight are Okabe & Ito's (2008), in the order that keeps neighbours apart on a white page.
"""

from __future__ import annotations

COLOURS = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#cc79a7",
    "#56b4e9",
    "#b8a800",
    "#6a51a3",
    "#8c510a",
    "#35978f",
)
REST = "#9a9a9a"


def colour(group: int) -> str:
    """The colour of the group of that rank (1 is the largest); groups beyond the palette are grey."""
    return COLOURS[group - 1] if 1 <= group <= len(COLOURS) else REST


def rgb(colour: str) -> tuple[int, int, int]:
    """The parts of a colour.

    >>> rgb("#0072b2")
    (0, 114, 178)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
