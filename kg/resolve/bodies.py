"""The words of organisations' names: what kind of body is named, what is only a unit, what belongs to many."""

from __future__ import annotations

import re

#: words that say what kind of body is named; a fuzzy match needs one, a unit-only part has none
BODY = re.compile(
    r"\b(universi\w*|univ|universidad\w*|institut\w*|istituto|college|école|ecole|academy|hochschule|politecnico|"
    r"polytechni\w*|inc|corp\w*|ltd|gmbh|llc|company|hospital|foundation|council|society|agency|ministry|"
    r"universit\w+|technion|klinik\w*|hôpital|ospedale|council|cent(?:er|re)|laborator\w+|research)\b",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"^(the )?(joint |state |national |moe |key |max |computational |\w+ )?"
    r"(departments?|dept\.?|schools?|facult(?:y|ies)|divisions?|lab(?:oratory|oratories|s)?|key lab\w*|groups?|"
    r"cent(?:er|re)s?|sections?|units?|programs?|programmes?|chairs?|colleges?|institutes?|graduate school|"
    r"engineering|communications|département|dipartimento|departamento|fakultät|fachbereich|lehrstuhl)\b",
    re.IGNORECASE,
)
UNIT_WORD = re.compile(
    r"\b(departments?|dept|schools?|facult(?:y|ies)|divisions?|lab(?:s|oratory|oratories)?|groups?|team|cent(?:er|re)s?|"
    r"chair|section|unit|program(?:me)?|institutes?|college)\b|系$|学院$",
    re.IGNORECASE,
)
#: names that belong to several bodies or to places; alone they are no evidence
AMBIGUOUS = frozenset([
    "state university new york", "university nevada", "university alabama", "university missouri",
    "academy science", "agricultural university", "biology", "california", "cambridge", "cancer center",
    "central hospital", "chemistry", "children hospital", "city hospital", "city university", "college",
    "college medicine", "columbia", "computer science", "cornell", "county hospital", "cuhk", "engineering",
    "general hospital", "georgia", "hospital", "iit", "indian institute technology", "indiana", "institute",
    "institute chemistry", "institute mathematics", "institute physics", "institute science",
    "institute technology", "maryland", "mathematics", "max planck institute", "medical center", "medical school",
    "medical university", "medicine", "michigan", "national", "national university", "normal university",
    "northeastern", "northwestern", "oxford", "physics", "polytechnic university", "research", "research center",
    "research institute", "school medicine", "science", "state university", "technical university", "technology",
    "texas", "university", "university california", "university college", "university hospital",
    "university illinois", "university london", "university massachusetts", "university medical center",
    "university medicine", "university north carolina", "university science", "university science technology",
    "university technology", "university texas", "university wisconsin", "virginia", "washington", "wisconsin",
    "york",
])  # fmt: skip
#: a kind of body and a subject, so a name that many may bear: "department biology"
GENERIC = re.compile(
    r"^(?:institute|center|laboratory|school|college|faculty|department|division|hospital|clinic|unit|program|section|"
    r"graduate school|research (?:center|institute|unit)|state key laboratory|key laboratory|cancer (?:center|institute)|"
    r"medical (?:center|school|faculty|college)|cardiovascular|neuroscience)\b"
)
#: what may stand around a name that is taken out of its segment
UNITS = frozenset([
    "business", "campus", "center", "chair", "college", "department", "dept", "division", "faculties", "faculty",
    "graduate", "group", "institute", "laboratory", "law", "main", "medical", "program", "school", "unit",
])  # fmt: skip
#: after a name, these make it another body; so do, before it, those below
CONTINUES = frozenset([
    "alumni", "campus", "central", "children", "clinic", "college", "east", "foundation", "health", "healthcare",
    "hospital", "hospitals", "library", "medical", "museum", "north", "press", "school", "south", "state", "system",
    "west",
])  # fmt: skip
CONTINUES_BEFORE = frozenset([
    "north", "south", "east", "west", "northern", "southern", "eastern", "western", "central", "new", "national",
    "technical", "affiliated", "state", "normal", "catholic", "medical", "technischen", "technische",
    "agricultural", "open", "autonomous", "federal", "metropolitan", "city", "open", "polytechnic", "hospital",
    "clinic",
])  # fmt: skip
