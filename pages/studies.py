"""Studies: every study with where it stands; make, import and copy them; the demo."""

from concurrent.futures import Future
from pathlib import Path

import streamlit as st

from core.errors import SelfboundError
from core.store import backup
from core.workflows.demo import DEMO_PER_CELL, create_demo_study
from core.workflows.steps import start_step
from core.workflows.studies import clone_study, free_name
from core.workflows.study_overviews import StudyOverview, list_studies
from core.workflows.study_settings import LONGEST_NAME
from pages.shared.imports import import_dialog, import_is_done, import_panel
from pages.shared.new_study import new_study_dialog
from pages.shared.quantities import human_cost, human_count
from pages.shared.session import choose_study, guarded_workbench
from pages.shared.study_bar import screen_title, step_after_curation
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem, step_badges

bench = guarded_workbench()
store = bench.store
CARDS = 25
BACKUP = "backup_under_way"


def run_demo() -> None:
    """Make the demo study, start inventing its tasks, and go and watch."""
    study = create_demo_study(store)
    choose_study(study.name)
    start_step(bench, study, study.shape.steps[0].name)
    st.switch_page("pages/generate.py")


@st.dialog("Copy of a study")
def copy_study(overview: StudyOverview) -> None:
    """Ask for a name and make a study set up the same."""
    st.write("The copy has the same set-up, without tasks and results.")
    name = st.text_input("Name", free_name(store, overview.study.name), max_chars=LONGEST_NAME)
    if st.button("Make the copy", type="primary"):
        try:
            study = clone_study(store, overview.study, name)
        except SelfboundError as error:
            problem(error)
        else:
            choose_study(study.name)
            st.rerun()


def card(overview: StudyOverview) -> None:
    """One study: what it is, where it stands, what it cost, and the ways into it."""
    study, tasks = overview.study, overview.tasks
    with st.container(border=True, gap="xsmall"):
        left, right = st.columns([5, 2], vertical_alignment="center")
        with left:
            st.markdown(
                f"**{plain(study.name)}**" + (" :gray-badge[demo]" if study.is_demo else "")
            )
            own = "" if study.taxonomy.is_built_in else f" · {study.taxonomy.title}"
            setup = f"{study.shape.title}{own} · {study.subject} · prompts {study.prompt_set}"
            judged = f" · judge {study.judge}" if study.judge else ""
            st.caption(plain(setup + judged))
            if not overview.has_agents_alone:
                step_badges(badges(overview))
        with (
            right,
            st.container(
                horizontal=True, horizontal_alignment="right", vertical_alignment="center"
            ),
        ):
            cost = ("at least " if overview.n_unpriced else "") + human_cost(overview.cost_usd)
            parts = [human_count(tasks["n_tasks"], "task"), cost]
            if overview.n_agent_runs:
                parts.insert(
                    1, human_count(overview.n_agent_runs, "run of agents", "runs of agents")
                )
            st.caption(plain(" · ".join(parts)), width="content")
            if st.button("Open", key=f"open_{study.study_id}"):
                choose_study(study.name)
                st.switch_page(f"pages/{_next_screen(overview)}.py")
            if st.button("Copy", key=f"copy_{study.study_id}", type="tertiary"):
                copy_study(overview)


def badges(overview: StudyOverview) -> list[tuple[str, int, int]]:
    """Each part of the work in its order: its name, how much is done, and of how much."""
    study, tasks = overview.study, overview.to_curate
    n_curated = tasks["kept"] + tasks["removed"]
    curated = ("Curate", n_curated, tasks["n_tasks"])
    found = []
    for step in study.shape.steps:
        is_due = step == step_after_curation(study.shape)
        if is_due and (study.shape.makes_tasks or n_curated):
            found.append(curated)
        if step.makes_tasks and study.source == "imported":
            continue
        if step.is_optional and step.name not in overview.steps:
            continue
        counts = overview.steps.get(step.name, {"ended": 0, "planned": 0})
        found.append((step.title, counts["ended"], counts["planned"]))
    return [*found, curated] if study.shape.rewrites_tasks else found


def _next_screen(overview: StudyOverview) -> str:
    """Where the work on a study goes on."""
    shape, steps, n_tasks = overview.study.shape, overview.steps, overview.tasks["n_tasks"]
    wanted = [step for step in shape.steps if not step.makes_tasks and not step.is_optional]
    if overview.has_agents_alone or all(steps.get(step.name, {}).get("ok") for step in wanted):
        return "results"
    # Questions that people bring are asked as they are; what a model made is curated first.
    if overview.n_drawn or (n_tasks and not shape.makes_tasks):
        return "classify"
    return "curate" if n_tasks else "generate"


def toolbar(overviews: list[StudyOverview]) -> None:
    """What can be done beside opening a study."""
    with st.container(horizontal=True):
        if st.button("New study", type="primary"):
            new_study_dialog(store)
        if st.button("Import"):
            import_dialog(bench, [one.study for one in overviews])
        if overviews and st.button("Run the demo study"):
            start_demo()
        if overviews and st.button("Back up"):
            st.session_state.pop(BACKUP, None)
            back_up()


def start_demo() -> None:
    """Run the demo, or say why it cannot run."""
    try:
        run_demo()
    except SelfboundError as error:
        problem(error)


@st.dialog("Backup")
def back_up() -> None:
    """Have the whole store written to one file on the machine the app runs on."""
    path = Path(st.text_input("File to write", str(store.path.with_suffix(".backup.duckdb"))))
    if st.button("Write the backup", type="primary"):
        st.session_state[BACKUP] = bench.aside(backup, store, path)
    if BACKUP in st.session_state:
        work = st.session_state[BACKUP]
        st.fragment(tell_backup, run_every=None if work.done() else 0.5)(work)


def tell_backup(work: "Future[Path]") -> None:
    """Whether the backup is written."""
    if not work.done():
        st.info("Writing …")
        return
    try:
        st.success(plain(f"The whole store is in {work.result()}."))
    except SelfboundError as error:
        problem(error)


screen_title("Studies", "What a model believes it can do, and what it then does.")
was_done = import_is_done()
overviews = list_studies(store)
toolbar(overviews)
import_panel(was_done=was_done)
if not overviews:
    if empty_state(
        "Nothing here yet",
        f"The demo study takes a small real model through the whole pipeline on this machine: it "
        f"invents {DEMO_PER_CELL * 10} tasks, you remove the malformed ones, it then carries out "
        "or declines the rest, and you see how well it knew its own limits.",
        "Run the demo study",
        key="run_demo",
    ):
        start_demo()
    st.stop()
wanted = ""
if len(overviews) > 8:
    wanted = st.text_input("Find", placeholder="a study's name or model").casefold()
shown = [one for one in overviews if wanted in f"{one.study.name} {one.study.subject}".casefold()]
for overview in shown[:CARDS]:
    card(overview)
if not shown:
    st.info("No study has that in its name or model.")
elif len(shown) > CARDS:
    st.caption(f"The newest {CARDS} of {len(shown):,} are shown; type to find the others.")
