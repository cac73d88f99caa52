"""Start one function in a process that is walled in, forked from a small and trusted one.

With namespaces three processes come to be: one outside them that waits, the first process inside,
which only reaps (when it ends, the kernel kills all others inside, whatever they did to live on),
and the one that runs the function. Without, the function's process is the child itself.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from core.sandbox import kernel, landlock, seccomp, walls

_EVERYTHING_OWN = (
    kernel.NEW_MOUNTS
    | kernel.NEW_PROCESSES
    | kernel.NEW_NETWORK
    | kernel.NEW_IPC
    | kernel.NEW_HOST_NAME
)
_UNSHARED = b"u"

COUNTS_BY_NAMESPACE = (5, 14)
"""Older kernels count a user's processes on the whole machine, and no limit would fit."""


class JailError(Exception):
    """The walls could not be put up; nothing was run."""


@dataclass(frozen=True)
class Jail:
    """What is common to the walled-in processes of one run.

    Args:
        namespaces: whether they get namespaces of their own.
        landlock_version: the version of Landlock to use; 0 for none.
        filters_calls: whether their system calls are filtered.
        folder: where they may write when they have no file system of their own.
        limits: fields of `SandboxLimits`.
        output: handle that their standard output and error go to.
        other_processes: what the same user runs elsewhere, counted in without namespaces.
    """

    namespaces: bool
    landlock_version: int
    filters_calls: bool
    folder: str
    limits: Mapping[str, float]
    output: int
    other_processes: int = 0

    @property
    def home(self) -> str:
        """The one folder to write in, as seen from inside."""
        return walls.MEMORY_HOME if self.namespaces else self.folder


def start(jail: Jail, body: Callable[[], None], *, keep: Sequence[int]) -> int:
    """The id of a child of this process, below which `body` runs walled in.

    Args:
        body: runs with nothing open but `keep` and standard output; its process ends after it.
        keep: handles that it needs.

    Raises:
        JailError: a wall could not be put up.
    """
    if jail.namespaces and kernel.release() < COUNTS_BY_NAMESPACE:
        raise JailError(f"Linux {'.'.join(map(str, COUNTS_BY_NAMESPACE))} or newer is needed")
    told, tell = os.pipe()
    waits, go = os.pipe()
    supervisor = os.getpid()
    child = os.fork()
    if child == 0:
        _outside(jail, body, keep, tell, waits, supervisor)
    os.close(tell)
    os.close(waits)
    with os.fdopen(told, "rb") as setup, os.fdopen(go, "wb") as permission:
        first = setup.read(1)
        if first == _UNSHARED:
            first = b""
            _map_users(child)
            permission.write(b"g")
            permission.flush()
        problem = (first + setup.read()).decode("utf-8", "replace")
    if problem:
        os.waitpid(child, 0)
        raise JailError(problem)
    return child


def _outside(
    jail: Jail,
    body: Callable[[], None],
    keep: Sequence[int],
    tell: int,
    waits: int,
    supervisor: int,
) -> NoReturn:
    with _reporting(tell):
        os.setsid()
        kernel.set_open_to_others(True)  # else the supervisor, unless root, could not map users
        with contextlib.suppress(OSError):  # where memory runs out, who made it run out is ended
            Path("/proc/self/oom_score_adj").write_text("1000")
        _stay_with(supervisor)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for handle, to in ((nothing, 0), (jail.output, 1), (jail.output, 2)):
            os.dup2(handle, to)
        if os.geteuid() == 0:
            os.setgroups([])
        if not jail.namespaces:
            _inside(jail, body, keep, tell)
        kernel.unshare(kernel.NEW_USER)
        os.write(tell, _UNSHARED)
        os.read(waits, 1)
        _stay_with(supervisor)
        kernel.unshare(_EVERYTHING_OWN)
        first = os.fork()
        if first:
            _close_all_but(())
            os._exit(_ended(os.waitpid(first, 0)[1]))
        kernel.die_with_parent()
        walls.build_root(int(jail.limits["disk_mib"]))
        worker = os.fork()
        if worker:
            _reap(worker)
        _inside(jail, body, keep, tell)
    os._exit(0)


def _inside(jail: Jail, body: Callable[[], None], keep: Sequence[int], tell: int) -> NoReturn:
    # Opened while this process may still look anywhere.
    seen = ["/"] if jail.namespaces else walls.visible_places()
    readable = landlock.open_places(seen) if jail.landlock_version else []
    written = [jail.home, "/dev/null", *(["/dev/shm", "/tmp"] if jail.namespaces else [])]
    writable = landlock.open_places(written) if jail.landlock_version else []
    devices = landlock.open_places(["/dev/urandom", "/dev/random"])
    os.chdir(jail.home)
    walls.become_nobody()
    walls.limit_use(jail.limits, other_processes=jail.other_processes)
    if jail.landlock_version:
        landlock.restrict([*readable, *devices], writable, version=jail.landlock_version)
    if jail.filters_calls:
        seccomp.restrict(has_own_network=jail.namespaces)
    os.environ.update(HOME=jail.home, TMPDIR=jail.home)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _close_all_but(keep, also=tell)
    os.close(tell)
    # Whatever is raised, this process never returns into the supervisor it was forked from.
    code = 1
    try:
        body()
        code = 0
    finally:
        os._exit(code)


def _reap(worker: int) -> NoReturn:
    walls.become_nobody()
    kernel.set_open_to_others(False)
    _close_all_but(())
    while True:
        child, status = os.wait()
        if child == worker:
            os._exit(_ended(status))


def _stay_with(supervisor: int) -> None:
    kernel.die_with_parent()
    if os.getppid() != supervisor:  # it ended before it was asked for
        os._exit(0)


def _map_users(child: int) -> None:
    """As root, root stays and nobody is known; as anybody else, that user is seen as nobody."""
    process, user, group = Path(f"/proc/{child}"), os.geteuid(), os.getegid()
    both = f"0 0 1\n{walls.NOBODY} {walls.NOBODY} 1\n"
    if user:
        (process / "setgroups").write_text("deny")
    (process / "uid_map").write_text(f"{walls.NOBODY} {user} 1" if user else both)
    (process / "gid_map").write_text(f"{walls.NOBODY} {group} 1" if user else both)


@contextlib.contextmanager
def _reporting(tell: int):
    try:
        yield
    except BaseException as error:
        os.write(tell, f"{type(error).__name__}: {error}".encode())
        os._exit(70)


def _close_all_but(keep: Sequence[int], *, also: int | None = None) -> None:
    kept = sorted({*keep, *(() if also is None else (also,))})
    below = 3
    for handle in kept:
        os.closerange(below, handle)
        below = handle + 1
    os.closerange(below, 1 << 20)


def _ended(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code
