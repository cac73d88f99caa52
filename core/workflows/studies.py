"""Studies: make one, list them, find one, copy one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from core.curation.language_names import checked_language
from core.errors import ConflictError, InputError, NotFoundError
from core.identity import canonical_json, new_id
from core.prompts import Prompt, load_prompt, prompt_sets
from core.protocols import protocol_named
from core.protocols.base import Protocol
from core.settings import EMBEDDED_MODEL, LOCAL_PREFIX
from core.store.store import Store
from core.store.transaction import Transaction
from core.taxonomy import LINE_OF_DUTY, Taxonomy, taxonomy_from
from core.workflows.people import is_person

SMALL_MODEL_PROMPTS, PLAIN_PROMPTS = "small_model", "vanilla"
LONGEST_NAME = 120
MOST_PER_TYPE = 100_000
TASK_COUNTS = ("n_tasks", "kept", "removed", "disputed", "skipped", "pending")
"""What is counted of a study's tasks; the states add up to n_tasks."""


@dataclass(frozen=True)
class Study:
    """One evaluation as it was set up.

    Args:
        per_type: tasks to invent per type and side. per_cell: tasks to draw per type and side.
        prompt_versions: the version of each prompt that the study uses, fixed when it is made.
        source: `made` here, or `imported`.
        taxonomy: its types and reasons, which never change.
    """

    study_id: str
    name: str
    protocol: str
    subject: str
    prompt_set: str
    judge: str | None
    per_type: int
    per_cell: int
    seed: int
    budget_usd: float | None
    prompt_versions: Mapping[str, int]
    source: str
    is_demo: bool
    created_at: datetime
    taxonomy: Taxonomy = LINE_OF_DUTY

    @property
    def shape(self) -> Protocol:
        """The protocol that the study follows, with the types and reasons of its own."""
        return protocol_named(self.protocol, self.taxonomy)


@dataclass(frozen=True)
class StudyOverview:
    """A study and how far it has come.

    Args:
        tasks: tasks by state, see `TASK_COUNTS`.
        steps: for each step planned, ended and ok items.
        n_drawn: tasks in the current draw. cost_usd: spent so far.
        n_unpriced: answered calls whose price is not known.
    """

    study: Study
    tasks: Mapping[str, int]
    steps: Mapping[str, Mapping[str, int]]
    n_drawn: int
    cost_usd: float
    n_unpriced: int


def default_prompt_set(model: str) -> str:
    """The prompt set a model is given when nobody chose: small local models need examples.

    Example:
        >>> default_prompt_set("openai/gpt-4o")
        'vanilla'
    """
    is_small = model == EMBEDDED_MODEL or model.startswith(LOCAL_PREFIX)
    return SMALL_MODEL_PROMPTS if is_small else PLAIN_PROMPTS


def usual_prompt_set(model: str, taxonomy: Taxonomy) -> str:
    """The prompt set a study has when nobody chose: examples name built-in reasons only.

    Example:
        >>> usual_prompt_set(EMBEDDED_MODEL, LINE_OF_DUTY)
        'small_model'
    """
    return default_prompt_set(model) if taxonomy.is_built_in else PLAIN_PROMPTS


def create_study(
    store: Store,
    name: str,
    *,
    protocol: str,
    subject: str,
    prompt_set: str | None = None,
    judge: str | None = None,
    per_type: int | None = None,
    per_cell: int | None = None,
    seed: int = 0,
    budget_usd: float | None = None,
    is_demo: bool = False,
    source: str = "made",
    taxonomy: Taxonomy = LINE_OF_DUTY,
) -> Study:
    """A new study, stored.

    Args:
        prompt_set: by default the few-shot set for local models, `vanilla` for others and for
            types and reasons that are not the built-in ones.
        per_type: tasks to invent per type and side; by default the protocol's.
        per_cell: tasks to draw per type and side; by default the protocol's, at most `per_type`.

    Raises:
        InputError: a name, model or number that cannot be used, or prompts that name reasons
            which the taxonomy does not have.
        NotFoundError: no such protocol or prompt set.
        ConflictError: the name is taken.
    """
    checked_language(taxonomy.language)
    shape = protocol_named(protocol, taxonomy)
    subject = subject.strip()
    chosen_set = prompt_set or usual_prompt_set(subject, taxonomy)
    per_type = shape.per_type if per_type is None else per_type
    study = Study(
        study_id=new_id(),
        name=checked_name(name),
        protocol=protocol,
        subject=checked_model(subject, "the subject"),
        prompt_set=chosen_set,
        judge=checked_model(judge.strip(), "the judge") if judge else None,
        per_type=checked_count(per_type, "tasks per type"),
        per_cell=checked_count(
            min(per_type, shape.per_cell) if per_cell is None else per_cell, "tasks per cell"
        ),
        seed=checked_seed(seed),
        budget_usd=_checked_budget(budget_usd),
        prompt_versions=_newest_versions(shape, chosen_set, taxonomy),
        source=source,
        is_demo=is_demo,
        created_at=datetime.now(UTC),
        taxonomy=taxonomy,
    )
    if study.judge == study.subject:
        raise InputError(
            f"the judge {study.judge} is the subject itself",
            hint="a model does not judge its own answers; name another one",
        )
    _store_study(store, study)
    return study


def clone_study(store: Store, study: Study, name: str) -> Study:
    """A study set up like another, without its tasks and results.

    Raises:
        InputError: the name cannot be used.
        ConflictError: the name is taken.
    """
    copy = replace(
        study,
        study_id=new_id(),
        name=checked_name(name),
        source="made",
        is_demo=False,
        prompt_versions=_newest_versions(study.shape, study.prompt_set, study.taxonomy),
        created_at=datetime.now(UTC),
    )
    _store_study(store, copy)
    return copy


def study_named(store: Store, name: str) -> Study:
    """The study of that name, whatever its case.

    Raises:
        NotFoundError: there is none; the hint lists what there is.
    """
    found = store.rows("study_by_name", name=name)
    if not found:
        names = [row["name"] for row in store.rows("studies_all")]
        hint = f"there are: {', '.join(names[:8])}" if names else "make one with: selfbound new"
        raise NotFoundError(f"there is no study named {name!r}", hint=hint)
    return _study_from(found[0])


def find_study(store: Store, name: str) -> Study | None:
    """The study of that name, or None."""
    found = store.rows("study_by_name", name=name)
    return _study_from(found[0]) if found else None


def list_studies(store: Store) -> list[StudyOverview]:
    """Every study with how far it has come, newest first."""
    tasks = {row.pop("study_id"): row for row in store.rows("study_task_counts")}
    costs = {row["study_id"]: row for row in store.rows("study_costs")}
    draws = {row["study_id"]: row["n_drawn"] for row in store.rows("study_draws")}
    steps: dict[str, dict[str, dict[str, int]]] = {}
    for row in store.rows("study_item_counts"):
        counts = {key: row[key] for key in ("planned", "ended", "ok")}
        steps.setdefault(row["study_id"], {})[row["step"]] = counts
    no_tasks = dict.fromkeys(TASK_COUNTS, 0)
    overviews = []
    for row in store.rows("studies_all"):
        key = row["study_id"]
        overviews.append(
            StudyOverview(
                study=_study_from(row),
                tasks=tasks.get(key, no_tasks),
                steps=steps.get(key, {}),
                n_drawn=draws.get(key, 0),
                cost_usd=costs[key]["cost_usd"] if key in costs else 0.0,
                n_unpriced=costs[key]["n_unpriced"] if key in costs else 0,
            )
        )
    return overviews


def free_name(store: Store, wanted: str) -> str:
    """The name wanted, or with the first number that is free behind it."""
    name, number = wanted, 1
    while find_study(store, name) is not None:
        number += 1
        name = f"{wanted} {number}"
    return name


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
        "cost_usd": overview.cost_usd,
    }


def _store_study(store: Store, study: Study) -> None:
    settings = {
        "per_type": study.per_type,
        "per_cell": study.per_cell,
        "seed": study.seed,
        "budget_usd": study.budget_usd,
        "prompt_versions": dict(study.prompt_versions),
        "taxonomy": study.taxonomy.document,
    }
    row = {
        "study_id": study.study_id,
        "name": study.name,
        "protocol": study.protocol,
        "subject": study.subject,
        "prompt_set": study.prompt_set,
        "judge": study.judge,
        "settings_json": canonical_json(settings),
        "source": study.source,
        "is_demo": study.is_demo,
        "created_at": study.created_at,
    }

    def add(tx: Transaction) -> None:
        if tx.rows("study_by_name", name=study.name):
            raise ConflictError(
                f"there is a study named {study.name!r} already", hint="choose another name"
            )
        tx.append("study", [row])

    store.write(add)


def _study_from(row: Mapping[str, Any]) -> Study:
    settings = json.loads(row["settings_json"])
    # Studies made before there were other taxonomies than the built-in one name none.
    document = settings.pop("taxonomy", None)
    taxonomy = LINE_OF_DUTY if document is None else taxonomy_from(document)
    own = ("study_id", "name", "protocol", "subject", "prompt_set", "judge", "source", "is_demo")
    created_at = row["created_at"].replace(tzinfo=UTC)
    return Study(
        **{key: row[key] for key in own}, **settings, created_at=created_at, taxonomy=taxonomy
    )


def _newest_versions(shape: Protocol, prompt_set: str, taxonomy: Taxonomy) -> dict[str, int]:
    if prompt_set not in prompt_sets(shape.name):
        have = ", ".join(prompt_sets(shape.name))
        raise NotFoundError(
            f"there is no prompt set named {prompt_set!r}", hint=f"there are: {have}"
        )
    needed = dict.fromkeys(what for step in shape.steps for what in step.prompts)
    prompts = {what: load_prompt(shape.name, prompt_set, what) for what in needed}
    for prompt in prompts.values():
        _check_names_in(prompt, prompt_set, taxonomy)
    return {what: prompt.version for what, prompt in prompts.items()}


def _check_names_in(prompt: Prompt, prompt_set: str, taxonomy: Taxonomy) -> None:
    """Nothing, when the prompt's own words name no built-in reason that the taxonomy lacks.

    An example that gives such a reason would teach the model a name nobody understands.
    """
    for name in LINE_OF_DUTY.reason_names:
        is_named = any(name in message.content for message in prompt.messages)
        if is_named and name not in taxonomy.reason_names:
            raise InputError(
                f"the prompts of {prompt_set} name the reason {name!r}, and {taxonomy.title}, has "
                "no such reason",
                hint=f"use the prompts of {PLAIN_PROMPTS}, or write a set with other examples",
            )


def checked_name(name: str) -> str:
    """The study's name without spaces around it.

    Raises:
        InputError: it is empty, too long, or has characters that cannot be printed.
    """
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        fault = f"{len(name)} characters" if name.isprintable() else "unprintable characters"
        raise InputError(
            f"the study's name {name[:40]!r} has {fault}",
            hint=f"use 1 to {LONGEST_NAME} printable characters on one line",
        )
    return name


def checked_model(model: str, role: str) -> str:
    """The model's name as given.

    Raises:
        InputError: it is empty, has spaces or characters that cannot be printed, or stands for a
            person.
    """
    if is_person(model):
        raise InputError(
            f"{role} is named {model!r}, which stands for a person and is sent to no model",
            hint="people answer on the Classify screen, in the view People",
        )
    if not model or not model.isprintable() or any(char.isspace() for char in model):
        raise InputError(
            f"{role} is named {model!r}, which is no model id",
            hint=f"write it as provider/model, such as openai/gpt-4o or {EMBEDDED_MODEL}",
        )
    return model


def checked_count(count: int, what: str) -> int:
    """The number of tasks as given.

    Raises:
        InputError: it is below 1 or above `MOST_PER_TYPE`.
    """
    if not 1 <= count <= MOST_PER_TYPE:
        raise InputError(f"{what} is {count}", hint=f"choose a number from 1 to {MOST_PER_TYPE:,}")
    return count


def checked_seed(seed: int) -> int:
    """The seed as given.

    Raises:
        InputError: it is too large for a browser or a JSON reader to hold exactly.
    """
    if abs(seed) >= 2**53:
        raise InputError(f"the seed is {seed}", hint="choose a number of at most 15 digits")
    return seed


def _checked_budget(budget_usd: float | None) -> float | None:
    if budget_usd is not None and not 0 < budget_usd < 1e9:
        raise InputError(f"the budget is {budget_usd} US dollars", hint="choose an amount above 0")
    return None if budget_usd is None else float(budget_usd)
