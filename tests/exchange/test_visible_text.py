import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.exchange.visible_text import visible, visible_in_ascii

ANY_TEXT = st.text(st.characters(codec=None, exclude_characters="\n\r\t"), max_size=60)


@pytest.mark.parametrize("shows", [visible, visible_in_ascii])
@given(ANY_TEXT)
def test_visible_text_can_be_sent_and_hides_nothing(shows, text):
    shown = shows(text)
    assert shown.encode().decode() == shown
    assert not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in shown)


def test_tabs_line_breaks_and_letters_of_any_script_stay():
    text = "\tone\r\nשלום e\u0301 漢字 👩\u200d🔬"
    assert visible(text) == visible_in_ascii(text) == text


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_text_stays_ascii_where_latex_wants_it(text):
    assert visible_in_ascii(text).isascii()
