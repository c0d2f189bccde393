"""The whole way: sources → entries → records → statements → store, and the changes of a store that stands.

Reading and resolving stream; a full build costs constant memory beside the store's own. Whatever is wrong
with the input is reported at once, by address, and then nothing is published: a store holds all of what it
was asked to hold, or stays as it was.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from rdflib import Graph, Literal, URIRef
from rdflib.namespace import PROV, RDF, RDFS, VOID

from kg import __version__, resources
from kg.authority import Authority
from kg.authority import load as load_authority
from kg.changes import Change, StoreView, plan
from kg.derive import RULES, derive_all
from kg.errors import DataRefused, UsageError
from kg.formats import Reading, read_path
from kg.mapping import en, map_record, map_source, zh
from kg.model import Diagnostic, Entry, Record
from kg.resolve import resolve
from kg.stores import Quad, Store, default_location, is_remote, open_store
from kg.stores import oxigraph as embedded
from kg.vocab import DEFAULT_BASE, SCHEMA, Iris

CHUNK = 200


@dataclass
class Settings:
    """How sources are read and mapped; the same settings and sources give the same graph."""

    base: str = DEFAULT_BASE
    format: str | None = None
    #: authority files beside (and after) the curated one
    authority: tuple[Path, ...] = ()
    #: curated identity decisions (``kg split``, ``kg merge``)
    decisions: Path | None = None
    #: worker processes for resolving; the result does not depend on it
    jobs: int = 1
    #: keep what could be read where some lines were refused
    keep_going: bool = False

    def load_authority(self) -> Authority:
        """The read-only authority that these settings name."""
        return load_authority(*self.authority, base=self.base, decisions=self.decisions)


@dataclass
class Outcome:
    """What a build or change did: how many entries of how many sources, and everything that was told on the way."""

    sources: int = 0
    entries: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def refused(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if d.severity == "error"]


Progress = Callable[[int], None]


def readings(sources: Iterable[str | Path], settings: Settings) -> list[Reading]:
    """Open every source; two of one name would overwrite each other's graph, so that is refused.

    A source is a path, or ``NAME=PATH`` where its name shall not be the file's.
    """
    opened: dict[str, Reading] = {}
    for source in sources:
        name, _, path = str(source).rpartition("=") if "=" in str(source) else ("", "", str(source))
        if name and Path(str(source)).exists():
            name, path = "", str(source)
        reading = read_path(path, format=settings.format, name=name or None)
        if reading.source.name in opened:
            raise UsageError(f"two sources are called {reading.source.name!r}: give one another name with NAME={path}")
        opened[reading.source.name] = reading
    return list(opened.values())


def _entries(reading: Reading, outcome: Outcome) -> Iterator[Entry]:
    for item in reading:
        if isinstance(item, Entry):
            outcome.entries += 1
            yield item
        elif isinstance(item, Diagnostic):
            outcome.diagnostics.append(item)


_worker_authority: Authority | None = None


def _start_worker(settings: Settings) -> None:
    global _worker_authority
    _worker_authority = settings.load_authority()


def _resolve_chunk(entries: list[Entry]) -> list[Record]:
    assert _worker_authority is not None
    return [resolve(entry, _worker_authority) for entry in entries]


def _records(entries: Iterator[Entry], settings: Settings, authority: Authority) -> Iterator[Record]:
    if settings.jobs <= 1:
        yield from (resolve(entry, authority) for entry in entries)
        return
    chunks = iter(lambda: list(islice(entries, CHUNK)), [])
    context = multiprocessing.get_context("spawn")  # forking a process that may hold threads is unsafe
    with ProcessPoolExecutor(settings.jobs, context, _start_worker, (settings,)) as pool:
        waiting = [pool.submit(_resolve_chunk, chunk) for chunk in islice(chunks, 2 * settings.jobs)]
        while waiting:  # in the order of the entries, a bounded number ahead
            yield from waiting.pop(0).result()
            waiting.extend(pool.submit(_resolve_chunk, chunk) for chunk in islice(chunks, 1))


def _statements(
    opened: Iterable[Reading], settings: Settings, authority: Authority, outcome: Outcome, progress: Progress | None
) -> Iterator[Quad]:
    """All quads of the sources, each for its named graph."""
    iris = Iris(settings.base)
    for reading in opened:
        outcome.sources += 1
        yield from map_source(reading.source, iris)
        for record in _records(_entries(reading, outcome), settings, authority):
            outcome.diagnostics.extend(record.diagnostics)
            yield from map_record(record, authority, iris)
            if progress:
                progress(1)


def _with_merged(quads: Iterable[Quad]) -> Iterator[Quad]:
    """Each quad, and its triple once more for the merged default graph (the store holds it once)."""
    for s, p, o, graph in quads:
        yield s, p, o, graph
        yield s, p, o, None


#: Activities of PROV-O beside the rules; when they happened is in the store's own log, not in the graph, which is a
#: function of its sources.
_ACTIVITIES = {
    "build": "Reading, resolving and mapping of sources",
    "authority": "Description of known organisations and venue series, from curated files and imported registries",
    "decisions": "Curated decisions on the identity of people (kg merge, kg split)",
}


def fixed_statements(iris: Iris) -> Iterator[Quad]:
    """What every store holds whatever its sources: the ontology, the dataset's base, the rules and their versions."""
    for name in ("confkg.ttl", "schemes.ttl"):
        for s, p, o in Graph().parse(resources.ontology(name), format="turtle"):
            yield s, p, o, iris.ontology_graph
    graph = iris.dataset_graph
    yield iris.dataset, RDF.type, VOID.Dataset, graph
    yield iris.dataset, VOID.uriSpace, Literal(iris.base), graph
    yield iris.dataset, RDFS.label, en("A confkg knowledge graph of conference papers"), graph
    yield iris.automatic_agent, RDF.type, PROV.SoftwareAgent, graph
    yield iris.automatic_agent, RDFS.label, en("Programs of the site that a listing was copied from"), graph
    yield iris.automatic_agent, RDFS.label, zh("列表来源网站的自动程序"), graph
    software = URIRef(f"{iris.base}agent/confkg/{__version__}")
    yield software, RDF.type, PROV.SoftwareAgent, graph
    yield software, RDFS.label, en(f"confkg {__version__}"), graph
    for name, label in _ACTIVITIES.items():
        activity = URIRef(f"{iris.base}activity/{name}/version/{__version__}")
        yield activity, RDF.type, PROV.Activity, graph
        yield activity, RDFS.label, en(label), graph
        yield activity, PROV.wasAssociatedWith, software, graph
    yield iris.dataset, PROV.wasGeneratedBy, URIRef(f"{iris.base}activity/build/version/{__version__}"), graph
    authority = URIRef(f"{iris.base}activity/authority/version/{__version__}")
    yield iris.authority_graph, PROV.wasGeneratedBy, authority, graph
    for rule in RULES:
        activity = URIRef(f"{iris.rule_graph(rule.name)}/version/{rule.version}")
        yield iris.rule_graph(rule.name), PROV.wasGeneratedBy, activity, graph
        yield activity, RDF.type, PROV.Activity, graph
        yield activity, RDFS.label, en(f"Rule {rule.name}, version {rule.version}"), graph
        yield activity, RDFS.comment, en(rule.statement), graph
        yield activity, SCHEMA.version, Literal(rule.version), graph


def base_of(store: Store) -> str:
    """The base of the IRIs of a store, from its dataset's description."""
    for (base,) in store.select(
        "PREFIX void: <http://rdfs.org/ns/void#> SELECT ?base { GRAPH ?g { ?d a void:Dataset ; void:uriSpace ?base } }"
    ):
        return str(base)
    return DEFAULT_BASE


def build(
    sources: Iterable[str | Path],
    store: str | Path | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
    inspect: Callable[[Store], None] | None = None,
) -> Outcome:
    """Build a store from sources, in place of whatever stood there.

    Args:
        sources: paths; ``-`` is standard input; ``NAME=PATH`` gives a name.
        store: the folder; default ``KG_STORE``, else ``./kg-store``.
        settings: see :class:`Settings`.
        progress: called with the number of entries done since the last call.
        inspect: called with the finished store before it is published; what it raises prevents that.

    Raises:
        UnreadableInput: a source is no text; DataRefused: some of its lines were refused (they are
        diagnostics of the error's ``outcome``); StoreError: the store cannot be made. In each case the store
        is as it was.
    """
    settings, outcome = settings or Settings(), Outcome()
    location = str(store or default_location())
    if is_remote(location):
        raise UsageError("a remote store is filled with 'kg add --store URL SOURCE...'")
    opened, authority, iris = readings(sources, settings), settings.load_authority(), Iris(settings.base)
    with embedded.building(location) as new:
        embedded.load(new, fixed_statements(iris))
        embedded.load(new, _with_merged(_statements(opened, settings, authority, outcome, progress)))
        _refuse(outcome, settings)
        embedded.load(new, derive_all(StoreView(new), iris))
        if inspect:
            inspect(new)
    return outcome


class Refused(DataRefused):
    """Lines of the input were refused; ``outcome`` holds the diagnostics."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        count = len(outcome.refused)
        super().__init__(
            f"{count} {'place' if count == 1 else 'places'} in the input could not be used, so the store was left "
            "as it was (--keep-going leaves them out)"
        )


def _refuse(outcome: Outcome, settings: Settings) -> None:
    if outcome.refused and not settings.keep_going:
        raise Refused(outcome)


def add(
    sources: Iterable[str | Path],
    store: str | Path | None = None,
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
    inspect: Callable[[Store, Change], None] | None = None,
) -> tuple[Outcome, Change]:
    """Add sources to a store, each in place of the source of its name: one transaction, at the change's cost.

    ``inspect`` sees the new state and the change before it is published; what it raises prevents that.
    """
    target = open_store(store, writable=True)
    settings, outcome = settings or Settings(), Outcome()
    settings.base = base_of(target)
    iris, authority = Iris(settings.base), settings.load_authority()
    opened = readings(sources, settings)
    quads = {
        iris.source_graph(r.source.name): list(_statements([r], settings, authority, outcome, progress)) for r in opened
    }
    _refuse(outcome, settings)
    change = plan(target, {graph: iter(found) for graph, found in quads.items()}, iris)
    look = None if inspect is None else (lambda new: inspect(new, change))
    target.apply(change.remove, change.insert, inspect=look)
    return outcome, change


def remove(names: Iterable[str], store: str | Path | None = None) -> Change:
    """Remove sources, by name, from a store: one transaction, at the change's cost.

    Raises:
        UsageError: the store has no such source; the message lists those that it has.
    """
    target = open_store(store, writable=True)
    iris = Iris(base_of(target))
    present = set(target.graph_names())
    graphs: dict[URIRef, Iterable[Quad]] = {}
    for name in names:
        graph = iris.source_graph(Path(name).name)
        if graph not in present:
            known = sorted(str(g).rsplit("/", 1)[-1] for g in present if "/graph/source/" in str(g))
            raise UsageError(f"the store has no source {Path(name).name!r}; it has: {', '.join(known) or 'none'}")
        graphs[graph] = ()
    change = plan(target, graphs, iris)
    target.apply(change.remove, change.insert)
    return change
