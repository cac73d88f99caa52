"""One command, as the body of a process of its own."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


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
