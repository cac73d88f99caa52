"""An answer matches a reference to the letter or but for its dress, and never another number."""

import pytest

from core.parsing.answer_match import answer_match


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("ROME.", "Rome"),
        ("the Rhine", "Rhine"),
        ("“4”", "4"),
        ("$1,000$", "1000"),
        (r"\text{Rome}", "rome"),
        (r"\left(1, 2\right)", "(1, 2)"),
        ("ｘ = 3", "x = 3"),
        ("x²", "x^2"),
        ("e\u0301te\u0301", "été"),
    ],
)
def test_dress_is_taken_off(answer: str, reference: str) -> None:
    assert answer_match(answer, [reference]) == "normalised"
    assert answer_match(reference, [answer]) == "normalised"


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        (".5", "5"),
        ("5!", "5"),
        ("2²", "22"),
        ("10⁶", "106"),
        ("10⁻³", "10-3"),
        ("2½", "21/2"),
        ("-3", "3"),
        ("1,00", "100"),
        ("", "."),
        ("Rome or Milan", "Rome"),
    ],
)
def test_what_says_something_else_does_not_match(answer: str, reference: str) -> None:
    assert answer_match(answer, [reference]) == "none"
    assert answer_match(reference, [answer]) == "none"


def test_a_reference_to_the_letter_is_exact_whatever_else_there_is() -> None:
    assert answer_match("The Rhine", ["rhine", "The Rhine"]) == "exact"
    assert answer_match("x", []) == "none"
