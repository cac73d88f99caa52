"""What the processes of one run tell each other: JSON, and what went wrong in words."""

import json
import linecache
import os
import socket
import sys
import traceback
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.sandbox.outcomes import shortened

Verdict = dict[str, str]
"""`status` and `detail`, as in `SandboxOutcome`; or the status `ENDED` or `UNFIT`."""

ENDED = "ended"
"""What the checks say when the solution's process is gone; the supervisor knows how it went."""

UNFIT = "unfit"
"""What they say when they themselves cannot be run apart from the solution."""

_DIGITS = 12
_HERE = Path(__file__).parent

PASSED: Verdict = {"status": "passed", "detail": ""}


class EndedError(BaseException):
    """The process at the other end is gone."""


class Channel:
    """Lines of JSON over a socket, whose handle it takes over."""

    def __init__(self, handle: int) -> None:
        self._file = socket.socket(fileno=handle).makefile("rwb")

    def send(self, message: object) -> None:
        """Nothing; writes one line."""
        self._file.write(json.dumps(message).encode() + b"\n")
        self._file.flush()

    def receive(self) -> Any:
        """The next message.

        Raises:
            EndedError: there is none.
        """
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise EndedError
        return json.loads(line)


def as_part(message: object) -> bytes:
    """A message for `read_part`: its length, then its JSON."""
    text = json.dumps(message).encode()
    return f"{len(text):0{_DIGITS}}".encode() + text


def read_part(handle: int) -> Any:
    """The next part, and not a byte more: what comes after it is unknown to this process, and so
    to every process that is forked from it.

    Raises:
        ValueError: the input ends before the part does.
    """
    return json.loads(_exactly(handle, int(_exactly(handle, _DIGITS))))


def loaded(source: str, name: str, *, into: types.ModuleType | None = None) -> types.ModuleType:
    """A module made from source, whose lines a traceback can show."""
    module = into or types.ModuleType(name)
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    if into is None:
        sys.modules[name] = module
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module


def problem_of(error: BaseException, text: str = "") -> dict[str, str]:
    """An exception in words; `text` in place of its traceback, when given."""
    shown = text or _traceback(error)
    try:
        message = str(error)
    except Exception:  # its class is the solution's, or holds a number too long to be written
        message = ""
    return {"type": type(error).__name__, "message": message, "text": shortened(shown)}


def failure(problem: Mapping[str, str]) -> Verdict:
    """The verdict on a program in which a problem arose."""
    status = "out_of_memory" if problem["type"] == "MemoryError" else "failed"
    return {"status": status, "detail": str(problem["text"]).rstrip()}


def _exactly(handle: int, n_bytes: int) -> bytes:
    data = b""
    while len(data) < n_bytes and (part := os.read(handle, n_bytes - len(data))):
        data += part
    return data


def _traceback(error: BaseException) -> str:
    """The traceback without the frames of this package, which tell nobody anything."""
    told = traceback.TracebackException.from_exception(error)
    at: traceback.TracebackException | None = told
    while at is not None:
        own = [frame for frame in at.stack if Path(frame.filename).parent != _HERE]
        at.stack = traceback.StackSummary.from_list(own)
        at = at.__cause__ or at.__context__
    return "".join(told.format())
