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
    "washington", "cornell", "york", "cuhk", "indiana", "california", "university california", "university texas",
    "university illinois", "university london", "state university", "national university", "technical university",
    "university technology", "institute technology", "max planck institute", "indian institute technology", "iit",
    "city university", "normal university", "northeastern", "northwestern", "columbia", "georgia", "michigan",
    "oxford", "cambridge", "maryland", "virginia", "wisconsin", "texas", "national", "university north carolina",
    "university wisconsin", "university massachusetts", "university college", "medical university",
    "agricultural university", "polytechnic university", "university science", "university science technology",
    "university medical center", "university hospital", "medical center", "medical school", "school medicine",
    "college medicine", "science", "technology", "research", "research center", "research institute", "hospital",
    "children hospital", "general hospital", "cancer center", "university medicine", "institute science",
    "institute physics", "mathematics", "physics", "chemistry", "biology", "engineering", "computer science",
    "medicine", "institute", "university", "college", "academy science", "institute mathematics",
    "institute chemistry", "central hospital", "city hospital", "county hospital",
])  # fmt: skip
#: a kind of body and a subject, so a name that many may bear: "department biology"
GENERIC = re.compile(
    r"^(?:institute|center|laboratory|school|college|faculty|department|division|hospital|clinic|unit|program|section|"
    r"graduate school|research (?:center|institute|unit)|state key laboratory|key laboratory|cancer (?:center|institute)|"
    r"medical (?:center|school|faculty|college)|cardiovascular|neuroscience)\b"
)
#: what may stand around a name that is taken out of its segment
UNITS = frozenset([
    "school college faculty department dept institute center laboratory campus graduate medical main law business ",
    "faculties program division group chair unit",
])  # fmt: skip
#: after a name, these make it another body; so do, before it, those below
CONTINUES = frozenset([
    "hospital", "hospitals", "medical", "press", "clinic", "library", "school", "college", "campus", "north",
    "south", "east", "west", "central", "state", "health", "healthcare", "system", "museum", "foundation", "alumni",
    "children",
])  # fmt: skip
CONTINUES_BEFORE = frozenset([
    "north", "south", "east", "west", "northern", "southern", "eastern", "western", "central", "new", "national",
    "technical", "affiliated", "state", "normal", "catholic", "medical", "technischen", "technische",
    "agricultural", "open", "autonomous", "federal", "metropolitan", "city", "open", "polytechnic", "hospital",
    "clinic",
])  # fmt: skip
