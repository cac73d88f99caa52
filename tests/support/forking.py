"""Processes forked from one that has the imports behind it.

Starting Python and importing all that the program needs takes seconds, and the tests start many
dozen commands and apps. Such a process is a real one otherwise: with its own store, streams,
signals and end. Where the start itself is what matters, a test starts a Python of its own.
"""

import multiprocessing
from pathlib import Path

PROJECT = Path(__file__).parents[2]

FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(
    [
        "core.cli",
        "core.workflows.demo",
        "core.workflows.importing",
        "streamlit.web.cli",
        "streamlit.web.bootstrap",
        "tests.support.imported",
        "uvicorn",
        *(f"pages.shared.{file.stem}" for file in sorted(PROJECT.glob("pages/shared/*.py"))),
    ]
)
