r"""The last `\boxed{…}` of a reply is its decision, to the character."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.parsing.boxed import parse_boxed
from core.parsing.endings import NOTE_LENGTH, is_blank
from core.records import Outcome


def read(text, **ending):
    found = parse_boxed(text, **ending)
    return found.outcome.value, found.label, found.answer


def answered(text):
    return ("ok", "ANSWERED", text)


UNPARSABLE = ("unparsable", None, None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"So the answer is \boxed{42}.", "42"),
        (r"\boxed{2}. wait, actually \boxed{3}", "3"),
        (r"\boxed{\boxed{3}}", "3"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"\boxed{\frac{1}{3}} is it}", r"\frac{1}{3}"),
        (r"\boxed{a\}b}", r"a\}b"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{a \\} b}", r"a \\"),  # two backslashes are a line break, so this brace closes
        (r'\boxed{{"a": 1}}', '{"a": 1}'),
        ("\\boxed{ two\nlines }", " two\nlines "),
        (r"\boxed{None}", "None"),
        ("```latex\n\\boxed{7}\n```", "7"),
        (r"\boxed{`<think>` opens it}", "`<think>` opens it"),
    ],
)
def test_the_last_box_is_the_answer_as_it_was_written(text, answer):
    assert read(text) == answered(answer)


@pytest.mark.parametrize(
    ("box", "label"),
    [
        ("<MODEL_UNCERTAIN>", "MODEL_UNCERTAIN"),
        ("<model_uncertain>", "MODEL_UNCERTAIN"),
        (r"\text{<MODEL\_UNCERTAIN>}", "MODEL_UNCERTAIN"),
        ("I don't know", "MODEL_UNCERTAIN"),
        (r"\text{i DON’T  know.}", "MODEL_UNCERTAIN"),
        ("<DATA_UNCERTAIN>", "DATA_UNCERTAIN"),
        ("It is <Data_Uncertain>: no year is given", "DATA_UNCERTAIN"),
        ("<DATA_UNCERTAIN> or <MODEL_UNCERTAIN>", "MODEL_UNCERTAIN"),
        ("I don't know: <DATA_UNCERTAIN>", "MODEL_UNCERTAIN"),
    ],
)
def test_a_mark_of_uncertainty_in_the_box_is_the_label_and_no_answer(box, label):
    assert read(rf"Hm. \boxed{{{box}}}") == ("ok", label, None)


def test_a_box_with_both_marks_says_so():
    found = parse_boxed(r"\boxed{<MODEL_UNCERTAIN> <DATA_UNCERTAIN>}")
    assert found.note == "beside it, the box says DATA_UNCERTAIN"


@pytest.mark.parametrize("box", ["MODEL_UNCERTAIN", "DATA UNCERTAIN", "I do not know", "unknown"])
def test_what_only_resembles_a_mark_is_an_answer(box):
    assert read(rf"\boxed{{{box}}}") == answered(box)


def test_a_mark_outside_the_box_does_not_count():
    assert read(r"I don't know. <DATA_UNCERTAIN>? No: \boxed{4}") == answered("4")


@pytest.mark.parametrize(
    ("text", "ending", "outcome"),
    [
        (r"\boxed{4}", {"finish_reason": "length"}, "truncated"),
        (r"<think>\boxed{4}", {}, "truncated"),
        (r"\boxed{4} <think>or", {}, "truncated"),
        (None, {}, "empty"),
        (" \u200b", {}, "empty"),
        (r"<think>\boxed{4}</think>", {}, "empty"),
        (r"\boxed{4}", {"refusal": "No."}, "refused"),
        (r"\boxed{4}", {"finish_reason": "content_filter"}, "refused"),
    ],
)
def test_a_reply_that_ended_otherwise_has_no_label(text, ending, outcome):
    assert read(text, **ending) == (outcome, None, None)
    assert parse_boxed(text, **ending).note


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The answer is 4.", "no box"),
        ("I'm sorry, but I can't help with that.", "no box"),
        (r"boxed{4}", "no box"),
        (r"\boxed 4", "no box"),
        (r"\boxed{\frac{1}{2}", "the last box is never closed"),
        (r"\boxed{4} and \boxed{5", "the last box is never closed"),
        (r"\boxed{4\}", "the last box is never closed"),
        (r"\boxed{4<think>or 5?</think>2}", "the last box is never closed"),
        (r"\boxed{}", "the last box is empty"),
        ("\\boxed{ \u200b\n}", "the last box is empty"),
        (r"\boxed{4} \boxed{}", "the last box is empty"),
    ],
)
def test_without_a_last_box_that_closes_and_holds_something_the_reply_is_unparsable(text, why):
    assert read(text) == UNPARSABLE
    assert parse_boxed(text).note.startswith(f"{why}; the reply ends: ")


def test_an_unparsable_reply_keeps_its_last_hundred_characters():
    end = "\\alpha\n\t" * 12 + "{é}\\"  # 12 × 8 + 4 = 100
    assert len(end) == 100
    for why in ("", r"\boxed{}", r"\boxed{"):
        assert parse_boxed("x" * 50 + why + end + "\n").note.endswith("ends: " + end)


def test_boxes_in_thinking_do_not_count():
    assert read(r"<think>\boxed{1}</think>\boxed{2}<think>\boxed{3}</think>") == answered("2")
    assert read(r"\boxed{1}</think>\boxed{2}") == answered("2")
    assert read(r"<think>\boxed{1</think>} \boxed{2}") == answered("2")


# --- what holds for every reply

plain = st.text(
    st.characters(exclude_characters="{}\\<", exclude_categories=["Cs"]), max_size=8
) | st.sampled_from([r"\{", r"\}", "\\\\", r"\frac", r"\,", "<", "\\\n"])
in_braces = "{{{}}}".format
balanced = st.recursive(
    plain, lambda inner: st.lists(inner | inner.map(in_braces), max_size=4).map("".join)
).filter(lambda text: not is_blank(text) and "don't know" not in text.casefold())
before = st.sampled_from(
    ["", "So: ", r"\boxed{1} no, ", r"\boxed{", "}}{", r"<think>\boxed{2}</think>", "\\"]
)
after = st.sampled_from(
    ["", ".", "}", "{", " }} {", "<think>so</think>", r"<think>\boxed{}</think>"]
)


@settings(max_examples=300, deadline=None)
@given(balanced, before, after)
def test_any_balanced_text_comes_back_from_the_last_box(text, before, after):
    assert read(before + rf"\boxed{{{text}}}" + after) == answered(text)


@settings(max_examples=100, deadline=None)
@given(st.lists(balanced, min_size=1, max_size=4))
def test_of_several_boxes_the_last_one_wins(texts):
    reply = " then ".join(rf"\boxed{{{text}}}" for text in texts)
    assert read(reply) == answered(texts[-1])


pieces = st.lists(
    st.sampled_from(
        ["\\boxed{", "{", "}", "\\", "\n", " ", "\u200b", "\0", "\ud800", "4", "<think>", "`", '"',
         "</think>", "<Thinking a='b'>", "</reasoning >", "<think/>", "<MODEL_UNCERTAIN>", "<"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(pieces | st.text(st.characters(exclude_categories=[]), max_size=60))
def test_no_text_makes_the_parser_raise_and_every_other_outcome_says_why(text):
    found = parse_boxed(text)
    assert len(found.note) <= NOTE_LENGTH
    assert (found.answer is not None) == (found.label == "ANSWERED")
    assert found.note or found.outcome is Outcome.OK


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("\\boxed{" + "{" * 100_000 + "}" * 100_000 + "}", "ok"),
        ("\\boxed{" + "{" * 100_000, "unparsable"),
        ("\\boxed{" * 50_000, "unparsable"),
        ("\\boxed{" * 50_000 + "4" + "}" * 50_000, "ok"),
        ("\\boxed{" + "\\" * 200_000 + "4}", "ok"),
        ("<think>" * 50_000, "truncated"),
        ("</think>" * 50_000, "empty"),
        ("<think " * 50_000, "unparsable"),
    ],
)
def test_text_made_to_be_slow_or_deep_ends_like_any_other(text, outcome):
    # A scan that began anew at every brace would take minutes here, and recursion would fail.
    assert parse_boxed(text).outcome.value == outcome
