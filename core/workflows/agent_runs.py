"""Runs of agents: from a study's model to the log of what they did, which is then imported.

The store is not needed meanwhile, and stays free for the app: agents may work for hours.
"""

from collections.abc import Callable
from pathlib import Path

from core.agents.needed import BUDGET, check_inspect
from core.errors import InputError
from core.llm.local_model import release, running_endpoint
from core.settings import EMBEDDED_MODEL, LOCAL_PREFIX, store_path


def agent_logs_dir() -> Path:
    """Where logs of agents are kept: beside the store."""
    return store_path().parent / "agent_logs"


def run_agents_of(
    model: str,
    *,
    sandbox: str | None,
    logs: Path,
    task: str | None = None,
    budget: int = BUDGET,
    epochs: int = 1,
    limit: int | None = None,
    concurrency: int = 4,
    api_base: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> Path:
    """The log of agents of one model that stated their chance at every step.

    Args:
        model: `embedded/…` or `local/…`, which is told its tools in words, or as Inspect names it.
            The embedded one is too small to call them freely: see `core.agents.forms`.
        api_base: another address for the model's provider.
        sandbox, logs, task, budget, epochs, limit, concurrency, tell: as `core.agents.running` has
            them.

    Raises:
        NotFoundError: Inspect AI is not installed.
        InputError: Inspect does not know the task, the model or the sandbox.
        ModelError: a local model cannot be run, or the run ended in an error or was stopped.
    """
    check_inspect()
    from core.agents.forms import CALL_FORM, CHANCE_FORM
    from core.agents.running import inspect_model, run_agents, served_model

    is_small = model == EMBEDDED_MODEL
    holder = object()
    try:
        if is_small or model.startswith(LOCAL_PREFIX):
            place = running_endpoint(model, holder=holder)
            used = served_model(
                model,
                api_base=place.api_base,
                api_key=place.api_key,
                call_form=CALL_FORM if is_small else None,
            )
        else:
            used = inspect_model(model, api_base=api_base)
        return run_agents(
            used,
            sandbox=sandbox,
            logs=logs,
            task=task,
            budget=budget,
            chance_form=CHANCE_FORM if is_small else None,
            epochs=epochs,
            limit=limit,
            concurrency=concurrency,
            tell=tell,
        )
    finally:
        release(holder)


def resume_agents_of(
    log: Path,
    *,
    sandbox: str,
    logs: Path,
    concurrency: int = 4,
    tell: Callable[[str], None] | None = None,
) -> Path:
    """The log of agents that go on where another log of them ends; what it holds is not run again.

    Args:
        sandbox: where the agents of that log work, named once more.

    Raises:
        NotFoundError: there is no such log, or Inspect AI is not installed.
        InputError: the log is damaged, of another sandbox or of a model on this machine, or
            Inspect does not find again what was run.
        ModelError: the run ended in an error, or was stopped.
    """
    check_inspect()
    from core.agents.logs import log_header
    from core.agents.running import resume_agents

    header = log_header(log)
    if header.sandbox != sandbox:
        raise InputError(
            f"the agents of {log.name} work in the sandbox {header.sandbox}, not {sandbox}",
            hint=f"name that one: --sandbox {header.sandbox}",
        )
    if header.model == EMBEDDED_MODEL or header.model.startswith(LOCAL_PREFIX):
        raise InputError(
            f"{log.name} is of a model on this machine, whose server is no longer there",
            hint="run it anew; it costs nothing",
        )
    return resume_agents(log, logs=logs, concurrency=concurrency, tell=tell)
