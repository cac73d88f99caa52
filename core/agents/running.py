"""Runs agents through Inspect's own engine and model providers."""

import os
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model

from core.agents.elicitation import TOO_LONG, eliciting_agent
from core.agents.progress import Tell, telling
from core.agents.tasks import agent_tasks
from core.errors import InputError, ModelError

_REFUSALS = (PrerequisiteError, ValueError, RuntimeError, LookupError, OSError, ImportError)
"""What Inspect raises before a run that it cannot make."""

MOST_RETRIES, CALL_TIMEOUT_S = 5, 300
"""Of a call to a model; Inspect by itself would try for ever."""

LOG_BUFFER = 1
"""Tasks that are done and not in the log yet: whatever ends a run, they are not lost."""

SERVED_MAX_TOKENS = 512
"""Of a turn of a local model, whose whole conversation has 4,096."""

SERVED_MAX_OUTPUT = 1024
"""Bytes of what a tool returns that a local model is shown."""

_TOO_LONG = "exceeds the available context size"
"""How llama.cpp refuses a conversation that is too long."""

_NO_TASK_HINT = (
    "name a task of a package that is installed, as in inspect_evals/swe_bench (which comes with "
    "pip install 'inspect-evals[swe_bench]'), or a Python file that holds one"
)

_MARKUP = re.compile(r"\[/?[a-z ]+\]")


def inspect_model(name: str, *, api_base: str | None = None) -> Model:
    """A model by the name that Inspect has for it.

    Raises:
        InputError: Inspect does not know it, or lacks what it needs, such as a key.
    """
    try:
        return get_model(name, base_url=api_base, memoize=False)
    except _REFUSALS as fault:
        raise InputError(
            f"Inspect cannot use the model {name}: {_said(fault)}",
            hint="name it as Inspect does, as in openai/gpt-4o, with its key in the environment",
        ) from None


def served_model(
    name: str, *, api_base: str, api_key: str, call_form: dict[str, Any] | None = None
) -> Model:
    """A model of an OpenAI-compatible server that cannot call tools itself.

    Inspect then tells it the tools in words and reads its calls from its text.

    Args:
        name: as `provider/model`; the log calls it so.
        call_form: what a request for a turn holds beside the rest, see `core.agents.forms`.
    """
    model = get_model(
        f"openai-api/{name}",
        base_url=api_base,
        api_key=api_key,
        config=GenerateConfig(
            max_tokens=SERVED_MAX_TOKENS,
            max_tool_output=SERVED_MAX_OUTPUT,
            temperature=0.0,
            extra_body=call_form,
        ),
        emulate_tools=True,
        memoize=False,
    )
    # Else the run would end in an error, with everything that the agent did.
    usual = model.api.handle_bad_request

    def handle(fault: Exception) -> ModelOutput | Exception:
        if _TOO_LONG in str(fault):
            return ModelOutput.from_content(name, "", stop_reason=TOO_LONG)
        return usual(fault)

    model.api.handle_bad_request = handle
    return model


def run_agents(
    model: str | Model,
    *,
    sandbox: str | None,
    logs: Path,
    task: str | None = None,
    budget: int,
    prompt_set: str = "vanilla",
    chance_form: dict[str, Any] | None = None,
    epochs: int = 1,
    limit: int | None = None,
    concurrency: int = 4,
    tell: Tell | None = None,
) -> Path:
    """The log of agents that worked on tasks and stated their chance at every step.

    Args:
        model: as Inspect names it, or one of its models.
        sandbox: where agents work; None for that of a task that brings its own.
        logs: the folder for the log.
        task: any task that Inspect finds under that name, whose solver is replaced; the small
            tasks when None.
        chance_form: as for `core.agents.elicitation.eliciting_agent`.
        epochs: how often each task is worked on. limit: of tasks, the first so many.
        concurrency: tasks under way at once.
        tell: is given a sentence whenever an agent is done.

    Raises:
        InputError: Inspect does not know the task, the model or the sandbox.
        ModelError: the run ended in an error, or was stopped.
    """
    worker = eliciting_agent(budget=budget, prompt_set=prompt_set, chance_form=chance_form)
    extra: dict[str, Any] = {"solver": worker}
    if task is None:
        if sandbox is None:
            raise InputError("the small tasks need a sandbox", hint="name it, as in docker")
        tasks: Any = agent_tasks(sandbox, budget=budget, prompt_set=prompt_set)
    else:
        tasks = _relative(task)
        extra |= {} if sandbox is None else {"sandbox": sandbox}
    usual = {"max_samples": concurrency, "log_dir": str(logs), "fail_on_error": False}
    return _finished(
        lambda: inspect_eval(
            tasks,
            model=model,
            epochs=epochs,
            limit=limit,
            log_format="eval",
            log_buffer=LOG_BUFFER,
            display="none",
            max_retries=MOST_RETRIES,
            timeout=CALL_TIMEOUT_S,
            parallel_tool_calls=False,
            **usual,
            **extra,
        ),
        logs,
        tell,
    )


def resume_agents(log: Path, *, logs: Path, concurrency: int = 4, tell: Tell | None = None) -> Path:
    """The log of an evaluation that goes on where another log of it ends.

    What that log holds is taken over; only tasks that are missing or ended in an error are worked
    on, by the model and in the sandbox that it names.

    Raises:
        InputError: Inspect does not find again what was run.
        ModelError: the run ended in an error, or was stopped.
    """
    usual = {"max_samples": concurrency, "log_dir": str(logs), "fail_on_error": False}
    return _finished(
        lambda: eval_retry(str(log), log_buffer=LOG_BUFFER, display="none", **usual), logs, tell
    )


def _finished(run: Callable[[], list[EvalLog]], logs: Path, tell: Tell | None) -> Path:
    _count_tokens_offline()
    known = set(logs.glob("*.eval"))
    try:
        # Standard output is for data, and Inspect and its extensions print now and then.
        with telling(tell), redirect_stdout(sys.stderr):
            found = run()
    except _REFUSALS as fault:
        hint = _NO_TASK_HINT if "No inspect tasks" in str(fault) else ""
        raise InputError(f"Inspect does not run this: {_said(fault)}", hint=hint) from None
    # Of a run that was stopped Inspect gives nothing back; its log is there all the same.
    [log] = found or [None]
    if log is None or log.status == "cancelled":
        left = sorted(set(logs.glob("*.eval")) - known)
        raise ModelError(
            "the agents were stopped",
            hint=f"go on with --resume {left[0]}, or import it as it is" if left else "",
        )
    if log.status == "error":
        told = log.error.message.partition("\n")[0] if log.error else "no reason given"
        raise ModelError(
            f"the agents ended in an error: {told}", hint=f"go on with it: --resume {log.location}"
        )
    return Path(log.location)


def _relative(task: str) -> str:
    """The task as Inspect takes it, which looks for no file by its whole path."""
    file, at, name = task.partition("@")
    return f"{os.path.relpath(file)}{at}{name}" if Path(file).is_absolute() else task


def _count_tokens_offline() -> None:
    """Inspect would download a table to count tokens; LiteLLM's wheel holds the same file."""
    found = find_spec("litellm")
    for place in found.submodule_search_locations or () if found else ():
        tables = Path(place, "litellm_core_utils", "tokenizers")
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(tables))


def _said(fault: Exception) -> str:
    """What Inspect says, as one sentence without its markup."""
    lines = [line.strip() for line in _MARKUP.sub("", str(fault)).splitlines() if line.strip()]
    told = "; ".join(lines[:2]).rstrip(".").removeprefix("ERROR: ").removeprefix("Error: ")
    return told[:300] or type(fault).__name__
