"""The workshop that a clause names at a conference: its name, and its own ordinal, apart from the conference's."""

from __future__ import annotations

import re

from kg.model import Workshop
from kg.names import slug
from kg.resolve.series import ORDINAL, Named, ordinal_of

WORKSHOP = re.compile(r"\bworkshops?\b|\bSRW\b", re.IGNORECASE)
#: the workshops of a conference as a whole, where a text says no more ("CVPRW 2025")
UNNAMED = Workshop("Workshops", "workshops")

_QUOTED = re.compile(r"[\"“]([^\"”]{4,})[\"”]")
_STUDENT = re.compile(r"\bSRW\b|\bstudent research workshop\b", re.IGNORECASE)
#: before the conference's name: "Synthetic Data @ CVPR", "CL4Health at NAACL"
_HOSTED = (
    re.compile(
        r"(?:^|\b(?:at|to|in|by|of|the)\s+)((?!the\b)[A-Z0-9][\w/&'’ -]{1,60}?)\s*(?:20\d\d)?\s*@\s*(?:\w+\s)?$"
    ),
    re.compile(r"\b(?:at|to|in|by)\s+((?:[A-Z][\w&-]*, )+[A-Z][\w&-]*)\s*@\s*(?:\w+\s)?$"),
    re.compile(r"\b(SemEval)[- ]?20\d\d\b.{0,20}\($"),  # a workshop of the ACL's conferences
    re.compile(
        r"\b(?:at|to|in|by)\s+(?:the\s+)?([A-Z][\w-]*[A-Z0-9][\w-]*)\s*(?:20\d\d)?\s+at\s+(?:the\s+)?(?:\w+\s)?$"
    ),
)
#: between the conference's name and its year: "ICLR DeLTa 2025"
_BETWEEN = re.compile(r"^\s+([A-Z][\w-]*[a-z][A-Z][\w-]*|[A-Z]{2,}[\w-]*)\s+(?:20\d\d)\b")
_NO_WORKSHOP = re.compile(
    r"(?:IEEE|ACM|AAAI|SIG|ECCV|ICCV|CVPR|Findings|Main|Oral|Poster|Spotlight|Track|Conference)\w*", re.IGNORECASE
)
_END = r"(?:\s*[(,@;\"”]|\s+(?:at|in|held|co-located|colocated|of)\s+(?:the\b|$)|\s+(?:at|held|co-located|colocated)\b|\s+in\s*$|$)"
#: (where, pattern), the first that fits; "before" and "after" the conference's name
_NAMED = (
    ("before", re.compile(rf"\bworkshops?\s*(?:on|of|for|in|:)\s+(.+?){_END}", re.IGNORECASE)),
    ("after", re.compile(rf"^[\s,):-]*(?:\w+\s)?workshops?\s*(?:on|of|for|in|:|-|–)\s*(.+?){_END}", re.IGNORECASE)),
    ("before", re.compile(r"(?:^|[,;:.]\s*|\s)([^,;:.()\"“]+?)\s*\([^()]*\)\s*workshops?\b", re.IGNORECASE)),
    ("before", re.compile(r"([^,;:.()\"“]+?)[\"”]?\s*\(?workshops?\b", re.IGNORECASE)),
    ("after", re.compile(r"^[\s,):'’-]*([^,;:.()]+?)\s+workshops?\b", re.IGNORECASE)),
    ("after", re.compile(r"^[\s,):-]*workshops?\s+([A-Z][\w-]+)")),
    ("before", re.compile(r"([A-Z][\w&/-]+(?: [\w&/-]+){0,5})\)?\s*\(?\s*$")),
)
_LEAD = re.compile(
    r"^.*\b(?:accept\w*|appear\w*|publish\w*|publication|present\w*|presentation|submitted|paper|abstract|work|"
    r"proceedings|poster|oral|spotlight|camera[- ]ready)\b",
    re.IGNORECASE,
)
_SMALL = re.compile(
    r"^(?:(?:the|at|in|to|by|on|of|an?|as|for|both|and|full|short|poster|oral|paper|version)\b\s*)+", re.IGNORECASE
)
_NOTHING = re.compile(r"(?:20\d\d|main|the|conference|international|\W)*", re.IGNORECASE)


def workshop_of(group: list[Named], clause: str, region: tuple[int, int]) -> Workshop | None:
    """The workshop that a clause names at a conference; :data:`UNNAMED` where it names none but says "workshop".

    Args:
        group: the names of the conference in the clause.
        clause: the text.
        region: from where to where the words belong to this conference.
    """
    low, high = region
    spans = [(n.start, n.end) for n in group]
    outside = "".join(c for i, c in enumerate(clause[low:high], low) if not any(a <= i < b for a, b in spans))
    before, after = clause[low : group[0].start], clause[group[-1].end : high]
    if not WORKSHOP.search(outside):
        if any(n.workshops for n in group):
            return UNNAMED
        hosted = next((m for p in _HOSTED if (m := p.search(before))), None) or _BETWEEN.search(after)
        return _made(hosted[1]) if hosted and not _NO_WORKSHOP.fullmatch(hosted[1]) else None
    if _STUDENT.search(outside):
        return Workshop("Student Research Workshop", "student-research-workshop")
    quoted = _QUOTED.search(before) or _QUOTED.search(after)
    if quoted:
        return _made(quoted[1])
    for where, pattern in _NAMED:
        found = list(pattern.finditer(before if where == "before" else after))
        made = _made(found[-1][1] if where == "before" else found[0][1]) if found else UNNAMED
        if made is not UNNAMED:
            return made
    return UNNAMED


def _made(name: str) -> Workshop:
    """A workshop's name without the words before it, its own ordinal apart.

    >>> _made("Accepted at the 3rd AI for Math")
    Workshop(name='AI for Math', slug='ai-for-math', ordinal=3)
    """
    name = _SMALL.sub("", _LEAD.sub("", name).strip(" \"“”'’-–:,"))
    ordinal = ORDINAL.match(name)
    if ordinal:
        name = name[ordinal.end() :].strip(" -:,")
    name = re.sub(
        r"^(?:edition of (?:the )?)?(?:international |annual )?(?:workshops?(?: on| for| of)?\s+)?",
        "",
        name,
        flags=re.IGNORECASE,
    )
    name = name.strip(' "“”:-,@')
    if not re.search(r"[A-Za-z]{2}", name) or _NOTHING.fullmatch(name) or WORKSHOP.fullmatch(name):
        return UNNAMED
    return Workshop(name, slug(name), ordinal_of(ordinal) if ordinal else None)
