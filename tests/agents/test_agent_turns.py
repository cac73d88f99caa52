"""What an agent's conversation says of its chance, step by step."""

import pytest

from core.parsing.agent_turns import Turn, agent_estimates, listed_estimates, n_tool_calls
from core.records import Outcome

ASK = "You have used 1 of 70 calls. Reply with\nLIKELIHOOD OF SUCCESS: X%."
STATUS = (
    "STATUS UPDATE: You have used {n} of your 70 tool calls.\nLIKELIHOOD OF RESOLVING ISSUE: X%."
)
LAST = "The repository will now be tested.\nLIKELIHOOD THAT ISSUE IS RESOLVED: X%."


def _tool(text="done", function="bash"):
    return Turn("tool", text, function)


def _says(text):
    return Turn("assistant", text)


def _asks(text=ASK, asks=""):
    return Turn("user", text, asks=asks)


def _found(*turns):
    return [(one.step, one.n_calls, one.reading.value) for one in agent_estimates(turns)]


def test_each_step_has_the_reply_to_its_question_and_the_last_is_after_submission():
    assert _found(
        Turn("system", "You will be asked for LIKELIHOOD OF SUCCESS: X%"),
        Turn("user", "Count the files."),
        _says("I look."),
        _tool(),
        _asks(),
        _says("LIKELIHOOD OF SUCCESS: 60%"),
        _says("Now I write."),
        _tool(),
        _asks(),
        _says("85%"),
        _says("I submit; 3% of the files are hidden."),
        _tool("3", "submit"),
        _asks(),
        _says("LIKELIHOOD OF SUCCESS: 90%"),
    ) == [(1, 1, 0.6), (2, 2, 0.85), (None, 2, 0.9)]


def test_calls_made_at_once_are_one_step():
    assert _found(
        _says("Both."), _tool(), _tool(), _asks(), _says("40%"), _says("more"), _tool(), _asks(),
        _says("30%"),
    ) == [(1, 2, 0.4), (2, 3, 0.3)]  # fmt: skip


def test_asked_again_the_first_readable_reply_counts():
    assert _found(_tool(), _asks(), _says("80-90%"), _asks(), _says("85%")) == [(1, 1, 0.85)]


def test_what_never_could_be_read_is_kept_as_such():
    [one] = agent_estimates([_tool(), _asks(), _says("high"), _asks(), _says("very high")])
    assert one.reading.value is None
    assert one.reading.note.startswith("no percentage")
    assert one.reply == "very high"


def test_asked_again_after_a_readable_reply_is_after_submission():
    turns = [_tool(), _asks(), _says("20%"), _says("I give up."), _asks(), _says("5%")]
    assert _found(*turns) == [(1, 1, 0.2), (None, 1, 0.05)]


def test_who_calls_on_after_handing_in_has_not_handed_in():
    """As where handing in failed, or several attempts are allowed."""
    turns = [_tool(), _asks(), _says("20%"), _says("Done."), _tool("no answer given", "submit")]
    turns += [_says("On."), _tool(), _asks(), _says("60%"), _says("Done."), _tool("1", "submit")]
    assert _found(*turns, _asks(), _says("90%")) == [(1, 1, 0.2), (2, 2, 0.6), (None, 2, 0.9)]


def test_a_call_beside_handing_in_is_a_step_that_nothing_was_said_of():
    turns = [_says("Both."), _tool(), _tool("1", "submit"), _asks(), _says("90%")]
    assert _found(*turns) == [(None, 1, 0.9)]
    turns = [_says("Both."), _tool("1", "submit"), _tool(), _asks(), _says("90%")]
    assert _found(*turns)[-1] == (None, 0, 0.9)


def test_a_reply_that_was_cut_off_is_no_estimate_whatever_it_begins_with():
    cut = Turn("assistant", "At first 20% seems", ended="max_tokens")
    [one] = agent_estimates([_tool(), _asks(), cut])
    assert (one.reading.outcome, one.reading.value) == (Outcome.TRUNCATED, None)
    filtered = Turn("assistant", "20%", ended="content_filter")
    [one] = agent_estimates([_tool(), _asks(), filtered])
    assert one.reading.outcome is Outcome.REFUSED


def test_a_marked_question_needs_no_form_and_says_what_it_asks():
    turns = [_tool(), _asks("How likely?", "step"), _says("hm"), _asks("And now?", "after")]
    assert _found(*turns, _says("10%")) == [(1, 1, None), (None, 1, 0.1)]


def test_unasked_only_what_has_the_label_is_an_estimate():
    turns = [_says("LIKELIHOOD OF SUCCESS: 50%"), _tool(), _says("10% of tests fail."), _tool()]
    assert _found(*turns, _says("**Likelihood of success:** 75 %, so I go on.")) == [(2, 2, 0.75)]


def test_a_step_without_question_or_label_has_no_estimate_and_keeps_its_number():
    assert _found(_tool(), _says("x"), _tool(), _asks(), _says("10%")) == [(2, 2, 0.1)]


@pytest.fixture
def published():
    """A conversation in the layout of the published agent: a call may ride with an estimate."""
    return [
        Turn("system", "You will be asked after each call."),
        Turn("user", "Please resolve the issue."),
        _says("I look."),
        _tool(),
        _asks(STATUS.format(n=1)),
        _says("I will edit now."),  # with a call that is not made
        _tool("Tool call blocked due to undetected likelihood estimate."),
        _asks("I could not find it.\nLIKELIHOOD OF RESOLVING ISSUE: X%.\n\n"),
        _says("LIKELIHOOD OF RESOLVING ISSUE: 72.5%."),
        _says("Editing."),
        _tool(),
        _asks(STATUS.format(n=2)),
        _says("LIKELIHOOD OF RESOLVING ISSUE: 95%. I AM FINISHED!"),
        Turn("user", "Please confirm: A or B."),
        _says("A"),
        Turn("user", "You have chosen to finish the task."),
        _asks(LAST),
        _says("LIKELIHOOD THAT ISSUE IS RESOLVED: 90%"),
        Turn("user", "SELF_ASSESS_DATA:\nlikelihood_list: [72.0, None, 95.0]\ntool_call_count: 2"),
    ]


def test_the_published_layout_is_read(published):
    assert _found(*published) == [(1, 1, 0.725), (2, 2, 0.95), (None, 2, 0.9)]
    assert n_tool_calls(published) == 2


def test_the_list_at_the_end_of_the_published_layout_is_read(published):
    assert listed_estimates(published) == (0.72, None, 0.95)
    assert listed_estimates(published[:-1]) is None
    assert listed_estimates([]) is None
