"""Prompt modes and models compared question by question, against values worked by hand."""

import numpy as np
import pandas as pd
import pytest

from core.errors import InputError
from core.metrics.attribution_comparison import compare_attribution
from core.metrics.attribution_replicates import METRICS, attribution_metric
from core.metrics.comparison_words import ComparisonWords, comparison_sentence

A, U = "answerable", "unanswerable"
DATA, MODEL = "DATA_UNCERTAIN", "MODEL_UNCERTAIN"
# Right: both 8, a alone 2, b alone 6; of 20 answerable ones.
JOINT = {
    (A, "correct", "correct"): 8,
    (A, "correct", "wrong"): 2,
    (A, "wrong", "correct"): 6,
    (A, MODEL, "wrong"): 3,
    (A, DATA, MODEL): 1,
    (U, DATA, DATA): 5,
    (U, "ANSWERED", DATA): 4,
    (U, DATA, "ANSWERED"): 1,
}


def joint_of(pairs, part="p"):
    rows = [(part, *key, n) for key, n in pairs.items()]
    return pd.DataFrame(rows, columns=["part", "intent", "outcome_a", "outcome_b", "n"])


def side_of(joint, side):
    return joint.rename(columns={f"outcome_{side}": "outcome"})[["part", "intent", "outcome", "n"]]


def compared(joint, **options):
    return compare_attribution(side_of(joint, "a"), side_of(joint, "b"), joint, **options)


def row_of(frame, metric, part="Overall"):
    return frame.set_index(["type", "metric"]).loc[(part, metric)]


def test_acc_is_compared_by_the_questions_that_only_one_got_right() -> None:
    row = row_of(compared(joint_of(JOINT)), "ACC")
    # 10 and 14 of 20; 2 and 6 alone: (37 + 9) / 256 of 8 coins, halved twice and doubled.
    assert (row.a, row.b, row.n_a, row.n_b) == (0.5, 0.7, 20, 20)
    assert row.p == pytest.approx(46 / 256)
    assert row.test.startswith("McNemar's test (mid-p)")
    assert (row.n_shared, row.left_out_a, row.left_out_b, row.is_paired) == (30, 0, 0, True)


def test_f1s_are_compared_by_the_paired_bootstrap() -> None:
    found = compared(joint_of(JOINT))
    # b: N = 10, M = 6. DU: tp 9/10, fp 0/6, fn 1/10 balanced: 1.8 / 1.9. MU: tp 1/6, fp 0, fn 5/6.
    assert row_of(found, "DU-F1 balanced").b == pytest.approx(1.8 / 1.9)
    assert row_of(found, "MU-F1 balanced").b == pytest.approx((1 / 3) / (1 / 3 + 5 / 6))
    # a: M = 10. DU: tp 6/10, fp 1/10, fn 4/10 in either form, for N = M.
    for form in ("released", "balanced"):
        assert row_of(found, f"DU-F1 {form}").a == pytest.approx(1.2 / 1.7)
    for metric in METRICS[1:]:
        row = row_of(found, metric)
        assert row.test == "paired bootstrap, 2,000 resamples"
        assert row.low < row.difference < row.high


def test_the_same_questions_tell_more_than_as_many_different_ones() -> None:
    # The two agree on most unanswerable questions.
    alike = {(U, DATA, DATA): 50, (U, "ANSWERED", DATA): 10, (U, "ANSWERED", "ANSWERED"): 40}
    joint = joint_of({key: 10 * n for key, n in JOINT.items() if key[0] == A} | alike)
    a, b = side_of(joint, "a"), side_of(joint, "b")
    paired, alone = compared(joint), compare_attribution(a, b, joint.iloc[:0])
    assert not alone["is_paired"].any()
    assert (alone["n_shared"] == 0).all()
    narrow, wide = (row_of(frame, "DU-F1 balanced") for frame in (paired, alone))
    assert narrow.high - narrow.low < wide.high - wide.low
    assert row_of(alone, "ACC").test == "score test, Newcombe's interval"


def test_the_bootstrap_is_that_of_questions_drawn_one_by_one() -> None:
    pairs = {key: 10 * n for key, n in JOINT.items()}
    row = row_of(compared(joint_of(pairs), replicates=20_000), "MU-F1 released")
    cell = {"correct": 0, DATA: 1, MODEL: 2, "wrong": 3}
    u_cell = {DATA: 4, MODEL: 5, "ANSWERED": 6}
    rng = np.random.default_rng(1)
    found = []
    for _ in range(3_000):
        cells = np.zeros((2, 7))
        for side in (A, U):
            places = cell if side == A else u_cell
            rows = [key[1:] for key, n in pairs.items() if key[0] == side for _ in range(n)]
            for at in rng.integers(len(rows), size=len(rows)):
                for who, outcome in enumerate(rows[at]):
                    cells[who, places[outcome]] += 1
        values = attribution_metric(cells, "MU-F1 released")
        found.append(values[1] - values[0])
    ends = np.quantile(found, [0.025, 0.975])
    assert [row.low, row.high] == pytest.approx(list(ends), abs=0.2 * np.std(found))


def test_an_answer_without_a_verdict_leaves_its_question_out_for_both() -> None:
    more = joint_of(JOINT | {(A, None, "correct"): 4, (A, "wrong", None): 1, (A, None, None): 2})
    found, whole = compared(more), compared(joint_of(JOINT))
    for column in ("a", "b", "difference", "low", "high", "p", "n_a", "n_shared"):
        assert list(found[column]) == list(whole[column])
    row = row_of(found, "ACC")
    assert (row.no_reply_a, row.no_reply_b) == (6, 3)
    assert (row.left_out_a, row.left_out_b) == (1, 4)


def test_parts_have_rows_of_their_own_and_say_what_is_not_defined() -> None:
    joint = pd.concat([joint_of(JOINT, "x"), joint_of({(U, DATA, "ANSWERED"): 9}, "y")])
    found = compared(joint, by_type=True)
    assert list(found["type"].unique()) == ["Overall", "x", "y"]
    assert row_of(found, "ACC", "x").p == row_of(compared(joint_of(JOINT)), "ACC").p
    assert row_of(found, "ACC", "y").why == (
        "not defined: for a no answerable question has an outcome; "
        "for b no answerable question has an outcome"
    )


def test_the_sentence_speaks_of_questions() -> None:
    words = ComparisonWords("question", "reached an outcome on", "No verdict came on")
    more = joint_of(JOINT | {(A, None, "correct"): 1})
    row = row_of(compared(more), "ACC").to_dict() | {"metric": "ACC", "type": "Overall"}
    assert comparison_sentence(row, words).startswith(
        "A and B are compared question by question on the 30 questions that both reached an "
        "outcome on; left out: 1 question that only B reached an outcome on. "
        "No verdict came on 1 question from A; these are no part of this. ACC is 0.50 for A"
    )


def test_faults_are_told_by_name() -> None:
    joint = joint_of(JOINT)
    with pytest.raises(InputError, match="no metric 'accuracy' to compare"):
        compared(joint, metrics=["accuracy"])
    with pytest.raises(InputError, match="no column 'outcome_b'"):
        compare_attribution(
            side_of(joint, "a"), side_of(joint, "b"), joint.drop(columns="outcome_b")
        )
    with pytest.raises(InputError, match="'correct' is no outcome of an unanswerable question"):
        compared(joint_of({(U, "correct", DATA): 1}))
    with pytest.raises(InputError, match="tasks of a that its own counts do not have"):
        compare_attribution(side_of(joint.iloc[1:], "a"), side_of(joint, "b"), joint)
