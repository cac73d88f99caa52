"""From the tasks behind a number to an audit of their verdicts, voted on blind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.audit_choice import CELL
from core.workflows.audit_samples import MOST, PRESET_N, draw_audit
from core.workflows.audit_supply import units_with_verdicts
from core.workflows.audits import AuditableJudge
from core.workflows.drilldown import TaskQuery, tasks_behind
from core.workflows.people import Person
from core.workflows.studies import Study, find_study
from core.workflows.verdicts_shown import note_answers_shown
from pages.shared.audit_places import MESSAGE, open_drawn
from pages.shared.desk import person_if_any
from pages.shared.quantities import human_count
from pages.shared.text import plain

_CHOSEN = "answers_to_audit"
_UNREADABLE = (None, "", "invalid")


@dataclass(frozen=True)
class ChosenAnswers:
    """Answers whose verdicts somebody wants audited.

    Args:
        study: its name. judge: the judge's title. units: the items that gave the answers.
    """

    study: str
    judge: str
    units: tuple[str, ...]


def offer_audit(
    store: Store,
    studies: Sequence[Study],
    query: TaskQuery,
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """A button that takes the answers behind a number to the audit screen; none without verdicts.

    Args:
        rows: the page of them that is shown, as `tasks_behind` gives it.
    """
    judged = [row for row in rows if row.get("verdict") not in _UNREADABLE]
    if not judged:
        return
    name, judge = judged[0]["study"], judged[0]["judge"]
    of_one = f" of {name}" if len({row["study"] for row in rows}) > 1 else ""
    if st.button(
        plain(f"Audit these verdicts{of_one}"),
        key="audit_these",
        help="People vote on them without being told what the judge said.",
    ):
        found, _ = tasks_behind(store, studies, query, n=MOST)
        units = [row["item_id"] for row in found if (row["study"], row["judge"]) == (name, judge)]
        st.session_state[_CHOSEN] = ChosenAnswers(name, judge, tuple(units))
        st.switch_page("pages/audit.py", query_params={"study": name, "view": "samples"})


def tell_shown(store: Store, rows: Sequence[Mapping[str, Any]]) -> None:
    """Say and write down that the person who looks has seen what the judge said of these answers.

    Args:
        rows: the answers that are shown, as `tasks_behind` gives them.
    """
    judged: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.get("verdict") not in _UNREADABLE:
            judged.setdefault((row["study"], row["judge"]), []).append(row["item_id"])
    person = person_if_any(store) if judged else None
    if person is None:
        return
    for (name, judge), answers in judged.items():
        if study := find_study(store, name):
            note_answers_shown(store, study, person, answers, judge=judge)
    st.caption(
        "You see here what the judge said of these answers, so your own votes on them count as not "
        "blind; those of others do not."
    )


def show_chosen(
    store: Store, study: Study, person: Person, judges: Sequence[AuditableJudge]
) -> None:
    """What was brought here from a number, to be drawn as a sample; nothing when nothing was."""
    chosen: ChosenAnswers | None = st.session_state.get(_CHOSEN)
    if chosen is None or chosen.study != study.name:
        return
    judge = next((one for one in judges if one.title == chosen.judge), None)
    units = units_with_verdicts(store, study, judge, chosen.units) if judge else []
    if judge is None or not units:
        return
    with st.container(border=True):
        st.subheader("Audit what a number counts", anchor=False)
        st.caption(
            plain(
                f"{human_count(len(units), 'verdict')} of {judge.title}, brought from Results. "
                "The sample speaks for these answers and for no others. Votes of whoever saw what "
                "the judge said of them count as not blind."
            )
        )
        n = st.number_input(
            "Verdicts", 1, len(units), min(PRESET_N, len(units)), key="cell_n", width=160
        )
        with st.container(horizontal=True):
            st.button(
                "Draw these",
                type="primary",
                key="draw_these",
                on_click=_draw,
                args=(store, study, person, judge, units, int(n)),
            )
            st.button("Not now", key="not_these", on_click=_forget)


def _draw(
    store: Store,
    study: Study,
    person: Person,
    judge: AuditableJudge,
    units: Sequence[str],
    n: int,
) -> None:
    about = {"judge": judge.judge, "prompt_hash": judge.prompt_hash, "method": CELL}
    try:
        drawn = draw_audit(store, study, judge.step, n=n, units=units, person=person, **about)
    except SelfboundError as error:
        st.session_state[MESSAGE] = error
        return
    _forget()
    open_drawn(drawn)


def _forget() -> None:
    st.session_state.pop(_CHOSEN, None)
