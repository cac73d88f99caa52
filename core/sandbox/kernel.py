"""The calls of the Linux kernel that wall a process in, where Python has none of its own.

Linux only: importing does no harm elsewhere, calling does. Each function raises `OSError` when the
kernel refuses.
"""

import contextlib
import ctypes
import os
import platform
import struct
from itertools import takewhile

NEW_USER, NEW_MOUNTS, NEW_PROCESSES = 0x10000000, 0x00020000, 0x20000000
NEW_NETWORK, NEW_IPC, NEW_HOST_NAME = 0x40000000, 0x08000000, 0x04000000
NO_SUID, NO_DEVICES, NO_EXEC = 2, 4, 8
BIND, RECURSIVE, PRIVATE = 0x1000, 0x4000, 0x40000

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442
_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTRIBUTES = 0x1 | 0x2  # read only, no set-user-id programs

_PDEATHSIG, _DUMPABLE, _CAPBSET_DROP = 1, 4, 24
_CHILD_SUBREAPER, _NO_NEW_PRIVILEGES, _AMBIENT, _AMBIENT_CLEAR = 36, 38, 47, 4
_CAPABILITY_VERSION = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)


def release() -> tuple[int, int]:
    """The kernel's version, such as (6, 18)."""
    major, minor = platform.release().split(".")[:2]
    return int(major), int("".join(takewhile(str.isdecimal, minor)))


def unshare(flags: int) -> None:
    """Nothing; gives this process namespaces of its own."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Nothing; mounts, as mount(2) does."""
    done = _libc.mount(
        source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode()
    )
    _checked(done, f"mount {target}")


def make_read_only(path: str) -> None:
    """Nothing; makes a mount and all below it read only (Linux 5.12)."""
    attributes = struct.pack("QQQQ", _ATTRIBUTES, 0, 0, 0)
    done = _libc.syscall(
        ctypes.c_long(_MOUNT_SETATTR),
        ctypes.c_long(_AT_FDCWD),
        path.encode(),
        ctypes.c_long(_AT_RECURSIVE),
        attributes,
        ctypes.c_long(len(attributes)),
    )
    _checked(done, f"mount_setattr {path}")


def pivot_root(new: str, old: str) -> None:
    """Nothing; the mount at `new` becomes the root, and the old root is found at `old`."""
    number = _PIVOT_ROOT.get(platform.machine(), -1)  # no such call: the kernel says so
    _checked(_libc.syscall(ctypes.c_long(number), new.encode(), old.encode()), "pivot_root")


def detach(path: str) -> None:
    """Nothing; unmounts the whole tree at a path."""
    _checked(_libc.umount2(path.encode(), ctypes.c_int(_DETACH)), f"umount {path}")


def die_with_parent() -> None:
    """Nothing; this process is killed when its parent ends. A change of user undoes it."""
    _prctl(_PDEATHSIG, 9)


def adopt_orphans() -> None:
    """Nothing; processes below this one whose parents end become its children."""
    _prctl(_CHILD_SUBREAPER, 1)


def set_open_to_others(is_open: bool) -> None:
    """Nothing; says whether processes of the same user may look into this one."""
    _prctl(_DUMPABLE, int(is_open))


def give_up_bounds() -> None:
    """Nothing; nothing that is run from here can gain a capability. Needs to hold one itself."""
    for capability in range(64):
        with contextlib.suppress(OSError):  # the last known capability differs by kernel
            _prctl(_CAPBSET_DROP, capability)


def give_up_privileges() -> None:
    """Nothing; drops every capability, and no program run from here gains any."""
    _prctl(_NO_NEW_PRIVILEGES, 1)
    with contextlib.suppress(OSError):
        _prctl(_AMBIENT, _AMBIENT_CLEAR)
    header, none = struct.pack("Ii", _CAPABILITY_VERSION, 0), bytes(24)
    _checked(_libc.capset(header, none), "capset")


def syscall(number: int, *arguments: object) -> int:
    """What a system call without a wrapper returns."""
    cast = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *cast), f"syscall {number}")


def _prctl(option: int, value: int) -> None:
    arguments = [ctypes.c_ulong(one) for one in (value, 0, 0, 0)]
    _checked(_libc.prctl(ctypes.c_int(option), *arguments), f"prctl {option}")


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
