"""The folder of an embedded store: generations of a database, of which a file names the current one, and one writer.

A generation is never written to once it is published. A write makes a new one and publishes it by replacing the file
``CURRENT``: a reader holds a complete, unchanging state for as long as it likes, and a killed writer leaves the old
one. Which IRIs a write removed stands in ``REMOVED``, so that a server can answer 410 for them and not 404.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.errors import StoreError

#: The name of a generation, as :func:`fresh` makes it.
_NAME = re.compile(r"g-[0-9a-f]{16}")


def pointer(location: str) -> str:
    """The name of the current generation. A server looks with every request: so this is a bare read of ``CURRENT``.

    Raises:
        StoreError: there is no store.
    """
    try:
        file = os.open(os.path.join(location, "CURRENT"), os.O_RDONLY)  # noqa: PTH118 (a bare read)
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(
            f"there is no store at {location!r}: make one with 'kg build SOURCE... --store {location}'"
        ) from None
    try:
        return os.read(file, 256).decode().strip()
    finally:
        os.close(file)


def current(folder: Path) -> Path:
    """The current generation.

    Raises:
        StoreError: there is no store, or it is damaged.
    """
    name = pointer(str(folder))
    generation = folder / name
    if not generation.is_dir() or generation.parent != folder:
        raise StoreError(f"the store at {str(folder)!r} is damaged: its CURRENT names {name!r}, which is not there")
    return generation


def kept(folder: Path, name: str) -> Path | None:
    """The generation of that name, where it is still there."""
    return folder / name if _NAME.fullmatch(name) and (folder / name).is_dir() else None


def fresh(folder: Path) -> Path:
    """Where a new generation may be made."""
    return folder / f"g-{uuid.uuid4().hex[:16]}"


def publish(folder: Path, generation: Path, keep: Path | None = None) -> None:
    """Make ``generation`` the current one: one atomic rename; then clear away what no longer counts.

    The one to ``keep`` is that before the change, which shares most of its files: what the change did can be asked.
    """
    pointer = folder / f"CURRENT.{generation.name}"
    with pointer.open("w", encoding="utf-8") as file:
        file.write(generation.name + "\n")
        file.flush()
        os.fsync(file.fileno())
    pointer.replace(folder / "CURRENT")
    for other in folder.iterdir():
        # Open readers keep the removed files until they close them (POSIX).
        if other.name.startswith("g-") and other not in (generation, keep):
            shutil.rmtree(other, ignore_errors=True)


@contextmanager
def writing(folder: Path) -> Iterator[Path]:
    """Hold the one writer's lock of a store; it falls with the process, so a killed writer leaves none behind."""
    with (folder / "LOCK").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(
                f"the store at {str(folder)!r} is being written by another process: try again later"
            ) from None
        yield folder


def removed(folder: Path) -> frozenset[str]:
    """The IRIs of which an earlier generation said something and the current one says nothing."""
    try:
        return frozenset((folder / "REMOVED").read_text("utf-8").split("\n")) - {""}
    except FileNotFoundError:
        return frozenset()


def remember_removed(folder: Path, iris: frozenset[str]) -> None:
    """Keep them. Before the generation that lacks them is published: one too many is harmless, since who asks looks
    first whether a thing is there."""
    if iris == removed(folder):
        return
    draft = folder / "REMOVED.new"
    draft.write_text("".join(f"{iri}\n" for iri in sorted(iris)), "utf-8")
    draft.replace(folder / "REMOVED")


#: What may stand in the folder of a store.
OURS = ("g-", "CURRENT", "LOCK", "REMOVED")
