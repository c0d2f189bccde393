"""Where a text names a series of conferences or a journal, with the year and ordinal that stand beside it.

An acronym counts as a whole token only (ICMLA is not ICML), a full name only where it does not go on
("International Conference on Machine Learning *and Applications*" is another one): longer names are tried first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kg.authority import Authority, Series

#: acronyms that are also words or have many other meanings: they need a year, or a verb of acceptance, beside them
WEAK = frozenset(
    [
        "pr",
        "cl",
        "ec",
        "tip",
        "acc",
        "case",
        "date",
        "alt",
        "iv",
        "fg",
        "micro",
        "log",
        "clear",
        "dis",
        "nature",
        "chi",
        "rss",
        "smc",
        "cec",
        "tac",
        "tse",
        "tit",
        "ase",
        "cav",
        "www",
        "kr",
        "sdm",
        "acl",
        "isca",
        "ecc",
        "spl",
        "tai",
        "media",
        "automl",
        "cdc",
        "dac",
        "soups",
        "date",
        "fse",
        "edm",
        "icc",
        "ccs",
        "slt",
        "wine",
        "mmm",
        "mm",
        "access",
        "case",
        "humanoids",
        "aij",
        "mlj",
        "media",
        "pnas",
        "tog",
        "popl",
        "kbs",
        "jss",
        "iui",
        "lak",
        "msr",
    ]
)
_UPPER_ONLY = frozenset(
    [
        "rss",
        "acl",
        "www",
        "chi",
        "dis",
        "acc",
        "case",
        "date",
        "alt",
        "iv",
        "ec",
        "cl",
        "pr",
        "tip",
        "fg",
        "micro",
        "ase",
        "ccs",
        "dac",
        "tac",
        "log",
        "clear",
        "soups",
        "wine",
    ]
)
_ORDINAL_WORDS = {
    word: n
    for n, word in enumerate(
        [
            "zeroth",
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
        ]
    )
}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ROUND = {"twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60}
ORDINAL = re.compile(
    r"\b(\d{1,3})\s?(?:st|nd|rd|th)\b|\b(?:("
    + "|".join(_TENS)
    + r")[- ])?("
    + "|".join([*_ORDINAL_WORDS][1:])
    + r")\b|\b("
    + "|".join(_ROUND)
    + r")\b",
    re.IGNORECASE,
)
_BEFORE = r"(?:(?:annual|ieee(?:/\w+)?|acm(?:/\w+)?|aaai|international|the|proc\.?|int\.|sig\w+)\s+)*$"
_YEAR_AFTER = re.compile(
    r"\s*(?:\(?[,\s(\[]{0,3}(?:conference|conf\.?|main conference|proceedings)?[,\s]*)?[-'’`]?\s?((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\s?[-'’`]\s?(\d\d)(?!\d)|(\d\d)(?![\d/])|\s(1[5-9]|[23]\d)(?=\s*(?:$|[,.;:)](?!\d)))")
YEAR = re.compile(r"(?<![\d./:-])((?:19|20)\d\d)(?![\d]|[./:-]\d)|['’`](\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class Named:
    """A series named in a text: from where to where, and what stands directly beside it."""

    series: Series
    start: int
    end: int
    year: int | None = None
    ordinal: int | None = None
    #: "CVPRW": the workshops of the conference
    workshops: bool = False
    #: a word that means a series only with more evidence
    weak: bool = False


@dataclass(frozen=True)
class Names:
    """The compiled names of all series of an authority."""

    names: re.Pattern[str]
    by_key: dict[str, tuple[Series, bool]]


def _key(text: str) -> str:
    return re.sub(r"[^a-z0-9*&]+", " ", text.casefold().replace("&", " and ")).strip()


def _pattern(name: str) -> str:
    words = re.split(r"[\s,:-]+", name)
    return r"[\s,:-]+".join("(?:and|&)" if w in {"and", "&"} else re.escape(w) for w in words)


def compile_names(authority: Authority) -> Names:
    """One pattern for all names and acronyms, the longest first."""
    by_key: dict[str, tuple[Series, bool]] = {}
    long: list[str] = []
    short: list[str] = []
    for series in authority.series_by_path.values():
        for name in (series.acronym, series.name, *series.aliases):
            bare = name.removesuffix(" (journal)")
            words = len(bare.split())
            is_name = words >= 3 or (words == 2 and bare != name) or (series.kind == "journal" and words == 2)
            single = words == 1 and bare == series.name
            weak = (
                _key(bare) in WEAK
                or bare != name
                or single
                or (series.kind == "journal" and words == 2 and "IEEE" not in bare)
            )
            by_key.setdefault(_key(bare), (series, weak))
            (long if is_name else short).append(bare)
    longs = "|".join(_pattern(n) for n in sorted(set(long), key=lambda n: -len(n)))
    upper = "|".join(_pattern(n) for n in sorted(set(short), key=lambda n: -len(n)) if _key(n) in _UPPER_ONLY)
    shorts = "|".join(_pattern(n) for n in sorted(set(short), key=lambda n: -len(n)) if _key(n) not in _UPPER_ONLY)
    return Names(
        re.compile(
            rf"(?<![\w-])(?P<long>(?i:{longs}))(?![\w-])"
            rf"|(?<![\w.])(?<!\w-)(?P<short>(?i:{shorts})|{upper})(?P<w>-?[Ww](?![a-z])s?)?(?=['’`]?(?:\d{{2}}|\d{{4}})(?![\dA-Za-z])|(?:19|20)\d\d|-\d|[^\w-]|-[A-Z]|_|$)"
        ),
        by_key,
    )


_GOES_ON = re.compile(
    r"\s+(?:(?:and|&|for)\s+(?!(?:its|will|was|has|is|in|to|the|published|accepted|presented|poster|oral)\b)[A-Z]\w+|(?!In|At|As|On|Oral|Poster|Spotlight|Workshops?|Main|Track|Findings|Demo|Industry|Conference|Proceedings|Datasets?|Tutorial|Journal|Submission|Paper|Special|Vol|Volume|Accepted|Code|Project|Under|Student|Position|System|Short|Long|Doctoral|Society)[A-Z][a-z]{3,})"
)


def find(text: str, names: Names) -> list[Named]:
    """Every series that a text names, in order.

    >>> from kg.authority import Authority
    >>> icml = Series("series/icml", "ICML", "International Conference on Machine Learning")
    >>> known = compile_names(Authority((), {icml.path: icml}))
    >>> [(n.series.acronym, n.year, n.ordinal) for n in find("the 43rd ICML'26, not ICMLA 2026", known)]
    [('ICML', 2026, 43)]
    """
    found: list[Named] = []
    for m in names.names.finditer(text):
        key = _key(m["long"] or m["short"])
        if key not in names.by_key:
            continue
        series, weak = names.by_key[key]
        if m["long"] and _GOES_ON.match(text, m.end()) and not re.match(r"\s+[A-Z]\w*\s*(?:\)|\d)", text[m.end() :]):
            continue
        year, end = _year_after(text, m.end())
        found.append(
            Named(series, m.start(), end, year, _ordinal_before(text, m.start()), bool(m["w"]), weak and not year)
        )
    return found


def _year_after(text: str, end: int) -> tuple[int | None, int]:
    """A year that directly follows a name: "ICML 2026", "ICML2026", "ICML '26", "ICML-26"."""
    long = _YEAR_AFTER.match(text, end)
    if long:
        return int(long[1]), long.end()
    short = _SHORT_YEAR.match(text, end)
    if short:
        return 2000 + int(short[1] or short[2] or short[3]), short.end()
    return None, end


def _ordinal_before(text: str, start: int) -> int | None:
    """The ordinal that directly precedes a name: "43rd", "Forty-Third"; words such as "IEEE" may stand between."""
    before = text[max(0, start - 60) : start]
    last = None
    for m in ORDINAL.finditer(before):
        if re.fullmatch(_BEFORE, before[m.end() :].lstrip(), re.IGNORECASE):
            last = m
    return ordinal_of(last) if last else None


def ordinal_of(m: re.Match[str]) -> int:
    """The number that an ordinal of :data:`ORDINAL` writes."""
    if m[1]:
        return int(m[1])
    if m[4]:
        return _ROUND[m[4].casefold()]
    return _TENS.get((m[2] or "").casefold(), 0) + _ORDINAL_WORDS[m[3].casefold()]


def years_in(text: str) -> Iterable[tuple[int, int]]:
    """(position, year) of each year in a text; not those of dates with digits, versions or numbers."""
    for m in YEAR.finditer(text):
        yield m.start(), int(m[1]) if m[1] else 2000 + int(m[2])
