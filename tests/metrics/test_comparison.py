import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.boundary import cells
from core.metrics.cells import METRIC_NAMES, Cells, boundary_metrics
from core.metrics.comparison import COMPARED_METRICS, compare, compare_tallies
from core.metrics.comparison_words import ASKED
from core.metrics.joint_cells import JOINT_COLUMNS, joint_tallies, tallies
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPE_NAMES

ETHICS, MALICE, OFFENSIVE = "Ethical Integrity", "Malicious Intent", "Offensive Topics"
TIME, SETTING = "Temporal Perception", "Abstract Temporal Setting"
NO_SHARE = ("insight", "harmonic_mean", "confidence_balance")

# What a label and its reason are, by the cell they put a task of Ethical Integrity in.
CALLED = {
    "ff": (FEASIBLE, None),
    "fr": (INFEASIBLE, MALICE),
    "rf": (FEASIBLE, None),
    "rr": (INFEASIBLE, MALICE),
    "rr_other": (INFEASIBLE, OFFENSIVE),
    "no_reply": (None, None),
}
# Both right 6 + 5 times, a alone 1 + 1, b alone 3 + 3, neither 0 + 1: twenty tasks.
TWENTY = {
    (FEASIBLE, "ff", "ff"): 6,
    (FEASIBLE, "ff", "fr"): 1,
    (FEASIBLE, "fr", "ff"): 3,
    (INFEASIBLE, "rr", "rr"): 5,
    (INFEASIBLE, "rf", "rr"): 3,
    (INFEASIBLE, "rr", "rf"): 1,
    (INFEASIBLE, "rf", "rf"): 1,
}
# The two mostly agree, so that they differ less by chance than on different tasks.
LARGE = {
    (FEASIBLE, "ff", "ff"): 70,
    (FEASIBLE, "fr", "fr"): 15,
    (FEASIBLE, "ff", "fr"): 10,
    (INFEASIBLE, "rr", "rr"): 60,
    (INFEASIBLE, "rf", "rf"): 20,
    (INFEASIBLE, "rr", "rr_other"): 12,
    (INFEASIBLE, "rf", "rr"): 8,
}


def joint_of(pairs, kind=ETHICS):
    """A joint frame from (intent, cell of a, cell of b) to a number of tasks."""
    rows = [
        (kind, intent, MALICE if intent == INFEASIBLE else None, *CALLED[a], *CALLED[b], n)
        for (intent, a, b), n in pairs.items()
    ]
    return pd.DataFrame(rows, columns=list(JOINT_COLUMNS))


def side_of(joint, side):
    """The counts frame of one side of a joint frame."""
    names = {f"label_{side}": "label", f"label_reason_{side}": "label_reason"}
    counts = joint.rename(columns=names)[["intent", "type", "reason", *names.values(), "n"]]
    return counts.assign(study="demo", subject="m", model=side, prompt_set="vanilla")


def compared(joint, **options):
    return compare(side_of(joint, "a"), side_of(joint, "b"), joint, **options)


def turned(joint):
    names = {"label_a": "label_b", "label_reason_a": "label_reason_b"}
    return joint.rename(columns=names | {new: old for old, new in names.items()})


def row_of(frame, metric, kind="Overall"):
    return frame.set_index(["type", "metric"]).loc[(kind, metric)]


NOTHING = joint_of({})


def test_shares_on_the_same_tasks_are_compared_by_the_tasks_that_differ():
    found = compared(joint_of(TWENTY))
    accuracy = row_of(found, "accuracy")
    # a is right on 7 + 6, b on 9 + 8; alone a on 2, b on 6: (37 + 9) / 256, see the test of p.
    assert (accuracy["a"], accuracy["b"]) == (0.65, 0.85)
    assert accuracy["difference"] == pytest.approx(0.2)
    assert accuracy["p"] == pytest.approx(46 / 256)
    # Of the ten infeasible ones a kept 6 and b 8, alone 1 and 3: 4 coins, (5 + 1) / 16.
    foresight = row_of(found, "foresight")
    assert (foresight["difference"], foresight["p"]) == (pytest.approx(0.2), pytest.approx(6 / 16))
    # Declined feasible ones: a 3 of 10, b 1 of 10. Answered infeasible ones: a 4, b 2.
    assert row_of(found, "overconfidence")["difference"] == pytest.approx(-0.2)
    assert row_of(found, "conservatism")["difference"] == pytest.approx(-0.2)
    for metric in ("accuracy", "foresight", "overconfidence", "conservatism"):
        assert row_of(found, metric)["test"].startswith("McNemar's test")


def test_every_row_tells_its_tasks_and_that_it_is_paired():
    found = compared(joint_of(TWENTY))
    assert list(found["metric"]) == list(COMPARED_METRICS)
    assert found["is_paired"].all()
    assert (found["n_shared"] == 20).all()
    assert (found[["left_out_a", "left_out_b", "no_reply_a", "no_reply_b"]] == 0).all(axis=None)
    insight = row_of(found, "insight")
    # Called infeasible: a 3 + 6, b 1 + 8.
    assert (insight["n_a"], insight["n_b"]) == (9, 9)
    assert (row_of(found, "foresight")["n_a"], row_of(found, "accuracy")["n_a"]) == (10, 20)


def resampled_by_rows(pairs, metric, replicates, seed):
    """Differences from rows of tasks drawn one by one, a task of every pair of cells among them."""
    rng = np.random.default_rng(seed)
    sides = {FEASIBLE: ("ff", "fr"), INFEASIBLE: ("rf", "rr", "rr_other")}
    found = []
    for _ in range(replicates):
        tally = {"a": dict.fromkeys(CALLED, 0), "b": dict.fromkeys(CALLED, 0)}
        for intent, names in sides.items():
            rows = [(a, b) for (i, a, b), n in pairs.items() for _ in range(n) if i == intent]
            every = [(a, b) for a in names for b in names]
            weights = [1.0] * len(rows) + [1 / len(every)] * len(every)
            chances = np.array(weights) / sum(weights)
            for place in rng.choice(len(weights), size=len(rows), p=chances):
                a, b = (rows + every)[place]
                tally["a"][a] += 1
                tally["b"][b] += 1
        values = []
        for one in tally.values():
            one.pop("no_reply")
            values.append(boundary_metrics(Cells(**one))[metric])
        found.append(values[1] - values[0])
    return np.array(found)


@pytest.mark.parametrize("metric", NO_SHARE)
def test_the_bootstrap_is_that_of_rows_drawn_one_by_one(metric):
    pairs = {key: 4 * n for key, n in TWENTY.items()} | {(INFEASIBLE, "rr_other", "rr"): 6}
    found = row_of(compared(joint_of(pairs), replicates=20_000), metric)
    slow = resampled_by_rows(pairs, metric, 3_000, seed=3)
    spread = slow.std()
    # The end of 3,000 resamples has a standard error of about 0.05 of their spread.
    assert [found["low"], found["high"]] == pytest.approx(
        list(np.quantile(slow, [0.025, 0.975])), abs=0.2 * spread
    )
    beyond = min((slow <= 0).mean(), (slow >= 0).mean())
    assert found["p"] == pytest.approx(2 * beyond, abs=8 * math.sqrt(0.25 / 3_000))
    assert found["test"] == "paired bootstrap, 20,000 resamples"


def test_with_no_resample_on_the_other_side_the_normal_tail_tells_p():
    joint = joint_of(
        {(FEASIBLE, "ff", "ff"): 400, (INFEASIBLE, "rf", "rr"): 200}
        | {(INFEASIBLE, "rr", "rr"): 200}
    )
    p = row_of(compared(joint), "harmonic_mean")["p"]
    assert 0 < p < 1e-6


def test_a_single_resample_makes_no_difference_certain():
    found = compared(joint_of(TWENTY), replicates=1, metrics=NO_SHARE)
    assert (found["p"] == 1).all()


def test_a_classifier_beside_itself_does_not_differ():
    joint = joint_of(
        {
            (FEASIBLE, "ff", "ff"): 30,
            (FEASIBLE, "fr", "fr"): 5,
            (INFEASIBLE, "rr", "rr"): 25,
            (INFEASIBLE, "rf", "rf"): 6,
            (INFEASIBLE, "rr_other", "rr_other"): 4,
        }
    )
    found = compared(joint)
    assert (found["difference"] == 0).all()
    assert (found["p"] == 1).all()
    assert (found["p_adjusted"] == 1).all()
    assert (found["low"] < 0).all()
    assert (found["high"] > 0).all()


def test_the_same_tasks_tell_more_than_as_many_different_ones():
    joint = joint_of(LARGE)
    a, b = side_of(joint, "a"), side_of(joint, "b")
    paired, alone = compare(a, b, joint), compare(a, b, NOTHING)
    assert (paired["difference"] - alone["difference"]).abs().max() < 1e-12
    widths = [frame["high"] - frame["low"] for frame in (paired, alone)]
    assert (widths[0] < widths[1]).all()
    assert paired["is_paired"].all()
    assert not alone["is_paired"].any()
    assert (alone["n_shared"] == 0).all()


def test_different_tasks_are_compared_as_independent():
    joint = joint_of(TWENTY)
    found = compare(side_of(joint, "a"), side_of(joint, "b"), NOTHING)
    for metric in ("accuracy", "insight", "foresight", "overconfidence", "conservatism"):
        assert row_of(found, metric)["test"] == "score test, Newcombe's interval"
    for metric in ("harmonic_mean", "confidence_balance"):
        assert row_of(found, metric)["test"] == "bootstrap, 2,000 resamples"
    # Pooled 13 + 17 of 40: z² = 0.2² / (0.75 · 0.25 · 2/20) · 39/40 = 2.08.
    assert row_of(found, "accuracy")["p"] == pytest.approx(math.erfc(math.sqrt(2.08 / 2)))


def test_where_some_tasks_are_shared_only_these_are_compared():
    joint = joint_of(TWENTY)
    more = joint_of({(FEASIBLE, "fr", "ff"): 50})
    a = pd.concat([side_of(joint, "a"), side_of(more, "a")])
    found = compare(a, side_of(joint, "b"), joint)
    whole = compared(joint)
    for column in ("a", "b", "difference", "low", "high", "p", "n_a", "n_shared"):
        assert list(found[column]) == list(whole[column])
    assert (found["left_out_a"] == 50).all()
    assert (found["left_out_b"] == 0).all()


def test_a_few_tasks_that_two_studies_share_by_accident_do_not_carry_the_comparison():
    shared = joint_of({(FEASIBLE, "ff", "fr"): 3})
    rest = joint_of({key: 5 * n for key, n in TWENTY.items()})
    a, b = (pd.concat([side_of(shared, side), side_of(rest, side)]) for side in "ab")
    found = compare(a, b, shared)
    alone = compare(side_of(rest, "a"), side_of(rest, "b"), NOTHING)
    assert not found["is_paired"].any()
    for column in ("a", "b", "low", "high", "p", "n_a", "n_b"):
        assert list(found[column]) == list(alone[column])
    for column in ("n_shared", "left_out_a", "left_out_b"):
        assert (found[column] == 3).all()


def test_a_task_without_a_usable_reply_counts_as_not_right_where_all_asked_are_counted():
    joint = joint_of(TWENTY | {(FEASIBLE, "no_reply", "ff"): 2, (FEASIBLE, "ff", "no_reply"): 1})
    found = compared(joint)
    asked, accuracy = row_of(found, ASKED), row_of(found, "accuracy")
    # a: 13 of 20 that both read, and 13 + 1 of all 23; b: 17 of 20, and 17 + 2 of 23.
    assert (accuracy["a"], accuracy["b"], accuracy["n_a"]) == (0.65, 0.85, 20)
    assert (asked["a"], asked["b"], asked["n_a"]) == (14 / 23, 19 / 23, 23)
    # Alone: a on 2 + 1, b on 6 + 2, so 11 coins and P(X ≤ 3) + P(X ≤ 2) = (232 + 67) / 2048.
    assert asked["p"] == pytest.approx((232 + 67) / 2048)
    assert (asked["no_reply_a"], asked["no_reply_b"]) == (2, 1)
    # Those that one of them did read are left out of the rest.
    assert (asked["n_shared"], asked["left_out_a"], asked["left_out_b"]) == (20, 1, 2)


def test_replies_that_cannot_be_used_are_counted_on_different_tasks_too():
    joint = joint_of(
        {(FEASIBLE, "ff", "ff"): 3, (FEASIBLE, "fr", "fr"): 1} | {(FEASIBLE, "no_reply", "ff"): 2}
    )
    found = compare(side_of(joint, "a"), side_of(joint, "b"), NOTHING, metrics=["accuracy", ASKED])
    # 6 tasks, 2 refused, 3 of 4 right: 3/4 and 3/6, side by side.
    assert list(found["a"]) == [0.75, 0.5]
    assert list(found["n_a"]) == [4, 6]
    assert list(found["no_reply_a"]) == [2, 2]


def test_types_are_compared_on_their_own_tasks():
    other = joint_of({(FEASIBLE, "ff", "ff"): 7}, kind=TIME)
    found = compared(pd.concat([joint_of(TWENTY), other]), by_type=True)
    assert list(found["type"].unique()) == ["Overall", *TYPE_NAMES]
    alone = compared(joint_of(TWENTY))
    for metric in COMPARED_METRICS:
        for column in ("a", "b", "difference", "low", "high", "p"):
            assert row_of(found, metric, ETHICS)[column] == row_of(alone, metric)[column]
    assert row_of(found, "accuracy", TIME)["n_a"] == 7
    assert row_of(found, "accuracy")["n_a"] == 27


def test_what_is_not_defined_says_why_and_has_no_p():
    joint = joint_of({(FEASIBLE, "ff", "ff"): 4, (FEASIBLE, "ff", "fr"): 2})
    found = compared(joint)
    insight, foresight = row_of(found, "insight"), row_of(found, "foresight")
    assert insight["why"] == "not defined: for a no task was classified as infeasible"
    assert (insight["b"], insight["n_a"], insight["n_b"]) == (0.0, 0, 2)
    assert foresight["why"] == (
        "not defined: for a no task generated as infeasible has been classified; "
        "for b no task generated as infeasible has been classified"
    )
    for row in (insight, foresight):
        assert row[["difference", "low", "high", "p", "p_adjusted"]].isna().all()


def test_a_metric_that_most_resamples_lack_has_no_interval():
    # With 2 declined tasks of 40 either side, one resample in seven declines none.
    joint = joint_of({(FEASIBLE, "ff", "ff"): 38, (FEASIBLE, "fr", "fr"): 2})
    row = row_of(compared(joint), "insight")
    assert row["difference"] == 0
    assert row["why"].startswith("no interval: the metric is not defined in more than 5 %")
    assert row[["low", "high", "p"]].isna().all()


def test_without_any_task_nothing_is_defined():
    found = compared(NOTHING, by_type=True)
    assert len(found) == len(COMPARED_METRICS) * 6
    assert found["difference"].isna().all()
    assert found["why"].str.startswith("not defined: for a no ").all()


def test_counts_that_do_not_belong_together_are_refused():
    joint = joint_of(TWENTY)
    smaller = joint_of(TWENTY | {(FEASIBLE, "ff", "ff"): 5})
    wording = "10 feasible tasks of a that its own counts do not have"
    with pytest.raises(InputError, match=wording):
        compare(side_of(smaller, "a"), side_of(joint, "b"), joint)


def test_faults_are_told_by_name():
    joint = joint_of(TWENTY)
    with pytest.raises(InputError, match="there is no metric 'auroc' to compare"):
        compared(joint, metrics=["auroc"])
    with pytest.raises(InputError, match="0 replicates are too few"):
        compared(joint, replicates=0)
    with pytest.raises(InputError, match="the joint counts have no column 'label_b'"):
        compare(side_of(joint, "a"), side_of(joint, "b"), joint.drop(columns="label_b"))
    with pytest.raises(InputError, match="the label 'maybe'"):
        compared(joint.assign(label_a="maybe"))


PAIRS = st.dictionaries(
    st.one_of(
        st.tuples(st.just(FEASIBLE), *[st.sampled_from(["ff", "fr", "no_reply"])] * 2),
        st.tuples(st.just(INFEASIBLE), *[st.sampled_from(["rf", "rr", "rr_other"])] * 2),
    ),
    st.integers(1, 30),
    min_size=1,
)


def quickly_compared(joint, shared):
    parts = [tallies(side_of(joint, side)) for side in "ab"]
    return compare_tallies(*parts, joint_tallies(shared), replicates=200)


@settings(max_examples=60, deadline=None)
@given(PAIRS)
def test_changing_the_two_for_one_another_changes_signs_only(pairs):
    joint = joint_of(pairs)
    back = turned(joint)
    for shared in (joint, NOTHING):
        one = quickly_compared(joint, shared)
        other = quickly_compared(back, turned(shared))
        for column, mirrored in (("difference",) * 2, ("low", "high"), ("high", "low")):
            assert other[mirrored].tolist() == pytest.approx(
                (-one[column]).tolist(), abs=1e-9, nan_ok=True
            )
        assert other["p"].tolist() == pytest.approx(one["p"].tolist(), abs=1e-9, nan_ok=True)


@settings(max_examples=30, deadline=None)
@given(PAIRS, st.randoms(use_true_random=False))
def test_values_are_those_of_the_tables_and_intervals_hold_them_with_some_width(pairs, chance):
    pairs = {key: n for key, n in pairs.items() if "no_reply" not in key} or {
        (FEASIBLE, "ff", "ff"): 1
    }
    joint = joint_of(pairs)
    joint = joint.iloc[chance.sample(range(len(joint)), len(joint))]
    found = quickly_compared(joint, joint)
    for side in "ab":
        values = boundary_metrics(cells(side_of(joint, side)))
        for metric in METRIC_NAMES:
            value = row_of(found, metric)[side]
            assert value == values[metric] or (math.isnan(value) and values[metric] is None)
    assert row_of(found, ASKED)["a"] == row_of(found, "accuracy")["a"]
    known = found[found["low"].notna()]
    assert (known["low"] < known["high"]).all()
    assert (known["low"] - 1e-9 <= known["difference"]).all()
    assert (known["difference"] <= known["high"] + 1e-9).all()
    assert known["p"].between(0, 1, inclusive="both").all()
    assert (found["low"].isna() == (found["why"] != "")).all()
