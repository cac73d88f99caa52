from hypothesis import given, settings
from hypothesis import strategies as st

from core.parsing.endings import is_blank
from core.parsing.objects import find_objects
from core.parsing.thinking import spoken_parts, spoken_text
from core.records import Outcome, Reading

pieces = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<Thought x>", "</reasoning >", "<think/>", "`", "'", '"',
         " ", "\n", "yes", "<", ">"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(pieces)
def test_thinking_is_the_same_with_and_without_objects(text):
    said = spoken_parts(text, finish_reason="stop", refusal=None)
    found = find_objects(text, "task")
    if isinstance(said, Reading):
        assert (said.outcome is Outcome.TRUNCATED) == found.in_thinking
        assert found.in_thinking or is_blank(found.rest)
    else:
        assert not found.in_thinking
        assert "".join(said) == found.rest


def test_the_parts_of_what_is_said_stand_on_lines_of_their_own():
    assert spoken_text("7<think>8</think>0%", finish_reason="stop", refusal=None) == "7\n0%"


def test_what_was_refused_is_not_looked_at():
    found = spoken_text("<think>", finish_reason="content_filter", refusal=None)
    assert found.outcome is Outcome.REFUSED
