"""Imports of agents' logs: all files or none of them, and never the same run twice.

A run's id follows from its evaluation, task, epoch and its own id in the log, so that it is the
same on every import, also from a log that was tried again and holds it once more.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.agents.needed import AgentLog, AgentRun, check_inspect
from core.errors import ConflictError, InputError
from core.exchange.wording import counted
from core.identity import canonical_json, content_id
from core.protocols.base import CODE_TASKS
from core.records import Outcome
from core.store.cleaning import clean_text
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.imported import Imported
from core.workflows.studies import Study, study_named

SOLVED, FAILED = "solved", "failed"

_ENDS = {"started": "was cut short", "cancelled": "was stopped", "error": "ended in an error"}


def import_agent_logs(
    store: Store, paths: Sequence[Path], *, study_name: str, scorer: str | None = None
) -> list[Imported]:
    """What each log of agents brought into a study; all go in together or not at all.

    Args:
        paths: logs of Inspect, .eval or .json; a folder stands for the .eval logs in it.
        scorer: whose score decides, where a log has several.

    Raises:
        InputError: a file is no log or a damaged one, states no chance, or has several scores.
        NotFoundError: there is no such study or file, or Inspect AI is not installed.
        ConflictError: the study is of another kind.
    """
    study = study_named(store, study_name)
    check_takes_agents(study)
    check_inspect()
    from core.agents.logs import read_agent_log

    files = [file for path in paths for file in _logs_at(Path(path))]
    return add_agent_logs(store, study, [read_agent_log(file, scorer=scorer) for file in files])


def _logs_at(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    if not (found := sorted(one for one in path.glob("*.eval") if one.is_file())):
        raise InputError(f"there are no .eval logs in the folder {path.name}", hint="name the logs")
    return found


def add_agent_logs(store: Store, study: Study, logs: Sequence[AgentLog]) -> list[Imported]:
    """What each log brought into a study; all go in together or not at all."""

    def add(tx: Transaction) -> list[Imported]:
        known = {
            row["agent_run_id"] for row in tx.rows("agent_runs_known", study_id=study.study_id)
        }
        return [_add_log(tx, study, log, known) for log in logs]

    return store.write(add)


def takes_agents(study: Study) -> bool:
    """Whether a study can hold what agents did."""
    return not study.shape.makes_tasks and study.shape.brought is CODE_TASKS


def check_takes_agents(study: Study) -> None:
    """Nothing, where a study can hold what agents did.

    Raises:
        ConflictError: it is of another kind.
    """
    if not takes_agents(study):
        raise ConflictError(
            f"{study.name} takes no logs of agents, since it is one of {study.shape.title}",
            hint="make a study of in-advance confidence for them",
        )


def _add_log(tx: Transaction, study: Study, log: AgentLog, known: set[str]) -> Imported:
    now = datetime.now(UTC)
    runs, estimates = [], []
    for run in log.runs:
        # Older logs give runs no id, so what a run says is taken for it.
        own = run.uuid or content_id(run.outcome, run.why, *(one.reply for one in run.estimates))
        key = (log.model, run.log_task, run.sample, run.epoch, own)
        run_id = content_id("agent run", study.study_id, *key)
        if run_id in known:
            continue
        known.add(run_id)
        runs.append(_run_row(study, log, run, now) | {"agent_run_id": run_id, "seq": tx.next_seq()})
        estimates += [
            {
                "agent_run_id": run_id,
                "study_id": study.study_id,
                "step": one.step,
                "n_calls": one.n_calls,
                "estimate": one.reading.value,
                "outcome": one.reading.outcome.value,
                "note": clean_text(one.reading.note),
                "reply": clean_text(one.reply),
            }
            for one in run.estimates
        ]
    tx.append("agent_run", runs)
    tx.append("agent_estimate", estimates)
    findings = tuple(_findings(log))
    return Imported(log.file, study.name, len(log.runs), len(runs), findings)


def _run_row(study: Study, log: AgentLog, run: AgentRun, now: datetime) -> dict[str, Any]:
    return {
        "study_id": study.study_id,
        "model": clean_text(log.model),
        "evaluation": clean_text(log.task),
        "log_task": run.log_task,
        "sample": clean_text(run.sample),
        "epoch": run.epoch,
        "text": clean_text(run.text),
        "outcome": None if run.outcome is None else SOLVED if run.outcome else FAILED,
        "why": clean_text(run.why),
        "n_calls": run.n_calls,
        "budget": run.budget,
        "source_ref": clean_text(log.file),
        "about_json": canonical_json(dict(log.about)),
        "imported_at": now,
    }


def _findings(log: AgentLog) -> Iterator[str]:
    if log.status != "success":
        end = _ENDS.get(log.status, f"ended with {log.status}")
        yield f"the evaluation {end}; the runs that are done are taken"
    if log.n_silent:
        n = counted(log.n_silent, "run states", "runs state")
        yield f"{n} no chance at all, and {'is' if log.n_silent == 1 else 'are'} left out"
    limits = sorted({run.limit for run in log.runs} - {""})
    if limits:
        n = counted(sum(bool(run.limit) for run in log.runs), "run was", "runs were")
        yield f"{n} ended by a limit ({', '.join(limits)}), and count as scored"
    undecided = [run for run in log.runs if run.outcome is None]
    if undecided:
        first = undecided[0]
        n = counted(len(undecided), "run has no outcome", "runs have no outcome")
        does = "counts" if len(undecided) == 1 else "count"
        yield f"{n} and {does} in no curve; the first, {first.sample}, {first.why}"
    readings = [one.reading for run in log.runs for one in run.estimates]
    n_unread = sum(one.outcome is not Outcome.OK for one in readings)
    if n_unread:
        yield f"{n_unread:,} of {len(readings):,} estimates cannot be read"
    n_otherwise = sum(run.n_listed_otherwise for run in log.runs)
    if n_otherwise:
        n = counted(n_otherwise, "estimate differs", "estimates differ")
        yield f"{n} from the list in the log; what was replied counts"
