"""How far a study's curation has come: in all, mine, and cell by cell against the draw."""

from collections.abc import Callable

import streamlit as st

from core.curation.votes import STATES
from core.workflows.desk import Desk
from core.workflows.desk_progress import DeskProgress
from core.workflows.people import Person
from core.workflows.studies import Study
from pages.shared.progress_table import cell_table
from pages.shared.quantities import human_count, pace_words
from pages.shared.study_bar import step_after_curation, to_next_screen
from pages.shared.text import plain


def show_progress(desk: Desk, person: Person) -> None:
    """The bar, the sums that add up, the pace, and the cells."""
    found = desk.progress(person)
    decided = found.totals["kept"] + found.totals["removed"]
    st.progress(
        decided / found.n_tasks if found.n_tasks else 0.0,
        text=f"**{decided:,}** of {found.n_tasks:,} decided",
    )
    st.caption(sum_words(found))
    st.caption(own_words(found))
    _show_cells(desk.study, found)


def _show_cells(study: Study, found: DeskProgress) -> None:
    """What is left of each cell: of what the draw wants, or of all where nothing is drawn."""
    cells = study.shape.cells
    left = {cell: _not_removed(found.cells.get(cell, {})) for cell in cells or found.cells}
    if not cells:
        every = {cell: sum(counts.values()) for cell, counts in found.cells.items()}
        has_sides = len({side for _, side in every}) > 1
        tables = [
            {(kind, side if has_sides else ""): n for (kind, side), n in one.items()}
            for one in (left, every)
        ]
        cell_table(*tables, note="Tasks not removed, of all.")
        return
    cell_table(
        left,
        dict.fromkeys(cells, study.per_cell),
        note="Tasks not removed, of those the draw wants.",
    )
    missing = [study.per_cell - n for n in left.values() if n < study.per_cell]
    if missing and study.shape.makes_tasks and study.source != "imported":
        short = f"{human_count(len(missing), 'cell')} short by {sum(missing):,} in all: top up"
        if st.button(short, key="to_top_up", type="tertiary"):
            st.switch_page("pages/generate.py")


def sum_words(found: DeskProgress) -> str:
    """Every state with its number; they add up to all tasks."""
    parts = [f"{found.totals[state]:,} {state}" for state in STATES if _is_told(found, state)]
    return f"{' + '.join(parts)} = {found.n_tasks:,}"


def own_words(found: DeskProgress) -> str:
    """What the person did, their pace, what is left for them, and who else is here."""
    done = found.mine["keep"] + found.mine["remove"]
    parts = [f"{done:,} by you"]
    if found.mine["skip"]:
        parts.append(f"{found.mine['skip']:,} skipped by you")
    if found.seconds_each and found.n_open:
        parts.append(pace_words(found.seconds_each, found.n_open))
    if found.n_people > 1:
        parts.append(f"{human_count(found.n_people - 1, 'other person', 'other people')} here")
    return " · ".join(parts)


def nothing_left(desk: Desk, person: Person, *, take_up: Callable[[Desk], None]) -> None:
    """What is said when no task is left for the person, and where to go on."""
    found = desk.progress(person)
    with st.container(border=True):
        if found.n_open:
            st.subheader("The last tasks are before others", anchor=False)
            st.write(
                f"{human_count(found.n_open, 'task')} will come to you if nobody decides them."
            )
            st.button("Look again", key="look_again")
        elif found.totals["pending"] or found.totals["skipped"]:
            st.subheader("You have decided all that waits for you", anchor=False)
        else:
            st.subheader("Every task is decided", anchor=False)
        if skipped := found.mine["skip"]:
            done = found.mine["keep"] + found.mine["remove"]
            st.write(f"{done:,} done, {skipped:,} skipped by you on the way.")
            label = "Take up the skipped one" if skipped == 1 else "Take up the skipped ones"
            st.button(plain(label), key="take_skipped", on_click=take_up, args=(desk,))
        if disputed := found.totals["disputed"]:
            st.write(f"People disagree on {human_count(disputed, 'task')}; see the view Agreement.")
        step = step_after_curation(desk.study.shape)
        if step is None:
            to_next_screen("See the results", "results")
        else:
            to_next_screen(
                "Draw the sample" if step.works_on_draw else f"Go on to {step.title}", "classify"
            )


def _not_removed(counts: dict[str, int]) -> int:
    return sum(n for state, n in counts.items() if state != "removed")


def _is_told(found: DeskProgress, state: str) -> bool:
    # Disagreement is only known where several people decide.
    return state != "disputed" or bool(found.totals[state])
