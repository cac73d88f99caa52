"""The app as a process of its own, at a free port and with its output in a file."""

import multiprocessing
import os
import socket
import sys
import time
import urllib.request
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.support.forking import FORKED, PROJECT

START_SECONDS, END_SECONDS = 60, 10
_ANEW = multiprocessing.get_context("spawn")


def launch(
    script: Path, store: Path, log_dir: Path, *, anew: bool = False
) -> tuple[str, BaseProcess]:
    """Start `script` as a child process and wait until it answers.

    Args:
        script: the app. store: its store's file. log_dir: where its output goes.
        anew: in a Python that imports everything itself, as on a user's machine.

    Returns:
        Its address and the process, for `stop` or for a kill in the middle.
    """
    port = _free_port()
    log = log_dir / f"app-{port}.log"
    process = (_ANEW if anew else FORKED).Process(
        target=_serve, args=(str(script), port, str(store), str(log), dict(os.environ))
    )
    process.start()
    url = f"http://127.0.0.1:{port}"
    if not _answers(f"{url}/_stcore/health", process):
        stop(process)
        pytest.fail(f"the app did not start:\n{log.read_text(errors='replace')}")
    return url, process


def stop(process: BaseProcess) -> None:
    """End the app as Ctrl-C would, and by force if it does not listen."""
    process.terminate()
    process.join(END_SECONDS)
    process.kill()
    process.join()


def _serve(script: str, port: int, store: str, log: str, environment: dict[str, str]) -> None:
    os.environ.update(environment, SELFBOUND_STORE=store)
    out = os.open(log, os.O_WRONLY | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(out, stream)
    os.chdir(PROJECT)
    sys.path.insert(0, str(PROJECT))
    sys.argv = ["streamlit", "run", script, "--server.port", str(port)]
    from streamlit.web.cli import main

    main(["run", script, "--server.port", str(port), "--server.headless", "true"])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(url: str, process: BaseProcess) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.is_alive():
        try:
            with urllib.request.urlopen(url, timeout=1) as reply:
                return reply.status == 200
        except OSError:
            time.sleep(0.05)
    return False
