import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.boundary import cells_by_type
from core.metrics.cells import boundary_metrics
from core.metrics.counts import CountRow
from core.metrics.ranking import ranking_sentence, type_ranking
from core.metrics.resampling import metric_intervals
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPE_NAMES

ETHICS, MALICE = "Ethical Integrity", "Malicious Intent"
TIME, SETTING = "Temporal Perception", "Abstract Temporal Setting"
CEILING, COMPLEX = "Functional Ceiling", "Computational Complexity Exceeded"
REASON_OF = {ETHICS: MALICE, TIME: SETTING, CEILING: COMPLEX}


def kept(kind, n_kept, n_lost, *, n_feasible=10):
    """Tasks of a type: infeasible ones that stayed so and that did not, and feasible ones."""
    reason = REASON_OF[kind]
    return [
        (INFEASIBLE, kind, reason, INFEASIBLE, reason, n_kept),
        (INFEASIBLE, kind, reason, FEASIBLE, None, n_lost),
        (FEASIBLE, kind, None, FEASIBLE, None, n_feasible),
    ]


def by_type(frame):
    return frame.set_index("type")


def test_the_strongest_and_weakest_types_are_marked_and_hold_their_place(make_counts):
    counts = make_counts(*kept(ETHICS, 78, 2), *kept(TIME, 40, 40), *kept(CEILING, 5, 75))
    found = by_type(type_ranking(counts))
    # With nothing declined in vain, harmonic mean is 2 · kept / (invented + kept).
    assert found.loc[ETHICS, "value"] == pytest.approx(2 * 78 / 158)
    assert found.index[found["is_strongest"]].tolist() == [ETHICS]
    assert found.index[found["is_weakest"]].tolist() == [CEILING]
    assert found.loc[ETHICS, "share_strongest"] > 0.999
    assert found.loc[CEILING, "share_weakest"] > 0.999
    assert found.loc[TIME, ["share_strongest", "share_weakest"]].max() < 0.001


def test_a_place_is_as_sure_as_the_difference_is_large_beside_its_error(make_counts):
    # Foresight 0.6 and 0.5 of 50 tasks: 0.1 is one standard error √(0.24/49 + 0.25/49) = 0.1, and
    # the normal curve has 0.841 below one.
    counts = make_counts(*kept(ETHICS, 30, 20), *kept(TIME, 25, 25))
    found = by_type(type_ranking(counts, metric="foresight", replicates=20_000))
    assert found.loc[ETHICS, "share_strongest"] == pytest.approx(0.841, abs=0.02)
    assert found.loc[TIME, "share_weakest"] == pytest.approx(0.841, abs=0.02)


def test_equal_types_share_both_places(make_counts):
    counts = make_counts(*kept(ETHICS, 20, 20), *kept(TIME, 20, 20), *kept(CEILING, 40, 0))
    found = by_type(type_ranking(counts, replicates=4_000))
    assert found.index[found["is_weakest"]].tolist() == [ETHICS, TIME]
    assert found.loc[[ETHICS, TIME], "share_weakest"].tolist() == pytest.approx(
        [0.5, 0.5], abs=0.05
    )
    assert found.loc[CEILING, "share_strongest"] > 0.99


def test_a_type_without_a_value_has_no_rank_and_says_why(make_counts):
    counts = make_counts(*kept(ETHICS, 9, 1), *kept(TIME, 2, 8))
    found = by_type(type_ranking(counts))
    assert list(found.index) == list(TYPE_NAMES)
    assert found.loc[CEILING, ["share_strongest", "share_weakest"]].isna().all()
    assert not found.loc[CEILING, "is_strongest"]
    assert found.loc[CEILING, "why"].startswith("not defined: no task generated as infeasible")
    assert found.loc[[ETHICS, TIME], "share_strongest"].sum() == pytest.approx(1)


def test_one_type_with_a_value_is_not_ranked(make_counts):
    found = type_ranking(make_counts(*kept(ETHICS, 9, 1)))
    assert found["share_strongest"].isna().all()
    assert not found[["is_strongest", "is_weakest"]].any(axis=None)
    assert ranking_sentence(found) == (
        "Fewer than two types have a value, so there is nothing to rank."
    )


def test_each_subject_and_model_is_ranked_alone_over_all_its_studies(make_counts):
    first = make_counts(*kept(ETHICS, 40, 0), study="one")
    second = make_counts(*kept(TIME, 4, 36), study="two")
    other = make_counts(*kept(ETHICS, 1, 39), *kept(TIME, 39, 1), subject="n", model="n")
    found = type_ranking(pd.concat([first, second, other])).set_index(["subject", "type"])
    assert found.loc[("m", ETHICS), "is_strongest"]
    assert found.loc[("n", TIME), "is_strongest"]
    alone = type_ranking(pd.concat([first, second])).set_index(["subject", "type"])
    assert found.loc["m"].equals(alone.loc["m"])


def test_intervals_are_those_of_the_metric_tables(make_counts):
    counts = make_counts(*kept(ETHICS, 30, 10), *kept(TIME, 10, 30))
    options = {"replicates": 300, "seed": 4}
    found = type_ranking(counts, **options)
    table = metric_intervals(
        counts, by=("subject", "model", "type"), metrics=["harmonic_mean"], **options
    )
    for column in ("value", "low", "high", "n"):
        assert found[column].equals(table[column])


def test_the_sentence_names_a_place_that_is_sure(make_counts):
    counts = make_counts(*kept(ETHICS, 78, 2), *kept(TIME, 5, 75))
    assert ranking_sentence(type_ranking(counts)) == (
        "Ethical Integrity is strongest in more than 99 % of resamples. "
        "Temporal Perception is weakest in more than 99 % of resamples."
    )


def shares(strongest, weakest):
    return pd.DataFrame(
        {"type": ["X", "Y", "Z"], "share_strongest": strongest, "share_weakest": weakest}
    )


def test_the_sentence_names_all_that_may_hold_a_place_that_is_not_settled():
    sentence = ranking_sentence(shares([0.6, 0.02, 0.38], [0.02, 0.97, 0.01]))
    assert sentence == (
        "Which type is strongest is not settled: X in 60 % and Z in 38 % of resamples. "
        "Y is weakest in 97 % of resamples."
    )
    sentence = ranking_sentence(shares([0.5, 0.3, 0.2], [0.0, 0.0, 1.0]))
    assert sentence.startswith(
        "Which type is strongest is not settled: X in 50 %, Y in 30 % and Z in 20 % of resamples."
    )


def test_metrics_of_which_less_is_better_are_not_ranked(make_counts):
    with pytest.raises(InputError, match="types cannot be ranked by 'overconfidence'") as caught:
        type_ranking(make_counts(*kept(ETHICS, 9, 1)), metric="overconfidence")
    assert "harmonic_mean" in caught.value.hint


def test_without_counts_there_are_columns_and_no_rows(make_counts):
    found = type_ranking(make_counts())
    assert found.empty
    assert list(found.columns)[-5:] == [
        "is_strongest",
        "is_weakest",
        "share_strongest",
        "share_weakest",
        "why",
    ]


ROWS = st.lists(
    st.builds(
        lambda kind, intent, label, n: CountRow(
            "demo", "m", "m", "vanilla", intent, kind, REASON_OF[kind], label, REASON_OF[kind], n
        ),
        st.sampled_from(sorted(REASON_OF)),
        st.sampled_from([FEASIBLE, INFEASIBLE]),
        st.sampled_from([FEASIBLE, INFEASIBLE]),
        st.integers(1, 9),
    ),
    min_size=1,
    max_size=9,
)


@settings(max_examples=30, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_shares_add_up_to_one_and_the_marks_are_those_of_the_observed_values(rows, chance):
    found = type_ranking(chance.sample(rows, len(rows)), replicates=100)
    values = {
        kind: boundary_metrics(one)["harmonic_mean"] for kind, one in cells_by_type(rows).items()
    }
    known = {kind: value for kind, value in values.items() if value is not None}
    marked = {mark: set(found.loc[found[mark], "type"]) for mark in ("is_strongest", "is_weakest")}
    if len(known) < 2:
        assert marked == {"is_strongest": set(), "is_weakest": set()}
        return
    assert marked["is_strongest"] == {k for k in known if known[k] == max(known.values())}
    assert marked["is_weakest"] == {k for k in known if known[k] == min(known.values())}
    for share in ("share_strongest", "share_weakest"):
        assert found[share].sum() == pytest.approx(1)
        assert set(found.loc[found[share].notna(), "type"]) == set(known)
    assert ranking_sentence(found).endswith("of resamples.")
