"""The small tasks that ship in data/agent_tasks, as a task of Inspect.

A task is a folder: `instruction.md` says what to do, `files/` is what the agent finds in its
working folder, and `check.py` decides. The check runs there after the agent has handed in, as a
program that it never sees; it ends with 0 where the task is solved.
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Score,
    Scorer,
    Target,
    accuracy,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState
from inspect_ai.util import sandbox

from core.agents.elicitation import eliciting_agent
from core.agents.needed import BUDGET
from core.errors import NotFoundError
from core.settings import PROJECT_ROOT

TASKS_DIR = PROJECT_ROOT / "data" / "agent_tasks"
CHECK_TIMEOUT_S = 60
_CHECK = "check"


@task
def agent_tasks(
    sandbox: str, budget: int = BUDGET, prompt_set: str = "vanilla", folder: str = str(TASKS_DIR)
) -> Task:
    """The small tasks, worked on by an agent that states its chance at every step.

    Args:
        sandbox: Inspect's name of where the agent works; there is no default, because `local` is
            no wall.
        budget: tool calls that an agent may make.
        folder: of the tasks, a folder each.

    Raises:
        NotFoundError: there are no tasks in the folder.
    """
    return Task(
        dataset=MemoryDataset(samples_in(Path(folder)), name="agent_tasks"),
        solver=eliciting_agent(budget=budget, prompt_set=prompt_set),
        scorer=checks_pass(),
        sandbox=sandbox,
    )


def samples_in(folder: Path) -> list[Sample]:
    """The tasks of a folder by name, each with its files and its check.

    Raises:
        NotFoundError: there are none.
    """
    found = sorted(path.parent for path in folder.glob("*/check.py"))
    if not found:
        raise NotFoundError(
            f"there are no tasks in {folder}", hint="each is a folder with check.py"
        )
    return [
        Sample(
            id=one.name,
            input=(one / "instruction.md").read_text("utf-8").strip(),
            files={
                path.relative_to(one / "files").as_posix(): str(path)
                for path in sorted((one / "files").rglob("*"))
                if path.is_file()
            },
            metadata={_CHECK: (one / "check.py").read_text("utf-8")},
        )
        for one in found
    ]


@scorer(metrics=[accuracy(), stderr()])
def checks_pass() -> Scorer:
    """Whether a task's check ends with 0 in the folder that the agent leaves behind."""

    async def score(state: TaskState, target: Target) -> Score:
        command = ["python3", "-I", "-c", state.metadata[_CHECK]]
        try:
            done = await sandbox().exec(command, timeout=CHECK_TIMEOUT_S, timeout_retry=False)
        except TimeoutError:
            return Score(value=INCORRECT, explanation="the check did not end in time")
        said = done.stderr.strip().rpartition("\n")[2]
        return Score(value=CORRECT if done.success else INCORRECT, explanation=said)

    return score
