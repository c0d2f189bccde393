"""Normal forms: what is stored (NFC), what is compared (keys), what decorates an IRI (slugs).

NFKC is for keys only: it turns the listing's full-width separators into ASCII and so must never
touch text that is still to be split or stored.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii
from pylatexenc.latex2text import LatexNodes2Text

from kg.model import OrganisationKey, PersonKey, Text, TitleKey

_SPACE = re.compile(r"\s+")
_LATEX = re.compile(r"[\\$]|``|''|---?")


def nfc(text: str) -> Text:
    """NFC with white space folded to single spaces: the form of every stored literal."""
    return Text(_SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip())


@lru_cache(maxsize=4096)
def decode_latex(text: str) -> str:
    r"""Text with LaTeX escapes, accents and simple maths as Unicode; other text comes back as it is.

    >>> decode_latex(r"Science \& Technology, Universit{\'e} d'Orl{\'e}ans")
    "Science & Technology, Université d'Orléans"
    """
    if not _LATEX.search(text):
        return text
    if "\\" not in text:  # quotes, dashes and dollar signs only: no parser needed
        return text.replace("``", "“").replace("''", "”").replace("---", "—").replace("--", "–").replace("$", "")
    # Characters that mean something in LaTeX are plain in a listing, unless a backslash stands before them.
    guarded = re.sub(r"(?<!\\)([%#&_])", r"\\\1", text)
    decoded = LatexNodes2Text(math_mode="text", strict_latex_spaces="based-on-source").latex_to_text(guarded)
    return nfc(decoded)


def _key(text: str, keep: str) -> str:
    """NFKC, case-folded, LaTeX decoded; characters outside the general categories ``keep`` become one space."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", decode_latex(text)).casefold())
    return " ".join("".join(c if unicodedata.category(c)[0] in keep else " " for c in folded).split())


def title_key(title: str) -> TitleKey:
    """The identity of a title: letters, digits, marks and symbols; case, punctuation and spacing do not count.

    >>> title_key("Disentanglement Without Compromises : How") == title_key("Disentanglement without Compromises: How")
    True
    """
    return TitleKey(_key(title, "LNMS") or nfc(title))


def person_key(name: str) -> PersonKey:
    """The identity of a name as a name: two strings of one key get one author node (status ``NameOnly``).

    >>> person_key("Vincent Y. F. Tan") == person_key("Vincent Y.F. Tan")
    True
    """
    return PersonKey(_key(name, "LNM") or nfc(name))


def organisation_key(name: str) -> OrganisationKey:
    """The comparison key of an organisation's name: without case, punctuation, a leading article; "&" is "and"."""
    key = _key(name.replace("&", " and "), "LNM")
    return OrganisationKey(key.removeprefix("the ") or nfc(name))


def digest(text: str, length: int = 8) -> str:
    """The first ``length`` hexadecimal digits of the SHA-256 of the NFC of ``text``."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode()).hexdigest()[:length]


def slug(text: str, length: int = 48) -> str:
    """A readable ASCII decoration for an IRI: transliterated, lower case, cut at a word; never an identity.

    >>> slug("École polytechnique fédérale de Lausanne"), slug("清华大学")
    ('ecole-polytechnique-federale-de-lausanne', 'qing-hua-da-xue')
    """
    ascii_text = anyascii(re.sub(r"([\u3400-\u9fff])", r" \1 ", text))
    words = re.sub(r"[^a-z0-9]+", "-", ascii_text.replace("'", "").lower()).strip("-")
    if len(words) > length:
        words = words[: length + 1].rsplit("-", 1)[0][:length]
    return words or "x"
