"""Which verdicts a sample takes, and how many verdicts each of them stands for.

A verdict is chosen by the hash of what it is about, the answer or the task, so that one seed leads
to the same answers whichever judge is audited.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.sampling import derived_seed, hash_order
from core.workflows.audit_strata import allocate

RANDOM, STRATIFIED, DISAGREEMENT, CELL = "random", "stratified", "disagreement", "cell"
METHODS = (RANDOM, STRATIFIED, DISAGREEMENT, CELL)
STRATA = ("verdict", "type", "group", "subject")
"""What strata can be made by: the verdict, the question's file and group, who answered."""


@dataclass(frozen=True)
class AuditVerdict:
    """A judge's verdict that can be sampled.

    Args:
        answer_item: the item that gave the answer; empty where a task itself was judged.
        verdict: yes or no. subject: who gave the answer; empty where a task was judged.
    """

    item_id: str
    answer_item: str
    task_id: str
    verdict: str
    subject: str
    type: str
    group: str

    @property
    def unit(self) -> str:
        """What it is about, the same for every judge."""
        return self.answer_item or self.task_id


Chosen = dict[str, tuple[str, float]]
"""The stratum and the weight of each verdict in a sample, by its item."""

Choice = tuple[Chosen, dict[str, Any]]
"""A sample, and what is to be known of how it was drawn."""


def at_random(pool: Sequence[AuditVerdict], n: int, *, seed: int) -> Choice:
    """So many of the verdicts, each standing for as many as every other."""
    drawn = _first(pool, n, seed)
    return {one.item_id: (RANDOM, len(pool) / len(drawn)) for one in drawn}, {
        "representative": True
    }


def of_cell(pool: Sequence[AuditVerdict], n: int, *, seed: int) -> Choice:
    """At most so many of the verdicts on the answers behind a number; they stand for themselves."""
    return {one.item_id: (CELL, 1.0) for one in _first(pool, n, seed)}, {"representative": False}


def stratified(
    pool: Sequence[AuditVerdict], n: int, *, seed: int, by: Sequence[str], allocation: str
) -> Choice:
    """Some of each stratum, each standing for the stratum's size over what was drawn of it.

    Args:
        by: what strata are made by, of `STRATA`. allocation: as `audit_strata.allocate` takes it.

    Raises:
        InputError: a word that is not known, or fewer verdicts than strata.
    """
    unknown = [part for part in by if part not in STRATA]
    if unknown or not by:
        met = f"strata cannot be made by {unknown[0]!r}" if unknown else "no strata were named"
        raise InputError(met, hint=f"name some of {', '.join(STRATA)}")
    strata: dict[str, list[AuditVerdict]] = defaultdict(list)
    for one in pool:
        strata[" · ".join(getattr(one, part) or "none" for part in by)].append(one)
    sizes = {name: len(strata[name]) for name in sorted(strata)}
    drawn = allocate(sizes, n, allocation)
    chosen = {
        one.item_id: (name, sizes[name] / drawn[name])
        for name in sizes
        for one in _first(strata[name], drawn[name], seed)
    }
    told = {name: {"size": sizes[name], "drawn": drawn[name]} for name in sizes}
    settings = {"by": list(by), "allocation": allocation, "strata": told}
    return chosen, settings | {"representative": True}


def disagreements_first(
    pool: Sequence[AuditVerdict], n: int, *, seed: int, heard: Mapping[str, Iterable[str]]
) -> Choice:
    """First the verdicts on what was judged differently, then others at random.

    Args:
        heard: all verdicts and settled votes on each unit, by whichever judge or auditor.
    """
    differing = [one for one in pool if len(set(heard.get(one.unit, ()))) > 1]
    known = {one.item_id for one in differing}
    first = _first(differing, n, seed)
    rest = _first([one for one in pool if one.item_id not in known], n - len(first), seed)
    chosen = {one.item_id: (DISAGREEMENT, 1.0) for one in first}
    chosen |= {one.item_id: ("fill", 1.0) for one in rest}
    return chosen, {"n_disagreements": len(differing), "representative": False}


def _first(pool: Iterable[AuditVerdict], n: int, seed: int) -> list[AuditVerdict]:
    by_unit = {one.unit: one for one in pool}
    return [by_unit[unit] for unit in hash_order(by_unit, seed=derived_seed(seed, "audit"))[:n]]
