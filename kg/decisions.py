"""Curated identity decisions: which authorships of one name are other people, which names are one person.

A decision is a statement in a small Turtle file that people keep under version control and that every build
reads. ``kg split`` and ``kg merge`` write it; :func:`Decisions.author` applies it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rdflib import Literal, URIRef

from kg.errors import UnreadableInput, UsageError
from kg.model import PersonKey, TitleKey
from kg.names import digest, person_key, title_key
from kg.terms import read_turtle
from kg.vocab import DEFAULT_BASE, KG

HEADER = f"""@prefix kg: <{KG._NS}> .
@prefix decision: <{DEFAULT_BASE}decision/> .

# Identity decisions, written by 'kg split' and 'kg merge' and free to edit: every build with --decisions obeys them.
"""


@dataclass(frozen=True)
class Decisions:
    """``merged``: key → key of the person it is. ``split``: (key, title key of a paper) → distinguishing label."""

    merged: Mapping[str, str] = field(default_factory=dict)
    split: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def author(self, key: PersonKey, paper: TitleKey) -> PersonKey:
        """The key of the person who holds an authorship: the name's, unless a decision says otherwise.

        >>> Decisions(merged={"j ye": "jong ye"}).author(PersonKey("j ye"), TitleKey("a"))
        'jong ye'
        """
        label = self.split.get((key, paper))
        if label is not None:
            return PersonKey(f"{key} {label}")
        seen = {key}
        while (other := self.merged.get(key)) is not None and other not in seen:
            key = PersonKey(other)
            seen.add(key)
        return key

    @classmethod
    def read(cls, path: str | Path) -> Decisions:
        """The decisions of a Turtle file.

        Raises:
            UnreadableInput: the file is missing or not Turtle, or a decision lacks a part.
        """
        facts: dict[str, dict[str, list[str]]] = {}
        for subject, property, value in read_turtle(Path(path)):
            if isinstance(value, Literal):
                facts.setdefault(str(subject), {}).setdefault(str(property), []).append(str(value))
        merged: dict[str, str] = {}
        split: dict[tuple[str, str], str] = {}
        for decision, values in facts.items():
            into = values.get(str(KG.mergedInto), ())
            for name in values.get(str(KG.mergedName), ()):
                if not into:
                    raise UnreadableInput(str(path), f"{decision} has kg:mergedName without kg:mergedInto")
                merged[person_key(name)] = person_key(into[0])
            for name in values.get(str(KG.splitName), ()):
                papers, labels = values.get(str(KG.onPaper), ()), values.get(str(KG.splitLabel), ())
                if not papers or not labels:
                    raise UnreadableInput(
                        str(path), f"{decision} has kg:splitName without kg:onPaper and kg:splitLabel"
                    )
                split.update({(person_key(name), title_key(paper)): labels[0] for paper in papers})
        return cls(merged, split)


def record_merge(path: Path, name: str, into: str) -> None:
    """Write down that two names are one person.

    Raises:
        UsageError: they have one normal form already, or the other way round was decided before.
    """
    known = Decisions.read(path) if path.exists() else Decisions()
    one, other = person_key(name), person_key(into)
    if one == other:
        raise UsageError(f"{name!r} and {into!r} have one normal form, so they are one author already")
    if known.merged.get(other) == one:
        raise UsageError(f"{into!r} was merged into {name!r} before: take that decision out of {path} first")
    _append(path, f"merge-{digest(one)}", {KG.mergedName: [name], KG.mergedInto: [into]})


def record_split(path: Path, name: str, papers: list[str], label: str) -> None:
    """Write down that the person of this name on these papers (by their titles) is another one.

    Raises:
        UsageError: no paper is given, or another label was decided for one of them.
    """
    known = Decisions.read(path) if path.exists() else Decisions()
    key = person_key(name)
    if not papers:
        raise UsageError("name at least one paper by its title: --paper TITLE")
    for paper in papers:
        if known.split.get((key, title_key(paper)), label) != label:
            raise UsageError(f"another label was decided for {name!r} on {paper!r}: change it in {path}")
    decision = digest(f"{key} {label} {' '.join(sorted(map(title_key, papers)))}")
    _append(path, f"split-{decision}", {KG.splitName: [name], KG.onPaper: papers, KG.splitLabel: [label]})


def _append(path: Path, local: str, statements: Mapping[URIRef, list[str]]) -> None:
    """One decision more at the end of the file; people's own lines in it stay as they are."""
    text = path.read_text("utf-8") if path.exists() else HEADER
    if f"decision:{local} " in text:
        return
    rows = [
        f"kg:{p.removeprefix(KG._NS)} {', '.join(Literal(v).n3() for v in values)}" for p, values in statements.items()
    ]
    partial = path.with_name(f".{path.name}.partial")
    body = " ;\n    ".join(rows)
    partial.write_text(f"{text.rstrip()}\n\ndecision:{local} {body} .\n", "utf-8")
    partial.replace(path)
