"""No sockets for a worker: a filter of system calls that this process, and what it starts, can never take off.

Linux only (seccomp, ``Documentation/userspace-api/seccomp_filter.rst`` of the kernel); elsewhere the refusal of
``SERVICE`` and ``LOAD`` by :func:`kg.query.guard` stands alone, and ``THREAT_MODEL.md`` says so.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

#: Architecture → its audit number and the numbers of ``socket``, ``connect`` and ``io_uring_setup``
#: (``asm/unistd.h``). Filtering by number is only safe after the architecture was checked.
_SYSCALLS = {
    "x86_64": (0xC000003E, (41, 42, 425)),
    "aarch64": (0xC00000B7, (198, 203, 425)),
}
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _JEQ, _RET = 0x20, 0x15, 0x06


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def without_network() -> bool:
    """Refuse this process every new socket from now on; false where the system cannot."""
    known = _SYSCALLS.get(platform.machine()) if platform.system() == "Linux" else None
    if known is None:
        return False
    architecture, numbers = known
    denied = len(numbers)
    program = [
        (_LOAD, 0, 0, 4),  # seccomp_data.arch
        (_JEQ, 1, 0, architecture),
        (_RET, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # seccomp_data.nr
        *((_JEQ, denied - n, 0, number) for n, number in enumerate(numbers)),
        (_RET, 0, 0, _ALLOW),
        (_RET, 0, 0, _ERRNO | errno.EACCES),
    ]
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = _Program(len(program), ctypes.cast(buffer, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filter_), 0, 0) == 0)
