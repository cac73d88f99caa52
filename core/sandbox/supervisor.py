"""The small trusted process that starts the walled-in ones, watches them and ends them.

It reads the two parts of a job from standard input (first the solution and what it may use, then
the checks, which it does not know while it forks the solution's process), writes one line with the
outcome to standard output, and ends everything when standard input closes: that is how nothing
outlives the process that asked. Run as a program only; `local` starts it.
"""

import importlib.util
import json
import os
import secrets
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.sandbox import apart, folder, jail, kernel, landlock, processes, seccomp, together, walls
from core.sandbox.outcomes import shortened
from core.sandbox.reports import ENDED, UNFIT, Verdict, read_part

_TICK_S = 0.1
_REPORT_MOST = 1 << 18
_MIB = 1 << 20

_REPORTED = ("passed", "failed", "out_of_memory")
"""What walled-in processes may say; that there is no verdict is for checks of their own to say."""

_UNREADABLE = {"status": "crashed", "detail": "its process reported something unreadable"}


def main() -> None:
    """Nothing; runs one job and writes its outcome."""
    kernel.adopt_orphans()
    kernel.set_open_to_others(False)
    job = read_part(0)
    started = time.monotonic()
    Path(job["folder"]).mkdir(mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        os.chown(job["folder"], walls.NOBODY, walls.NOBODY)
    try:
        lacking = ", ".join(name for name in job["needs"] if not _is_to_be_had(name))
        outcome: dict[str, Any] = (
            {"status": "lacking", "detail": lacking} if lacking else dict(_run(job))
        )
    except jail.JailError as error:
        outcome = {"status": "no_sandbox", "detail": str(error)}
    finally:
        left = processes.end_all_below(os.getpid())
        folder.remove(job["folder"])
    seconds = round(time.monotonic() - started, 3)
    about = {"seconds": seconds, "left": left, "landlock": landlock.version()}
    about |= {"filter": seccomp.is_available()}
    print(json.dumps(outcome | about), flush=True)


def _is_to_be_had(module: str) -> bool:
    """Whether the Python here finds a module; where the checks miss one, no program can pass."""
    try:
        return importlib.util.find_spec(module.partition(".")[0]) is not None
    except ValueError:  # what is loaded already may not say where it comes from
        return module in sys.modules


@dataclass
class _Watch:
    """What is known of a run while it lasts."""

    job: Mapping[str, Any]
    solution: int
    output: bytearray = field(default_factory=bytearray)
    n_output: int = 0
    report: bytearray = field(default_factory=bytearray)
    has_checks: bool = False


def _run(job: Mapping[str, Any]) -> Verdict:
    output, printed = os.pipe()
    os.set_blocking(output, False)
    cell = jail.Jail(
        namespaces=job["namespaces"],
        landlock_version=landlock.version() if job["landlock"] else 0,
        filters_calls=job["filter"] and seccomp.is_available(),
        folder=job["folder"],
        limits=job["limits"],
        output=printed,
        other_processes=0
        if job["namespaces"]
        else processes.count_of(os.geteuid() or walls.NOBODY),
    )
    if job["apart"]:
        ours, theirs = _pair()
        solution = jail.start(cell, lambda: apart.serve_solution(job, theirs), keep=[theirs])
        os.close(theirs)
        checks = read_part(0)
        report, tell = _pair()
        jail.start(cell, lambda: apart.check_apart(checks, ours, tell), keep=[ours, tell])
        os.close(ours)
        os.close(tell)
        word = None
    else:
        report, tell = _pair()
        solution = jail.start(cell, lambda: together.check_together(job, tell), keep=[tell])
        os.close(tell)
        word = secrets.token_hex(16)
        checks = read_part(0) | {"word": word}
    os.close(printed)
    return _watched(_Watch(job, solution), output, socket.socket(fileno=report), checks, word)


def _watched(
    watch: _Watch, output: int, report: socket.socket, checks: object, word: str | None
) -> Verdict:
    until = time.monotonic() + watch.job["limits"]["wall_s"]
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        selector.register(report, selectors.EVENT_READ)
        if watch.job["watch_parent"]:
            selector.register(0, selectors.EVENT_READ)
        look_at = 0.0
        while True:
            for key, _ in selector.select(_TICK_S):
                if key.fd == 0:
                    return {"status": "crashed", "detail": "the run was given up"}
                if key.fd == output and (verdict := _read_output(watch, output, selector)):
                    return verdict
                if key.fileobj is report:
                    lines = _read_report(watch, report)
                    if lines is None:
                        return _how_it_went(watch)
                    for line in lines:
                        if (verdict := _judged(watch, line, report, checks, word)) is not None:
                            return verdict
            now = time.monotonic()
            if now > until:
                most = watch.job["limits"]["wall_s"]
                return {"status": "timed_out", "detail": f"it ran for more than {most:g} s"}
            if now >= look_at:
                look_at = now + _TICK_S
                if verdict := _too_much(watch):
                    return verdict


def _judged(
    watch: _Watch, line: bytes, report: socket.socket, checks: object, word: str | None
) -> Verdict | None:
    """The verdict that a report holds; None when it only says that the solution is loaded."""
    try:
        said = json.loads(line)
        verdict = {"status": str(said.get("status")), "detail": shortened(str(said.get("detail")))}
    except (ValueError, AttributeError, RecursionError):
        return _UNREADABLE
    if word is not None and "status" not in said and not watch.has_checks:
        watch.has_checks = True
        _send(report, checks)
        return None
    if verdict["status"] == ENDED:
        return _how_it_went(watch)
    is_known = verdict["status"] in _REPORTED or (verdict["status"] == UNFIT and word is None)
    if not is_known:
        return _UNREADABLE
    if verdict["status"] == "passed" and word is not None and said.get("word") != word:
        return {"status": "crashed", "detail": "it reported that it passed before its checks ran"}
    return verdict


def _send(report: socket.socket, message: object) -> None:
    """In a thread, because nobody says that the other end reads."""
    line = json.dumps(message).encode() + b"\n"
    report.setblocking(True)
    threading.Thread(target=_send_all, args=(report, line), daemon=True).start()


def _send_all(report: socket.socket, line: bytes) -> None:
    try:
        report.sendall(line)
    except OSError:
        return


def _read_output(watch: _Watch, output: int, selector: selectors.BaseSelector) -> Verdict | None:
    part = os.read(output, 1 << 16)
    if not part:
        selector.unregister(output)
    watch.n_output += len(part)
    watch.output = (watch.output + part)[-4000:]
    most = watch.job["limits"]["output_kib"]
    if watch.n_output > most * 1024:
        return {"status": "too_much_output", "detail": f"it printed more than {most:g} KiB"}
    return None


def _read_report(watch: _Watch, report: socket.socket) -> list[bytes] | None:
    """The whole lines that have come; None when there will be no more."""
    try:
        part = report.recv(1 << 16)
    except ConnectionError:
        return None
    watch.report += part
    if not part or len(watch.report) > _REPORT_MOST:
        return None
    *lines, rest = bytes(watch.report).split(b"\n")
    watch.report = bytearray(rest)
    return lines


def _how_it_went(watch: _Watch) -> Verdict:
    """The verdict on a solution whose process is gone, by how it ended."""
    code = None
    for _ in range(100):
        process, status = os.waitpid(watch.solution, os.WNOHANG)
        if process:
            code = os.waitstatus_to_exitcode(status)
            break
        time.sleep(0.01)
    number = -code if code is not None and code < 0 else (code or 0) - 128
    if number == signal.SIGXCPU:
        most = watch.job["limits"]["cpu_s"]
        return {"status": "timed_out", "detail": f"it used more than {most} s of processor time"}
    tail = watch.output.decode("utf-8", "replace").strip()
    if number > 0:
        why = f"its process was ended by signal {number} before its checks were over"
    elif code is None:
        why = "its process closed the channel to its checks"
    else:
        why = f"its process ended with code {code} before its checks were over"
    return {"status": "crashed", "detail": shortened(f"{tail}\n{why}".strip())}


def _too_much(watch: _Watch) -> Verdict | None:
    limits, started = watch.job["limits"], processes.below(os.getpid())
    if processes.resident_bytes(started) > limits["memory_mib"] * _MIB:
        most = limits["memory_mib"]
        return {"status": "out_of_memory", "detail": f"it used more than {most:g} MiB of memory"}
    if not watch.job["namespaces"]:
        most = limits["disk_mib"]
        if problem := folder.problem_of_use(watch.job["folder"], started, most_mib=most):
            return {"status": "failed", "detail": problem}
    return None


def _pair() -> tuple[int, int]:
    one, other = socket.socketpair()
    return one.detach(), other.detach()


if __name__ == "__main__":
    main()
