"""No files for a worker but those that it works with: a rule that this process, and what it starts, can never take off.

Linux 5.13 and later (Landlock, ``Documentation/userspace-api/landlock.rst`` of the kernel); elsewhere the system's own
permissions stand alone, and ``THREAT_MODEL.md`` says so.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

import kg
from kg import resources

#: System calls, of the same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_PR_SET_NO_NEW_PRIVS = 38
#: Version of Landlock → how many kinds of access it can rule over, from the lowest bit.
_KINDS = {1: 13, 2: 14, 3: 15, 4: 15}
_NEWEST = 16
_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
#: Of the rest, what is about a file itself and not about a folder: write, read, execute, truncate, ioctl of a device.
_OF_FILES = _EXECUTE | 1 << 1 | _READ_FILE | 1 << 14 | 1 << 15
#: What libraries look at: code, fonts, the shape of the machine, sources of randomness.
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/var/cache/fontconfig",
    "/sys/devices/system", "/sys/fs/cgroup", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
    "/dev/null", "/dev/urandom", "/dev/random",
)  # fmt: skip
#: What it takes to find a host and to know that it is the one.
NAMES = tuple(
    Path(p)
    for p in (
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
        "/run/systemd/resolve", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
    )
)  # fmt: skip


def code() -> list[Path]:
    """Where Python, its libraries and our own files are."""
    ours = [Path(kg.__file__).parent, Path(__file__).parent, resources.ontology("confkg.ttl").parent]
    ours += [path.parent for path in resources.shapes()]
    libraries = [Path(p) for p in sys.path if p.endswith(("site-packages", "dist-packages"))]
    return [Path(sys.prefix), Path(sys.base_prefix), *libraries, *ours]


def only_files(read: Iterable[Path], write: Iterable[Path]) -> bool:
    """Let this process from now on read beneath ``read`` and do anything beneath ``write``, and open nothing else.

    What is open already stays open. False where the system cannot.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION) if platform.system() == "Linux" else -1
    if version < 1:
        return False
    every = (1 << _KINDS.get(version, _NEWEST)) - 1
    attributes = struct.pack("=Q", every)
    rules = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    try:
        for paths, access in ((read, _READ), (map(Path, _SYSTEM), _READ), (write, every)):
            for path in paths:
                _allow(libc, rules, path, access & every)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: Path, access: int) -> None:
    """Add a rule; a path that is not there needs none."""
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        allowed = access if path.is_dir() else access & _OF_FILES
        if libc.syscall(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", allowed, beneath), 0) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
    finally:
        os.close(beneath)
