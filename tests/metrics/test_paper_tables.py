import pandas as pd
import pytest

from core.metrics.paper_tables import (
    balance_by_type,
    most_frequent_mistakes,
    paper_tables,
    prompt_sets_in,
    scores_by_prompt_set,
    scores_by_type,
    strongest_and_weakest_types,
)

CEILING, COMPLEX = "Functional Ceiling", "Computational Complexity Exceeded"
ETHICS, MALICE = "Ethical Integrity", "Malicious Intent"


@pytest.fixture
def two_sets(make_counts):
    # vanilla: foresight 1/2; own_set: foresight 3/3; together 4/5; mean of the sets 0.75.
    vanilla = make_counts(
        ("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 1),
        ("infeasible", CEILING, COMPLEX, "feasible", None, 1),
    )
    own = make_counts(("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 3))
    return pd.concat([own.assign(study="b", prompt_set="own_set"), vanilla])


def test_prompt_sets_are_those_found_with_vanilla_first(two_sets):
    assert prompt_sets_in(two_sets) == ["vanilla", "own_set"]


def test_scores_stand_under_each_prompt_set_and_over_all_tasks(two_sets):
    row = scores_by_prompt_set(two_sets).iloc[0]
    assert (row["vanilla foresight"], row["own_set foresight"]) == (0.5, 1.0)
    assert row["overall foresight"] == 0.8


def test_scores_by_type_are_means_of_the_prompt_sets(two_sets):
    row = scores_by_type(two_sets).iloc[0]
    assert row[f"{CEILING} foresight"] == 0.75
    assert pd.isna(row[f"{ETHICS} foresight"])


def test_one_type_alone_is_neither_strongest_nor_weakest(two_sets):
    row = strongest_and_weakest_types(two_sets).iloc[0]
    assert pd.isna(row["strongest"])
    assert pd.isna(row["weakest harmonic mean"])


def test_types_rank_by_harmonic_mean(make_counts):
    # Ceiling: F = I = 1. Ethics: F = I = 0, harmonic mean 0.
    frame = make_counts(
        ("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 1),
        ("infeasible", ETHICS, MALICE, "infeasible", COMPLEX, 1),
    )
    row = strongest_and_weakest_types(frame).iloc[0]
    assert row.tolist() == ["m", CEILING, 1.0, ETHICS, 0.0]


def test_overall_balance_is_the_plain_mean_and_missing_when_one_is(make_counts):
    # Balances of the ceiling: m 1 (over 1/1, cons 0/1), o 0 (both 0); the mean is 0.5. Only m has
    # tasks of ethics.
    mine = make_counts(
        ("feasible", CEILING, None, "infeasible", COMPLEX, 1),
        ("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 1),
        ("feasible", ETHICS, None, "feasible", None, 1),
        ("infeasible", ETHICS, MALICE, "infeasible", MALICE, 1),
    )
    other = make_counts(
        ("feasible", CEILING, None, "feasible", None, 9),
        ("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 9),
        subject="o",
        model="o",
    )
    frame = balance_by_type(pd.concat([mine, other])).set_index("subject")
    assert list(frame.index) == ["m", "o", "Overall"]
    assert frame[CEILING].tolist() == [1.0, 0.0, 0.5]
    assert pd.isna(frame.loc["Overall", ETHICS])


def test_another_models_classifications_do_not_enter(two_sets):
    other = two_sets.assign(model="other", label="feasible", label_reason=None)
    both = paper_tables(pd.concat([two_sets, other]))
    for name, frame in paper_tables(two_sets).items():
        pd.testing.assert_frame_equal(both[name], frame)


def test_shares_of_mistakes_leave_out_rows_that_name_no_reason(published_counts):
    frame = most_frequent_mistakes(published_counts).set_index("subject")
    assert frame.loc["gpt-4o-mini", "most common type confusion: share"] == 31 / 99


def test_empty_counts_make_empty_tables_with_their_columns(make_counts):
    for frame in paper_tables(make_counts()).values():
        assert frame.empty
        assert frame.columns[0] == "subject"


def test_the_recomputed_tables_hold_the_same_values(published_counts, oracle, printed):
    found = {
        name: frame.set_index("subject").rename(index=printed["models"])
        for name, frame in paper_tables(published_counts).items()
    }
    for name, wanted in oracle.items():
        for prompt_set, key in (("vanilla",) * 2, ("challenge_qap",) * 2, ("overall", "both")):
            for score in ("accuracy", "foresight", "insight"):
                value = found["Table 2"].loc[name, f"{prompt_set} {score}"]
                assert value == pytest.approx(wanted[key][score], abs=1e-9)
        for kind, values in wanted["by_type_mean_of_prompts"].items():
            for score, value in values.items():
                assert found["Table 3"].loc[name, f"{kind} {score}"] == pytest.approx(value)
        for kind, values in wanted["both"]["by_type"].items():
            balance = found["Table 5"].loc[name, kind]
            assert balance == pytest.approx(values["confidence_balance"], abs=1e-9)
