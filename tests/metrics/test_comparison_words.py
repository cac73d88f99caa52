"""A comparison in words says on which tasks it rests before it says what came out."""

import math

import pytest

from core.metrics.comparison_words import ASKED, comparison_sentence, metric_words


def row(**changed):
    return {
        "type": "Overall",
        "metric": "accuracy",
        "a": 0.7,
        "b": 0.65,
        "difference": -0.05,
        "low": -0.084,
        "high": 0.001,
        "p": 0.0561,
        "p_adjusted": math.nan,
        "test": "McNemar's test (mid-p), Tango's interval",
        "n_a": 800,
        "n_b": 800,
        "n_shared": 800,
        "left_out_a": 0,
        "left_out_b": 0,
        "no_reply_a": 0,
        "no_reply_b": 0,
        "is_paired": True,
        "why": "",
        "name_a": "gpt-x",
        "name_b": "Small",
    } | changed


def test_the_same_tasks_are_named_and_so_is_what_came_out():
    assert comparison_sentence(row()) == (
        "gpt-x and Small classified the same 800 tasks, and are compared task by task. "
        "Accuracy is 0.70 for gpt-x and 0.65 for Small: −0.05 "
        "(95 % interval −0.08 to 0.00, p = 0.056)."
    )


def test_tasks_that_only_one_classified_are_told_as_left_out():
    sentence = comparison_sentence(row(n_shared=1, left_out_a=1200, left_out_b=1))
    assert sentence.startswith(
        "gpt-x and Small are compared task by task on the 1 task that both classified; "
        "left out: 1,200 tasks that only gpt-x classified and 1 task that only Small classified. "
    )


def test_different_tasks_are_told_as_such():
    sentence = comparison_sentence(row(n_shared=0, is_paired=False))
    assert sentence.startswith("gpt-x and Small share no task, and are compared as independent. ")


def test_a_few_shared_tasks_are_told_as_left_out():
    sentence = comparison_sentence(
        row(n_shared=31, is_paired=False, left_out_a=31, left_out_b=31, type="Ethical Integrity")
    )
    assert sentence.startswith(
        "gpt-x and Small share only 31 tasks of Ethical Integrity, left out here; "
        "on the others they are compared as independent. "
    )


@pytest.mark.parametrize(
    ("metric", "meaning"), [("accuracy", "are no part of this"), (ASKED, "count as not right")]
)
def test_tasks_without_a_usable_reply_are_told(metric, meaning):
    sentence = comparison_sentence(row(metric=metric, no_reply_b=2))
    assert f"No usable reply came on 2 tasks from Small; these {meaning}." in sentence


@pytest.mark.parametrize(
    ("p", "adjusted", "words"),
    [
        (0.00004, 0.0018, "p < 0.001; p = 0.002 when all comparisons are allowed for)."),
        (0.3, 1.0, "p = 0.300; p = 1.000 when all comparisons are allowed for)."),
        (0.3, 0.3, "p = 0.300)."),
    ],
)
def test_p_is_told_alone_and_corrected_where_that_differs(p, adjusted, words):
    assert comparison_sentence(row(p=p, p_adjusted=adjusted)).endswith(words)


def test_what_is_not_defined_gives_the_reason_and_no_numbers():
    why = "not defined: for a no task was classified as infeasible"
    sentence = comparison_sentence(row(metric="insight", difference=math.nan, why=why))
    assert sentence.endswith(
        "Insight cannot be compared: for a no task was classified as infeasible."
    )


def test_a_difference_without_an_interval_says_why():
    why = "no interval: the metric is the same in all the replicates"
    sentence = comparison_sentence(row(difference=0.0, low=math.nan, high=math.nan, why=why))
    assert sentence.endswith(f"for Small: 0.00; {why}.")


def test_without_names_the_two_are_a_and_b():
    nameless = {key: value for key, value in row().items() if not key.startswith("name")}
    assert comparison_sentence(nameless).startswith("A and B classified the same 800 tasks")


def test_metrics_are_written_as_words():
    assert metric_words("confidence_balance") == "confidence balance"
    assert metric_words(ASKED) == "accuracy of all asked"
