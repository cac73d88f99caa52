"""Backup and restore: one consistent file, taken while the store is in use, put back whole."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from core.errors import ConflictError, NotFoundError, StoreError
from core.store.log_copy import log_copy_path, log_path
from core.store.opening import refuse_held
from core.store.store import Store
from core.store.verify import verify


def backup(store: Store, path: str | Path) -> Path:
    """The file that now holds all that was acknowledged when the backup began.

    Writing goes on meanwhile. The file gets its name when it is complete.

    Args:
        store: open. path: a new file; its folder is made when missing.

    Raises:
        ConflictError: there is a file of that name.
        StoreError: it cannot be written.
    """
    target = Path(path).expanduser().resolve()
    if target.exists():
        raise ConflictError(f"{target} is there already", hint="name a new file for the backup")
    partial = target.with_name(f"{target.name}.partial-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        store.copy_into(partial)
        partial.rename(target)
    except (OSError, duckdb.Error) as error:
        raise StoreError(f"the backup {target} cannot be written: {error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return target


def restore(backup_path: str | Path, store_path: str | Path) -> Path | None:
    """Where the store that was replaced is kept; None when there was none.

    The backup is copied, opened and verified first; only a sound one takes the store's place.

    Raises:
        NotFoundError: there is no such backup.
        StoreError: the backup does not open or does not verify, or somebody has either file open.
    """
    source, target = (Path(path).expanduser().resolve() for path in (backup_path, store_path))
    if not source.is_file():
        raise NotFoundError(f"there is no backup {source}", hint="name the file of a backup")
    refuse_held(source)
    refuse_held(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    incoming = target.with_name(f"{target.name}.restoring-{os.getpid()}")
    try:
        shutil.copyfile(source, incoming)
        _check(incoming, source)
        refuse_held(target)  # it may have been opened while the backup was checked
        return _put_in_place(incoming, target)
    finally:
        incoming.unlink(missing_ok=True)


def _check(incoming: Path, source: Path) -> None:
    try:
        with Store.open(incoming) as copy:
            findings = verify(copy)
    except StoreError as error:
        raise StoreError(
            f"the backup {source} does not open: {error}", hint="name another backup"
        ) from error
    if findings:
        raise StoreError(
            f"the backup {source} does not verify: {'; '.join(findings)}",
            hint="name another backup",
        )


def _put_in_place(incoming: Path, target: Path) -> Path | None:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    kept = target.with_name(f"{target.name}.replaced-{stamp}")
    there = target.exists()
    if there:
        try:
            os.link(target, kept)  # so that there is a store under the name at every moment
        except OSError:  # not every file system has links
            target.rename(kept)
    # The logs of a store that was not closed go with it: beside another file they are poison.
    for beside in (log_path, log_copy_path):
        if beside(target).exists():
            beside(target).rename(beside(kept))
    incoming.replace(target)
    return kept if there else None
