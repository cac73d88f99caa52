"""Models that run on this machine: one llama.cpp server per GGUF file, started on demand.

A server is a child process on 127.0.0.1 with a free port and a random key. It is shared by all
clients of this process, stopped when the last one that used it lets go (and at exit), and started
anew when it died. It ends by itself when this process is gone, because its standard input closes.
"""

import atexit
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from core.errors import ModelError
from core.llm import local_server, weights
from core.settings import EMBEDDED_MODEL, LOCAL_PREFIX

LONGEST_LOAD_S = 300
"""A file that is not loaded by then never will be; the largest that fit a desktop take a minute."""


@dataclass(frozen=True)
class Endpoint:
    """Where a local model is reached, and the key it asks for."""

    api_base: str
    api_key: str = field(repr=False)


@dataclass(frozen=True)
class _Server:
    process: subprocess.Popen[str]
    endpoint: Endpoint


_lock = threading.Lock()
_servers: dict[Path, _Server] = {}
_holders: dict[Path, set[Hashable]] = {}


def model_file(model: str) -> Path:
    """The GGUF file behind `embedded/...` or `local/PATH.gguf`, checked to be one.

    Raises:
        ModelError: the file is missing, or is not a GGUF file.
    """
    if model == EMBEDDED_MODEL:
        return weights.weights_path()
    path = Path(model.removeprefix(LOCAL_PREFIX)).expanduser().resolve()
    hint = f"name an existing model file, as in {LOCAL_PREFIX}path/to/model.gguf"
    if not path.is_file():
        raise ModelError(f"there is no model file at {path}", hint=hint)
    with path.open("rb") as file:
        start = file.read(4)
    if start != b"GGUF":
        raise ModelError(f"{path} is not a GGUF file: it starts with {start!r}", hint=hint)
    return path


def real_name(model: str) -> str:
    """What really answers under a local model's name: model and quantisation, or the file's name.

    Example:
        >>> real_name("embedded/smollm2-135m-instruct")
        'SmolLM2-135M-Instruct Q4_1'
        >>> real_name("local/models/tiny.Q8_0.gguf")
        'tiny.Q8_0.gguf'
    """
    return weights.MODEL_TITLE if model == EMBEDDED_MODEL else Path(model).name


def running_endpoint(model: str, *, holder: Hashable) -> Endpoint:
    """The endpoint of a local model's server, which is started when it is not running.

    Blocks while the model loads; safe to call from any thread.

    Args:
        model: `embedded/...` or `local/PATH.gguf`.
        holder: who uses the server from now on, until `release(holder)`.

    Raises:
        ModelError: weights or a library are missing, or the file cannot be loaded.
    """
    path = model_file(model)
    with _lock:
        server = _servers.get(path)
        if server is None or server.process.poll() is not None:
            server = _start(path, real_name(model))
            _servers[path] = server
        _holders.setdefault(path, set()).add(holder)
        return server.endpoint


def release(holder: Hashable) -> None:
    """Nothing; stops every server that nobody but `holder` used."""
    with _lock:
        for path, holders in _holders.items():
            holders.discard(holder)
            if not holders and path in _servers:
                _stop(_servers.pop(path))


@atexit.register
def stop_all() -> None:
    """Nothing; stops every server of this process, whoever uses it."""
    with _lock:
        while _servers:
            _stop(_servers.popitem()[1])
        _holders.clear()


def _start(path: Path, name: str) -> _Server:
    api_key = f"sk-{secrets.token_hex(24)}"
    with tempfile.TemporaryFile("w+", errors="replace") as complaints:
        process = subprocess.Popen(
            # -P: the script's folder is no place to import from.
            [sys.executable, "-P", local_server.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            # Waiting threads that spin make a call three times slower when a core is busy.
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
            # Ctrl-C is for the parent, which lets calls under way finish.
            start_new_session=True,
        )
        line = _first_line(process, {"path": str(path), "name": name, "api_key": api_key})
        report = json.loads(line) if line else {}
        if "address" in report:
            return _Server(process, Endpoint(f"{report['address']}/v1", api_key))
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            pipe.close()
        complaints.seek(0)
        raise _start_error(path, report, code, complaints)


def _first_line(process: subprocess.Popen[str], settings: dict[str, str]) -> str:
    assert process.stdin and process.stdout
    too_long = threading.Timer(LONGEST_LOAD_S, process.kill)
    too_long.daemon = True
    too_long.start()
    try:
        process.stdin.write(json.dumps(settings) + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return ""
    finally:
        too_long.cancel()


def _start_error(path: Path, report: dict[str, str], code: int, complaints: IO[str]) -> ModelError:
    detail = report.get("detail", "")
    if report.get("failed") == "library" and "libgomp" in detail:
        return ModelError(
            "local models need the system library libgomp.so.1, which is not installed",
            hint="install it, on Debian and Ubuntu with: apt-get install libgomp1",
        )
    if report.get("failed") == "library":
        return ModelError(f"llama.cpp cannot be loaded: {detail}", hint="run: make install")
    if code == -signal.SIGILL:
        return ModelError(
            "local models need a processor with AVX2, which this one does not have",
            hint="run on another machine, or name a model of a provider, as in openai/gpt-4o",
        )
    marks = [line.partition("error loading model: ")[2].strip() for line in complaints]
    reason = next(filter(None, marks), detail or f"the server ended with code {code}")
    return ModelError(
        f"{path} cannot be loaded: {reason}", hint="the file may be damaged: fetch it again"
    )


def _stop(server: _Server) -> None:
    assert server.process.stdin and server.process.stdout
    server.process.stdin.close()
    try:
        server.process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()
    server.process.stdout.close()
