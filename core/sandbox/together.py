"""Checks and solution in one process, for checks that patch modules or look into objects.

The written rule. The checks and a secret word come only after the solution has been loaded, has
left no thread running, and builtins and unittest are again what they were before. Only test cases
that the checks themselves define count, there must be one, none may be skipped, and after them
builtins and unittest must still be what they were. The verdict counts only with the word. So ending
early, printing a verdict, patching `assert`, builtins or unittest for good, and bringing test cases
of its own do not pass. A result that equals everything does, and so would code written to attack
this very file: within one process nothing can keep it out.
"""

import _thread
import ast
import builtins
import sys
import types
from collections.abc import Mapping
from typing import Any

from core.sandbox.outcomes import shortened
from core.sandbox.reports import PASSED, Channel, Verdict, failure, loaded, problem_of


def check_together(job: Mapping[str, str], handle: int) -> None:
    """Nothing; loads the solution, then asks for the checks, and reports the verdict."""
    # Here, because most runs do not need them; and all of it, so that all of it is put back.
    import unittest
    import unittest.async_case
    import unittest.mock

    channel = Channel(handle)
    # Who raises it ends a test as a success. Runs that stop at the first failure need it, no other.
    unittest.case._ShouldStop = ()
    before = _as_it_is(unittest)
    try:
        module = loaded(job["solution"], "solution")
        if _thread._count():
            raise RuntimeError("the program leaves a thread running when it is loaded")
    except BaseException as error:
        return channel.send({"word": "", **failure(problem_of(error))})
    _put_back(before)
    channel.send({"word": None})
    asked = channel.receive()
    try:
        loaded(asked["checks"], "checks", into=module)
        verdict = _verdict(unittest, module, asked["checks"], job["entry_point"])
        unittest.mock.patch.stopall()  # those of the checks, which may end with the process
        if verdict is PASSED and not _is_still(before):
            verdict = {"status": "failed", "detail": "the program changed builtins or unittest"}
    except BaseException as error:
        verdict = failure(problem_of(error))
    return channel.send({"word": asked["word"], **verdict})


def _verdict(unittest: Any, module: types.ModuleType, checks: str, entry_point: str) -> Verdict:
    own = [node.name for node in ast.parse(checks).body if isinstance(node, ast.ClassDef)]
    suite = unittest.TestSuite()
    for name in own:
        case = module.__dict__[name]
        if isinstance(case, type) and issubclass(case, unittest.TestCase):
            suite.addTest(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    if not suite.countTestCases():
        module.__dict__["check"](module.__dict__[entry_point])
        return PASSED
    result = unittest.TestResult()
    suite.run(result)
    problems = [text for _, text in (*result.errors, *result.failures, *result.skipped)]
    if not problems and result.wasSuccessful():
        return PASSED
    detail = problems[0] if problems else "a test that was to fail passed"
    ran_out = any(text.rstrip().endswith("MemoryError") for text in problems)
    return {"status": "out_of_memory" if ran_out else "failed", "detail": shortened(detail.strip())}


def _as_it_is(unittest: types.ModuleType) -> list[tuple[Any, dict[str, Any]]]:
    parts = [part for name, part in sys.modules.items() if name.split(".")[0] == "unittest"]
    classes = {one for part in parts for one in vars(part).values() if isinstance(one, type)}
    mine = [one for one in classes if one.__module__.split(".")[0] == "unittest"]
    return [(one, dict(vars(one))) for one in (builtins, *parts, *mine)]


def _is_still(before: list[tuple[Any, dict[str, Any]]]) -> bool:
    for holder, held in before:
        now = dict(vars(holder))
        if any(now.get(name, holder) is not value for name, value in held.items()):
            return False
        # What is new can hide what was there; but for a part imported late, or a warning noted.
        new = [] if holder is builtins else now.keys() - held.keys() - {"__warningregistry__"}
        if not all(isinstance(now[name], types.ModuleType) for name in new):
            return False
    return True


def _put_back(before: list[tuple[Any, dict[str, Any]]]) -> None:
    sys.settrace(None)
    sys.setprofile(None)
    for holder, held in before:
        for name in set(vars(holder)) - set(held):
            delattr(holder, name)
        for name, value in held.items():
            if vars(holder).get(name) is not value:
                setattr(holder, name, value)
