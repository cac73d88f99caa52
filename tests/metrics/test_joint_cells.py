import pandas as pd
import pytest

from core.errors import InputError
from core.metrics.cells import Cells
from core.metrics.joint_cells import JOINT_COLUMNS, as_cells, joint_tallies, tallies
from core.metrics.tallies import add_up
from core.taxonomy import FEASIBLE, INFEASIBLE

ETHICS, MALICE, OFFENSIVE = "Ethical Integrity", "Malicious Intent", "Offensive Topics"
TIME = "Temporal Perception"


def joint_of(*rows):
    return pd.DataFrame(rows, columns=list(JOINT_COLUMNS))


def test_a_task_is_in_the_cell_of_either_classifier():
    found = joint_tallies(
        joint_of(
            (ETHICS, FEASIBLE, None, FEASIBLE, None, INFEASIBLE, MALICE, 2),
            (ETHICS, INFEASIBLE, MALICE, INFEASIBLE, MALICE, INFEASIBLE, OFFENSIVE, 3),
            (ETHICS, INFEASIBLE, MALICE, INFEASIBLE, MALICE, FEASIBLE, None, 4),
        )
    )[ETHICS]
    # Down is a (ff, fr, no reply; rf, rr, rr_other, no reply), across is b.
    assert found[FEASIBLE].tolist() == [[0, 2, 0], [0, 0, 0], [0, 0, 0]]
    assert found[INFEASIBLE].tolist() == [
        [0, 0, 0, 0],
        [4, 0, 3, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]


def test_a_missing_label_is_no_reply_and_in_no_cell():
    rows = joint_of((ETHICS, INFEASIBLE, MALICE, None, None, INFEASIBLE, MALICE, 5))
    table = joint_tallies(rows)[ETHICS][INFEASIBLE]
    assert table[3, 1] == table.sum() == 5
    assert as_cells({INFEASIBLE: table.sum(axis=1)}) == Cells()
    assert as_cells({INFEASIBLE: table.sum(axis=0)}) == Cells(rr=5)


def test_counts_are_told_by_type_and_add_up(make_counts):
    found = tallies(
        make_counts(
            (FEASIBLE, ETHICS, None, FEASIBLE, None, 2),
            (FEASIBLE, TIME, None, FEASIBLE, None, 3),
            (FEASIBLE, TIME, None, None, None, 1),
            (INFEASIBLE, None, None, INFEASIBLE, None, 4),
            (INFEASIBLE, TIME, None, FEASIBLE, None, 0),
        )
    )
    assert list(found) == [ETHICS, TIME, None]
    assert found[TIME][FEASIBLE].tolist() == [3, 0, 1]
    assert as_cells(add_up(found.values())) == Cells(ff=5, rr_other=4)


def test_nothing_counted_is_nothing():
    assert joint_tallies(joint_of()) == {}
    assert add_up([]) == {}
    assert as_cells({}) == Cells()


def test_a_frame_without_its_columns_is_refused(make_counts):
    with pytest.raises(InputError, match="the joint counts have no column 'intent'"):
        joint_tallies(joint_of().drop(columns="intent"))
    with pytest.raises(InputError, match="the counts have no column 'label'"):
        tallies(make_counts().drop(columns="label"))
