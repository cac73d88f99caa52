"""One command in a process of its own, forked from one that has the imports behind it.

Starting Python and importing all that a run needs takes seconds; the tests start many dozen
commands. The process is a real one otherwise: its own store, streams, signals and end.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PRELOADED = ["core.cli", "core.workflows.demo", "core.workflows.importing", "litellm"]


def run_command(args: Sequence[str], env: Mapping[str, str], folder: str) -> None:
    """Run the command line with `folder/stdin` as input and `folder/stdout`, `stderr` as output."""
    os.environ.update(env)
    for number, name, flags in (
        (0, "stdin", os.O_RDONLY),
        (1, "stdout", os.O_WRONLY | os.O_CREAT),
        (2, "stderr", os.O_WRONLY | os.O_CREAT),
    ):
        os.dup2(os.open(Path(folder, name), flags), number)
    sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, (0, 1, 2), "rww")
    sys.argv = ["selfbound", *args]
    from core.cli import main

    main()
