"""The shared pieces, as a page draws them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.records import Outcome
from pages.shared.widgets import as_sentence, outcome_html, progress_words, steps_html

HOSTILE = "Costs $5, keep __init__ :smile: <img src=x onerror=alert(1)>"
COUNTS = st.dictionaries(
    st.sampled_from([str(outcome) for outcome in Outcome]), st.integers(0, 10**6)
)


def _numbers(markup):
    """The counts of the words under the bar: every outcome, then planned."""
    return [int(n.replace(",", "")) for n in re.findall(r"(?:</i>|= )([\d,]+)", markup)]


@given(COUNTS, st.integers(0, 10**6))
def test_the_numbers_of_an_outcome_bar_add_up_to_planned(counts, pending):
    planned = sum(counts.values()) + pending
    *parts, total = _numbers(outcome_html(counts, planned))
    assert sum(parts) == total == planned


def test_an_outcome_bar_names_each_outcome_in_words():
    markup = outcome_html({"provider_error": 2, "timed_out": 1}, 3)
    assert "2 provider error" in markup and "1 timed out" in markup and "pending" not in markup


def test_more_outcomes_than_planned_is_refused():
    with pytest.raises(ValueError, match="7 calls ended, and only 5 were planned"):
        outcome_html({"ok": 7}, 5)


def test_a_step_says_how_far_it_is_without_its_colour():
    markup = steps_html([("Generate", 9, 9), ("Curate", 3, 9), ("Draw", 0, 8), ("Classify", 0, 0)])
    assert re.findall(r">([^<]+)<", markup) == [
        "✓ Generate 9/9",
        "Curate 3/9",
        "Draw 0/8",
        "Classify not begun",
    ]


def test_what_is_not_known_of_a_run_is_left_out():
    assert progress_words(0, 900) == "0 of 900 (0 %)"
    assert progress_words(0, 0) == "0 of 0"


def test_a_files_name_at_the_start_of_a_message_is_not_changed():
    assert as_sentence("my_types.json has no version") == "my_types.json has no version."
    assert as_sentence("row 3 has no text") == "Row 3 has no text."


def _problem_page():
    from core.errors import InputError
    from pages.shared.widgets import problem

    problem(InputError("row 17 of a_b*.csv has no task text", hint="fix the row"))


def test_a_problem_shows_its_sentence_and_the_next_step():
    page = AppTest.from_function(_problem_page).run()
    assert page.error[0].value == (
        "Row 17 of a\\_b\\*.csv has no task text.\n\n**What to do:** fix the row."
    )


def _empty_page():
    import streamlit as st

    from pages.shared.widgets import empty_state

    if empty_state("No studies yet", "Nothing has run.", "Run the demo study", key="demo"):
        st.text("pressed")


def test_an_empty_screen_offers_one_action():
    page = AppTest.from_function(_empty_page).run()
    assert [button.label for button in page.button] == ["Run the demo study"]
    page.button(key="demo").click().run()
    assert page.text[0].value == "pressed"


def _text_page():
    import streamlit as st

    from pages.shared.widgets import show_text

    show_text(st.session_state.text, key="text", item_id="t1")


@pytest.mark.parametrize("text", [HOSTILE, "", "x" * 5_000])
def test_any_text_can_be_shown(text):
    page = AppTest.from_function(_text_page)
    page.session_state.text = text
    markup = page.run().get("html")[0].proto.body
    assert 'dir="auto"' in markup and 'data-item="t1"' in markup
    assert "<img" not in markup
    assert ("max-height" in markup) == (len(text) > 4_000)
