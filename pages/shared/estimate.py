"""What a run will take, worked out beside the page: a hosted model's price takes seconds."""

from concurrent.futures import Future

import streamlit as st

from core.errors import SelfboundError
from core.protocols.base import Step
from core.workflows.estimates import StepEstimate, estimate_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.quantities import human_cost, human_count, human_duration
from pages.shared.text import plain

_KEPT = "estimate"


def estimate_line(
    bench: Workbench, study: Study, step: Step, model: str, **options: int | None
) -> None:
    """One line with calls, tokens, cost and time; appears when it is worked out.

    Args:
        options: as `estimate_step` takes them.
    """
    about = tuple(sorted(options.items()))
    wanted = (study.study_id, step.name, model, about, bench.store.data_version)
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[0] != wanted:
        work = bench.aside(estimate_step, bench, study, step, model, **options)
        kept = st.session_state[_KEPT] = (wanted, work)
    is_done = kept[1].done()
    st.fragment(_line, run_every=None if is_done else 0.5)(kept[1], is_done)


def _line(work: "Future[StepEstimate]", was_done: bool) -> None:
    if not work.done():
        st.caption("Working out what it will take …")
        return
    if not was_done:
        # Once more as a whole page, so that nothing is asked for twice a second any longer.
        st.rerun()
    try:
        found = work.result()
    except SelfboundError as error:
        st.caption(plain(f"No estimate: {error}."))
        return
    st.caption(plain(estimate_words(found)))


def estimate_words(found: StepEstimate) -> str:
    """An estimate as one line.

    Example:
        >>> estimate_words(StepEstimate(50, 20_000, 10_000, 0.0, 65.0))
        '50 calls · about 20,000 tokens to send, at most 10,000 back · free · about 1 min 5 s'
    """
    cost = "price unknown"
    if found.most_cost_usd is not None:
        cost = f"at most {human_cost(found.most_cost_usd)}" if found.most_cost_usd else "free"
    time = "time unknown until the first calls"
    if found.seconds is not None:
        time = f"about {human_duration(found.seconds)}"
    tokens = (
        f"about {found.prompt_tokens:,} tokens to send, "
        f"at most {found.most_completion_tokens:,} back"
    )
    return " · ".join([human_count(found.n_calls, "call"), tokens, cost, time])
