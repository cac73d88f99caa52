"""A likelihood of success is read with its decision, or alone, and only where it is plain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.parsing.endings import NOTE_LENGTH
from core.parsing.likelihood import parse_decision, parse_likelihood

PLAIN = "LIKELIHOOD OF SUCCESS: 70%. DECISION: YES"


def decided(text, **ending):
    found = parse_decision(text, **ending)
    assert found.reason is found.answer is None
    return found.outcome.value, found.value, found.label


def likely(text, **ending):
    found = parse_likelihood(text, **ending)
    assert found.label is found.reason is found.answer is None
    return found.outcome.value, found.value


UNDECIDED = ("unparsable", None, None)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.lower(),
        "LIKELIHOOD OF SUCCESS: 70%.DECISION: YES.",
        "LIKELIHOOD OF SUCCESS: 70% DECISION: YES",
        "Decision: Yes\nLikelihood of success: 70 percent",
        "**LIKELIHOOD OF SUCCESS:** 70%\n\n**DECISION:** **YES**",
        "**LIKELIHOOD OF SUCCESS**: _70%_. **DECISION**: _YES_",
        "LIKELIHOOD\nOF SUCCESS:\n70%.\nDECISION:\nYES",
        '{"likelihood of success": "70%", "decision": "yes"}',
        "LIKELIHOOD OF SUCCESS: [70%]. DECISION: [YES]",
        "I solved 3 of 5 (60%).\nLIKELIHOOD OF SUCCESS: 70%. DECISION: YES. No more to say.",
        f"{PLAIN}\n\nTo repeat: {PLAIN.lower()}",
        f"In the form LIKELIHOOD OF SUCCESS: X%. DECISION: YES|NO\n{PLAIN}",
        f"<think>LIKELIHOOD OF SUCCESS: 5%. DECISION: NO</think>{PLAIN}",
        f"My decision is hard; no task is alike. {PLAIN}, as I know such tasks.",
    ],
)
def test_a_contract_is_read_in_any_case_emphasis_and_lines(text):
    assert decided(text) == ("ok", 0.7, "yes")


def test_a_declined_contract_is_a_no_with_its_likelihood():
    assert decided("LIKELIHOOD OF SUCCESS: 0%. DECISION: NO") == ("ok", 0.0, "no")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("LIKELIHOOD OF SUCCESS: 70%.", "no DECISION: in the reply"),
        ("DECISION: YES", "no LIKELIHOOD OF SUCCESS: in the reply"),
        ("70%. YES", "no LIKELIHOOD OF SUCCESS: in the reply"),
        ("LIKELIHOOD OF SUCCESS: X%. DECISION: YES|NO", "no LIKELIHOOD OF SUCCESS: in the reply"),
        ("LIKELIHOOD OF SUCCESS: 70%. DECISION: YES|NO", "no DECISION: in the reply"),
        ("LIKELIHOOD OF SUCCESS: 70%. DECISION: yes or no", "no DECISION: in the reply"),
        ("LIKELIHOOD OF SUCCESS: 70%. INDECISION: YES", "no DECISION: in the reply"),
        ("LIKELIHOOD OF SUCCESS: 70. DECISION: YES", "no percentage"),
        ("LIKELIHOOD OF SUCCESS: 150%. DECISION: YES", "more than 100 percent"),
        ("LIKELIHOOD OF SUCCESS: >70%. DECISION: YES", "the percentage is a bound"),
        ("LIKELIHOOD OF SUCCESS: -7%. DECISION: YES", "the percentage is a bound"),
        ("LIKELIHOOD OF SUCCESS: 60-70%. DECISION: YES", "the percentage is a bound"),
        (f"LIKELIHOOD OF SUCCESS: 60%. {PLAIN}", "different likelihoods: '60%', '70%'"),
        (f"LIKELIHOOD OF SUCCESS: 8O%. {PLAIN}", "a percent sign without a number"),
        (f"{PLAIN}. DECISION: NO", "2 different decisions"),
        (f"{PLAIN}. DECISION: MAYBE", "the decision is 'MAYBE', wanted YES or NO"),
        ("LIKELIHOOD OF SUCCESS: 70%. DECISION: NOT YES", "the decision is 'NOT YES'"),
        ("LIKELIHOOD OF SUCCESS: 70%. DECISION: no, wait, yes", "the decision is 'no, wait, yes'"),
        ("LIKELIHOOD OF SUCCESS: 70%. DECISION: YESTERDAY", "the decision is 'YESTERDAY'"),
        ("LIKELIHOOD OF SUCCESS: 70%. DECISION:", "the decision is ''"),
    ],
)
def test_a_contract_that_is_not_plain_is_unparsable(text, why):
    assert decided(text) == UNDECIDED
    assert parse_decision(text).note.startswith(why)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("LIKELIHOOD OF SUCCESS: 85%", 0.85),
        ("**Likelihood of success:** 85 percent.", 0.85),
        ("40% of the tests pass.\nLIKELIHOOD OF SUCCESS: 12.5%. I go on with 3 of 5.", 0.125),
        (PLAIN, 0.7),
        ("85%", 0.85),
        ("After that, 85% I would say.", 0.85),
        ("The likelihood of success is 85%.", 0.85),
        ("LIKELIHOOD OF SUCCESS: X% it was, so: 85 percent", None),
    ],
)
def test_a_likelihood_is_read_by_its_label_or_as_the_one_percentage(text, value):
    assert likely(text) == (("ok", value) if value is not None else ("unparsable", None))


@pytest.mark.parametrize(
    "text",
    [
        "LIKELIHOOD OF SUCCESS: 85",
        "LIKELIHOOD OF SUCCESS: 101%",
        "LIKELIHOOD OF SUCCESS: high. So 85%",
        "LIKELIHOOD OF SUCCESS: 80%. LIKELIHOOD OF SUCCESS: 90%",
        "LIKELIHOOD OF SUCCESS: 80%, up from 60%",
        "40% of the tests pass, so 85%",
        "I cannot tell.",
    ],
)
def test_a_likelihood_that_is_not_plain_is_unparsable(text):
    assert likely(text) == ("unparsable", None)


@pytest.mark.parametrize(
    ("text", "ending", "outcome"),
    [
        (PLAIN, {"finish_reason": "length"}, "truncated"),
        (f"{PLAIN}<think>", {}, "truncated"),
        (None, {}, "empty"),
        (f"<think>{PLAIN}</think>", {}, "empty"),
        (PLAIN, {"refusal": "No."}, "refused"),
    ],
)
def test_a_reply_that_ended_otherwise_states_nothing(text, ending, outcome):
    assert decided(text, **ending) == (outcome, None, None)
    assert likely(text, **ending) == (outcome, None)


@given(st.integers(0, 100), st.sampled_from(["YES", "NO"]))
def test_every_contract_in_the_form_asked_for_is_read(percent, decision):
    reply = f"LIKELIHOOD OF SUCCESS: {percent}%. DECISION: {decision}"
    assert decided(reply) == ("ok", percent / 100, decision.lower())
    assert likely(reply) == ("ok", percent / 100)


pieces = st.lists(
    st.sampled_from(
        ["LIKELIHOOD OF SUCCESS", "DECISION", ":", " ", "\n", ".", "**", "7", "%", "YES", "NO", "|",
         " or ", "X%", ">", "<think>", "</think>", "\ud800", "\0"]
    ),
    max_size=20,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(pieces | st.text(st.characters(exclude_categories=[]), max_size=40))
def test_no_text_makes_a_parser_raise_and_every_other_outcome_says_why(text):
    for found in (parse_decision(text), parse_likelihood(text)):
        assert len(found.note) <= NOTE_LENGTH
        if found.outcome.value == "ok":
            assert 0 <= found.value <= 1
        else:
            assert found.note
            assert found.label is found.value is None


@pytest.mark.parametrize(
    "text",
    [
        "LIKELIHOOD OF SUCCESS: " * 10_000,
        "DECISION:" * 20_000,
        "decision" + " " * 200_000,
        "likelihood" + " " * 200_000 + "of",
        "DECISION: " + ".x" * 100_000,
    ],
)
def test_text_made_to_be_slow_ends_like_any_other(text):
    # A scan that went to the end of the text at every label would take minutes here.
    assert decided(text) == UNDECIDED
    assert likely(text) == ("unparsable", None)
