"""A filter of system calls: doors of the kernel that no program of a task needs stay shut.

Shut are those through which something would outlive the program (shared memory, semaphores and
queues of System V, keys), hold memory that no process is charged with (memory files, memory shared
without a file), look into other processes, make new namespaces, or reach a network: all sockets but
pairs, or with a network of its own those of families that this network does not hold in. Programs
for another instruction set than the interpreter's do not run.
"""

import ctypes
import errno
import platform
import struct

from core.sandbox import kernel

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""What the kernel calls each machine, and its column in the numbers of calls below."""

_CALLS = {
    errno.EPERM: (
        *((29, 194), (64, 190), (68, 186), (240, 180)),  # shmget, semget, msgget, mq_open
        *((248, 217), (249, 218), (250, 219)),  # add_key, request_key, keyctl
        *((319, 279), (447, 447)),  # memfd_create, memfd_secret
        *((101, 117), (310, 270), (311, 271)),  # ptrace, process_vm_readv, process_vm_writev
        *((438, 438), (312, 272)),  # pidfd_getfd, kcmp
        *((323, 282), (321, 280), (298, 241)),  # userfaultfd, bpf, perf_event_open
        *((272, 97), (308, 268), (161, 51)),  # unshare, setns, chroot
        *((165, 40), (166, 39), (155, 41)),  # mount, umount2, pivot_root
        *((428, 428), (429, 429), (430, 430), (442, 442)),  # open_tree … mount_setattr
        *((303, 264), (304, 265)),  # name_to_handle_at, open_by_handle_at
    ),
    errno.ENOSYS: (
        *((425, 425), (426, 426), (427, 427)),  # io_uring_setup, _enter, _register
        (435, 435),  # clone3: its flags cannot be seen, and the C library then takes clone
    ),
}
_SECCOMP, _CLONE, _MMAP, _SOCKET = (317, 277), (56, 220), (9, 222), (41, 198)
_NEW_NAMESPACES = 0x7E020000
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_HELD_IN = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK

_SET_FILTER, _ASK_ACTION = 1, 2
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _MACHINE, _FIRST, _FLAGS_OF_MMAP = 0, 4, 16, 40  # where a call's parts lie
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_OTHER_CALLS = 0x40000000  # of x86_64's second way to call, which has numbers of its own


def is_available() -> bool:
    """Whether this kernel filters system calls, and their numbers are known here."""
    if platform.machine() not in _MACHINES:
        return False
    column = _MACHINES[platform.machine()][1]
    try:
        kernel.syscall(_SECCOMP[column], _ASK_ACTION, 0, struct.pack("I", _ERROR))
    except OSError:
        return False
    return True


def restrict(*, has_own_network: bool) -> None:
    """Nothing; from here on this process and all below it are refused those calls.

    Raises:
        OSError: the kernel refuses, as it does while more privileges can be gained.
    """
    machine, column = _MACHINES[platform.machine()]
    families = _HELD_IN if has_own_network else ()
    shared = _MAP_SHARED | _MAP_ANONYMOUS
    rules = [
        (_LOAD, 0, 0, _MACHINE),
        *((_EQUAL, 1, 0, machine), _refuse(errno.ENOSYS)),
        (_LOAD, 0, 0, _NUMBER),
        *((_AT_LEAST, 0, 1, _OTHER_CALLS), _refuse(errno.ENOSYS)),
    ]
    for error, calls in _CALLS.items():
        for call in calls:
            rules += [(_EQUAL, 0, 1, call[column]), _refuse(error)]
    rules += [
        *((_EQUAL, 0, 4, _CLONE[column]), (_LOAD, 0, 0, _FIRST)),
        *((_ANY_BIT, 0, 1, _NEW_NAMESPACES), _refuse(errno.EPERM), _allow()),
        *((_EQUAL, 0, 5, _MMAP[column]), (_LOAD, 0, 0, _FLAGS_OF_MMAP), (_AND, 0, 0, shared)),
        *((_EQUAL, 0, 1, shared), _refuse(errno.EPERM), _allow()),
        *((_EQUAL, 0, len(families) + 2, _SOCKET[column]), (_LOAD, 0, 0, _FIRST)),
        *((_EQUAL, len(families) - at, 0, family) for at, family in enumerate(families)),
        *(_refuse(errno.EPERM), _allow()),
    ]
    program = b"".join(struct.pack("HBBI", *rule) for rule in rules)
    held = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HP", len(rules), ctypes.addressof(held))
    kernel.syscall(_SECCOMP[column], _SET_FILTER, 0, described)


def _refuse(error: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, _ERROR | error)


def _allow() -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, _ALLOW)
