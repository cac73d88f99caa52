"""Reads logs of agents that Inspect wrote, ours and other people's.

Whether a task was solved is what its score says: C, 1, yes or true is yes, I, N, 0, no or false is
no. Anything between is no outcome, and so is a run that ended in an error, has no score, or was
marked as invalid.
"""

import json
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from ijson.common import JSONError
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.scorer import Score
from pydantic import ValidationError
from zstandard import ZstdError

from core.agents.elicitation import ASKS, ENDED, KEPT
from core.agents.needed import AgentLog, AgentRun, LogHeader
from core.errors import InputError, NotFoundError
from core.parsing.agent_turns import (
    AgentEstimate,
    Turn,
    agent_estimates,
    listed_estimates,
    n_tool_calls,
)

SERVED = "openai-api/"
"""Inspect's word before models of any OpenAI-compatible server."""

NEWEST_VERSION = 2
"""The newest version of Inspect's format of logs whose meaning is known here."""

_DAMAGED = (OSError, EOFError, ValueError, LookupError, TypeError, BadZipFile, zlib.error)
_DAMAGED += (ZstdError, JSONError, NotImplementedError, RuntimeError, AttributeError)
_OUTCOMES = {"C": 1, "I": 0, "N": 0, 1: 1, 0: 0}
_IN_WORDS = {"yes": 1, "true": 1, "no": 0, "false": 0}


def read_agent_log(path: Path, *, scorer: str | None = None) -> AgentLog:
    """What a log holds; runs in which nothing was asked or said of a chance are left out.

    Args:
        path: a .eval or .json log.
        scorer: whose score decides, where there are several.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is no log or a damaged one, nothing in it states a chance, or several scores
            could decide.
    """
    log = _read(path)
    samples = log.samples or []
    name = _deciding(path, samples, scorer)
    runs = [_run(log, sample, name) for sample in samples]
    stated = tuple(run for run in runs if run.estimates)
    if not runs:
        raise InputError(
            f"{path.name} holds no sample that is done", hint="let the evaluation go on"
        )
    if not stated:
        raise InputError(
            f"none of the {len(samples):,} samples of {path.name} states a likelihood of success",
            hint="run the tasks with `selfbound agents`, or with its agent in Inspect",
        )
    return AgentLog(
        file=path.name,
        task=log.eval.task,
        model=log.eval.model.removeprefix(SERVED),
        status=log.status,
        runs=stated,
        about=_about(log, samples, name),
        n_silent=len(runs) - len(stated),
    )


def log_header(path: Path) -> LogHeader:
    """Who worked in a log, and where.

    Raises:
        NotFoundError: there is no such file.
        InputError: it is no log or a damaged one.
    """
    log = _read(path, header_only=True)
    return LogHeader(log.eval.model.removeprefix(SERVED), _sandbox(log))


def _read(path: Path, *, header_only: bool = False) -> EvalLog:
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}", hint="check the path")
    if path.suffix not in (".eval", ".json"):
        raise InputError(f"{path.name} is no .eval or .json log", hint="name a log of Inspect")
    try:
        _check_sums(path)
        log = read_eval_log(
            path,
            header_only=header_only,
            resolve_attachments=True,
            # Most of a large log, and nothing is read from them.
            exclude_fields={"events"},
        )
    # Whatever is wrong inside a foreign file, the libraries that read it say it in their own ways.
    except _DAMAGED as fault:
        raise InputError(
            f"{path.name} is no readable log of Inspect: {_said(fault)}", hint="get the file again"
        ) from None
    # Inspect looks at this of .json logs alone, which it gives the version that it made of them.
    if log.version > NEWEST_VERSION:
        raise InputError(
            f"{path.name} has version {log.version} of Inspect's format of logs, and the newest "
            f"known here is {NEWEST_VERSION}",
            hint="update Selfbound",
        )
    return log


def _said(fault: Exception) -> str:
    """What is wrong, on one line."""
    if isinstance(fault, ValidationError):
        first = fault.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return f"{place}: {first['msg']}" if place else first["msg"]
    if isinstance(fault, KeyError):
        return f"it has no {fault.args[0]}"
    return str(fault).strip().partition("\n")[0][:120] or type(fault).__name__


def _check_sums(path: Path) -> None:
    """Inspect reads the parts of a log without looking at their checksums."""
    if path.suffix != ".eval":
        return
    with ZipFile(path) as parts:
        broken = parts.testzip()
    if broken is not None:
        raise BadZipFile(f"its part {broken} was changed")


def _deciding(path: Path, samples: list[EvalSample], scorer: str | None) -> str | None:
    names = sorted({name for sample in samples for name in sample.scores or {}})
    if scorer is not None and scorer not in names:
        have = ", ".join(names) or "none"
        raise InputError(f"{path.name} has no score {scorer!r}", hint=f"its scores: {have}")
    if scorer is None and len(names) > 1:
        raise InputError(
            f"{path.name} has {len(names)} scores: {', '.join(names)}",
            hint=f"name the one that decides: --scorer {names[0]}",
            choices=names,
        )
    return scorer or (names[0] if names else None)


def _run(log: EvalLog, sample: EvalSample, scorer: str | None) -> AgentRun:
    turns = [_turn(message) for message in sample.messages]
    outcome, why = _outcome(sample, scorer)
    estimates = agent_estimates(turns)
    return AgentRun(
        log_task=log.eval.task_id or log.eval.eval_id or log.eval.run_id,
        sample=str(sample.id),
        epoch=sample.epoch,
        uuid=sample.uuid or "",
        text=_text(sample),
        outcome=outcome,
        why=why,
        n_calls=n_tool_calls(turns),
        budget=(sample.store.get(KEPT) or {}).get("budget"),
        estimates=estimates,
        n_listed_otherwise=_n_otherwise(turns, estimates),
        limit=sample.limit.type if sample.limit is not None else "",
    )


def _text(sample: EvalSample) -> str:
    if isinstance(sample.input, str):
        return sample.input
    return sample.input[-1].text if sample.input else ""


def _turn(message: Any) -> Turn:
    marks = message.metadata or {}
    function = (message.function or "") if message.role == "tool" else ""
    return Turn(message.role, message.text, function, marks.get(ASKS, ""), marks.get(ENDED, ""))


def _outcome(sample: EvalSample, scorer: str | None) -> tuple[int | None, str]:
    if sample.error is not None:
        return None, f"ended in an error: {sample.error.message.partition(chr(10))[0][:200]}"
    if sample.invalidation is not None:
        return None, "was marked as invalid"
    score: Score | None = (sample.scores or {}).get(scorer or "")
    if score is None:
        return None, "has no score"
    value = score.value
    known = _decided(value)
    if known is None:
        return None, f"has the score {json.dumps(value, default=str)[:60]}, neither solved nor not"
    return known, ""


def _decided(value: Any) -> int | None:
    """1 or 0, as Inspect itself turns what a scorer gives into numbers; None for anything else."""
    if isinstance(value, str) and value not in _OUTCOMES:
        with suppress(ValueError):
            return _OUTCOMES.get(float(value))
        return _IN_WORDS.get(value.lower())
    return _OUTCOMES.get(value) if isinstance(value, (str, int, float)) else None


def _n_otherwise(turns: list[Turn], estimates: tuple[AgentEstimate, ...]) -> int:
    listed = listed_estimates(turns)
    if listed is None:
        return 0
    read = [one.reading.value for one in estimates if one.step is not None]
    longer = max(len(read), len(listed))
    pairs = zip(_filled_up(read, longer), _filled_up(list(listed), longer), strict=True)
    return sum(one != other for one, other in pairs)


def _filled_up(values: list[float | None], n: int) -> list[float | None]:
    return values + [None] * (n - len(values))


def _about(log: EvalLog, samples: list[EvalSample], scorer: str | None) -> dict[str, Any]:
    kept = next((sample.store[KEPT] for sample in samples if KEPT in sample.store), {})
    return {
        "created": str(log.eval.created),
        "inspect_ai": log.eval.packages.get("inspect_ai"),
        "solver": log.eval.solver,
        "scorer": scorer,
        "sandbox": _sandbox(log),
        "prompts": kept.get("prompts", {}),
    }


def _sandbox(log: EvalLog) -> str | None:
    return log.eval.sandbox.type if log.eval.sandbox is not None else None
