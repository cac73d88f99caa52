"""Studies: every study with where it stands; make, import and copy them; the demo."""

from concurrent.futures import Future
from pathlib import Path

import streamlit as st

from core.errors import SelfboundError
from core.exchange.taxonomy_file import taxonomy_of_bytes
from core.llm.client import default_models
from core.prompts import prompt_sets
from core.protocols import PROTOCOLS
from core.store import backup
from core.taxonomy import LINE_OF_DUTY, Taxonomy
from core.workflows.demo import DEMO_PER_CELL, create_demo_study
from core.workflows.steps import start_step
from core.workflows.studies import clone_study, create_study, free_name
from core.workflows.study_overviews import StudyOverview, list_studies
from core.workflows.study_settings import LONGEST_NAME, MOST_PER_TYPE, usual_prompt_set
from pages.shared.imports import import_dialog, import_is_done, import_panel
from pages.shared.quantities import human_cost, human_count
from pages.shared.session import choose_study, guarded_workbench
from pages.shared.study_bar import screen_title
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


@st.dialog("New study", width="medium")
def new_study() -> None:
    """Ask for a study's set-up and make it."""
    protocol = st.selectbox(
        "Protocol", list(PROTOCOLS), format_func=lambda name: PROTOCOLS[name].title
    )
    shape = PROTOCOLS[protocol]
    st.caption(plain(shape.question))
    name = st.text_input("Name", max_chars=LONGEST_NAME)
    subject = st.selectbox(
        "Subject: the model under test",
        default_models(),
        accept_new_options=True,
        help="Any model LiteLLM reaches, as provider/model. Keys come from the environment.",
    )
    taxonomy = LINE_OF_DUTY if shape.for_taxonomy is None else ask_taxonomy()
    sets = prompt_sets(protocol)
    usual = usual_prompt_set(shape, subject or "", taxonomy or LINE_OF_DUTY)
    at = sets.index(usual) if usual in sets else 0
    prompt_set = st.selectbox("Prompt set", sets, index=at)
    left, middle, right = st.columns(3)
    per_type = left.number_input("Tasks per type and side", 1, MOST_PER_TYPE, shape.per_type)
    seed = middle.number_input("Seed", value=0, step=1)
    budget = right.number_input(
        "Cap per step, US dollars", min_value=0.0, value=None, placeholder="no cap"
    )
    if st.button("Make the study", type="primary", disabled=taxonomy is None):
        try:
            study = create_study(
                store,
                name,
                protocol=protocol,
                subject=subject or "",
                prompt_set=prompt_set,
                per_type=per_type,
                seed=seed,
                budget_usd=budget,
                taxonomy=taxonomy,
            )
        except SelfboundError as error:
            problem(error)
        else:
            choose_study(study.name)
            st.switch_page("pages/generate.py")


def ask_taxonomy() -> Taxonomy | None:
    """The built-in types and reasons, or those of a file; None while the file cannot be used."""
    file = st.file_uploader(
        "Own types and reasons (JSON)",
        "json",
        help="Without a file the study has the types and reasons of Line of Duty. The folder "
        "data/taxonomies holds files to begin with.",
    )
    if file is None:
        return LINE_OF_DUTY
    try:
        taxonomy = taxonomy_of_bytes(file.getvalue(), Path(file.name).name)
    except SelfboundError as error:
        problem(error)
        return None
    n_types, n_reasons = len(taxonomy.types), len(taxonomy.reasons)
    counted = f"{human_count(n_types, 'type')}, {human_count(n_reasons, 'reason')}"
    st.caption(plain(f"{taxonomy.title}: {counted}."))
    return taxonomy


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
            st.caption(plain(setup))
            step_badges(badges(overview))
        with (
            right,
            st.container(
                horizontal=True, horizontal_alignment="right", vertical_alignment="center"
            ),
        ):
            cost = ("at least " if overview.n_unpriced else "") + human_cost(overview.cost_usd)
            tasks_and_cost = plain(f"{human_count(tasks['n_tasks'], 'task')} · {cost}")
            st.caption(tasks_and_cost, width="content")
            if st.button("Open", key=f"open_{study.study_id}"):
                choose_study(study.name)
                st.switch_page(f"pages/{_next_screen(overview)}.py")
            if st.button("Copy", key=f"copy_{study.study_id}", type="tertiary"):
                copy_study(overview)


def badges(overview: StudyOverview) -> list[tuple[str, int, int]]:
    """Each part of the work in its order: its name, how much is done, and of how much."""
    study, tasks = overview.study, overview.tasks
    found = []
    for step in study.shape.steps:
        if step.makes_tasks and study.source == "imported":
            continue
        if step.is_optional and step.name not in overview.steps:
            continue
        counts = overview.steps.get(step.name, {"ended": 0, "planned": 0})
        found.append((step.title, counts["ended"], counts["planned"]))
    curated = ("Curate", tasks["kept"] + tasks["removed"], tasks["n_tasks"])
    # People curate before the last step, which works on what they leave.
    return [*found[:-1], curated, *found[-1:]]


def _next_screen(overview: StudyOverview) -> str:
    """Where the work on a study goes on."""
    steps, tasks = overview.steps, overview.tasks
    labels = [step.name for step in overview.study.shape.steps if step.works_on_draw]
    if any(steps.get(name, {}).get("ok") for name in labels):
        return "results"
    if overview.n_drawn:
        return "classify"
    if tasks["n_tasks"]:
        return "curate"
    return "generate"


def toolbar(overviews: list[StudyOverview]) -> None:
    """What can be done beside opening a study."""
    with st.container(horizontal=True):
        if st.button("New study", type="primary"):
            new_study()
        if st.button("Import"):
            import_dialog(bench, [one.study.name for one in overviews])
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
