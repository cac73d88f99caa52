"""The walls around one process: what it can see, who it is, and what it may use.

In namespaces the process gets a file system of its own in memory: the interpreter and the system's
programs and libraries, read only, and one folder to write in. Homes, the store, the processes and
the network of this machine are not there. Without them Landlock closes the same places, where the
kernel has it. The process is never root: as root it becomes nobody.
"""

import contextlib
import os
import resource
import sys
from collections.abc import Mapping
from pathlib import Path

from core.sandbox import kernel

NOBODY = 65534
MEMORY_HOME = "/tmp/work"
"""Home and working folder of a process that has a file system of its own."""

_MIB = 1 << 20
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_SETTINGS = ("ld.so.cache", "localtime", "alternatives", "fonts", "mime.types", "nsswitch.conf")
_DEVICES = ("null", "full", "random", "urandom")  # memory mapped from zero would be nobody's
_SPARE = "/tmp"  # exists everywhere; in the new mount namespace the new root is put up here


def visible_places() -> list[str]:
    """Paths that a walled-in process can read, those above before those below."""
    python = {os.path.realpath(prefix) for prefix in (sys.base_prefix, sys.prefix)} - {"/"}
    settings = [f"/etc/{name}" for name in _SETTINGS]
    places: list[str] = []
    for place in (*_SYSTEM, *sorted(python), *settings):
        inside = any(place.startswith(f"{other}/") for other in places)
        if Path(place).exists() and not inside:
            places.append(place)
    return places


def build_root(disk_mib: int) -> None:
    """Nothing; gives this process, in a mount namespace of its own, the small file system.

    Raises:
        OSError: the kernel refuses a step.
    """
    kernel.mount("none", "/", "", kernel.RECURSIVE | kernel.PRIVATE)
    # Opened before anything is covered: a place may lie below the folder that is used here.
    seen = [Path(place) for place in visible_places()]
    links = {place: place.readlink() for place in seen if place.is_symlink()}
    places = {str(place): os.open(place, os.O_PATH) for place in seen if place not in links}
    devices = {f"/dev/{name}": os.open(f"/dev/{name}", os.O_PATH) for name in _DEVICES}
    size = f"mode=755,nr_inodes=20000,size={disk_mib}m"
    kernel.mount("tmpfs", _SPARE, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, size)
    for place, handle in (places | devices).items():
        _show(handle, _SPARE + place, read_only=place in places)
    for place, to in links.items():
        at = Path(f"{_SPARE}{place}")
        at.parent.mkdir(parents=True, exist_ok=True)
        at.symlink_to(to)
    for folder, mode in (("/dev/shm", 0o1777), ("/tmp", 0o1777), (MEMORY_HOME, 0o700)):
        Path(_SPARE + folder).mkdir(parents=True, exist_ok=True)
        Path(_SPARE + folder).chmod(mode)
    os.chown(_SPARE + MEMORY_HOME, NOBODY, NOBODY)
    Path(_SPARE + "/proc").mkdir()
    # A container that hides parts of its own /proc allows no new one; programs do without.
    with contextlib.suppress(OSError):
        flags = kernel.NO_SUID | kernel.NO_DEVICES | kernel.NO_EXEC
        kernel.mount("proc", _SPARE + "/proc", "proc", flags)
    Path(_SPARE + "/.old").mkdir()
    kernel.pivot_root(_SPARE, _SPARE + "/.old")
    os.chdir("/")
    kernel.detach("/.old")
    Path("/.old").rmdir()
    # No namespaces inside: each would open more of the kernel to what runs here.
    for limit in ("user/max_user_namespaces", "kernel/shmmax", "kernel/msgmax"):
        with contextlib.suppress(OSError):
            Path(f"/proc/sys/{limit}").write_text("0")


def become_nobody() -> None:
    """Nothing; drops root for good, where this process is root, and every capability."""
    kernel.give_up_bounds()
    if os.geteuid() == 0:
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    kernel.give_up_privileges()
    kernel.die_with_parent()


def limit_use(limits: Mapping[str, float], *, other_processes: int) -> None:
    """Nothing; sets the limits that the kernel counts for one process.

    Args:
        limits: fields of `SandboxLimits`.
        other_processes: what the same user runs elsewhere, where the kernel counts it in.
    """
    cpu_s = int(limits["cpu_s"])
    for what, soft, hard in (
        (resource.RLIMIT_CPU, cpu_s, cpu_s + 1),
        (resource.RLIMIT_AS, limits["address_space_mib"] * _MIB, None),
        (resource.RLIMIT_FSIZE, limits["file_mib"] * _MIB, None),
        (resource.RLIMIT_NOFILE, limits["open_files"], None),
        (resource.RLIMIT_NPROC, limits["processes"] + other_processes, None),
        (resource.RLIMIT_MSGQUEUE, 0, None),
        (resource.RLIMIT_CORE, 0, None),
    ):
        ceiling = resource.getrlimit(what)[1]
        wanted = int(soft if hard is None else hard)
        most = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
        resource.setrlimit(what, (min(int(soft), most), most))


def _show(handle: int, target: str, *, read_only: bool) -> None:
    source, place = f"/proc/self/fd/{handle}", Path(target)
    place.parent.mkdir(parents=True, exist_ok=True)
    if Path(source).is_dir():
        place.mkdir(exist_ok=True)
    else:
        place.touch()
    kernel.mount(source, target, "", kernel.BIND | kernel.RECURSIVE)
    if read_only:
        kernel.make_read_only(target)
    os.close(handle)
