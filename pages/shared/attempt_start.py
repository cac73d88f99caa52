"""Before a person begins: what they will do with the tasks, or what is missing."""

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.human_baseline import attempt_step, begin_attempts
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

Seat = tuple[Store, Study, Person]
"""Where it is stored, about which study, and who answers."""


def gives_chance(study: Study) -> bool:
    """Whether people state their chance here, rather than what they make of a task."""
    return attempt_step(study).people_give == "chance"


def nothing_here(study: Study) -> None:
    """What is missing before people can begin."""
    if attempt_step(study).works_on_draw:
        empty_state(
            "No tasks are drawn yet",
            "People attempt the tasks that models do; draw them in the other view first.",
            key="no_draw",
        )
    else:
        noun = f"{study.shape.brought.noun}s"
        empty_state("There are no tasks yet", f"Import {noun} on Generate first.", key="no_tasks")


def invite(seat: Seat, n_drawn: int) -> None:
    """What a person is asked to do, and the button to begin."""
    is_chance = gives_chance(seat[1])
    with st.container(border=True, width=720):
        tasks = human_count(n_drawn, "task")
        title = f"State your own chance on {tasks}" if is_chance else f"Attempt {tasks} yourself"
        st.subheader(title, anchor=False)
        if is_chance:
            st.markdown(
                "You see the text of one task at a time and state how likely you would be to solve "
                "it, in percent. What models and other people stated and what came of attempts "
                "stays hidden, and you have an order of your own. You write no programs: what you "
                "state is not held against anything."
            )
        else:
            st.markdown(
                "You see the text of one task at a time and say whether you could carry it out, or "
                "for which one reason not. How a task was meant, what models made of it and what "
                "other people answered stays hidden, and you have an order of your own."
            )
        said = f"Your answers stand beside the models on Results, as {seat[2].as_model}."
        st.markdown(plain(said) + " Stop whenever you like and go on later.")
        if st.button("Begin", type="primary", key="begin_attempts"):
            try:
                begin_attempts(*seat)
            except SelfboundError as error:
                problem(error)
            else:
                st.rerun()
