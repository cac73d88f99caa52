import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.attribution_counts import AttributionCounts, attribution_matrix

some_counts = st.builds(AttributionCounts, *[st.integers(0, 500)] * 10)


def test_the_matrix_holds_every_question_once():
    counts = AttributionCounts(1, 2, 3, 4, 5, 6, 7, 8, 9, unjudged=10)
    frame = attribution_matrix(counts)
    assert frame["n"].tolist() == [1, 2, 10, 3, 4, 5, 6, 7, 8, 9]
    assert frame.groupby("question")["share"].sum().tolist() == pytest.approx([1, 1])
    assert frame.groupby("question")["n"].sum().to_dict() == {"answerable": 25, "unanswerable": 30}


def test_the_matrix_has_no_row_for_missing_verdicts_when_none_is_missing():
    frame = attribution_matrix(AttributionCounts(correct=1))
    assert "unjudged" not in set(frame["outcome"])
    assert frame.loc[frame["question"] == "unanswerable", "share"].isna().all()


def test_a_negative_count_is_refused_by_name():
    with pytest.raises(InputError, match="the count wrong is -1, below 0"):
        AttributionCounts(wrong=-1)


@given(some_counts, some_counts)
def test_adding_counts_adds_every_total(one, other):
    both = one + other
    assert both == other + one
    assert both.n_answerable == one.n_answerable + other.n_answerable
    assert both.n_not_correct == one.n_not_correct + other.n_not_correct
    assert both.n_unanswerable == one.n_unanswerable + other.n_unanswerable
