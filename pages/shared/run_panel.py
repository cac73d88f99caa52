"""A step that calls a model: its plan, its controls, and how its calls stand, live.

The run lives in the engine, not on the page: leaving, reloading or a second viewer changes
nothing. While it goes on the panel refreshes itself; when it ends the whole page runs once more.
"""

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Step
from core.records import PENDING, Outcome
from core.runs.progress import BUDGET, FAILED, PAUSED, STOPPED, Progress
from core.runs.run import Run
from core.workflows.contract_plans import contract_progress
from core.workflows.desk_rules import rules_of
from core.workflows.estimates import owed_calls
from core.workflows.outcomes import interrupted_models, step_outcomes
from core.workflows.people import is_person
from core.workflows.planned_rows import used_versions
from core.workflows.steps import DEFAULT_CONCURRENCY, ended_run, live_run, model_of, start_step
from core.workflows.studies import Study
from core.workflows.verdicts_shown import note_shown
from core.workflows.workbench import Workbench
from pages.shared.contract_panel import contract_words
from pages.shared.desk import person_if_any
from pages.shared.estimate import estimate_line
from pages.shared.judge_runs import chosen_version, offer_again
from pages.shared.newest_reply import show_reply
from pages.shared.progress_table import cell_table
from pages.shared.quantities import human_cost, human_count, human_duration
from pages.shared.text import plain
from pages.shared.widgets import outcome_bar, problem, progress_words

REFRESH_S = 1.0
N_NEWEST = 5


def run_controls(bench: Workbench, study: Study, step: Step, *, model: str) -> None:
    """The controls of a step for one model, and the closed sum of its calls, live."""
    run = live_run(bench, study, step.name)
    if run:
        st.fragment(_live, run_every=REFRESH_S)(bench, study, step, run)
    else:
        st.fragment(_idle)(bench, study, step, model)


def run_details(bench: Workbench, study: Study, step: Step) -> None:
    """The newest replies of a step and how far each cell is, live."""
    run = live_run(bench, study, step.name)
    st.fragment(_details, run_every=2 * REFRESH_S if run else None)(bench, study, step)


def _live(bench: Workbench, study: Study, step: Step, run: Run) -> None:
    progress = run.progress()
    if run.is_over:
        st.rerun()
    _controls(run, progress)
    # Against a cap counts what earlier runs of the step cost, too.
    cost = progress.cost_usd if run.budget_usd is None else progress.against_cap_usd
    told = {"calls_per_s": progress.calls_per_s or None, "cost_usd": cost}
    told |= {"budget_usd": run.budget_usd}
    if step.offers_contracts:
        found = contract_progress(bench.store, study, model_of(bench, run))
        words = contract_words(found, **told)
    else:
        eta_s = progress.eta_s.value if progress.eta_s else None
        done = sum(progress.outcomes.values())
        words = progress_words(done, progress.planned, eta_s=eta_s, **told)
    st.markdown(plain(words))
    outcome_bar(progress.outcomes, progress.planned)
    if step.offers_contracts:
        st.caption("A call is planned once the contract before it is answered.")
    for sentence in _asides(progress, is_whole_plan=not step.offers_contracts):
        st.caption(plain(sentence))


def _controls(run: Run, progress: Progress) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if progress.state == PAUSED:
            st.button("Resume", type="primary", on_click=run.resume, key="resume_run")
        else:
            st.button("Pause", on_click=run.pause, key="pause_run")
        st.button("Stop", on_click=run.stop, key="stop_run")
        in_flight = human_count(progress.in_flight, "call")
        st.markdown(f"**{progress.state.capitalize()}**, {in_flight} in flight")


def _asides(progress: Progress, *, is_whole_plan: bool) -> list[str]:
    said = []
    if is_whole_plan and progress.eta_s and progress.pending:
        low, high = (human_duration(end) for end in (progress.eta_s.low, progress.eta_s.high))
        said.append(f"Time left between {low} and {high}, judging by the pace so far.")
    if is_whole_plan and progress.expected_cost_usd and progress.expected_cost_usd.high > 0:
        ends = (progress.expected_cost_usd.low, progress.expected_cost_usd.high)
        low, high = (human_cost(end) for end in ends)
        said.append(f"The run will cost between {low} and {high}.")
    if progress.waiting_for:
        said.append(progress.waiting_for + ".")
    if progress.newest_error:
        said.append(f"Latest failure: {progress.newest_error}")
    return said


def _idle(bench: Workbench, study: Study, step: Step, model: str) -> None:
    if ended := ended_run(bench, study, step.name, model):
        _tell_end(ended.progress())
    counts = step_outcomes(bench.store, study, step, model=model)
    version = chosen_version(bench, study, step, model)
    try:
        n_owed = owed_calls(bench, study, step, model, judge_version=version)
    except SelfboundError as error:
        problem(error)
        return
    if counts["planned"]:
        outcome_bar({o.value: counts[o.value] for o in Outcome}, counts["planned"])
    if model in interrupted_models(bench, study, step.name):
        st.info(
            "A run was cut off before its end. Every reply that had arrived is stored; "
            "resuming makes only the calls that are missing."
        )
    if n_owed:
        has_begun = counts["planned"] > 0
        if version is not None:
            has_begun = has_begun and version in used_versions(bench.store, study, step, model)
        about = {"n_owed": n_owed, "has_begun": has_begun, "judge_version": version}
        _start_form(bench, study, step, model, **about)
    elif counts["planned"]:
        st.success(
            "Every program has run." if step.by_sandbox else "Every planned call has been answered."
        )
        if step.by_judge:
            offer_again(bench, study, step, model)


def _tell_end(progress: Progress) -> None:
    if progress.detail == FAILED:
        problem(SelfboundError(progress.message, hint=progress.hint))
        return
    how = {STOPPED: "was stopped", BUDGET: "stopped at its cap"}.get(progress.detail, "ended")
    said = f"The last run {how} after {human_duration(progress.elapsed_s)}."
    if progress.newest_error:
        said += f" Its latest failure: {progress.newest_error}."
    st.caption(plain(said))


def _start_form(
    bench: Workbench,
    study: Study,
    step: Step,
    model: str,
    *,
    n_owed: int,
    has_begun: bool,
    judge_version: int | None,
) -> None:
    with st.container(border=True):
        word = "Resume" if has_begun else "Start"
        owed = human_count(n_owed, "program" if step.by_sandbox else "call")
        to_do = "to run in" if step.by_sandbox else "to make with"
        st.markdown(f"**{owed}** {to_do} **{plain(model)}**")
        with st.expander("Options"):
            options = _options(study, step)
        options["judge_version"] = judge_version
        known = {name: options[name] for name in ("concurrency", "judge_version")}
        estimate_line(bench, study, step, model, **known)
        if st.button(f"{word} {step.doing}", type="primary", key="start_run"):
            try:
                start_step(bench, study, step.name, model=model, **options)
            except SelfboundError as error:
                problem(error)
            else:
                st.rerun()


def _options(study: Study, step: Step) -> dict[str, object]:
    if step.by_sandbox:
        at_once = st.number_input("Programs at once", 1, 1000, DEFAULT_CONCURRENCY, width=240)
        st.caption("At most one for each processor of this machine runs at a time.")
        return {"concurrency": at_once}
    left, middle, right = st.columns(3)
    concurrency = left.number_input(
        "Calls at once", 1, 1000, DEFAULT_CONCURRENCY, help="A local model takes them in turn."
    )
    budget = middle.number_input(
        "Cap in US dollars",
        min_value=0.0,
        value=study.budget_usd,
        placeholder="no cap" if study.budget_usd is None else "the study's cap",
        help="Money is reserved before a call is sent, so the cap is never passed.",
    )
    api_base = right.text_input(
        "Another address for the model", placeholder="http://127.0.0.1:4000", max_chars=300
    )
    return {
        "concurrency": concurrency,
        "budget_usd": budget,
        "api_base": api_base.strip() or None,
    }


def _details(bench: Workbench, study: Study, step: Step) -> None:
    cells = bench.store.rows("step_cells", study_id=study.study_id, step=step.name)
    if not cells:
        return
    # Where all tasks have one side, such as those that tests decide about, it says nothing.
    has_sides = bool(study.shape.cells) or len({row["intent"] for row in cells}) > 1
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Newest runs**" if step.by_sandbox else "**Newest replies**")
        is_blind = step.makes_tasks and rules_of(bench.store, study).is_blind
        if is_blind:
            st.caption("Sides and reasons are hidden here, as the study is curated blind.")
        newest = bench.store.rows(
            "newest_replies", study_id=study.study_id, step=step.name, n=N_NEWEST
        )
        if step.verdicts is not None and (person := person_if_any(bench.store)):
            told = {row["item_id"] for row in newest if row["label"]}
            note_shown(bench.store, study, person, told)
            st.caption("You see here what a judge said: votes of yours on these are not blind.")
        about = ("intent", "type", "task_reason") if has_sides and not is_blind else ("type",)
        if not newest:
            st.caption("None has arrived yet.")
        for row in newest:
            show_reply(row, about=about, is_code=study.shape.brought.is_code)
    with right:
        what = "Runs" if step.by_sandbox else "Calls"
        st.markdown(f"**{what} ended, by type{' and side' if has_sides else ''}**")
        found = {
            (row["type"] or "–", (row["intent"] or "–") if has_sides else ""): row for row in cells
        }
        shown = [cell for cell in study.shape.cells or found if cell in found]
        n_models = _n_models(bench, study, step)
        cell_table(
            {cell: found[cell]["ended"] for cell in shown},
            {cell: found[cell]["planned"] for cell in shown},
            note=f"Of the {what.lower()} planned"
            + (", all models together." if n_models > 1 else "."),
        )
        if counts := step_outcomes(bench.store, study, step):
            unread = counts["planned"] - counts[Outcome.OK] - counts[PENDING]
            if unread:
                st.caption(
                    f"{human_count(unread, 'call')} ended without a usable reply; "
                    "the results state both numbers."
                )


def _n_models(bench: Workbench, study: Study, step: Step) -> int:
    """How many models have calls planned in the step; people have none."""
    rows = bench.store.rows("step_outcomes", study_id=study.study_id)
    return sum(row["step"] == step.name and not is_person(row["model"]) for row in rows)
