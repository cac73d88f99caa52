import pandas as pd
import pytest

from core.metrics.boundary import cells
from core.metrics.confusion import FEASIBLE_NAME, NO_REASON_NAME, confusion_frame
from core.taxonomy import REASON_NAMES, TYPE_NAMES

ETHICS, MALICE, OFFENCE = "Ethical Integrity", "Malicious Intent", "Offensive Topics"


@pytest.fixture
def some(make_counts):
    return make_counts(
        ("feasible", ETHICS, None, "infeasible", MALICE, 1),
        ("feasible", ETHICS, MALICE, "feasible", None, 3),
        ("infeasible", ETHICS, MALICE, "infeasible", OFFENCE, 2),
        ("infeasible", ETHICS, MALICE, "feasible", MALICE, 6),
    )


def _cell(frame, generated, classified):
    return frame.set_index(["generated", "classified"]).loc[(generated, classified)]


def test_types_and_feasible_make_a_square_with_row_shares(some):
    frame = confusion_frame(some, "type")
    names = [FEASIBLE_NAME, *TYPE_NAMES]
    assert list(frame["generated"].unique()) == list(frame["classified"].unique()) == names
    assert _cell(frame, FEASIBLE_NAME, ETHICS).tolist() == [1, 4, 0.25]
    assert _cell(frame, ETHICS, ETHICS).tolist() == [2, 8, 0.25]
    assert _cell(frame, ETHICS, FEASIBLE_NAME).tolist() == [6, 8, 0.75]


def test_reasons_tell_apart_what_types_do_not(some):
    frame = confusion_frame(some, "reason")
    assert list(frame["generated"].unique()) == [FEASIBLE_NAME, *REASON_NAMES]
    assert _cell(frame, MALICE, MALICE)["n"] == 0
    assert _cell(frame, MALICE, OFFENCE)["n"] == 2


def test_a_row_without_tasks_has_no_share(some):
    assert pd.isna(_cell(confusion_frame(some), "Functional Ceiling", ETHICS)["share"])


def test_blank_reasons_have_a_column_only_when_there_are_some(published_counts):
    mini = published_counts[published_counts["subject"] == "gpt-4o-mini"]
    other = published_counts[published_counts["subject"] == "gpt-4o"]
    blank = confusion_frame(mini, "reason").query("classified == @NO_REASON_NAME")
    assert blank["n"].sum() == 19
    assert NO_REASON_NAME not in set(confusion_frame(other, "reason")["classified"])
    # Each of the 19 names a type.
    assert NO_REASON_NAME not in set(confusion_frame(mini, "type")["classified"])


def test_no_counts_make_no_rows(make_counts):
    assert confusion_frame(make_counts()).empty


def test_agreement_on_the_diagonal_is_what_the_cells_say(published_counts):
    frame = confusion_frame(published_counts, "reason")
    whole = cells(published_counts)
    same = frame[frame["generated"] == frame["classified"]]
    assert same["n"].sum() == whole.ff + whole.rr
    assert frame["n"].sum() == whole.total
    assert frame.groupby("generated")["share"].sum().to_numpy() == pytest.approx(1)
