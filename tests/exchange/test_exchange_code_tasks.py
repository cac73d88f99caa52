"""Code tasks are read row by row, and an answer becomes the program that is checked."""

import gzip
import json
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.exchange.code_programs import program_for
from core.exchange.code_tasks import read_code_tasks
from core.exchange.row_file import raise_for_bad_rows

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "published" / "human_eval" / "HumanEval.jsonl.gz"

PROMPT = 'import math\n\ndef helper(x):\n    return x\n\ndef area(r):\n    """The area."""\n'
BEFORE = "import math\n\ndef helper(x):\n    return x\n\n"
TASK = {
    "task_id": "own/0",
    "prompt": PROMPT,
    "entry_point": "area",
    "canonical_solution": "    return math.pi * r * r\n",
    "test": "def check(candidate):\n    assert candidate(0) == 0\n",
}
BIG = {
    "task_id": "BigCodeBench/7",
    "complete_prompt": 'import csv\n\ndef task_func(path):\n    """Counts rows."""\n',
    "instruct_prompt": "Write a function task_func that counts the rows of a file.",
    "canonical_solution": "    with open(path) as file:\n        return len(list(file))",
    "code_prompt": "import csv\n\ndef task_func(path):\n",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n    pass\n",
    "entry_point": "task_func",
    "doc_struct": "{}",
    "libs": "['csv', 'pandas']",
}


def _zipped(content: bytes) -> bytes:
    """The same bytes at any time: without a time of writing."""
    return gzip.compress(content, mtime=0)


def written(folder: Path, *rows: object, name: str = "tasks.jsonl") -> Path:
    path = folder / name
    text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["tasks.jsonl", "tasks.jsonl.gz", "tasks"])
def test_a_task_is_read_as_it_is_packed_or_not(tmp_path, name):
    file = read_code_tasks(written(tmp_path, TASK, name=name))
    [task] = file.rows
    assert (task.line, task.task_id, task.prompt, task.entry_point) == (1, "own/0", PROMPT, "area")
    assert (task.checks, task.canonical_solution) == (TASK["test"], TASK["canonical_solution"])
    assert (task.libraries, task.instruct_prompt, task.apart) == ((), None, True)
    assert file.bad_rows == ()


def test_a_list_packed_with_gzip_is_read(tmp_path):
    path = tmp_path / "tasks.json.gz"
    path.write_bytes(gzip.compress(json.dumps([TASK]).encode()))
    assert [task.task_id for task in read_code_tasks(path).rows] == ["own/0"]


def test_the_other_layout_says_more_and_shares_a_process(tmp_path):
    [task] = read_code_tasks(written(tmp_path, BIG)).rows
    assert (task.prompt, task.start) == (BIG["complete_prompt"], BIG["code_prompt"])
    assert task.instruct_prompt == BIG["instruct_prompt"]
    assert (task.libraries, task.apart) == (("csv", "pandas"), False)
    [task] = read_code_tasks(written(tmp_path, BIG | {"libs": ["csv"]})).rows
    assert task.libraries == ("csv",)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"task_id": None}, "has no task_id"),
        ({"prompt": " "}, "has no prompt"),
        ({"entry_point": ""}, "has no entry_point"),
        ({"test": None}, "has no test"),
        ({"test": "assert True"}, "has a test without checks"),
        ({"test": "def check(candidate:"}, "has a test without checks"),
        ({"entry_point": "volume"}, "has a prompt that does not begin the function 'volume'"),
        ({"prompt": "def area(r"}, "has a prompt that does not begin the function 'area'"),
        ({"prompt": ["def area(r):"]}, "has \"['def area(r):']\" where the prompt belongs"),
        ({"libs": "pandas numpy"}, "has 'pandas numpy' for libs"),
        ({"libs": "__import__('os').getcwd()"}, "has \"__import__('os').getcwd()\" for libs"),
        ({"libs": ["scikit-learn"]}, "has \"['scikit-learn']\" for libs"),
        ({"libs": "['']"}, "has \"['']\" for libs"),
        ({"task_id": "own/1"}, "has the task id 'own/1' of row 1 again"),
    ],
)
def test_a_row_that_cannot_be_used_is_told_by_line_and_reason(tmp_path, change, why):
    path = written(tmp_path, TASK | {"task_id": "own/1"}, TASK | change, TASK)
    file = read_code_tasks(path)
    assert [task.line for task in file.rows] == [1, 3]
    [bad] = file.bad_rows
    assert (bad.line, str(bad)) == (2, f"row 2 of tasks.jsonl {why}")


def test_lines_that_are_no_rows_are_told_too(tmp_path):
    file = read_code_tasks(written(tmp_path, TASK, "[1]", '{"task_id": ', BIG))
    assert [task.task_id for task in file.rows] == ["own/0", "BigCodeBench/7"]
    assert [(row.line, row.why[:24]) for row in file.bad_rows] == [
        (2, "is not a JSON object"),
        (3, "is not JSON: expecting v"),
    ]
    with pytest.raises(InputError, match=r"row 2 of tasks.jsonl is not a JSON object; 1 more row"):
        raise_for_bad_rows(file)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\x1f\x8b\x08 damaged", "tasks.jsonl.gz is a damaged gzip archive"),
        (_zipped(json.dumps(TASK).encode())[:-12], "tasks.jsonl.gz is a damaged gzip"),
        (_zipped(b""), "tasks.jsonl.gz holds no rows"),
        (_zipped(b"\xff\xfeM\xfc"), "it says|tasks.jsonl|UTF-16"),
        (_zipped('{"task_id": "Müller"}'.encode("latin-1")), "line 1 of tasks.jsonl is not"),
        (_zipped(b'{"task_id": "a"}'), "row 1 of tasks.jsonl has no prompt"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(tmp_path, content, told):
    path = tmp_path / "tasks.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_code_tasks(path)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(NotFoundError, match="there is no file"):
        read_code_tasks(tmp_path / "none.jsonl.gz")


@pytest.mark.parametrize(
    ("answer", "solution"),
    [
        # A completion, as it is or with the indentation that a reply lost.
        ("    return 1\n", PROMPT + "    return 1\n"),
        ("return 1", PROMPT + "    return 1\n"),
        ("if r:\n    return 1\nreturn 0", PROMPT + "    if r:\n        return 1\n    return 0\n"),
        ("x = r\n    return x", PROMPT + "    x = r\n    return x\n"),
        ("# Half:\n    return r / 2", PROMPT + "    # Half:\n    return r / 2\n"),
        # The whole function: the task's imports and helpers stay before it.
        (
            "def area(r):\n    return helper(r)",
            "import math\n\ndef helper(x):\n    return x\n\ndef area(r):\n    return helper(r)\n",
        ),
        # So do they before a function that is named in another way, or that was set in.
        ("area = lambda r: helper(r)\n", BEFORE + "area = lambda r: helper(r)\n"),
        ("from shapes import circle as area", BEFORE + "from shapes import circle as area\n"),
        (
            "if True:\n    def area(r):\n        return 1\n",
            BEFORE + "if True:\n    def area(r):\n        return 1\n",
        ),
        ("  def area(r):\n    return 1\n", BEFORE + "def area(r):\n  return 1\n"),
        # Python takes these imports at the beginning only.
        (
            '"""Mine."""\nfrom __future__ import annotations\ndef area(r): return 1\n',
            '"""Mine."""\nfrom __future__ import annotations\n'
            + BEFORE
            + "def area(r): return 1\n",
        ),
        # The name inside of a completion does not make it whole.
        ("area = 3 * r\nreturn area", PROMPT + "    area = 3 * r\n    return area\n"),
        ("    def area(r):\n        return 1\n    return area(r)\n", None),
        # Another function beside it does not make it whole.
        ("    return two()\n\ndef two():\n    return 2\n", None),
        # No Python at all stays as it is.
        ("I would measure it.", PROMPT + "I would measure it.\n"),
    ],
)
def test_an_answer_is_completed_by_the_written_rule(tmp_path, answer, solution):
    [task] = read_code_tasks(written(tmp_path, TASK)).rows
    program = program_for(task, answer)
    assert program.solution == (PROMPT + answer if solution is None else solution)
    assert (program.checks, program.entry_point, program.apart) == (TASK["test"], "area", True)
    assert program.support == PROMPT


def test_the_other_layout_completes_its_code_and_not_its_docstring(tmp_path):
    [task] = read_code_tasks(written(tmp_path, BIG)).rows
    program = program_for(task, BIG["canonical_solution"])
    assert program.solution == BIG["code_prompt"] + BIG["canonical_solution"] + "\n"
    assert program.apart is False
    whole = program_for(task, "import re\n\n@re.purge\ndef task_func(path):\n    return 1\n")
    assert whole.solution.startswith("import csv\n\nimport re\n")


def test_the_published_file_is_read_whole():
    if not PUBLISHED.exists():
        pytest.skip(f"the published tasks are not at {PUBLISHED}")
    file = read_code_tasks(PUBLISHED)
    assert [task.task_id for task in file.rows] == [f"HumanEval/{n}" for n in range(164)]
    assert file.bad_rows == () and file.findings == ()
    assert all(task.canonical_solution and task.apart for task in file.rows)


def test_our_own_tasks_are_read_whole():
    file = read_code_tasks(ROOT / "data" / "code_tasks" / "sample.jsonl")
    assert len(file.rows) == 12
    assert file.bad_rows == () and file.findings == ()
    assert all(task.canonical_solution and task.apart for task in file.rows)
