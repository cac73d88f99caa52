"""Tasks that say nearly the same, cluster by cluster: keep one and remove the rest at once."""

import streamlit as st

from core.curation.similarity import threshold_meaning
from core.errors import SelfboundError
from core.workflows.desk import Desk
from core.workflows.desk_rules import LEAST_SIMILARITY
from core.workflows.desk_table import keep_one, left_of_cluster, undecided_by, waits_for
from core.workflows.desk_view import Alike, alike_tasks
from core.workflows.findings import are_findings_whole
from core.workflows.people import Person
from core.workflows.workbench import Workbench
from pages.shared.curation_undo import undo_step
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import problem, show_text

SHOWN_CLUSTERS = 10
SHOWN_TASKS = 8
_SAID = "duplicates_said"


def show_duplicates(bench: Workbench, desk: Desk, person: Person) -> None:
    """The clusters at the chosen similarity, with those still to be decided first."""
    st.fragment(_duplicates)(desk, person)


def _duplicates(desk: Desk, person: Person) -> None:
    threshold = st.slider(
        "How alike tasks have to be",
        LEAST_SIMILARITY,
        1.0,
        desk.rules.similarity,
        0.01,
        width=460,
    )
    st.caption(plain(threshold_meaning(threshold)))
    if said := st.session_state.pop(_SAID, None):
        if isinstance(said, SelfboundError):
            problem(said)
        else:
            st.success(plain(said))
    found = desk.clusters(threshold).groups
    waiting = [cluster for cluster in found if waits_for(desk, person, cluster)]
    if not found:
        is_done = are_findings_whole(desk.store, desk.study)
        st.info("No two tasks are that alike." if is_done else "The search is under way.")
        return
    n_tasks = sum(map(len, found))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{human_count(len(waiting), 'cluster')} to decide** of {len(found):,}, "
            f"with {human_count(n_tasks, 'task')} in all",
            width="content",
        )
        st.button("Undo", key="undo", on_click=_undo, args=(desk, person))
    if not waiting:
        st.info("You have decided every cluster.")
        return
    for cluster in waiting[:SHOWN_CLUSTERS]:
        _cluster(desk, person, cluster)
    if len(waiting) > SHOWN_CLUSTERS:
        st.caption(f"The next of {len(waiting):,} clusters appear as these are decided.")


def _cluster(desk: Desk, person: Person, cluster: tuple[str, ...]) -> None:
    left = left_of_cluster(desk, person, cluster)
    tasks = alike_tasks(desk, person, left[:SHOWN_TASKS])
    key = cluster[0]
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{human_count(len(left), 'task')} nearly the same**")
        for number, task in enumerate(tasks):
            _task(desk, person, cluster, task, key=f"{key}_{number}", n_left=len(left))
        if len(left) > SHOWN_TASKS:
            st.caption(f"{len(left) - SHOWN_TASKS:,} more say the same; they go with the others.")


def _task(
    desk: Desk, person: Person, cluster: tuple[str, ...], task: Alike, *, key: str, n_left: int
) -> None:
    text, action = st.columns([5, 2], vertical_alignment="center")
    with text:
        is_code = desk.study.shape.brought.is_code
        show_text(task.text, key=f"alike_{key}", size="small", height=120, is_code=is_code)
        if task.own:
            st.caption(f"You have {task.own} it.")
    others = n_left - 1
    action.button(
        f"Keep this, remove {'the other' if others == 1 else f'the other {others:,}'}",
        key=f"keep_{key}",
        on_click=_keep,
        args=(desk, person, cluster, task.task_id),
    )


def _keep(desk: Desk, person: Person, cluster: tuple[str, ...], kept: str) -> None:
    left = left_of_cluster(desk, person, cluster)
    try:
        n_decided = keep_one(desk, person, left, kept)
    except SelfboundError as error:
        st.session_state[_SAID] = error
        return
    said = cluster_words(n_decided)
    if n_stayed := len(undecided_by(desk, person, left)):
        said += f" {human_count(n_stayed, 'task')} stayed as before: others decided or hold them."
    st.session_state[_SAID] = said


def cluster_words(n_decided: int) -> str:
    """What a cluster's decision did.

    Example:
        >>> cluster_words(1), cluster_words(0)
        ('1 task decided; one undo takes it back.', 'Nothing was left for you to decide there.')
    """
    if not n_decided:
        return "Nothing was left for you to decide there."
    return f"{human_count(n_decided, 'task')} decided; one undo takes it back."


def _undo(desk: Desk, person: Person) -> None:
    st.session_state[_SAID] = undo_step(desk, person)
