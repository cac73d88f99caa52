"""The one home of what outlives a rerun: the open store, the engine, and the chosen study."""

import gc
import signal
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import SelfboundError
from core.runs.run import STOP_GRACE_S
from core.settings import PROJECT_ROOT, store_path
from core.store.store import Store
from core.workflows.studies import Study, find_study
from core.workflows.workbench import Workbench, open_workbench
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem

STUDY = "study"
_APP_RAN, _ASKED_FOR, _CHOSEN = "app_ran", "asked_for", "chosen_study"


def enter() -> None:
    """Note that this session came in through app.py, which calls it in every run.

    A session that asked for a screen before app.py had run is taken there now.
    """
    st.session_state[_APP_RAN] = True
    if asked := st.session_state.pop(_ASKED_FOR, None):
        screen, address = asked
        st.switch_page(f"pages/{screen}.py", query_params=address)


def guarded_workbench() -> Workbench:
    """The open workbench of this process; the first line of every page.

    A store that cannot be opened ends the run with a sentence instead.
    """
    if not st.session_state.get(_APP_RAN):
        # A link to a screen, followed on a fresh server, runs the page without app.py around it.
        screen = urlsplit(st.context.url or "").path.rsplit("/", 1)[-1]
        address = {name: st.query_params.get_all(name) for name in st.query_params}
        st.session_state[_ASKED_FOR] = (screen, address)
        st.switch_page(PROJECT_ROOT / "app.py")
    try:
        bench = _workbench(str(store_path()))
    except SelfboundError as error:
        problem(error)
        st.stop()
    for notice in bench.store.notices:
        st.warning(plain(notice))
    return bench


def _close(bench: Workbench) -> None:
    """Calls in flight are paid for: they get time to come back; Ctrl-C once more gives them up."""
    going = [run for run in bench.engine.runs() if not run.is_over]
    try:
        if going:
            told = f"waiting up to {STOP_GRACE_S:.0f} s for calls in flight; Ctrl-C gives them up"
            print(f"  {told}", file=sys.stderr, flush=True)
        for run in going:
            run.stop()
        for run in going:
            run.wait(STOP_GRACE_S)
    except KeyboardInterrupt:
        for run in going:
            run.stop(grace_s=0)
    bench.close()


@st.cache_resource(on_release=_close, show_spinner="Opening the store")
def _workbench(path: str) -> Workbench:
    bench = open_workbench(Path(path))
    # Streamlit collects all garbage after each rerun; what is imported by now lives for good.
    gc.freeze()
    return bench


def _end() -> None:
    """At the end of the process; Streamlit's own answer to Ctrl-C has been given by now."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _workbench.clear()


# Streamlit has no end to hook into, and `atexit` comes when no thread takes up work any more. What
# the executors of the standard library end themselves by comes before, the newest first.
threading._register_atexit(_end)


def choose_study(name: str) -> None:
    """Make a study the one that the screens show, in this session and in the address."""
    st.session_state[_CHOSEN] = name
    if st.query_params.get(STUDY) != name:
        st.query_params[STUDY] = name


def shown_studies(store: Store, names: list[str]) -> list[str]:
    """The names of the studies to show side by side, chosen on screen and kept in the address.

    Args:
        names: of the studies with results, newest first.
    """
    asked = st.query_params.get_all(STUDY) or [st.session_state.get(_CHOSEN, names[0])]
    known = [name for name in asked if name in names]
    _tell_missing(store, [name for name in asked if name not in names], names[0], known)
    known = known or names[:1]
    chosen = st.multiselect("Studies", names, known, label_visibility="collapsed")
    if chosen != st.query_params.get_all(STUDY):
        st.query_params[STUDY] = chosen
    if chosen:
        st.session_state[_CHOSEN] = chosen[0]
    return chosen


def _tell_missing(store: Store, missing: list[str], newest: str, known: list[str]) -> None:
    """Which of the studies asked for are not shown, why, and what is shown in their place."""
    said = []
    for name in missing:
        is_known = find_study(store, name) is not None
        why = f"“{name}” has no results yet." if is_known else f"There is no study named “{name}”."
        said.append(why)
    if said and not known:
        said.append(f"Shown instead is “{newest}”, the newest study with results.")
    if said:
        st.warning(plain(" ".join(said)))


def chosen_study(bench: Workbench, *, place: DeltaGenerator | None = None) -> Study:
    """The study the screen is about, with a selector for another; no study ends the run.

    The address names the study, so a link opens the same one; without it the last one chosen in
    this session is shown, else the newest.

    Args:
        place: where the selector goes; here when left out.
    """
    names = [row["name"] for row in bench.store.rows("studies_all")]
    if not names:
        if empty_state(
            "There is no study yet",
            "Studies are made on the first screen, where the demo study is one click away.",
            "Go to Studies",
            key="to_studies",
        ):
            st.switch_page("pages/studies.py")
        st.stop()
    wanted = st.query_params.get(STUDY) or st.session_state.get(_CHOSEN)
    if wanted is not None and wanted not in names:
        found = find_study(bench.store, wanted)
        if found is None:
            said = f"There is no study named “{wanted}”. Shown instead is “{names[0]}”, the newest."
            st.warning(plain(said))
        wanted = found.name if found else None
    at = names.index(wanted) if wanted in names else 0
    name = (place or st).selectbox("Study", names, index=at, label_visibility="collapsed")
    # Also where a link named it: a button to another screen takes no address along.
    choose_study(name)
    return find_study(bench.store, name)
