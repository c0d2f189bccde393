"""A validation report: what was looked at, what was found, and where in the sources it comes from."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

import jinja2
from rdflib import RDF, SH, BNode, Graph, Literal, URIRef
from rdflib.term import Node

from kg.errors import UsageError
from kg.provenance import Address
from kg.vocab import PREFIXES, local_name

#: From the gravest on.
SEVERITIES = (SH.Violation, SH.Warning, SH.Info)
FORMATS = ("text", "json", "turtle", "html")
#: Addresses that are printed for one message before the rest is counted.
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Result:
    """One validation result (SHACL, section 3.6.2), with the addresses of its focus node."""

    focus: Node
    path: Node | None
    value: Node | None
    component: URIRef
    severity: URIRef
    shape: Node
    constraint: Node | None = None
    addresses: tuple[Address, ...] = ()

    def at(self, addresses: tuple[Address, ...]) -> Result:
        """The same, with its addresses."""
        return replace(self, addresses=addresses)

    def key(self) -> tuple[Node | None, ...]:
        """What makes it the same in another state of the graph."""
        return self.focus, self.path, self.value, self.component, self.severity, self.shape, self.constraint

    def order(self) -> tuple[Any, ...]:
        """A stable order: gravest first, then by shape, address and node."""
        rank = SEVERITIES.index(self.severity) if self.severity in SEVERITIES else len(SEVERITIES)
        place = [(a.source, a.first_line) for a in self.addresses[:1]]
        return rank, str(self.shape), str(self.constraint or ""), place, str(self.focus), str(self.value or "")


@dataclass(frozen=True, slots=True)
class ShapeCount:
    """A shape and how many nodes it looked at: one that looked at none has proved nothing."""

    iri: Node
    label: str
    focus_nodes: int
    over: URIRef


@dataclass(frozen=True)
class Report:
    """The outcome of a validation. It conforms where nothing is a violation: warnings and remarks are no faults."""

    results: tuple[Result, ...]
    shapes: tuple[ShapeCount, ...]
    engine: str
    messages: Mapping[Node, tuple[Literal, ...]] = field(default_factory=dict)
    #: the state whose results are left out, where they are
    since: str | None = None

    @property
    def conforms(self) -> bool:
        return all(r.severity != SH.Violation for r in self.results)

    def after(self, earlier: Report, revision: str) -> Report:
        """What has come since an earlier state of the graph, whose report and revision are given."""
        known = {r.key() for r in earlier.results}
        return replace(self, results=tuple(r for r in self.results if r.key() not in known), since=revision)

    def count(self, severity: URIRef) -> int:
        """How many results are of a severity."""
        return sum(r.severity == severity for r in self.results)

    def message(self, result: Result, language: str = "en") -> str:
        """What a result says, in a language where the shape has it."""
        texts = self.messages.get(result.constraint) if result.constraint is not None else None
        texts = texts or self.messages.get(result.shape) or ()
        in_language = [str(t) for t in texts if t.language == language]
        return next(iter(in_language or map(str, texts)), local_name(result.component))

    def grouped(self) -> list[tuple[URIRef, str, str, list[Result]]]:
        """Severity, message in English and in Chinese, results: gravest first."""
        groups: dict[tuple[URIRef, str, str], list[Result]] = defaultdict(list)
        for result in self.results:
            groups[result.severity, self.message(result), self.message(result, "zh-Hans")].append(result)
        return [(*key, found) for key, found in groups.items()]

    def render(self, format: str = "text") -> str:
        """The report as ``text``, ``json``, ``turtle`` (a standard ``sh:ValidationReport``) or ``html``."""
        if format not in FORMATS:
            raise UsageError(f"unknown format {format!r}; there are: {', '.join(FORMATS)}")
        renderers = {"text": self._text, "json": self._json, "turtle": self._turtle, "html": self._html}
        return renderers[format]()

    def _text(self) -> str:
        what = "conforms" if self.conforms else "does not conform"
        if self.since:
            what = f"since {self.since}: {'no new violation' if self.conforms else 'new violations'}"
        lines = [f"{what} (engine {self.engine})"]
        lines += [f"  {s.label}: {s.focus_nodes} nodes" for s in self.shapes]
        for severity, message, _, found in self.grouped():
            lines.append(f"{local_name(severity).lower()}: {message} ({len(found)})")
            lines += [f"    {_place(r)}" for r in found[:_SHOWN]]
            if len(found) > _SHOWN:
                lines.append(f"    … and {len(found) - _SHOWN} more")
        return "\n".join(lines)

    def _json(self) -> str:
        document = {
            "conforms": self.conforms,
            **({"since": self.since} if self.since else {}),
            "engine": self.engine,
            "counts": {local_name(s).lower(): self.count(s) for s in SEVERITIES},
            "shapes": [{"shape": str(s.iri), "label": s.label, "focusNodes": s.focus_nodes} for s in self.shapes],
            "results": [
                {
                    "severity": local_name(r.severity).lower(),
                    "message": {"en": self.message(r), "zh-Hans": self.message(r, "zh-Hans")},
                    "focusNode": str(r.focus),
                    "path": None if r.path is None else str(r.path) if isinstance(r.path, URIRef) else "(path)",
                    "value": None if r.value is None else str(r.value),
                    "component": str(r.component),
                    "sourceShape": str(r.shape),
                    "addresses": [
                        {"source": a.source, "firstLine": a.first_line, "lastLine": a.last_line, "text": a.text}
                        for a in r.addresses
                    ],
                }
                for r in self.results
            ],
        }
        return json.dumps(document, ensure_ascii=False, indent=2)

    def graph(self) -> Graph:
        """The report as RDF (SHACL, section 3.6)."""
        graph = Graph()
        for prefix, namespace in {**PREFIXES, "sh": str(SH)}.items():
            graph.bind(prefix, namespace)
        report = BNode("report")
        graph.add((report, RDF.type, SH.ValidationReport))
        graph.add((report, SH.conforms, Literal(not self.results)))  # section 3.6.1.1: true only where there is none
        for n, r in enumerate(self.results):
            node = BNode(f"result{n}")
            graph.add((report, SH.result, node))
            graph.add((node, RDF.type, SH.ValidationResult))
            graph.add((node, SH.focusNode, r.focus))
            graph.add((node, SH.resultSeverity, r.severity))
            graph.add((node, SH.sourceConstraintComponent, r.component))
            graph.add((node, SH.sourceShape, r.shape))
            for predicate, value in ((SH.value, r.value), (SH.sourceConstraint, r.constraint)):
                if value is not None:
                    graph.add((node, predicate, value))
            if isinstance(r.path, URIRef):
                graph.add((node, SH.resultPath, r.path))
            for language in ("en", "zh-Hans"):
                graph.add((node, SH.resultMessage, Literal(self.message(r, language), lang=language)))
            for address in r.addresses:
                if address.iri:
                    graph.add((node, URIRef("http://www.w3.org/ns/prov#wasDerivedFrom"), URIRef(address.iri)))
        return graph

    def _turtle(self) -> str:
        return self.graph().serialize(format="turtle")

    def _html(self) -> str:
        return _page().render(
            report=self,
            groups=[(local_name(s).lower(), en, zh, found) for s, en, zh, found in self.grouped()],
            counts=Counter(local_name(r.severity).lower() for r in self.results),
            place=_place,
        )


def _place(result: Result) -> str:
    """Where a result is, for people: the address and what is printed there, else the node itself."""
    if not result.addresses:
        return f"<{result.focus}>" if isinstance(result.focus, URIRef) else str(result.focus)
    first = result.addresses[0]
    text = " ".join((first.text or "").split())
    value = f" → {result.value}" if isinstance(result.value, Literal) else ""
    return f"{first}: {text[:100]}{'…' if len(text) > 100 else ''}{value}" if text else f"{first}{value}"


def _page() -> jinja2.Template:
    """The page of a report; whatever comes from a source is escaped."""
    loader = jinja2.FunctionLoader(lambda name: files("kg").joinpath("templates", name).read_text("utf-8"))
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined).get_template(
        "report.html"
    )
