r"""The reward reads a completion as the parser of replies does, and pays by the written rule."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.parsing.answer_match import answer_match
from core.parsing.boxed import parse_boxed
from core.training import reward as reward_module
from core.training.reward import UNREADABLE, compute_score, is_right, read_box, reward

DATA, MODEL = "<DATA_UNCERTAIN>", "<MODEL_UNCERTAIN>"

PIECES = st.sampled_from(
    [
        *("\\boxed{", "}", "{", "\\}", "\\{", "\\\\", "\\", " ", "\n", "4", "1/2", ".5", "x²"),
        *("<think>", "</think>", "<thinking a='1'>", "</reasoning >", "<think/>", "`", '"', "'"),
        *(DATA, MODEL, "<data\\_uncertain>", "I don’t  know", "I don't know", "\u200b", "\xa0"),
        *("\\frac{1}{2}", "$", "The Rhine", "1,000", "no"),
    ]
)
COMPLETIONS = st.lists(PIECES | st.text(max_size=4), max_size=14).map("".join)


@given(COMPLETIONS)
@settings(max_examples=1500, deadline=None)
def test_a_completion_is_read_as_the_parser_of_replies_reads_it(text: str) -> None:
    read = parse_boxed(text)
    expected = (read.label or UNREADABLE, read.answer or "")
    assert read_box(text) == expected


ANSWERS = st.lists(
    st.sampled_from([*"0123456789.,-/!?$ ", "the ", "\\text{", "}", "\\left", "½", "²", "A"]),
    max_size=8,
).map("".join)


@given(ANSWERS, ANSWERS)
@settings(max_examples=1500, deadline=None)
def test_whatever_matches_a_reference_is_right(answer: str, reference: str) -> None:
    if answer_match(answer, [reference]) != "none":
        assert is_right(answer, [reference])
    assert is_right(answer, [reference]) == is_right(reference, [answer])


@given(
    st.integers(-(10**6), 10**6),
    st.integers(1, 1000),
    st.integers(-(10**6), 10**6),
    st.integers(1, 1000),
)
@settings(deadline=None)
def test_two_fractions_are_right_for_each_other_when_their_values_are_equal(a, b, c, d) -> None:
    sign = "-" if a < 0 else ""
    answer = rf"{sign}\frac{{{abs(a)}}}{{{b}}}"
    assert is_right(answer, [f"{c}/{d}"]) == (a * d == b * c)
    assert is_right(answer, [f"{a}/{b}"])


@pytest.mark.parametrize(
    ("answer", "reference", "right"),
    [
        ("0.50", "1/2", True),
        ("½", "0.5", True),
        (".5", r"\dfrac{1}{2}", True),
        ("−3", "-3.0", True),
        ("+7", "7", True),
        ("1,000.0", "1000", True),
        (".5", "5", False),
        ("5!", "5", False),
        ("2½", "10.5", False),
        ("2²", "22", False),
        ("1/0", "0", False),
        ("50%", "0.5", False),
        ("1e3", "1000", False),
        ("٣", "3", False),
        ("9" * 5000, "9" * 4999 + "8", False),
        (r"2\sqrt{2}", r"\sqrt{8}", False),
    ],
)
def test_numbers_of_one_value_are_right_and_nothing_else_is_worked_out(
    answer: str, reference: str, right: bool
) -> None:
    assert is_right(answer, [reference]) is right


@pytest.mark.parametrize(
    ("said", "answerable", "insufficient", "difficult"),
    [
        (r"\boxed{4}", 1, -1, -1),
        (r"\boxed{Four.}", 1, -1, -1),
        (r"\boxed{5}", -1, -1, -1),
        (rf"\boxed{{{DATA}}}", -1, 1, -1),
        (rf"\boxed{{{MODEL}}}", 0, -1, 1),
        (r"\boxed{I don't know}", 0, -1, 1),
        ("It is 4.", -1, -1, -1),
        (r"\boxed{4", -1, -1, -1),
        (r"<think>\boxed{4}</think>", -1, -1, -1),
        (r"\boxed{4} no, \boxed{5}", -1, -1, -1),
        ("", -1, -1, -1),
    ],
)
def test_the_reward_by_what_was_said_and_what_was_right(
    said: str, answerable: int, insufficient: int, difficult: int
) -> None:
    assert compute_score("s", said, ["4", "four"], {"index": 0}) == answerable
    assert compute_score("s", said, [DATA]) == insufficient
    assert compute_score("s", said, [MODEL]) == difficult


def test_trl_and_verl_are_paid_alike() -> None:
    said = [r"\boxed{4}", rf"\boxed{{{MODEL}}}", rf"\boxed{{{DATA}}}"]
    chats = [[{"role": "assistant", "content": text}] for text in said]
    truths = [["4"], ["4"], ["4"]]
    models = [{"style": "rule", "ground_truth": truth} for truth in truths]
    paid = [
        compute_score(data_source="", solution_str=text, ground_truth=truth, extra_info=None)
        for text, truth in zip(said, truths, strict=True)
    ]
    assert paid == [1.0, 0.0, -1.0]
    prompts = [[{"role": "user", "content": "?"}]] * 3
    assert reward(prompts, said, ground_truth=truths, trainer_state=None) == paid
    assert reward(prompts=prompts, completions=chats, reward_model=models) == paid
    with pytest.raises(ValueError, match="no column reward_model"):
        reward(prompts, said)


def test_the_file_stands_by_itself(tmp_path: Path) -> None:
    """Copied out, it runs where the rest of the program is not."""
    source = Path(reward_module.__file__).read_text(encoding="utf-8")
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names
    (tmp_path / "reward.py").write_text(source, encoding="utf-8")
    script = "import reward; print(reward.compute_score('', r'\\boxed{4}', '4'))"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == "1.0\n"
