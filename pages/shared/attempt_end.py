"""How far a person has come with the tasks of a desk, and where to go when all are done."""

from collections.abc import Callable

import streamlit as st

from core.workflows.human_baseline import AttemptProgress
from core.workflows.human_steps import people_steps
from pages.shared.attempt_start import VIEWS, Seat
from pages.shared.quantities import human_count, pace_words
from pages.shared.study_bar import to_next_screen
from pages.shared.text import plain


def show_end(seat: Seat, found: AttemptProgress, *, undo: Callable[[], None]) -> None:
    """Every task is answered: the ways on, and the way back."""
    steps = people_steps(seat.study)
    later = steps[steps.index(seat.step) + 1 :]
    runs = [step for step in seat.study.shape.steps if step.answers_of == seat.step.name]
    with st.container(border=True):
        st.subheader("You have answered every task", anchor=False)
        st.write(f"Thank you: {human_count(found.n_answered, 'answer')}.")
        if runs:
            st.write("Whoever runs the programs of models has yours run, too.")
        with st.container(horizontal=True):
            for step in later[:1]:
                _to_view(VIEWS[step.people_give], gives=step.people_give)
            for step in runs[:1]:
                _to_view(f"Go to {step.title}", by="model", step=step.name)
            to_next_screen("See the results", "results", is_main=not (later or runs))
            st.button("Undo", key="undo", shortcut="U", on_click=undo)


def show_progress(seat: Seat, found: AttemptProgress, said: str) -> None:
    """How far the person is, and what was stored last."""
    st.progress(
        found.n_answered / found.n_drawn,
        text=f"**{found.n_answered:,}** of {found.n_drawn:,} answered by you",
    )
    st.caption(sum_words(found))
    if found.seconds_each and found.n_answered < found.n_drawn:
        st.caption(pace_words(found.seconds_each, found.n_drawn - found.n_answered))
    st.caption(plain(f"On Results you are {seat.person.as_model}."))
    if said:
        st.caption(plain(said))


def sum_words(found: AttemptProgress) -> str:
    """What the person did with the draw; the parts add up to it.

    Example:
        >>> sum_words(AttemptProgress(20, 20, 5, 1, None))
        '5 answered + 1 skipped + 14 open = 20'
    """
    parts = f"{found.n_answered:,} answered + {found.n_skipped:,} skipped + {found.n_open:,} open"
    return f"{parts} = {found.n_drawn:,}"


def _to_view(label: str, **state: str) -> None:
    """A button to another view of this screen."""
    if st.button(
        label, type="primary", key="go_on", on_click=st.session_state.update, kwargs=state
    ):
        # The choices above the desk are not of the desk's own part of the page.
        st.rerun()
