"""A second copy of DuckDB's write-ahead log, so that a damaged log loses nothing acknowledged.

Commits since the last checkpoint live in the write-ahead log alone. When a few bytes of it go
bad, DuckDB refuses to open the file, or drops the rest of the log without a word. So after each
commit, and before it is acknowledged, what the log grew by is appended here with a checksum. At
the next start the log must begin with what the copy holds; if not, the log is set aside and
written anew from the copy. The copy is read only when a process was killed: closing removes it.

The store's own file is never opened here while DuckDB has it open: closing any handle on it
would drop the process's lock.
"""

import struct
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

_MAGIC = b"selfbound log copy 1\n"
_FRAME = struct.Struct("<QI")  # length and CRC-32 of the bytes that follow
_HEAD = 64  # of the log: names the checkpoint it follows, so it differs after each one

# DuckDB's file: two headers, each a checksum and a counter of checkpoints; the higher one rules.
_COUNTER_OFFSETS = (4096 + 8, 8192 + 8)
# The log's first entry: the file's identifier and that counter, as numbered fields.
_FIELD_TYPE, _FIELD_VERSION, _FIELD_ID, _FIELD_COUNTER = b"d\0", b"e\0", b"f\0", b"g\0"
_END = b"\xff\xff"
_ENTRY = struct.Struct("<QQ")  # length and DuckDB's checksum of each later entry


def log_path(store_path: Path) -> Path:
    """DuckDB's write-ahead log of a store."""
    return store_path.with_name(store_path.name + ".wal")


def log_copy_path(store_path: Path) -> Path:
    """The second copy of that log."""
    return store_path.with_name(store_path.name + ".wal-copy")


class LogCopy:
    """Follows the write-ahead log of an open store; used by the writer thread alone."""

    def __init__(self, store_path: Path) -> None:
        self._log = log_path(store_path)
        self._path = log_copy_path(store_path)
        self._file = self._path.open("wb", buffering=0)
        self._start()

    def follow(self) -> None:
        """Nothing; what the log grew by is in the copy. A log begun anew starts the copy anew.

        Raises:
            OSError: the copy cannot be written.
        """
        try:
            size = self._log.stat().st_size
        except FileNotFoundError:
            size = 0
        if size == 0:
            self._start()
            return
        with self._log.open("rb") as log:
            head = log.read(_HEAD)
            if size < self._size or not head.startswith(self._head):
                self._start()
            log.seek(self._size)
            grown = log.read(size - self._size)
        if grown:
            self._file.write(_FRAME.pack(len(grown), zlib.crc32(grown)) + grown)
            self._size += len(grown)
            self._head = head

    def close(self) -> None:
        """Nothing; the copy is closed and stays, for as long as there is a log to go with it."""
        self._file.close()
        if not self._log.exists():
            self._path.unlink(missing_ok=True)

    def _start(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(_MAGIC)
        self._size = 0
        self._head = b""


def repair_log(store_path: Path) -> list[str]:
    """What was wrong with a store's write-ahead log and is now put right, in sentences.

    Call it while nobody has the store open. An undamaged log gives an empty list.
    """
    log = log_path(store_path)
    met = log.read_bytes() if log.exists() else b""
    if not log_copy_path(store_path).exists():
        return _tell_torn(store_path, met)
    kept = read_copy(log_copy_path(store_path))
    if met.startswith(kept) or not _belongs(kept, store_path):
        return []
    aside = set_log_aside(store_path) if met else None
    rebuilt = log.with_name(log.name + ".rebuilt")
    rebuilt.write_bytes(kept)
    rebuilt.replace(log)
    kept_as = f"; the damaged log is kept as {aside.name}" if aside else ""
    return [
        f"the write-ahead log of {store_path.name} was damaged or missing and was rebuilt from "
        f"its second copy; nothing acknowledged was lost{kept_as}"
    ]


def _tell_torn(store_path: Path, log: bytes) -> list[str]:
    # DuckDB drops such an end without a word. Only when there is no copy can it have mattered.
    torn = len(log) - _whole_length(log)
    if not torn:
        return []
    aside = set_log_aside(store_path)
    return [
        f"the last {torn} of {len(log)} bytes of the write-ahead log of {store_path.name} cannot "
        f"be read and there is no second copy; what they held may be missing; the log is kept as "
        f"{aside.name}"
    ]


def _whole_length(log: bytes) -> int:
    """How far a log is made of whole entries; each after the first has its length in front."""
    first = _read_first_entry(log)
    if first is None:
        return 0
    at = first.end
    while at + _ENTRY.size <= len(log):
        following = at + _ENTRY.size + _ENTRY.unpack_from(log, at)[0]
        if following > len(log):
            break
        at = following
    return at


def set_log_aside(store_path: Path) -> Path:
    """The path of a copy just made of the write-ahead log, named after the time."""
    log = log_path(store_path)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    aside = log.with_name(f"{log.name}.damaged-{stamp}")
    aside.write_bytes(log.read_bytes())
    return aside


def read_copy(path: Path) -> bytes:
    """The log as its copy has it, up to the first frame that is cut off or fails its checksum."""
    if not path.exists():
        return b""
    data = path.read_bytes()
    if not data.startswith(_MAGIC):
        return b""
    parts, at = [], len(_MAGIC)
    while at + _FRAME.size <= len(data):
        length, checksum = _FRAME.unpack_from(data, at)
        at += _FRAME.size
        part = data[at : at + length]
        if len(part) < length or zlib.crc32(part) != checksum:
            break
        parts.append(part)
        at += length
    return b"".join(parts)


def _belongs(log: bytes, store_path: Path) -> bool:
    # A kill right after a checkpoint leaves a copy whose commits are in the store's file already.
    first = _read_first_entry(log)
    if first is None or not store_path.exists():
        return False
    with store_path.open("rb") as file:
        start = file.read(_COUNTER_OFFSETS[-1] + 8)
    counters = [int.from_bytes(start[at : at + 8], "little") for at in _COUNTER_OFFSETS]
    return first.identifier in start[:4096] and first.counter == max(counters)


class _FirstEntry(NamedTuple):
    identifier: bytes
    counter: int
    end: int


def _read_first_entry(log: bytes) -> _FirstEntry | None:
    """Which file and checkpoint a log follows; None when it does not start as logs do."""
    try:
        at = _expect(log, 0, _FIELD_TYPE) + 1
        at = _expect(log, at, _FIELD_VERSION)
        _, at = _read_number(log, at)
        length, at = _read_number(log, _expect(log, at, _FIELD_ID))
        identifier = bytearray()
        for _ in range(length):
            byte, at = _read_number(log, at)
            identifier.append(byte)
        counter, at = _read_number(log, _expect(log, at, _FIELD_COUNTER))
        end = _expect(log, at, _END)
    except (ValueError, IndexError):
        return None
    return _FirstEntry(bytes(identifier), counter, end)


def _expect(log: bytes, at: int, field: bytes) -> int:
    if log[at : at + 2] != field:
        raise ValueError(field)
    return at + 2


def _read_number(log: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = log[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
