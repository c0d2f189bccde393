"""Places at the end of an affiliation: countries, states and provinces, postal codes.

Country names follow ISO 3166-1 with the short forms that papers print; only those that occur among research
organisations are listed. A two-letter state counts as a place only in upper case ("IN" is not "in").
"""

from __future__ import annotations

import re

COUNTRIES: dict[str, str] = {
    name: code
    for code, names in {
        "AE": "united arab emirates|uae|u.a.e.", "AR": "argentina", "AT": "austria|österreich", "AU": "australia",
        "BD": "bangladesh", "BE": "belgium|belgique", "BG": "bulgaria", "BR": "brazil|brasil", "BY": "belarus",
        "CA": "canada", "CH": "switzerland|schweiz|suisse", "CL": "chile", "CM": "cameroon",
        "CN": "china|p.r. china|pr china|p. r. china|people's republic of china|p.r.china|peoples r china",
        "CO": "colombia", "CR": "costa rica", "CU": "cuba", "CY": "cyprus", "CZ": "czech republic|czechia",
        "DE": "germany|deutschland", "DK": "denmark", "DZ": "algeria", "EC": "ecuador", "EE": "estonia", "EG": "egypt",
        "ES": "spain|españa", "ET": "ethiopia", "FI": "finland", "FR": "france",
        "GB": "united kingdom|uk|u.k.|england|scotland|wales|northern ireland|great britain", "GH": "ghana",
        "GR": "greece", "HK": "hong kong|hong kong sar|hongkong", "HR": "croatia", "HU": "hungary", "ID": "indonesia",
        "IE": "ireland", "IL": "israel", "IN": "india", "IQ": "iraq", "IR": "iran", "IS": "iceland", "IT": "italy|italia",
        "JO": "jordan", "JP": "japan", "KE": "kenya", "KR": "south korea|korea|republic of korea", "KW": "kuwait",
        "KZ": "kazakhstan", "LB": "lebanon", "LK": "sri lanka", "LT": "lithuania", "LU": "luxembourg", "LV": "latvia",
        "MA": "morocco", "MO": "macau|macao", "MT": "malta", "MX": "mexico|méxico", "MY": "malaysia", "NG": "nigeria",
        "NL": "netherlands|the netherlands|holland", "NO": "norway", "NP": "nepal", "NZ": "new zealand", "OM": "oman",
        "PE": "peru", "PH": "philippines", "PK": "pakistan", "PL": "poland", "PT": "portugal", "QA": "qatar",
        "RO": "romania", "RS": "serbia", "RU": "russia|russian federation", "SA": "saudi arabia|ksa", "SE": "sweden",
        "SG": "singapore", "SI": "slovenia", "SK": "slovakia", "SN": "senegal", "TH": "thailand", "TN": "tunisia",
        "TR": "turkey|türkiye|turkiye", "TW": "taiwan|taiwan, china", "TZ": "tanzania", "UA": "ukraine", "UG": "uganda",
        "US": "united states|usa|u.s.a.|us|u.s.|united states of america", "UY": "uruguay", "UZ": "uzbekistan",
        "VE": "venezuela", "VN": "vietnam|viet nam", "ZA": "south africa", "ZW": "zimbabwe",
    }.items()
    for name in names.split("|")
}  # fmt: skip

_STATES: dict[str, str] = {
    **dict.fromkeys(
        ["AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY", "DC"], "US"),
    **dict.fromkeys(["AB", "BC", "MB", "NB", "NL", "NS", "ON", "PE", "QC", "SK"], "CA"),
    **dict.fromkeys(["NSW", "VIC", "QLD", "ACT"], "AU"),
}  # fmt: skip
STATE_NAMES: dict[str, str] = {
    **dict.fromkeys(
        ["alabama", "alaska", "arizona", "arkansas", "california", "colorado", "connecticut", "delaware", "florida", "hawaii", "idaho", "illinois", "indiana", "iowa", "kansas", "kentucky", "louisiana", "maine", "maryland", "massachusetts", "michigan", "minnesota", "mississippi", "missouri", "montana", "nebraska", "nevada", "new hampshire", "new jersey", "new mexico", "new york", "north carolina", "north dakota", "ohio", "oklahoma", "oregon", "pennsylvania", "rhode island", "south carolina", "south dakota", "tennessee", "texas", "utah", "vermont", "virginia", "washington", "west virginia", "wisconsin", "wyoming"], "US"),
    **dict.fromkeys(["ontario", "quebec", "québec", "british columbia", "alberta", "manitoba", "nova scotia"], "CA"),
    **dict.fromkeys(["new south wales", "victoria", "queensland"], "AU"),
}  # fmt: skip

POSTAL_CODE = re.compile(
    r"\b(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b"
)

_BODY = re.compile(r"universi|institut|academy|college|bank|hospital|school|council|research|of ", re.IGNORECASE)


def country_of(segment: str) -> str | None:
    """The country that a segment of an address names, directly or by a state: ISO 3166-1 alpha-2.

    >>> country_of("Switzerland"), country_of("CA 94305"), country_of("Mumbai")
    ('CH', 'US', None)
    """
    bare = POSTAL_CODE.sub("", segment).strip(" .,;")
    folded = bare.casefold()
    found = COUNTRIES.get(folded) or COUNTRIES.get(folded + ".") or STATE_NAMES.get(folded) or _STATES.get(bare)
    if (
        not found and " " in bare and len(bare.split()) <= 3 and not _BODY.search(bare)
    ):  # "Pittsburgh USA", "Stanford CA"
        last = bare.rsplit(" ", 1)[1]
        found = COUNTRIES.get(last.casefold()) or _STATES.get(last)
    return found


def countries_in(text: str) -> frozenset[str]:
    """Every country that the segments of an affiliation name; Hong Kong and Macau are also places of China."""
    found = {c for part in re.split(r"[,;()]", text) if (c := country_of(part.strip()))}
    if found & {"HK", "MO", "TW"}:
        found.add("CN")
    if "CN" in found:
        found |= {"HK", "MO"}
    return frozenset(found)


def is_country(segment: str) -> bool:
    """Whether a segment is a country's name and nothing else."""
    return segment.strip(" .").casefold() in COUNTRIES
