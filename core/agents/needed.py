"""What is known of agents without Inspect AI: names, records of a log, whether it is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from core.errors import NotFoundError
from core.parsing.agent_turns import AgentEstimate

BUDGET = 70
"""Tool calls that an agent may make.

Source: "Do LLMs know what they are capable of?", its multi-step experiment.
"""

LOCAL = "local"
"""Inspect's name of the sandbox that is this machine itself."""

LOCAL_WARNING = (
    "The local sandbox is no wall: what the model runs can read and change whatever you can on "
    "this machine, your keys and files included, and can use the network. Run models there only "
    "that you would let use your own terminal, or take --sandbox docker."
)


@dataclass(frozen=True)
class AgentRun:
    """One agent's work on one task, as a log has it.

    Args:
        log_task: id of the evaluation, the same where it was retried. sample: the task's name.
        uuid: of this very run; empty where the log has none.
        text: what the agent was asked to do.
        outcome: 1 where the task was solved, 0 where not, None where nothing decided.
        why: of no outcome, the reason.
        n_calls: tool calls made. budget: how many it could make; None where the log does not say.
        n_listed_otherwise: estimates that the log itself lists with another value.
        limit: of the evaluation, that ended the run before the agent did; empty for none.
    """

    log_task: str
    sample: str
    epoch: int
    uuid: str
    text: str
    outcome: int | None
    why: str
    n_calls: int
    budget: int | None
    estimates: tuple[AgentEstimate, ...]
    n_listed_otherwise: int = 0
    limit: str = ""


@dataclass(frozen=True)
class AgentLog:
    """What a log of agents holds.

    Args:
        file: its name. task: what was evaluated. model: who worked.
        status: success where all of it was done.
        n_silent: runs left out, in which nothing was asked or said of a chance.
        about: what else there is to know, kept as it is: sandbox, scorer, prompts, versions.
    """

    file: str
    task: str
    model: str
    status: str
    runs: tuple[AgentRun, ...]
    about: Mapping[str, Any]
    n_silent: int = 0


@dataclass(frozen=True)
class LogHeader:
    """Who worked in a log, and in which of Inspect's sandboxes; None where in none."""

    model: str
    sandbox: str | None


def check_inspect() -> None:
    """Nothing, where Inspect AI is installed.

    Raises:
        NotFoundError: it is not.
    """
    if find_spec("inspect_ai") is None:
        raise NotFoundError(
            "agents and their logs need Inspect AI, which is not installed",
            hint="install the optional part, in the project's folder: pip install '.[inspect]'",
        )
