"""Plans of steps that rewrite tasks: which task becomes what, and which needs another attempt.

A task is given its part once, when its first rewrite is planned, and keeps it. The shares stand in
what is planned, so that whoever goes on, on whatever screen, goes on with the shares used before.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from core.errors import ConflictError, InputError
from core.protocols.base import Step
from core.protocols.training_data import DEFAULT_SHARE, DIFFICULT, INSUFFICIENT, INTENT_OF_PART
from core.sampling import derived_seed, hash_order
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.planned_rows import checked_prompts, planned_row
from core.workflows.studies import Study

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Shares:
    """Which share of the problems becomes which kind of rewrite, each in [0, 1]; the rest stays.

    Raises:
        InputError: a share is no share, or both are more than all problems.
    """

    insufficient: float = DEFAULT_SHARE
    difficult: float = DEFAULT_SHARE

    def __post_init__(self) -> None:
        for name, share in ((INSUFFICIENT, self.insufficient), (DIFFICULT, self.difficult)):
            if not 0 <= share <= 1:
                raise InputError(
                    f"the share of {name} problems is {share}", hint="choose a number from 0 to 1"
                )
        if self.insufficient + self.difficult > 1 + 1e-9:
            raise InputError(
                f"the shares of insufficient and difficult problems add up to "
                f"{self.insufficient + self.difficult:g}",
                hint="choose two that add up to 1 at most; other problems stay as they are",
            )


def plan_rewrites(store: Store, study: Study, step: Step, shares: Shares | None = None) -> int:
    """How many rewrites were added: of problems that have a part now, and of those that failed.

    Args:
        shares: by default those used before in the study, else the usual ones. Shares are of all
            problems nobody removed; smaller ones than before take back nothing that is planned.

    Raises:
        ConflictError: no problem has a reference answer.
        NotFoundError, PromptError: a prompt file is gone, wrong, or changed after a run used it.
    """
    _check_there_are_originals(store, study)
    prompts = checked_prompts(store, study, step, study.subject)

    def add(tx: Transaction) -> int:
        rows = [
            planned_row(
                study,
                step,
                study.subject,
                prompts,
                context=one["context"],
                position=one["position"],
                draw_number=one["draw_number"],
                task_id=one["task_id"],
            )
            for one in rewrites_to_plan(tx, study, shares)
        ]
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def rewrites_to_plan(
    source: Store | Transaction, study: Study, shares: Shares | None = None
) -> list[dict[str, Any]]:
    """The rewrites wanted and not planned: task_id, position, text, references, draw_number and
    context each."""
    again = [
        dict(row) | {"draw_number": row["n_attempts"], "context": json.loads(row["context_json"])}
        for row in source.rows("originals_due_again", study_id=study.study_id)
    ]
    return _first_rewrites(source, study, shares or shares_used(source, study)) + again


def shares_used(source: Store | Transaction, study: Study) -> Shares:
    """The shares that the newest rewrites of a study were planned with, else the usual ones."""
    found = source.rows("newest_rewrite_context", study_id=study.study_id)
    if not found:
        return Shares()
    context = json.loads(found[0]["context_json"])
    return Shares(float(context["insufficient_share"]), float(context["difficult_share"]))


def rewrite_samples(store: Store, study: Study, n: int) -> list[tuple[dict[str, Any], str]]:
    """What some rewrites that will be asked for know, each with the text of its problem."""
    owed = [
        dict(row) | {"context": json.loads(row["context_json"])}
        for row in store.rows("owed_rewrite_samples", study_id=study.study_id, n=n)
    ]
    rows = (owed + rewrites_to_plan(store, study))[:n]
    return [(one["context"] | {"references": _references(one)}, one["text"]) for one in rows]


def spread(ids: Sequence[str], n: int) -> list[str]:
    """`n` of some ids, evenly spaced over their order.

    Example:
        >>> spread(["a", "b", "c", "d", "e", "f"], 2)
        ['b', 'e']
    """
    return [ids[(2 * place + 1) * len(ids) // (2 * n)] for place in range(min(n, len(ids)))]


def _first_rewrites(
    source: Store | Transaction, study: Study, shares: Shares
) -> list[dict[str, Any]]:
    """A first rewrite of as many tasks as the shares want, spread over the groups by seed."""
    by_part = source.rows("originals_by_part", study_id=study.study_id)
    planned = {row["part"]: row["n"] for row in by_part}
    n_all = sum(planned.values())
    rows = source.rows("unassigned_originals", study_id=study.study_id)
    row_of = {row["task_id"]: row for row in rows}
    left = _in_seeded_order(rows, study.seed)
    found = []
    for part, share in ((INSUFFICIENT, shares.insufficient), (DIFFICULT, shares.difficult)):
        chosen = spread(left, max(0, round(share * n_all) - planned.get(part, 0)))
        taken = set(chosen)
        left = [one for one in left if one not in taken]
        found += [_first(row_of[one], part, shares) for one in chosen]
    return sorted(found, key=lambda one: (one["position"], one["task_id"]))


def _in_seeded_order(rows: Sequence[Row], seed: int) -> list[str]:
    """The tasks group by group, in an order by hash within each."""
    by_group = sorted(rows, key=lambda row: row["group_name"])
    return [
        one
        for _, group in groupby(by_group, key=lambda row: row["group_name"])
        for one in hash_order(
            (row["task_id"] for row in group), seed=derived_seed(seed, "part of training data")
        )
    ]


def _first(row: Row, part: str, shares: Shares) -> dict[str, Any]:
    context = {
        "intent": INTENT_OF_PART[part],
        "type": part,
        "reason": None,
        "group": row["group_name"] or None,
        "insufficient_share": repr(float(shares.insufficient)),
        "difficult_share": repr(float(shares.difficult)),
    }
    return dict(row) | {"draw_number": 0, "context": context}


def _references(row: Row) -> str:
    return "\n".join(json.loads(row["references_json"] or "[]"))


def _check_there_are_originals(store: Store, study: Study) -> None:
    if not store.rows("originals_by_part", study_id=study.study_id):
        raise ConflictError(
            f"{study.name} has no problems with reference answers to rewrite",
            hint="import some first: selfbound import questions FILE --study NAME",
        )
