"""Studies of code tasks, and a subject that states chances and writes programs as it is told."""

import json
from collections.abc import Mapping
from pathlib import Path

from core.records import Reply, Request
from core.workflows.code_task_import import import_code_tasks
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench

SUBJECT = "scripted/subject"
NO_PROGRAM = "I would rather not."


def code_row(name: str, right: str = "n + 1") -> dict[str, str]:
    """A task whose function is to return `right` of n."""
    checks = f"    for n in (1, 5):\n        assert candidate(n) == {right}\n"
    return {
        "task_id": f"own/{name}",
        "prompt": f'def {name}(n: int) -> int:\n    """Return {right}, the task {name}."""\n',
        "entry_point": name,
        "canonical_solution": f"    return {right}\n",
        "test": f"def check(candidate):\n{checks}",
    }


def program(name: str, body: str) -> str:
    """A reply with a function that returns `body`."""
    return f"```python\ndef {name}(n):\n    return {body}\n```"


def write_tasks(path: Path, names: list[str]) -> Path:
    """The file, which now holds a task for each name."""
    path.write_text("".join(json.dumps(code_row(name)) + "\n" for name in names))
    return path


def confidence_study(
    bench: Workbench, folder: Path, names: list[str], *, name: str = "Sure", model: str = SUBJECT
) -> Study:
    """A study with a task for each name."""
    study = create_study(bench.store, name, protocol="in_advance_confidence", subject=model)
    import_code_tasks(bench.store, [write_tasks(folder / "own.jsonl", names)], study_name=name)
    return study


def task_name(request: Request) -> str:
    """The name of the task that a request is about."""
    return request.messages[-1].content.rsplit("the task ", 1)[1].split(".", 1)[0]


def subject(chances: Mapping[str, list[str]], programs: Mapping[str, str]):
    """A subject that says what is written down: to each ask of a task, and as its attempt."""

    def reply(request: Request) -> Reply:
        name = task_name(request)
        ask = request.context.get("ask")
        text = programs[name] if ask is None else chances[name][int(ask)]
        return Reply(text=text, model=request.model, cost_usd=0.001)

    return reply
