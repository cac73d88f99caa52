"""Synthesis of training data: rewrite and verify in turns until every problem is settled.

What is owed is worked out from the store each time, so a synthesis that was stopped or killed goes
on where it was, and nothing that was answered is asked for again.
"""

from collections.abc import Callable
from typing import Any

from core.errors import ConflictError, InputError
from core.protocols.base import Step, WorksOn
from core.protocols.training_data import DIFFICULT, INSUFFICIENT, ORIGINAL, TRAINING_DATA
from core.runs.progress import COMPLETED, Progress
from core.runs.run import Run
from core.store.store import Store
from core.workflows.rewrite_plans import Shares, plan_rewrites, shares_used
from core.workflows.steps import DEFAULT_CONCURRENCY, model_for, start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench

ROUNDS = 5
PARTS = (ORIGINAL, INSUFFICIENT, DIFFICULT)
STATES = ("kept", "accepted", "dropped", "removed", "left_out", "due", "open")
"""What becomes of a problem; those of a part add up to its problems."""
FAILURES = ("unreadable", "unchanged", "judged_otherwise", "no_verdict")
RESULTS = ("verified", *FAILURES, "removed", "waiting")
"""What comes of an attempt to rewrite; those of a part add up to its attempts."""


def synthesize(
    bench: Workbench,
    study: Study,
    *,
    watch: Callable[[str, Run], Progress],
    rounds: int = ROUNDS,
    judge: str | None = None,
    shares: Shares | None = None,
    concurrency: int = DEFAULT_CONCURRENCY,
    budget_usd: float | None = None,
    api_base: str | None = None,
) -> bool:
    """Whether every problem is settled now.

    Every round asks for the rewrites that are owed and has them verified. It ends when every
    problem is settled, after so many rounds, or with a step that did not run to its end.

    Args:
        watch: waits for a run to end and gives its last progress; given the step's title and the
            run.
        rounds: at least 1; five are enough where no call fails.
        judge: by default the study's.
        shares: by default those used before in the study, else the usual ones.

    Raises:
        InputError: a number or model that cannot be used; the judge is the subject.
        ConflictError: the study rewrites nothing, or has no problems with reference answers.
    """
    rewrite, verify = synthesis_steps(study)
    if rounds < 1:
        raise InputError(f"the rounds are {rounds}", hint="choose a number from 1")
    judge = model_for(study, verify, judge)
    plan_rewrites(bench.store, study, rewrite, shares)
    options = {"concurrency": concurrency, "budget_usd": budget_usd, "api_base": api_base}
    for _ in range(rounds):
        for step, model in ((rewrite, study.subject), (verify, judge)):
            if step is verify and not bench.store.value("n_rewrites", study_id=study.study_id):
                continue
            run = start_step(bench, study, step.name, model=model, **options)
            if run is None:
                continue
            progress = watch(step.title, run)
            if progress.detail != COMPLETED:
                return is_settled(bench.store, study)
        if is_settled(bench.store, study):
            return True
    return False


def synthesis_steps(study: Study) -> tuple[Step, Step]:
    """The step that rewrites and the step that verifies.

    Raises:
        ConflictError: the study's protocol rewrites nothing.
    """
    by_work = {step.works_on: step for step in study.shape.steps}
    if not study.shape.rewrites_tasks:
        raise ConflictError(
            f"{study.name} is no study that rewrites problems",
            hint=f"make one with: selfbound new NAME --protocol {TRAINING_DATA.name} --subject …",
        )
    return by_work[WorksOn.ORIGINALS], by_work[WorksOn.REWRITES]


def is_settled(store: Store, study: Study) -> bool:
    """Whether no problem waits for a rewrite, a verdict or another attempt."""
    rows = store.rows("originals_now", study_id=study.study_id)
    return not any(row["state"] in ("open", "due") for row in rows)


def synthesis_document(store: Store, study: Study) -> dict[str, Any]:
    """What became of a study's problems, as `selfbound synthesize --json` prints it.

    Keys: study; shares; problems, and of each part: n, which the states add up to, and dropped_why,
    which the dropped ones add up to; attempts, of each part: n, which the results add up to;
    not_usable: problems without a reference answer, which are no part of it; settled.
    """
    keys = {"study_id": study.study_id}
    originals = store.rows("originals_now", **keys)
    attempts = store.rows("attempts_now", **keys)
    shares = shares_used(store, study)
    problems = {
        part: _closed([row for row in originals if row["part"] == part], "state", STATES)
        | {
            "dropped_why": {
                why: sum(r["n"] for r in originals if (r["part"], r["why"]) == (part, why))
                for why in FAILURES
            }
        }
        for part in PARTS
    }
    return {
        "study": study.name,
        "shares": {INSUFFICIENT: shares.insufficient, DIFFICULT: shares.difficult},
        "problems": {"n": sum(part["n"] for part in problems.values())} | problems,
        "attempts": {
            part: _closed([row for row in attempts if row["part"] == part], "result", RESULTS)
            for part in (INSUFFICIENT, DIFFICULT)
        },
        "not_usable": store.value("n_not_rewritable", **keys),
        "settled": is_settled(store, study),
    }


def _closed(rows: list[Any], column: str, values: tuple[str, ...]) -> dict[str, int]:
    counts = {value: sum(row["n"] for row in rows if row[column] == value) for value in values}
    return {"n": sum(row["n"] for row in rows)} | counts
