"""Opens a store's file: one holder at a time, a damaged log repaired first, faults in words."""

import fcntl
import os
import re
import threading
from pathlib import Path

import duckdb

from core.errors import StoreError
from core.store.holder import forget_holder, held_error, record_holder
from core.store.log_copy import log_path, repair_log, set_log_aside
from core.store.migrate import migrate, shipped_migrations

_CONFIG = {
    "autoinstall_known_extensions": False,  # else a query could download one
    "allow_community_extensions": False,
    "python_enable_replacements": False,  # a table name never means a Python variable
    "TimeZone": "UTC",
}

_DAMAGED_ENTRY = re.compile(r"Corrupt WAL file: entry at byte position (\d+)")
_ENTRY_PREFIX = 16  # length and checksum stand before the position DuckDB names

_open_paths: set[Path] = set()
_open_paths_lock = threading.Lock()


def open_file(path: Path) -> tuple[duckdb.DuckDBPyConnection, list[str]]:
    """A connection to the store's file, migrated and checkpointed, and what there is to tell.

    The folder is made when missing, the file when it is new.

    Args:
        path: the store's file, absolute.

    Returns:
        The connection, to be given back with `close_file`, and sentences about repairs made.

    Raises:
        StoreError: another process or this one has it open, it is no store, or it cannot be
            read or migrated. A file that is no store is left as it was.
    """
    with _open_paths_lock:
        if path in _open_paths:
            raise StoreError(
                f"{path} is already open in this process", hint="use the store that is open"
            )
        _open_paths.add(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        notices = repair_log(path) if _is_free(path) else []
        connection = _connect(path, notices)
        try:
            migrate(connection, shipped_migrations(), path=str(path))
            record_holder(path)
        except BaseException:
            connection.close()
            raise
    except (OSError, duckdb.Error) as error:
        _forget(path)
        raise _told(path, error) from error
    except BaseException:
        _forget(path)
        raise
    return connection, notices


def close_file(path: Path, connection: duckdb.DuckDBPyConnection) -> None:
    """Nothing; the file is checkpointed and free for the next holder."""
    try:
        connection.execute("CHECKPOINT")
    finally:
        connection.close()
        forget_holder(path)
        _forget(path)


def refuse_held(path: Path) -> None:
    """Nothing; no process has the store's file open, or the file is not there.

    Raises:
        StoreError: this process or another one has it open.
    """
    with _open_paths_lock:
        if path in _open_paths:
            raise StoreError(f"{path} is open in this process", hint="close it first")
    if path.exists() and not _is_free(path):
        raise held_error(path, "")


def _forget(path: Path) -> None:
    with _open_paths_lock:
        _open_paths.discard(path)


def _is_free(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open("rb+") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def _connect(path: Path, notices: list[str]) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(path, config=_CONFIG)
    except duckdb.Error as error:
        damaged = _DAMAGED_ENTRY.search(str(error))
        if damaged is None:
            raise
        notices.append(_cut_log(path, int(damaged[1]) - _ENTRY_PREFIX))
    return duckdb.connect(path, config=_CONFIG)


def _cut_log(path: Path, length: int) -> str:
    # Only without a usable second copy: what follows a damaged entry cannot be replayed.
    log = log_path(path)
    aside = set_log_aside(path)
    size = log.stat().st_size
    os.truncate(log, length)
    return (
        f"the write-ahead log of {path.name} is damaged at byte {length} of {size} and has no "
        f"second copy; everything before that was recovered, decisions and calls after it may be "
        f"missing; the damaged log is kept as {aside.name}"
    )


def _told(path: Path, error: Exception) -> StoreError:
    text = str(error)
    if "Could not set lock" in text:
        return held_error(path, text)
    if "not a valid DuckDB database file" in text:
        return StoreError(
            f"{path} is not a store: it is not a DuckDB file; it was left as it is",
            hint="name another file with --store or SELFBOUND_STORE",
        )
    if isinstance(error, OSError):
        return StoreError(
            f"{path} cannot be opened: {(error.strerror or text).lower()}",
            hint="name a file in a folder you can write to, with --store or SELFBOUND_STORE",
        )
    first_line = text.strip().partition("\n")[0]
    return StoreError(
        f"{path} cannot be opened: {first_line}",
        hint="restore a backup with selfbound restore PATH, or name another file with --store",
    )
