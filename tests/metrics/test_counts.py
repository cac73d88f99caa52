import numpy as np
import pytest

from core.errors import InputError
from core.metrics.counts import COUNT_COLUMNS, read_counts


def test_a_missing_column_is_named(make_counts):
    frame = make_counts(("feasible", "Ethical Integrity", None, "feasible", None, 1))
    with pytest.raises(InputError, match="the counts have no column 'label_reason'"):
        read_counts(frame.drop(columns="label_reason"))


def test_a_word_that_is_neither_of_the_two_is_named_with_its_column(make_counts):
    frame = make_counts(("feasible", "Ethical Integrity", None, "Feasible", None, 1))
    with pytest.raises(InputError, match="hold the label 'Feasible'; wanted feasible or infeas"):
        read_counts(frame)


@pytest.mark.parametrize("n", [-1, 0.5, np.nan])
def test_a_number_of_tasks_must_be_a_whole_number(make_counts, n):
    frame = make_counts(("feasible", "Ethical Integrity", None, "feasible", None, n))
    with pytest.raises(InputError, match=f"hold {n} as a number of tasks; wanted 0, 1, 2"):
        read_counts(frame)


def test_missing_text_is_none_however_it_was_spelled(make_counts):
    frame = make_counts(
        ("infeasible", None, None, "infeasible", None, 1),
        ("infeasible", np.nan, np.nan, "infeasible", np.nan, 1),
    )
    assert {(row.type, row.reason, row.label_reason) for row in read_counts(frame)} == {
        (None, None, None)
    }


def test_whole_numbers_kept_as_floats_are_read(make_counts):
    frame = make_counts(("feasible", None, None, "feasible", None, 3.0))
    assert [row.n for row in read_counts(frame)] == [3]


def test_rows_of_no_task_are_left_out(make_counts):
    assert read_counts(make_counts(("feasible", None, None, "feasible", None, 0))) == []


def test_an_empty_frame_has_no_rows(make_counts):
    assert read_counts(make_counts()) == []
    assert set(COUNT_COLUMNS) == set(make_counts().columns)
