"""The contracts that a subject is offered: what is drawn, and the form that draws."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import SelfboundError
from core.store.store import Store
from core.workflows.contract_draw import CONTRACTS, draw_contracts, own_results
from core.workflows.studies import Study
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import empty_state, problem, progress_words


def show_contracts(store: Store, study: Study, *, is_running: bool) -> bool:
    """Show which contracts are drawn for the study's subject, and offer to draw where none are;
    whether any are drawn now."""
    st.subheader("The contracts", anchor=False)
    keys = {"study_id": study.study_id, "model": study.subject}
    drawn = store.rows("contracts_of", **keys)
    if drawn:
        _tell(drawn)
        return True
    results = own_results(store, study, study.subject)
    n_solved, n_failed = len(results[True]), len(results[False])
    if not (n_solved and n_failed):
        here = f"There are {n_solved:,} solved and {n_failed:,} failed tasks."
        if empty_state(
            "There is nothing to offer yet",
            f"Contracts are made of tasks that the subject has solved and of others that it has "
            f"failed. {here}",
            "Go to Score",
            key="to_score",
        ):
            st.session_state.pop("step", None)
            st.query_params["step"] = "score"
            st.rerun()
        return False
    if not is_running:
        _form(store, study, n_solved, n_failed)
    return False


def contract_words(
    found: Mapping[str, int],
    *,
    calls_per_s: float | None,
    cost_usd: float,
    budget_usd: float | None,
) -> str:
    """How far the trials are, against all that was drawn.

    A call is planned once the contract before it is answered, so the calls planned at any moment
    tell nothing of what is to come.

    Example:
        >>> found = dict(n_trials=16, n_ended=2, n_contracts=64, n_answered=30, n_left=32)
        >>> contract_words(found, calls_per_s=None, cost_usd=0, budget_usd=None)
        '2 of 16 trials ended · contracts answered: 30 of 64 (46 %) · $0'
    """
    trials = f"{found['n_ended']:,} of {human_count(found['n_trials'], 'trial')} ended"
    contracts = progress_words(
        found["n_answered"],
        found["n_contracts"],
        calls_per_s=calls_per_s,
        eta_s=found["n_left"] / calls_per_s if calls_per_s else None,
        cost_usd=cost_usd,
        budget_usd=budget_usd,
    )
    return f"{trials} · contracts answered: {contracts}"


def _tell(drawn: list[dict[str, Any]]) -> None:
    n_trials, n_contracts = drawn[-1]["trial"], drawn[-1]["number"]
    n_solvable = sum(row["is_solvable"] for row in drawn)
    n_replaced = sum(row["is_replaced"] for row in drawn)
    said = f"{n_trials:,} trials of {human_count(n_contracts, 'contract')}, drawn with seed "
    said += f"{drawn[0]['seed']}; {n_solvable:,} of the {len(drawn):,} contracts can be won."
    if n_replaced:
        said += f" {n_replaced:,} of them have another task than the file names."
    st.markdown(plain(said))


def _form(store: Store, study: Study, n_solved: int, n_failed: int) -> None:
    most = min(CONTRACTS, n_solved, n_failed)
    st.caption(
        plain(
            f"The subject has solved {human_count(n_solved, 'task')} and failed "
            f"{human_count(n_failed, 'task')}. A trial needs as many of each as it has contracts; "
            f"{CONTRACTS} is usual."
        )
    )
    with st.form("contracts", border=True):
        left, right = st.columns(2, vertical_alignment="bottom")
        number = left.number_input("Contracts in each trial", 1, most, most)
        seed = right.number_input("Seed", value=study.seed, step=1)
        files = st.file_uploader(
            "Or published trials (JSON), and the file with their tasks",
            "json",
            accept_multiple_files=True,
            help="Without files every pattern of contracts that can be won or not is drawn once.",
        )
        if st.form_submit_button("Draw the contracts", type="primary"):
            try:
                _draw(store, study, number=number, seed=seed, files=files)
            except SelfboundError as error:
                problem(error)
            else:
                st.rerun()


def _draw(store: Store, study: Study, *, number: int, seed: int, files: list[Any]) -> None:
    if not files:
        draw_contracts(store, study, n_contracts=number, seed=seed)
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for file in files:
            path = Path(folder) / Path(file.name).name
            path.write_bytes(file.getvalue())
            # Trials are a list, their tasks an object.
            is_trials = file.getvalue().lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"[")
            paths["sequences" if is_trials else "tasks"] = path
        draw_contracts(store, study, seed=seed, **paths)
