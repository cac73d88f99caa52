"""The list of studies: each with how far it has come."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.store.store import Store
from core.workflows.studies import Study, study_from

TASK_COUNTS = ("n_tasks", "kept", "removed", "disputed", "skipped", "pending")
"""What is counted of a study's tasks; the states add up to n_tasks."""


@dataclass(frozen=True)
class StudyOverview:
    """A study and how far it has come.

    Args:
        tasks: tasks by state, see `TASK_COUNTS`.
        to_curate: the same of the tasks that people look at, which are not all where tasks are
            rewritten.
        steps: for each step planned, ended and ok items.
        n_drawn: tasks in the current draw. cost_usd: spent so far.
        n_unpriced: answered calls whose price is not known. n_agent_runs: runs of agents.
    """

    study: Study
    tasks: Mapping[str, int]
    to_curate: Mapping[str, int]
    steps: Mapping[str, Mapping[str, int]]
    n_drawn: int
    cost_usd: float
    n_unpriced: int
    n_agent_runs: int = 0

    @property
    def has_agents_alone(self) -> bool:
        """Whether agents were at work and there are no tasks beside them."""
        return self.n_agent_runs > 0 and self.tasks["n_tasks"] == 0


def list_studies(store: Store) -> list[StudyOverview]:
    """Every study with how far it has come, newest first."""
    tasks = {row.pop("study_id"): row for row in store.rows("study_task_counts")}
    studies = [study_from(row) for row in store.rows("studies_all")]
    # Most stores have no such study, so there is nothing to work out.
    is_asked = any(study.shape.rewrites_tasks for study in studies)
    found = store.rows("rewrite_counts") if is_asked else []
    rewrites = {row.pop("study_id"): row for row in found}
    costs = {row["study_id"]: row for row in store.rows("study_costs")}
    draws = {row["study_id"]: row["n_drawn"] for row in store.rows("study_draws")}
    agents = {row["study_id"]: row["n_runs"] for row in store.rows("study_agent_runs")}
    steps: dict[str, dict[str, dict[str, int]]] = {}
    for row in store.rows("study_item_counts"):
        counts = {key: row[key] for key in ("planned", "ended", "ok")}
        steps.setdefault(row["study_id"], {})[row["step"]] = counts
    no_tasks = dict.fromkeys(TASK_COUNTS, 0)
    overviews = []
    for study in studies:
        key = study.study_id
        overviews.append(
            StudyOverview(
                study=study,
                tasks=tasks.get(key, no_tasks),
                to_curate=(rewrites if study.shape.rewrites_tasks else tasks).get(key, no_tasks),
                steps=steps.get(key, {}),
                n_drawn=draws.get(key, 0),
                cost_usd=costs[key]["cost_usd"] if key in costs else 0.0,
                n_unpriced=costs[key]["n_unpriced"] if key in costs else 0,
                n_agent_runs=agents.get(key, 0),
            )
        )
    return overviews


def overview_document(overview: StudyOverview) -> dict[str, Any]:
    """A study as `selfbound studies --json` prints it."""
    study = overview.study
    return {
        "name": study.name,
        "protocol": study.protocol,
        "subject": study.subject,
        "prompt_set": study.prompt_set,
        "taxonomy": {
            "name": study.taxonomy.name,
            "version": study.taxonomy.version,
            "hash": study.taxonomy.hash,
            "built_in": study.taxonomy.is_built_in,
        },
        "judge": study.judge,
        "per_type": study.per_type,
        "seed": study.seed,
        "budget_usd": study.budget_usd,
        "source": study.source,
        "demo": study.is_demo,
        "created_at": study.created_at.isoformat(),
        "tasks": dict(overview.tasks),
        "steps": {step: dict(counts) for step, counts in overview.steps.items()},
        "drawn": overview.n_drawn,
        "agent_runs": overview.n_agent_runs,
        "cost_usd": overview.cost_usd,
    }
