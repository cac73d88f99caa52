"""Agents in Inspect's engine and local sandbox, with its mock model."""

import pytest

from tests.support.agents import BEYOND, SOLUTIONS

pytestmark = pytest.mark.inspect
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from core.agents.elicitation import MOST_IDLE, with_elicitation  # noqa: E402
from core.agents.logs import read_agent_log  # noqa: E402


def _commands(name):
    """Looks first; then solves, but for two tasks."""
    if name in (BEYOND, "fix_median"):
        return ["ls", "cat *"]
    return ["ls", SOLUTIONS[name]]


def _estimate(name, n_calls):
    if n_calls is None:
        return "LIKELIHOOD OF SUCCESS: 90%"
    return f"I look on.\nLIKELIHOOD OF SUCCESS: {40 + 10 * n_calls}%"


def test_the_small_tasks_run_and_their_log_says_all_of_it(run_scripted):
    log = read_agent_log(run_scripted(_commands, _estimate))
    assert (log.task, log.model, log.status) == ("agent_tasks", "mockllm/model", "success")
    assert log.about["sandbox"] == "local"
    assert len(log.about["prompts"]) == 6
    outcomes = {run.sample: run.outcome for run in log.runs}
    assert outcomes == {**dict.fromkeys(SOLUTIONS, 1), BEYOND: 0, "fix_median": 0}
    for run in log.runs:
        values = [(one.step, one.n_calls, one.reading.value) for one in run.estimates]
        assert values == [(1, 1, 0.5), (2, 2, 0.6), (None, 2, 0.9)]
        assert (run.n_calls, run.budget) == (2, 5)


def test_the_agent_is_never_asked_to_finish_a_reply_of_its_own(run_scripted):
    from inspect_ai.log import read_eval_log

    [sample] = read_eval_log(run_scripted(_commands, _estimate, limit=1)).samples
    roles = [message.role for message in sample.messages]
    assert "assistant assistant" not in " ".join(roles)
    assert roles[:3] == ["system", "user", "assistant"]


def test_an_agent_out_of_calls_is_asked_at_the_end_all_the_same(run_scripted):
    path = run_scripted(lambda name: ["ls"] * 9, _estimate, limit=1)
    [run] = read_agent_log(path).runs
    assert run.n_calls == 5
    assert [one.step for one in run.estimates] == [1, 2, 3, 4, 5, None]


def test_a_reply_that_cannot_be_read_is_asked_for_once_more(run_scripted):
    replies = {1: ["fairly likely", "LIKELIHOOD OF SUCCESS: 30%"], 2: ["80-90%", "no idea"]}

    def estimate(name, n_calls):
        return replies.get(n_calls, ["20%"])[0] if n_calls is None else replies[n_calls].pop(0)

    [run] = read_agent_log(run_scripted(lambda name: ["ls", "ls"], estimate, limit=1)).runs
    assert [one.reading.value for one in run.estimates] == [0.3, None, 0.2]


def test_an_agent_that_calls_no_tool_is_urged_and_then_done(tmp_path):
    from inspect_ai.log import read_eval_log

    from core.agents.running import run_agents

    path = run_agents("mockllm/model", sandbox="local", budget=5, limit=1, logs=tmp_path)
    [sample] = read_eval_log(path).samples
    urged = [one for one in sample.messages if "You called no tool" in one.text]
    assert len(urged) == MOST_IDLE - 1
    [run] = read_agent_log(path).runs
    assert [(one.step, one.reading.value) for one in run.estimates] == [(None, None)]
    assert (run.outcome, run.n_calls) == (0, 0)


def test_any_task_of_inspect_can_be_worked_on_by_the_agent(tmp_path):
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes

    outputs = [
        ModelOutput.for_tool_call("mockllm/model", "bash", {"command": "echo 42"}),
        ModelOutput.from_content("mockllm/model", "LIKELIHOOD OF SUCCESS: 55%"),
        ModelOutput.for_tool_call("mockllm/model", "submit", {"answer": "42"}),
        ModelOutput.from_content("mockllm/model", "LIKELIHOOD OF SUCCESS: 99%"),
    ]
    for one in outputs:
        one.usage = ModelUsage()  # else Inspect counts tokens with a table from the network
    task = Task(dataset=[Sample("6 times 7?", target="42", id="product")], scorer=includes())
    [log] = inspect_eval(
        with_elicitation(task, budget=3),
        model=get_model("mockllm/model", custom_outputs=outputs),
        sandbox="local",
        log_dir=str(tmp_path),
        display="none",
    )
    [run] = read_agent_log(tmp_path / log.location.rpartition("/")[2]).runs
    assert (run.sample, run.text, run.outcome) == ("product", "6 times 7?", 1)
    assert [one.reading.value for one in run.estimates] == [0.55, 0.99]


@pytest.mark.model
def test_the_embedded_model_works_on_a_task_and_states_its_chance(tmp_path):
    from core.errors import ModelError
    from core.llm.weights import weights_path
    from core.settings import EMBEDDED_MODEL
    from core.workflows.agent_runs import run_agents_of

    try:
        weights_path()
    except ModelError as error:
        pytest.skip(f"{error}; make install fetches it")
    settings = {"sandbox": "local", "logs": tmp_path, "budget": 2, "limit": 1, "concurrency": 1}
    log = read_agent_log(run_agents_of(EMBEDDED_MODEL, **settings))
    assert log.model == EMBEDDED_MODEL
    [run] = log.runs
    # Its replies are held to their form, so that each of them states a chance.
    assert all(one.reading.value is not None for one in run.estimates)
    assert run.estimates[-1].step is None
