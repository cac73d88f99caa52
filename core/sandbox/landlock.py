"""Landlock: what a process may open is a list, and the rest of the file system is closed to it.

It needs no privileges and no namespaces (Linux 5.13). Later kernels add to it: TCP from version 4,
signals and abstract sockets to processes outside from version 6.
"""

import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from core.sandbox import kernel

TCP_VERSION, SIGNALS_VERSION = 4, 6

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
# Bits that exist by version: rename across folders, truncate and device control came later.
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_KNOWN_NOW = (1 << 16) - 1
_TCP, _SCOPES = 0b11, 0b11


def version() -> int:
    """The kernel's version of Landlock; 0 where it has none."""
    try:
        return kernel.syscall(_CREATE, 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def open_places(paths: Iterable[str]) -> list[int]:
    """Handles of the paths that exist, to be opened before a change of user forbids it."""
    return [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths if Path(path).exists()]


def restrict(readable: Iterable[int], writable: Iterable[int], *, version: int) -> None:
    """Nothing; from here on only these places open, there is no TCP and no signal leads outside.

    Args:
        readable, writable: handles from `open_places`; writable ones can be read too.
        version: what `version()` said; TCP and signals are closed only where it is high enough.

    Raises:
        OSError: the kernel refuses.
    """
    files = _KNOWN.get(version, _KNOWN_NOW)
    attributes = struct.pack("Q", files)
    if version >= TCP_VERSION:
        attributes += struct.pack("Q", _TCP)
    if version >= SIGNALS_VERSION:
        attributes += struct.pack("Q", _SCOPES)
    rules = kernel.syscall(_CREATE, attributes, len(attributes), 0)
    for handle in readable:
        _allow(rules, handle, _READ)
    for handle in writable:
        _allow(rules, handle, files)
    kernel.syscall(_RESTRICT, rules, 0)
    os.close(rules)


def _allow(rules: int, handle: int, access: int) -> None:
    if not stat.S_ISDIR(os.fstat(handle).st_mode):
        access &= _OF_A_FILE
    kernel.syscall(_ADD_RULE, rules, _BENEATH, struct.pack("=Qi", access, handle), 0)
