"""Checks in one process, the solution in another, and only plain data between them.

The written rule. The checks call the function through a stand-in; arguments and results cross a
channel as plain data. What the solution does in its own process touches nobody else: ending early,
printing, patching `assert`, `unittest` or builtins, looking up the stack for the expected values,
or returning an object that equals everything. It can only answer calls, and only right answers
pass. A list, dict or set that it was handed by position and changes is changed for the checks, too.
Checks that hand over anything but plain data have no verdict, rather than fail every solution.
"""

import builtins
import types
from collections.abc import Mapping
from typing import Any

from core.sandbox import kernel
from core.sandbox.plain_data import NotPlainError, decoded, encoded
from core.sandbox.reports import (
    ENDED,
    PASSED,
    UNFIT,
    Channel,
    EndedError,
    Verdict,
    failure,
    loaded,
    problem_of,
)


class UnfitChecksError(BaseException):
    """The checks hand over something else than plain data, which is no fault of the solution."""


class SolutionError(Exception):
    """The solution raised an exception that is not one of Python's own."""


def serve_solution(job: Mapping[str, str], handle: int) -> None:
    """Nothing; loads the solution and answers calls of its function until the channel closes."""
    channel = Channel(handle)
    kernel.set_open_to_others(True)
    name = job["entry_point"]
    try:
        function = loaded(job["solution"], "solution").__dict__.get(name)
        if function is None:
            raise NameError(f"the program defines no {name}")
    except BaseException as error:
        return channel.send(_raised(error))
    channel.send({})
    while True:
        call = channel.receive()
        arguments, named = decoded(call["arguments"]), decoded(call["named"])
        try:
            value = encoded(function(*arguments, **named))
            answer = {"value": value, "arguments": _plain_or_none(arguments)}
        except NotPlainError as error:
            answer = _raised(error, f"{name} returned something else: {error}")
        except BaseException as error:
            answer = _raised(error)
        channel.send(answer)


def check_apart(job: Mapping[str, str], handle: int, report: int) -> None:
    """Nothing; runs the checks against the solution at the other end, and reports the verdict."""
    kernel.set_open_to_others(False)
    Channel(report).send(_verdict_apart(job, Channel(handle)))


def _verdict_apart(job: Mapping[str, str], channel: Channel) -> Verdict:
    try:
        if problem := channel.receive().get("raised"):
            return failure(problem)
        candidate = _stand_in(job["entry_point"], channel)
        module = loaded(job["support"], "support")
        module.__dict__[job["entry_point"]] = candidate
        loaded(job["checks"], "checks", into=module)
        module.__dict__["check"](candidate)
    except EndedError:
        return {"status": ENDED, "detail": ""}
    except UnfitChecksError as error:
        return {"status": UNFIT, "detail": str(error)}
    except BaseException as error:
        return failure(problem_of(error))
    return PASSED


def _stand_in(name: str, channel: Channel) -> types.FunctionType:
    def candidate(*arguments: Any, **named: Any) -> Any:
        try:
            call = {"arguments": encoded(list(arguments)), "named": encoded(named)}
        except NotPlainError as error:
            raise UnfitChecksError(str(error)) from None
        channel.send(call)
        answer = channel.receive()
        if "raised" in answer:
            raise _told(answer["raised"])
        changed = decoded(answer["arguments"])
        for mine, theirs in zip(arguments, arguments if changed is None else changed, strict=True):
            _write_back(mine, theirs)
        return decoded(answer["value"])

    candidate.__name__ = name
    return candidate


def _plain_or_none(arguments: list[Any]) -> Any:
    try:
        return encoded(arguments)
    except NotPlainError:
        return None


def _write_back(mine: Any, theirs: Any) -> None:
    """Changes that the solution made to a list, dict or set that it was handed."""
    if type(mine) is not type(theirs) or mine == theirs:
        return
    if isinstance(mine, list):
        mine[:] = theirs
    elif isinstance(mine, dict | set):
        mine.clear()
        mine.update(theirs)


def _raised(error: BaseException, text: str = "") -> dict[str, Any]:
    return {"raised": problem_of(error, text)}


def _told(problem: Mapping[str, str]) -> BaseException:
    """The exception that the solution raised, as one of Python's own where it has that name."""
    kind = getattr(builtins, str(problem["type"]), None)
    is_own = isinstance(kind, type) and issubclass(kind, Exception)
    try:
        error = kind(problem["message"]) if is_own else SolutionError(problem["message"])
    except TypeError:  # some of Python's own want more than a message
        error = SolutionError(problem["message"])
    error.add_note(f"in the program: {problem['text']}")
    return error
