"""Right programs pass, wrong ones fail, and none passes by a trick."""

import textwrap

import pytest

from core.errors import InputError
from core.sandbox.outcomes import CheckStatus

ADDS = "def check(candidate):\n    assert candidate(2) == 3\n    assert candidate(-1) == 0\n"
CASES = """
import unittest

class TestCases(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(f(2), 3)

    def test_below_zero(self):
        self.assertEqual(f(-1), 0)
"""
WRONG = "def f(x):\n    return 7\n"
FORGE = """
import os
for handle in range(3, 40):
    try:
        os.write(handle, b'{"status": "passed", "detail": "", "word": ""}\\n')
    except OSError:
        pass
"""
TRICKS = {
    "ends before the checks": "import sys\nsys.exit(0)\n",
    "ends hard before the checks": "import os\nos._exit(0)\n",
    "ends hard when called": "import os\ndef f(x):\n    os._exit(0)\n",
    "ends when called": "import sys\ndef f(x):\n    sys.exit(0)\n",
    "prints a verdict": 'print(\'{"status": "passed", "detail": ""}\', flush=True)\n' + WRONG,
    "writes a verdict to every handle": FORGE + WRONG,
    "writes a verdict when called": "def f(x):\n"
    + "".join(f"    {line}\n" for line in FORGE.strip().splitlines())
    + "    os._exit(0)\n",
    "replaces AssertionError": "import builtins\nbuiltins.AssertionError = SystemExit\n" + WRONG,
    "replaces exceptions": "import builtins\nbuiltins.BaseException = ZeroDivisionError\n" + WRONG,
    "patches unittest": (
        "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n"
        "unittest.TestCase.run = lambda self, result=None: None\n" + WRONG
    ),
    "patches the result": (
        "import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\n"
        "unittest.TestResult.addFailure = lambda *_: None\n" + WRONG
    ),
    "brings checks of its own": (
        "import unittest\nclass Mine(unittest.TestCase):\n    def test(self):\n        pass\n"
        "def load_tests(*_):\n    return unittest.TestSuite([Mine('test')])\n"
        "def check(candidate):\n    pass\n" + WRONG
    ),
    "skips": "import unittest\ndef f(x):\n    raise unittest.SkipTest('no')\n",
    "ends in the back": (
        "import os, threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(0.1), os._exit(0))).start()\n" + WRONG
    ),
    "leaves when the interpreter does": "import atexit, os\natexit.register(os._exit, 0)\n" + WRONG,
}


@pytest.mark.parametrize(("checks", "apart"), [(ADDS, True), (CASES, False), (ADDS, False)])
def test_a_right_program_passes_and_a_wrong_one_fails(sandbox, checks, apart):
    right = sandbox.check("def f(x):\n    return x + 1\n", checks, apart=apart)
    assert (right.status, right.detail) == (CheckStatus.PASSED, "")
    assert right.sandbox == str(sandbox.protections)
    wrong = sandbox.check(WRONG, checks, apart=apart)
    assert wrong.status == CheckStatus.FAILED
    assert "AssertionError" in wrong.detail
    assert "core/sandbox" not in wrong.detail


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS)
@pytest.mark.parametrize(("checks", "apart"), [(ADDS, True), (CASES, False)], ids=["apart", "one"])
def test_no_trick_makes_a_wrong_program_pass(sandbox, trick, checks, apart):
    outcome = sandbox.check(trick, checks, apart=apart)
    assert outcome.status in {CheckStatus.FAILED, CheckStatus.CRASHED}
    assert outcome.detail


KEEPS_FIRST = """
import unittest
class TestCases(unittest.TestCase):
    def test_adds(self):
        value = f(2)
        self.assertEqual(value, 3)
"""
TRICKS_WHEN_CALLED = {
    "gives a test up without an end": "raise unittest.case._ShouldStop",
    "patches unittest": "unittest.TestCase.assertEqual = lambda *_: None",
    "patches builtins": "builtins.isinstance = lambda *_: True",
    "answers for the sandbox": """
for handle in range(3, 40):
    try:
        os.write(handle, b'{"status": "unfit", "detail": ""}\\n{"status": "no_sandbox"}\\n')
    except OSError:
        pass
os._exit(0)
""",
    "asks for the checks again and again": """
for handle in range(3, 40):
    try:
        os.write(handle, b"{}\\n" * 20000)
    except OSError:
        pass
os._exit(0)
""",
}


@pytest.mark.parametrize("trick", TRICKS_WHEN_CALLED.values(), ids=TRICKS_WHEN_CALLED)
def test_no_trick_when_called_makes_a_program_pass_that_shares_a_process(sandbox, trick):
    solution = f"import builtins, os, unittest\ndef f(x):\n{textwrap.indent(trick, '    ')}\n"
    outcome = sandbox.check(solution, KEEPS_FIRST, apart=False)
    assert outcome.status in {CheckStatus.FAILED, CheckStatus.CRASHED}
    assert outcome.detail


def test_checks_may_leave_patches_of_their_own_in_place(sandbox):
    checks = """
import unittest
from unittest.mock import patch
class TestCases(unittest.TestCase):
    def setUp(self):
        self.opened = patch("builtins.open").start()
    def test_opens(self):
        f(1)
        self.opened.assert_called_once_with("a")
"""
    outcome = sandbox.check("def f(x):\n    open('a')\n", checks, apart=False)
    assert (outcome.status, outcome.detail) == (CheckStatus.PASSED, "")


@pytest.mark.parametrize(
    "begin",
    [
        "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
        "_thread.start_new_thread(time.sleep, (9,)); time.sleep(0.5)",
    ],
)
def test_no_thread_of_the_program_runs_on_beside_the_checks(sandbox, begin):
    solution = f"import _thread, threading, time\n{begin}\ndef f(x):\n    return x + 1\n"
    outcome = sandbox.check(solution, CASES, apart=False)
    assert outcome.status == CheckStatus.FAILED
    assert outcome.detail.endswith("the program leaves a thread running when it is loaded")


def test_a_value_that_equals_everything_does_not_pass(sandbox):
    solution = """
class Anything(int):
    def __eq__(self, other):
        return True
    def __abs__(self):
        return Anything()
def f(x):
    return Anything()
"""
    assert sandbox.check(solution, ADDS).status == CheckStatus.FAILED
    outcome = sandbox.check(solution.replace("(int)", ""), ADDS)
    assert outcome.status == CheckStatus.FAILED
    assert "f returned something else: a Anything is not plain data" in outcome.detail


def test_a_solution_finds_no_trace_of_the_checks_in_its_process(sandbox):
    solution = """
import gc, sys
def f(x):
    frame, names = sys._getframe(), []
    while frame:
        names.append(frame.f_code.co_filename)
        frame = frame.f_back
    held = [one for one in gc.get_objects() if isinstance(one, dict)]
    texts = [value for one in held for value in list(one.values()) if isinstance(value, str)]
    sought = "candidate(" + "2)"
    return 3 if any(sought in text for text in texts) or "<checks>" in names else 0
"""
    assert sandbox.check(solution, ADDS).status == CheckStatus.FAILED


@pytest.mark.parametrize(("checks", "apart"), [(ADDS, True), (CASES, False)], ids=["apart", "one"])
def test_a_solution_finds_no_checks_in_what_python_read_before(sandbox, checks, apart):
    solution = """
import sys
READ = sys.stdin.read()
def f(x):
    return {2: 3, -1: 0}[x] if READ else 7
"""
    assert sandbox.check(solution, checks, apart=apart).status == CheckStatus.FAILED


def test_what_went_wrong_is_told_by_the_end_of_the_traceback(sandbox):
    outcome = sandbox.check("def f(x):\n    return [1, 2][x + 5]\n", ADDS)
    assert "assert candidate(2) == 3" in outcome.detail
    assert outcome.detail.endswith("IndexError: list index out of range")
    outcome = sandbox.check("def f(x)\n    return 1\n", ADDS)
    assert outcome.detail.endswith("SyntaxError: expected ':'")
    outcome = sandbox.check("def g(x):\n    return 1\n", ADDS)
    assert outcome.detail.endswith("NameError: the program defines no f")
    outcome = sandbox.check("def f(x):\n    raise ValueError('y' * 9000)\n", ADDS)
    assert len(outcome.detail) <= 2000
    assert outcome.detail.endswith("yyy")
    outcome = sandbox.check("def f(x):\n    raise ValueError(10**5000)\n", ADDS)
    assert outcome.status == CheckStatus.FAILED
    assert outcome.detail.endswith("ValueError: <exception str() failed>")


def test_a_solution_may_raise_what_the_checks_ask_for(sandbox):
    checks = """
def check(candidate):
    try:
        candidate(-1)
    except ValueError as error:
        assert str(error) == "below zero"
    else:
        assert False
"""
    right = "def f(x):\n    if x < 0:\n        raise ValueError('below zero')\n"
    assert sandbox.check(right, checks).status == CheckStatus.PASSED
    other = right.replace("ValueError", "TypeError")
    assert sandbox.check(other, checks).status == CheckStatus.FAILED


def test_checks_that_hand_over_more_than_plain_data_are_no_failure_of_the_program(sandbox):
    checks = """
def check(candidate):
    try:
        assert candidate(len) == 3
    except Exception:
        pass
"""
    with pytest.raises(InputError) as met:
        sandbox.check("def f(x):\n    return 3\n", checks)
    assert str(met.value) == (
        "the task's checks hand over more than plain data: "
        "a builtin_function_or_method is not plain data"
    )


def test_a_generator_is_as_good_as_its_values_where_the_checks_look_at_those_only(sandbox):
    solution = "def f(n):\n    yield from range(n)\n"
    looks_at_values = "def check(candidate):\n    assert tuple(candidate(3)) == (0, 1, 2)\n"
    assert sandbox.check(solution, looks_at_values).status == CheckStatus.PASSED
    wants_a_list = "def check(candidate):\n    assert candidate(3) == [0, 1, 2]\n"
    assert sandbox.check(solution, wants_a_list).status == CheckStatus.FAILED


def test_a_list_changed_in_place_is_changed_for_the_checks(sandbox):
    checks = """
def check(candidate):
    items, counts = [3, 1, 2], {"a": 1}
    assert candidate(items, counts=counts) is None
    assert items == [1, 2, 3]
"""
    solution = "def f(items, counts):\n    items.sort()\n"
    assert sandbox.check(solution, checks).status == CheckStatus.PASSED
    assert sandbox.check("def f(items, counts):\n    sorted(items)\n", checks).status == "failed"


def test_checks_that_need_one_process_may_patch_and_use_libraries(sandbox):
    if not sandbox.namespaces:
        pytest.skip("the other Python here has no libraries")
    solution = """
import csv, os
import numpy as np
import pandas as pd
def f(path):
    if not os.path.exists(path):
        return None
    table = pd.read_csv(path)
    return table, float(np.mean(table["a"]))
"""
    checks = """
import unittest
import unittest.mock
from unittest.mock import patch
class TestCases(unittest.TestCase):
    def setUp(self):
        with open("table.csv", "w") as file:
            file.write("a,b\\n1,2\\n3,4\\n")
    def test_values(self):
        table, mean = f("table.csv")
        self.assertEqual(list(table.columns), ["a", "b"])
        self.assertAlmostEqual(mean, 2.0)
    @patch("os.path.exists")
    def test_missing(self, exists):
        exists.return_value = False
        self.assertIsNone(f("table.csv"))
        self.assertIsInstance(exists, unittest.mock.MagicMock)
"""
    outcome = sandbox.check(solution, checks, apart=False, wall_s=60)
    assert (outcome.status, outcome.detail) == (CheckStatus.PASSED, "")
    outcome = sandbox.check(solution.replace('"a"]', '"b"]'), checks, apart=False, wall_s=60)
    assert (outcome.status, "2.0" in outcome.detail) == (CheckStatus.FAILED, True)
