"""The server's side of deciding by key and of the remembered name."""

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from pages.shared import keys
from pages.shared.browser_memory import remember_name


def _desk():
    import streamlit as st

    from pages.shared.keys import decidable, show_item, watch_keys

    def decide(task_id):
        if decidable(task_id):
            st.session_state.decided = task_id

    if not st.session_state.get("hold"):
        show_item(st.session_state.get("task", "t0"))
    st.button("Keep", key="keep", on_click=decide, args=("t0",))
    watch_keys({"k": "keep"}, deciding=["keep"])


@pytest.fixture
def desk():
    return AppTest.from_function(_desk).run()


def _age(page, seconds):
    item, shown_at = page.session_state[keys._SHOWN]
    page.session_state[keys._SHOWN] = (item, shown_at - seconds)


def test_an_item_that_has_been_seen_is_decided(desk):
    _age(desk, 1)
    assert desk.button(key="keep").click().run().session_state.decided == "t0"


def test_an_item_that_was_only_just_sent_is_not_decided(desk):
    _age(desk, -1)
    assert "decided" not in desk.button(key="keep").click().run().session_state


def test_an_item_that_is_no_longer_on_screen_is_not_decided(desk):
    desk.session_state.task = "t1"
    desk.run()
    _age(desk, 1)
    assert "decided" not in desk.button(key="keep").click().run().session_state


def test_showing_the_same_item_again_does_not_start_its_time_anew(desk):
    before = desk.session_state[keys._SHOWN]
    assert desk.run().session_state[keys._SHOWN] == before


def _who():
    import streamlit as st

    from pages.shared.browser_memory import forget_name, remember_name, remembered_name

    if st.session_state.get("say"):
        remember_name(st.session_state.pop("say"))
    if st.session_state.get("leave"):
        forget_name()
    st.text(str(remembered_name()))


def test_a_name_is_known_from_the_run_it_is_given_until_the_person_leaves():
    page = AppTest.from_function(_who).run()
    assert page.text[0].value == "None"
    page.session_state.say = "  Zoë  "
    assert page.run().text[0].value == "Zoë"
    assert page.run().text[0].value == "Zoë"
    page.session_state.leave = True
    assert page.run().text[0].value == "None"


@pytest.mark.parametrize(
    ("name", "told"), [("  ", "no name is given"), ("x" * 81, "the name has 81 characters")]
)
def test_a_blank_or_endless_name_is_refused(name, told):
    with pytest.raises(InputError, match=told):
        remember_name(name)
