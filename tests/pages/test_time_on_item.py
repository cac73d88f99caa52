"""The time on an item, told by a clock that the test sets."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest


def _told():
    import streamlit as st

    from pages.shared.time_on_item import TimeOnItem

    watch = TimeOnItem("test", clock=lambda: st.session_state.now)
    watch.forget()
    st.session_state.told = st.session_state.told_by(watch)


def _at(seconds: float) -> None:
    import streamlit as st

    st.session_state.now = seconds


def _run(story: Callable) -> object:
    """What a story about the watch tells, which begins at second 100."""
    app = AppTest.from_function(_told)
    app.session_state.now = 100.0
    app.session_state.told_by = story
    app.run()
    assert not app.exception
    return app.session_state.told


def test_it_counts_from_when_the_item_came_on_screen() -> None:
    def story(watch):
        began = [watch.begin("a")]
        _at(103)
        began.append(watch.begin("a"))
        return began, watch.item_id, watch.seconds_on("a"), watch.seconds_on("b")

    assert _run(story) == ([True, False], "a", 3.0, None)


def test_the_next_item_counts_anew_and_one_looked_at_before_goes_on() -> None:
    def story(watch):
        watch.begin("a")
        _at(103)
        watch.begin("b", spent=20)
        _at(104)
        return watch.seconds_on("b"), watch.seconds_on("a")

    assert _run(story) == (21.0, None)


@pytest.mark.parametrize(("away", "counted"), [(4, 6.0), (11, 0.0)])
def test_time_away_does_not_count_and_never_makes_less_than_nothing(away, counted) -> None:
    def story(watch):
        watch.begin("a")
        _at(110)
        watch.note_away("a", away)
        watch.note_away("b", 1)
        return watch.seconds_on("a")

    assert _run(story) == counted


def test_the_count_stops_as_soon_as_the_page_goes_and_goes_on_when_it_is_back() -> None:
    def story(watch):
        told = []
        watch.begin("a")
        for second, away in ((102, None), (104, None), (109, 6.0), (110, 0.5)):
            _at(second)
            watch.note_away("a", away)
            told.append(watch.seconds_on("a"))
        return told

    # Gone from 102 to 109 by this clock; the last pause was never told to have begun.
    assert _run(story) == [2.0, 2.0, 2.0, 2.5]


def test_forgotten_it_is_on_no_item() -> None:
    def story(watch):
        watch.begin("a")
        watch.forget()
        return watch.item_id, watch.seconds_on("a"), watch.begin("a")

    assert _run(story) == (None, None, True)
