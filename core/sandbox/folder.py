"""A program's own folder on this machine's disk: whether it holds too much, and its removal.

A program can nest folders deeper than a path can say or than Python recurses, close them to their
owner, and write to files that no longer have a name. None of it keeps the folder from being
measured and removed.
"""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

MOST_ENTRIES = 20_000
"""Files and folders below one folder: as many as in a file system of a program's own."""


def problem_of_use(folder: str, processes: Iterable[int], *, most_mib: float) -> str:
    """What is too much about a folder, as a sentence; empty when nothing is.

    Args:
        processes: those that may hold files open which have no name any more.
    """
    size = sum({(one.st_dev, one.st_ino): one.st_blocks for one in _nameless(processes)}.values())
    n_entries, look = 0, [folder]
    while look:
        try:
            inside = list(os.scandir(look.pop()))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return "it nested its folders too deeply"
            continue  # gone by now
        n_entries += len(inside)
        if n_entries > MOST_ENTRIES:
            return f"it made more than {MOST_ENTRIES:,} files and folders"
        for entry in inside:
            if entry.is_dir(follow_symlinks=False):
                look.append(entry.path)
            with contextlib.suppress(OSError):
                size += entry.stat(follow_symlinks=False).st_blocks
    return f"it wrote more than {most_mib:g} MiB" if size * 512 > most_mib * (1 << 20) else ""


def remove(folder: str) -> None:
    """Nothing; removes a folder with all in it, as far as the system allows.

    What is inside of a folder is moved up before the folder goes, so that no path gets long.
    """
    mark, n_moved, top = secrets.token_hex(8), 0, Path(folder)
    with contextlib.suppress(OSError):
        top.chmod(0o700)
        while inside := list(top.iterdir()):
            for entry in inside:
                if not _is_open_folder(entry):
                    entry.unlink()
                    continue
                for below in entry.iterdir():
                    _is_open_folder(below)
                    below.rename(top / f"{mark}-{n_moved}")
                    n_moved += 1
                entry.rmdir()
        top.rmdir()


def _is_open_folder(entry: Path) -> bool:
    """Whether it is a folder, which then is open to its owner: else it could not be moved."""
    is_folder = entry.is_dir() and not entry.is_symlink()
    if is_folder:
        entry.chmod(0o700)
    return is_folder


def _nameless(processes: Iterable[int]) -> Iterable[os.stat_result]:
    for process in processes:
        with contextlib.suppress(OSError):  # it may be gone, and so may what it holds
            for handle in Path(f"/proc/{process}/fd").iterdir():
                with contextlib.suppress(OSError):
                    status = handle.stat()
                    if status.st_nlink == 0:
                        yield status
