"""Curated identity decisions: which authorships of one name are other people, which names are one person.

A decision is a statement in a small Turtle file that people keep under version control and that every build
reads. ``kg split`` and ``kg merge`` write it; :func:`Decisions.author` applies it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rdflib import Literal

from kg.errors import UnreadableInput
from kg.model import PersonKey, TitleKey
from kg.names import person_key, title_key
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
