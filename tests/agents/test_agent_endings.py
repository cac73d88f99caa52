"""Agents that do not simply hand in: it fails, a reply is cut off, a conversation is too long."""

from dataclasses import replace

import pytest

pytestmark = pytest.mark.inspect
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai.log import read_eval_log  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402

from core.agents.elicitation import MOST_IDLE  # noqa: E402
from core.agents.logs import read_agent_log  # noqa: E402
from core.agents.running import run_agents, served_model  # noqa: E402
from core.records import Outcome  # noqa: E402

NAME = "mockllm/model"
CHANCE = ModelOutput.from_content(NAME, "LIKELIHOOD OF SUCCESS: 40%")
LOOK = ModelOutput.for_tool_call(NAME, "bash", {"command": "ls"})
DONE = ModelOutput.for_tool_call(NAME, "submit", {"answer": "done"})
NO_ANSWER = ModelOutput.for_tool_call(NAME, "submit", {})
SHORT = ModelOutput.from_content(NAME, "At first 20% seems", stop_reason="max_tokens")
OVERLONG = ModelOutput.from_content(NAME, "at most 100% of it", stop_reason="model_length")


@pytest.fixture
def worked(tmp_path):
    """The run of an agent on one task, and its conversation, from what its model puts out."""

    def work(*outputs, budget=5):
        left = iter(outputs)
        model = get_model(NAME, custom_outputs=lambda *_: next(left).model_copy(deep=True))
        path = run_agents(model, sandbox="local", budget=budget, limit=1, logs=tmp_path)
        assert next(left, None) is None
        [run] = read_agent_log(path).runs
        return run, read_eval_log(path).samples[0].messages

    return work


def _values(run):
    return [(one.step, one.n_calls, one.reading.value) for one in run.estimates]


def test_who_fails_to_hand_in_goes_on_and_is_not_asked_about_it(worked):
    run, messages = worked(LOOK, CHANCE, NO_ANSWER, LOOK, CHANCE, DONE, CHANCE)
    assert _values(run) == [(1, 1, 0.4), (2, 2, 0.4), (None, 2, 0.4)]
    assert run.outcome == 0
    assert not [one for one in messages if "You called no tool" in one.text]


def test_who_fails_to_hand_in_again_and_again_is_done(worked):
    run, _ = worked(*[NO_ANSWER] * MOST_IDLE, CHANCE)
    assert _values(run) == [(None, 0, 0.4)]


def test_a_reply_that_was_cut_off_is_asked_for_again(worked):
    run, _ = worked(LOOK, SHORT, CHANCE, DONE, SHORT, SHORT)
    assert _values(run) == [(1, 1, 0.4), (None, 1, None)]
    assert run.estimates[-1].reading.outcome is Outcome.TRUNCATED


def test_a_conversation_that_is_too_long_ends_the_work_and_says_nothing_of_the_chance(worked):
    run, messages = worked(LOOK, CHANCE, OVERLONG, OVERLONG)
    assert _values(run) == [(1, 1, 0.4), (None, 1, None)]
    assert run.estimates[-1].reading.outcome is Outcome.TRUNCATED
    assert run.outcome == 0
    # What a provider says of it is no answer of the model.
    assert [one.text for one in messages if one.metadata][-1] == ""


def test_calls_made_at_once_are_carried_out_beyond_the_budget_and_are_the_last(worked):
    both = LOOK.model_copy(deep=True)
    [call] = both.choices[0].message.tool_calls
    both.choices[0].message.tool_calls = [replace(call, id=f"call-{n}") for n in range(3)]
    run, _ = worked(LOOK, CHANCE, both, CHANCE, CHANCE, budget=2)
    assert _values(run) == [(1, 1, 0.4), (2, 4, 0.4), (None, 4, 0.4)]


def test_a_tool_that_fails_is_a_step_like_any_other(worked):
    bad = ModelOutput.for_tool_call(NAME, "bash", {"command": "exit 3"})
    unknown = ModelOutput.for_tool_call(NAME, "teleport", {})
    run, _ = worked(bad, CHANCE, unknown, CHANCE, DONE, CHANCE)
    assert _values(run) == [(1, 1, 0.4), (2, 2, 0.4), (None, 2, 0.4)]


def test_llama_cpp_refusing_a_long_conversation_is_known():
    model = served_model("local/x.gguf", api_base="http://127.0.0.1:9", api_key="none")
    said = "request (9031 tokens) exceeds the available context size (4096 tokens)"
    refused = model.api.handle_bad_request(ValueError(said))
    assert (refused.stop_reason, refused.completion) == ("model_length", "")
