"""Who holds a store: a small file beside it, so that a second process can be told in one sentence.

DuckDB's lock decides who may open the store; this file only explains. It may be stale after a
kill, so it is believed only when it names the process that DuckDB names.
"""

import json
import os
import re
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreError

_PID = re.compile(r"\(PID (\d+)\)")


def record_holder(store_path: Path) -> None:
    """Nothing; the file beside the store now names this process, its command and the time."""
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]]).strip()
    about = {
        "pid": os.getpid(),
        "command": command,
        "since": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    _holder_path(store_path).write_text(json.dumps(about), encoding="utf-8")


def forget_holder(store_path: Path) -> None:
    """Nothing; the file beside the store is gone."""
    _holder_path(store_path).unlink(missing_ok=True)


def held_error(store_path: Path, lock_message: str) -> StoreError:
    """The error that says who holds the store and what to do.

    Args:
        store_path: the store's file.
        lock_message: DuckDB's message about the lock, which names the process; may be empty.
    """
    found = _PID.search(lock_message)
    pid = int(found[1]) if found else None
    about = {}
    with suppress(OSError, ValueError):
        about = json.loads(_holder_path(store_path).read_text(encoding="utf-8"))
    if about and pid in (None, about["pid"]):
        who = f"process {about['pid']} ({about['command']}, since {about['since']})"
    else:
        who = "another process" if pid is None else f"process {pid}"
    return StoreError(
        f"{store_path} is in use by {who}",
        hint="work in the app that has it open, or stop that process and try again",
    )


def _holder_path(store_path: Path) -> Path:
    return store_path.with_name(store_path.name + ".holder")
