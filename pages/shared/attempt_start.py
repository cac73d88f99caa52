"""Before a person begins: what they will do with the tasks, or what is missing."""

from typing import NamedTuple

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Step
from core.store.store import Store
from core.workflows.human_baseline import begin_attempts
from core.workflows.human_steps import people_steps
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

VIEWS = {"label": "Attempt", "chance": "State chances", "program": "Write programs"}
"""What people do, by what they give; each is a view where a study has several."""

PURPOSE = {
    "label": "You say of each task whether you could carry it out, without seeing what models say.",
    "chance": "You say how likely you would be to solve each task, before you attempt any.",
    "program": "You write the program of each task whose chance you have stated.",
}

_TITLE = {
    "label": "Attempt {} yourself",
    "chance": "State your own chance on {}",
    "program": "Write the programs of {}",
}

_HIDDEN = "what models and other people stated and what came of attempts stays hidden"
_ASKED = {
    "label": (
        "You see the text of one task at a time and say whether you could carry it out, or for "
        "which one reason not. How a task was meant, what models made of it and what other people "
        "answered stays hidden, and you have an order of your own."
    ),
    "chance": (
        "You see the text of one task at a time and state how likely you would be to solve it with "
        f"one program, in percent. {_HIDDEN.capitalize()}, and you have an order of your own. "
        "Afterwards you can write the programs, if you like: what you state is held against what "
        "comes of them, and against nothing else."
    ),
    "program": (
        "You see the tasks whose chance you have stated, in an order of your own, and have one "
        f"attempt at each: you run nothing, as a model runs nothing, and {_HIDDEN}. Afterwards the "
        "programs run with the checks of their tasks, in the sandbox that those of models run in."
    ),
}


class Seat(NamedTuple):
    """Where it is stored, about which study, who answers, and in which step."""

    store: Store
    study: Study
    person: Person
    step: Step

    @property
    def who(self) -> tuple[Store, Study, Person]:
        """All but the step."""
        return self[:3]

    @property
    def gives(self) -> str:
        """What people give in this step."""
        return self.step.people_give


def chosen_own_step(study: Study) -> Step:
    """The step that people do: the one in the address where a study has several."""
    steps = {step.people_give: step for step in people_steps(study)}
    names = list(steps)
    if len(names) == 1:
        return steps[names[0]]
    asked = st.query_params.get("gives")
    st.session_state.setdefault("gives", asked if asked in names else names[0])
    gives = st.segmented_control(
        "What you do",
        names,
        format_func=VIEWS.get,
        required=True,
        label_visibility="collapsed",
        key="gives",
    )
    # Not bound to the address: a button could then lead to no other screen.
    if gives != st.query_params.get("gives", names[0]):
        st.query_params["gives"] = gives
    return steps[gives]


def nothing_here(seat: Seat) -> None:
    """What is missing before people can begin."""
    noun = f"{seat.study.shape.brought.noun}s"
    if seat.step.works_on_draw:
        title, text = "No tasks are drawn yet", "People attempt the tasks that models do; draw them"
        empty_state(title, f"{text} in the other view first.", key="no_draw")
    elif seat.gives == "program" and seat.store.value("n_tasks", study_id=seat.study.study_id):
        text = (
            "You write programs of tasks whose chance you have stated, so that it was in advance."
        )
        empty_state("You have stated no chance yet", text, key="no_chance")
    else:
        empty_state("There are no tasks yet", f"Import {noun} on Generate first.", key="no_tasks")


def invite(seat: Seat, n_tasks: int) -> None:
    """What a person is asked to do, and the button to begin."""
    with st.container(border=True, width=720):
        st.subheader(_TITLE[seat.gives].format(human_count(n_tasks, "task")), anchor=False)
        st.markdown(_ASKED[seat.gives])
        said = f"Your answers stand beside the models on Results, as {seat.person.as_model}."
        st.markdown(plain(said) + " Stop whenever you like and go on later.")
        if st.button("Begin", type="primary", key="begin_attempts"):
            try:
                begin_attempts(*seat)
            except SelfboundError as error:
                problem(error)
            else:
                st.rerun()
