"""What a frame of results turns into before it is shown."""

import pandas as pd
from streamlit.testing.v1 import AppTest

from pages.shared.tables import readable


def _shown(**columns):
    return readable(pd.DataFrame(columns)).to_dict("list")


def test_metrics_are_words_and_a_small_p_value_is_not_zero():
    shown = _shown(metric=["harmonic_mean", "accuracy"], p_adjusted=[0.00002, 0.0104])
    assert shown == {"metric": ["harmonic mean", "accuracy"], "p_adjusted": ["< 0.001", "0.010"]}


def test_a_count_that_does_not_exist_is_a_blank():
    counts = pd.array([1122, None], dtype="Int64")
    assert _shown(successes=counts, n=[2000, 800]) == {"successes": ["1,122", ""], "n": [2000, 800]}


def test_columns_without_content_are_left_out_but_for_values_that_are_not_defined():
    shown = readable(pd.DataFrame({"type": ["A"], "value": [float("nan")], "why": [""]}))
    assert list(shown.columns) == ["type", "value"]


def test_a_frame_without_rows_keeps_its_columns():
    assert list(readable(pd.DataFrame({"type": [], "why": []})).columns) == ["type", "why"]


def test_a_table_with_long_texts_says_what_lies_beyond_the_right_edge():
    def page():
        import pandas as pd

        from pages.shared.tables import show_table

        rows = {"study": "S", "interval": "i" * 60, "why": "w" * 60, "caution": "c" * 60}
        show_table(pd.DataFrame([rows]))
        show_table(pd.DataFrame([rows | {"why": "few", "caution": "few"}]))

    shown = AppTest.from_function(page).run()
    assert not shown.exception
    assert [one.value for one in shown.caption] == ["The table goes on to the right, with caution."]
    assert [list(one.value.columns) for one in shown.dataframe] == [
        ["interval", "why", "caution"]
    ] * 2
