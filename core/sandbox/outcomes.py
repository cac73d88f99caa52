"""What a sandbox allows a program, and how a run of it ended."""

from dataclasses import dataclass
from enum import StrEnum

DETAIL_LENGTH = 2000
"""Characters of a detail at most: the end is kept, where a traceback says what went wrong."""


class CheckStatus(StrEnum):
    """How a checked program ended; only `passed` is a success, and each of the rest is none."""

    PASSED = "passed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    TOO_MUCH_OUTPUT = "too_much_output"
    CRASHED = "crashed"


@dataclass(frozen=True)
class SandboxLimits:
    """What one run may use.

    Args:
        wall_s: seconds from start to end. cpu_s: seconds of processor time, each process.
        memory_mib: memory of all its processes together. address_space_mib: of each process.
        processes: processes and threads at one time.
        file_mib: size of one file. disk_mib: of all its files together.
        open_files: files open at one time, each process.
        output_kib: what it may print; a run that prints more is ended.
    """

    wall_s: float = 10
    cpu_s: int = 10
    memory_mib: int = 1024
    address_space_mib: int = 4096
    processes: int = 32
    file_mib: int = 16
    disk_mib: int = 64
    open_files: int = 128
    output_kib: int = 4096


@dataclass(frozen=True)
class SandboxOutcome:
    """How one run ended.

    Args:
        status: whether the checks passed, and if not, how it ended.
        detail: the end of the traceback or a sentence; empty when the checks passed.
        seconds: wall time of the run, without starting the sandbox.
        sandbox: which sandbox it was, and which protections were in force.
    """

    status: CheckStatus
    detail: str
    seconds: float
    sandbox: str


def shortened(detail: str) -> str:
    """The end of a text, cut to `DETAIL_LENGTH` with a mark where something is missing.

    Example:
        >>> len(shortened("x" * 5000)), shortened("short")
        (2000, 'short')
    """
    return detail if len(detail) <= DETAIL_LENGTH else "…" + detail[1 - DETAIL_LENGTH :]
