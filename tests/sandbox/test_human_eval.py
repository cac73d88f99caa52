"""The published tasks and our own: every canonical solution passes, and a mutant of each fails."""

import ast
import asyncio
from pathlib import Path

import pytest

from core.exchange.code_programs import program_for
from core.exchange.code_tasks import CodeTask, read_code_tasks
from core.sandbox.outcomes import CheckStatus

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT.parent / "shared" / "published" / "human_eval" / "HumanEval.jsonl.gz"
SAMPLE = ROOT / "data" / "code_tasks" / "sample.jsonl"
AT_ONCE = 2
RIGHT = {CheckStatus.PASSED}
WRONG = {CheckStatus.FAILED, CheckStatus.TIMED_OUT, CheckStatus.CRASHED}


@pytest.fixture(params=["sample", "published"])
def tasks(request: pytest.FixtureRequest, sandbox) -> tuple[CodeTask, ...]:
    if request.param == "sample":
        return read_code_tasks(SAMPLE).rows
    if not sandbox.namespaces:
        pytest.skip("the many are run once, in the stronger sandbox; here ours are")
    if not PUBLISHED.exists():
        pytest.skip(f"the published tasks are not at {PUBLISHED}")
    return read_code_tasks(PUBLISHED).rows


def statuses(sandbox, tasks, answers) -> dict[str, CheckStatus]:
    """How each task's answer did, some at once."""

    async def all_of_them() -> dict[str, CheckStatus]:
        room, found = asyncio.Semaphore(AT_ONCE), {}

        async def one(task: CodeTask, answer: str) -> None:
            async with room:
                outcome = await sandbox.run(program_for(task, answer), wall_s=60)
                found[task.task_id] = outcome.status

        await asyncio.gather(*map(one, tasks, answers))
        return found

    return asyncio.run(all_of_them())


def doing_nothing(task: CodeTask) -> str:
    """The function with nothing in it but the return of None."""
    tree = ast.parse(whole(task))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == task.entry_point:
            node.body = [ast.Return(ast.Constant(None))]
    return ast.unparse(ast.fix_missing_locations(tree))


def beside_it(task: CodeTask) -> str:
    """The function with its result off by one: a number more, an item more, the other truth."""
    name = task.entry_point
    return f"""{whole(task)}
right = {name}
def {name}(*arguments, **named):
    value = right(*arguments, **named)
    for argument in arguments:
        if value is None and isinstance(argument, list):
            argument.append(0)
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, (str, list, tuple)):
        return value + type(value)("x")
    return {{"x": "x"}} if isinstance(value, dict) else 1
"""


def whole(task: CodeTask) -> str:
    return task.prompt + (task.canonical_solution or "")


def test_every_canonical_solution_passes(sandbox, tasks):
    found = statuses(sandbox, tasks, [task.canonical_solution or "" for task in tasks])
    assert len(found) in {12, 164}
    assert {name: status for name, status in found.items() if status not in RIGHT} == {}


def test_a_mutant_of_every_canonical_solution_fails(sandbox, tasks):
    """Both mutants of our own tasks; of the many published ones each has one, by turns."""
    pairs = [(task, mutant(task)) for task in tasks for mutant in (doing_nothing, beside_it)]
    if len(tasks) > 100:
        pairs = [pairs[2 * at + at % 2] for at in range(len(tasks))]
    for one in (doing_nothing, beside_it):
        mine = [(task, answer) for task, answer in pairs if answer == one(task)]
        found = statuses(sandbox, *zip(*mine, strict=True))
        assert {name: status for name, status in found.items() if status not in WRONG} == {}


@pytest.mark.parametrize("answer", ["import sys\nsys.exit(0)", "import os\nos._exit(0)", "pass"])
def test_no_answer_that_ends_early_passes_a_task(sandbox, answer):
    tasks = read_code_tasks(SAMPLE).rows
    found = statuses(sandbox, tasks, [answer] * len(tasks))
    assert not [name for name, status in found.items() if status == CheckStatus.PASSED]
