"""Studies: make one, find one, copy one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from core.curation.language_names import checked_language
from core.errors import ConflictError, InputError, NotFoundError
from core.identity import canonical_json, new_id
from core.llm.client import same_model
from core.protocols import protocol_named
from core.protocols.base import Protocol
from core.store.store import Store
from core.store.transaction import Transaction
from core.taxonomy import LINE_OF_DUTY, Taxonomy, taxonomy_from
from core.workflows.study_settings import (
    checked_budget,
    checked_count,
    checked_model,
    checked_name,
    checked_seed,
    newest_versions,
    usual_prompt_set,
)


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
        prompt_set: by default the few-shot set for local models, the protocol's plain one for
            others and for types and reasons that are not the built-in ones.
        per_type: tasks to invent per type and side; by default the protocol's.
        per_cell: tasks to draw per type and side; by default the protocol's, at most `per_type`.

    Raises:
        InputError: a name, model or number that cannot be used, `per_type` where no tasks are
            invented, or prompts that name reasons which the taxonomy does not have.
        NotFoundError: no such protocol or prompt set.
        ConflictError: the name is taken.
    """
    checked_language(taxonomy.language)
    shape = protocol_named(protocol, taxonomy)
    subject = subject.strip()
    if per_type is not None and not shape.makes_tasks:
        raise InputError(
            f"a number of tasks per type means nothing in {shape.title}, where people bring the "
            "questions",
            hint="leave it out",
        )
    chosen_set = prompt_set or usual_prompt_set(shape, subject, taxonomy)
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
        budget_usd=checked_budget(budget_usd),
        prompt_versions=newest_versions(shape, chosen_set, taxonomy),
        source=source,
        is_demo=is_demo,
        created_at=datetime.now(UTC),
        taxonomy=taxonomy,
    )
    if study.judge and same_model(study.judge, study.subject):
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
        prompt_versions=newest_versions(study.shape, study.prompt_set, study.taxonomy),
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
    return study_from(found[0])


def find_study(store: Store, name: str) -> Study | None:
    """The study of that name, or None."""
    found = store.rows("study_by_name", name=name)
    return study_from(found[0]) if found else None


def free_name(store: Store, wanted: str) -> str:
    """The name wanted, or with the first number that is free behind it."""
    name, number = wanted, 1
    while find_study(store, name) is not None:
        number += 1
        name = f"{wanted} {number}"
    return name


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


def study_from(row: Mapping[str, Any]) -> Study:
    """The study that a row of the store holds."""
    settings = json.loads(row["settings_json"])
    # Studies made before there were other taxonomies than the built-in one name none.
    document = settings.pop("taxonomy", None)
    taxonomy = LINE_OF_DUTY if document is None else taxonomy_from(document)
    own = ("study_id", "name", "protocol", "subject", "prompt_set", "judge", "source", "is_demo")
    created_at = row["created_at"].replace(tzinfo=UTC)
    return Study(
        **{key: row[key] for key in own}, **settings, created_at=created_at, taxonomy=taxonomy
    )
