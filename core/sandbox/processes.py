"""The processes below one: which there are, what they use, and how to end them all."""

import contextlib
import os
import signal
import time
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_LONGEST_END_S = 10


def below(root: int) -> list[int]:
    """The ids of every living process below `root`, at any depth."""
    children: dict[int, list[int]] = {}
    for process, parent in _all():
        children.setdefault(parent, []).append(process)
    found, look = [], [root]
    while look:
        at = children.get(look.pop(), [])
        found += at
        look += at
    return found


def resident_bytes(processes: list[int]) -> int:
    """The memory that these processes hold together."""
    total = 0
    for process in processes:
        with contextlib.suppress(OSError, IndexError):
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    return total


def count_of(user: int) -> int:
    """How many processes and threads a user runs on this machine."""
    count = 0
    for process, _ in _all():
        with contextlib.suppress(OSError):
            folder = Path(f"/proc/{process}")
            if folder.stat().st_uid == user:
                count += sum(1 for _ in (folder / "task").iterdir())
    return count


def end_all_below(root: int) -> int:
    """How many processes below this one are left: 0, unless the kernel holds on to one.

    All are halted before any is killed, so that none can start another meanwhile.
    """
    until = time.monotonic() + _LONGEST_END_S
    while found := below(root):
        if time.monotonic() > until:
            return len(found)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in below(root) if number == signal.SIGKILL else found:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process, number)
        _reap()
        time.sleep(0.002)
    return 0


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _all() -> list[tuple[int, int]]:
    """Process and parent; the name before them may hold brackets and spaces."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError, ValueError):
                fields = (folder / "stat").read_text(errors="replace")
                found.append((int(folder.name), int(fields.rpartition(")")[2].split()[1])))
    return found
