"""A task in the way of SWE-bench: issues of repositories, a container each, hidden tests decide.

No engine is needed: the stand-in is Inspect's local sandbox under another name, which notes the
compose file that every sample brings.
"""

import json

import pytest

pytestmark = pytest.mark.inspect
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

from core.agents.logs import read_agent_log  # noqa: E402
from core.agents.running import run_agents  # noqa: E402

FIX = "sed -i 's/a - b/a + b/' calc.py"

ROWS = [
    {
        "instance_id": f"someone__calc-{number}",
        "repo": "someone/calc",
        "base_commit": "abc",
        "problem_statement": f"Issue {number}: add(1, 2) gives -1.",
        "patch": "",
        "test_patch": "",
        "version": "1.0",
        "FAIL_TO_PASS": json.dumps(["from calc import add; assert add(1, 2) == 3"]),
        "PASS_TO_PASS": json.dumps(["from calc import add; assert add(0, 0) == 0"]),
    }
    for number in (1, 2)
]

# As in the public task: the fields of the data set, a compose file for each sample, a score of 1.0
# or 0.0 under the name `swe_bench_scorer`, the issue within a prompt.
TASK = """
import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import Score, mean, scorer
from inspect_ai.solver import basic_agent
from inspect_ai.util import SandboxEnvironmentSpec, sandbox, sandboxenv
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

HERE = Path(__file__).resolve().parent


@sandboxenv(name="container")
class Container(LocalSandboxEnvironment):
    @classmethod
    def config_files(cls):
        return ["compose.yaml"]

    @classmethod
    async def sample_init(cls, task_name, config, metadata):
        with (HERE / "started.txt").open("a") as file:
            file.write(f"{config}\\n")
        return await super().sample_init(task_name, None, metadata)


@scorer(metrics=[mean()])
def swe_bench_scorer():
    async def score(state, target):
        tests = state.metadata["FAIL_TO_PASS"] + state.metadata["PASS_TO_PASS"]
        done = [await sandbox().exec(["python3", "-c", test]) for test in tests]
        return Score(value=1.0 if all(one.success for one in done) else 0.0)

    return score


@task
def swe_bench():
    told = ["base_commit", "patch", "PASS_TO_PASS", "FAIL_TO_PASS", "test_patch", "version", "repo"]
    fields = FieldSpec(input="problem_statement", id="instance_id", metadata=told)
    samples = json_dataset(str(HERE / "rows.jsonl"), fields)
    for sample in samples:
        for name in ("PASS_TO_PASS", "FAIL_TO_PASS"):
            sample.metadata[name] = json.loads(sample.metadata[name])
        sample.input = f"Please resolve this issue.\\n\\n{sample.input}"
        compose = HERE / f"{sample.id}-compose.yaml"
        compose.write_text("services: {}")
        sample.sandbox = SandboxEnvironmentSpec("container", str(compose))
        sample.files = {"calc.py": "def add(a, b):\\n    return a - b\\n"}
    return Task(dataset=samples, solver=basic_agent(), scorer=swe_bench_scorer())
"""


def _resolves_the_first(messages, *_):
    """Looks, mends the first repository only, and hands in."""
    if "LIKELIHOOD OF SUCCESS: X%" in messages[-1].text:
        said = ModelOutput.from_content("mockllm/model", "LIKELIHOOD OF SUCCESS: 70%")
    else:
        n_calls = sum(one.role == "tool" for one in messages)
        is_first = any("Issue 1" in one.text for one in messages)
        commands = ["cat calc.py", FIX if is_first else "ls"]
        said = (
            ModelOutput.for_tool_call("mockllm/model", "bash", {"command": commands[n_calls]})
            if n_calls < len(commands)
            else ModelOutput.for_tool_call("mockllm/model", "submit", {"answer": "done"})
        )
    said.usage = ModelUsage()  # else Inspect counts tokens with a table from the network
    return said


@pytest.mark.parametrize("sandbox", [None, "container"])
def test_every_sample_keeps_its_container_and_the_hidden_tests_decide(tmp_path, sandbox):
    folder = tmp_path / f"swe_{sandbox}"
    folder.mkdir()
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (folder / "swe.py").write_text(TASK)
    model = get_model("mockllm/model", custom_outputs=_resolves_the_first, memoize=False)
    task = f"{folder / 'swe.py'}@swe_bench"
    log = read_agent_log(
        run_agents(model, task=task, sandbox=sandbox, budget=70, logs=tmp_path / "logs")
    )
    assert (log.task, log.about["scorer"]) == ("swe_bench", "swe_bench_scorer")
    assert {run.sample: run.outcome for run in log.runs} == {
        "someone__calc-1": 1,
        "someone__calc-2": 0,
    }
    for run in log.runs:
        assert [(one.step, one.reading.value) for one in run.estimates] == [
            (1, 0.7),
            (2, 0.7),
            (None, 0.7),
        ]
        assert run.budget == 70 and run.text.startswith("Please resolve this issue.")
    started = (folder / "started.txt").read_text().split()
    assert sorted(started) == [str(folder / f"someone__calc-{n}-compose.yaml") for n in (1, 2)]
