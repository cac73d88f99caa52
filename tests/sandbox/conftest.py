"""Running small programs in the local sandbox, and what must hold after each of them.

Each program takes a name of its own in the kernel, which its children keep: by it, and by who
descends from this process, a test finds what is left.
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from core.errors import SelfboundError
from core.records import CheckedProgram
from core.sandbox.local import Protections, protections, run_local
from core.sandbox.outcomes import SandboxLimits, SandboxOutcome
from core.sandbox.processes import below

NAME = f"hostile-{os.getpid()}"[:15]
TAKE_NAME = f"import ctypes; ctypes.CDLL(None).prctl(15, b'{NAME}', 0, 0, 0)\n"
TELL = "def check(candidate):\n    import json\n    raise ValueError(json.dumps(candidate()))\n"
SYSTEM_PYTHON = "/usr/bin/python3"
"""Without namespaces and as root, Python must be where nobody can read it."""


@dataclass(frozen=True)
class Sandbox:
    """The local sandbox, with or without namespaces, and what is in force in it."""

    namespaces: bool
    interpreter: str
    protections: Protections

    async def run(self, program: CheckedProgram, **limits: float) -> SandboxOutcome:
        return await run_local(
            program,
            limits=SandboxLimits(**{"wall_s": 20, **limits}),
            interpreter=self.interpreter,
            namespaces=self.namespaces,
        )

    def check(
        self, solution: str, checks: str, *, apart: bool = True, **limits: float
    ) -> SandboxOutcome:
        """How the checks of a function `f` went."""
        program = CheckedProgram(TAKE_NAME + solution, checks, "f", apart=apart)
        return asyncio.run(self.run(program, **limits))

    def tell(self, solution: str, **limits: float) -> object:
        """What the function `f` of a program returns."""
        outcome = self.check(solution, TELL, **limits)
        last = outcome.detail.splitlines()[-1]
        assert last.startswith("ValueError: "), outcome
        return json.loads(last.removeprefix("ValueError: "))


@pytest.fixture(params=["namespaces", "no namespaces"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Both ways to run on this machine; one that is not to be had is skipped, and why."""
    wanted = request.param == "namespaces"
    interpreter = sys.executable if wanted or os.geteuid() else SYSTEM_PYTHON
    try:
        found = protections(interpreter=interpreter, with_namespaces=wanted)
    except (SelfboundError, OSError) as error:
        pytest.skip(f"no local sandbox here: {error}")
    if found.namespaces != wanted:
        pytest.skip(f"this machine has no namespaces: {found.why_not}")
    return Sandbox(wanted, interpreter, found)


@pytest.fixture(autouse=True)
def nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], list[str]]]:
    """After each test no process of a program lives on, and no file of it is there."""
    tmp_path_factory.getbasetemp()  # settled before the folder for temporary files is another
    folder = Path(tempfile.mkdtemp(prefix="sandbox-tests-"))
    folder.chmod(0o755)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    # Other tests may keep helpers of their own for the whole session.
    before = frozenset(below(os.getpid()))
    look = partial(left_over, before)
    yield look
    found, files = look(), [path.name for path in folder.iterdir()]
    shutil.rmtree(folder, ignore_errors=True)
    assert found == []
    assert files == []


def left_over(before: Collection[int]) -> list[str]:
    """The processes below this one that are new, and all of the machine with a program's name."""
    mine = set(below(os.getpid())) - set(before)
    found = []
    for folder in Path("/proc").iterdir():
        try:
            name = (folder / "comm").read_text().strip() if folder.name.isdecimal() else ""
        except OSError:
            continue
        if name == NAME or (folder.name.isdecimal() and int(folder.name) in mine):
            found.append(f"{folder.name} {name}")
    return found
