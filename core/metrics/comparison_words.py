"""A comparison of two classifiers in words, for readers who know no statistics."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

from core.metric_names import in_words, p_words

ASKED = "accuracy_of_asked"
"""Accuracy out of all tasks that the model was asked: a reply that cannot be used is not right."""


@dataclass(frozen=True)
class ComparisonWords:
    """What a comparison is about: `task`, `done` to it by the two, and what some of them lack."""

    task: str = "task"
    done: str = "classified"
    lacks: str = "No usable reply came on"


OF_TASKS = ComparisonWords()


def comparison_sentence(row: Mapping[str, Any], words: ComparisonWords = OF_TASKS) -> str:
    """What was compared, on which tasks, and what came out.

    Args:
        row: a row of the frame that a comparison returns; `name_a` and `name_b`, where there are
            any, are what the two are called.
        words: what they were compared on.

    Example:
        >>> row = dict(metric="accuracy", type="Overall", a=0.7, b=0.75, difference=0.05, low=0.02,
        ...     high=0.08, p=0.004, p_adjusted=0.012, test="McNemar's test", n_a=800, n_b=800,
        ...     n_shared=800, left_out_a=0, left_out_b=0, no_reply_a=0, no_reply_b=0,
        ...     is_paired=True, why="", name_a="A", name_b="B")
        >>> print(comparison_sentence(row))
        A and B classified the same 800 tasks, and are compared task by task. Accuracy is 0.70 for \
A and 0.75 for B: +0.05 (95 % interval +0.02 to +0.08, p = 0.004; p = 0.012 when all comparisons \
are allowed for).
    """
    a, b = row.get("name_a", "A"), row.get("name_b", "B")
    sentences = [_basis(row, a, b, words), _replies(row, a, b, words), _outcome(row, a, b)]
    return " ".join(f"{text}." for text in sentences if text)


def _basis(row: Mapping[str, Any], a: str, b: str, words: ComparisonWords) -> str:
    kind = "" if row["type"] == "Overall" else f" of {row['type']}"
    shared = f"{_tasks(row['n_shared'], words.task)}{kind}"
    one_by_one = f"{words.task} by {words.task}"
    alone = [
        f"{_tasks(row[f'left_out_{side}'], words.task)} that only {name} {words.done}"
        for side, name in (("a", a), ("b", b))
        if row[f"left_out_{side}"]
    ]
    if row["is_paired"] and not alone:
        return f"{a} and {b} {words.done} the same {shared}, and are compared {one_by_one}"
    if row["is_paired"]:
        left_out = " and ".join(alone)
        return (
            f"{a} and {b} are compared {one_by_one} on the {shared} that both {words.done}; "
            f"left out: {left_out}"
        )
    if row["n_shared"]:
        return (
            f"{a} and {b} share only {shared}, left out here; on the others they are "
            "compared as independent"
        )
    return f"{a} and {b} share no {words.task}{kind}, and are compared as independent"


def _replies(row: Mapping[str, Any], a: str, b: str, words: ComparisonWords) -> str:
    failed = [
        f"{_tasks(row[f'no_reply_{side}'], words.task)} from {name}"
        for side, name in (("a", a), ("b", b))
        if row[f"no_reply_{side}"]
    ]
    if not failed:
        return ""
    means = "count as not right" if row["metric"] == ASKED else "are no part of this"
    return f"{words.lacks} {' and '.join(failed)}; these {means}"


def _outcome(row: Mapping[str, Any], a: str, b: str) -> str:
    name = metric_words(row["metric"])
    name = name[:1].upper() + name[1:]
    if row["difference"] is None or isnan(row["difference"]):
        return f"{name} cannot be compared: {row['why'].removeprefix('not defined: ')}"
    values = f"{name} is {_shown(row['a'])} for {a} and {_shown(row['b'])} for {b}"
    told = f"{values}: {_signed(row['difference'])}"
    if row["why"]:
        return f"{told}; {row['why']}"
    found = f"95 % interval {_signed(row['low'])} to {_signed(row['high'])}, {p_words(row['p'])}"
    adjusted = row["p_adjusted"]
    if adjusted is not None and not isnan(adjusted) and p_words(adjusted) != p_words(row["p"]):
        found += f"; {p_words(adjusted)} when all comparisons are allowed for"
    return f"{told} ({found})"


def metric_words(metric: str) -> str:
    """The metric as it is written in a sentence.

    Example:
        >>> metric_words("harmonic_mean"), metric_words("accuracy_of_asked")
        ('harmonic mean', 'accuracy of all asked')
    """
    return "accuracy of all asked" if metric == ASKED else in_words(metric)


def _tasks(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' if n != 1 else ''}"


def _shown(number: float) -> str:
    return f"{round(number, 2) + 0.0:.2f}".replace("-", "−")


def _signed(number: float) -> str:
    rounded = round(number, 2) + 0.0
    return f"{rounded:+.2f}".replace("-", "−") if rounded else "0.00"
