"""Samples of a judge's verdicts for people to check: seeded, weighed and frozen.

A sample drawn again the same way from the same verdicts is the same sample, not a second one.

Random and stratified samples speak for all verdicts they were drawn from: the weight of each is
the number of verdicts that it stands for. A sample of disagreements, or of a chart's cell, speaks
for nothing but itself; its weights are 1 and its settings say `representative: false`, as they do
where only some subjects' answers were drawn from.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.errors import ConflictError, InputError
from core.identity import canonical_json, content_id
from core.sampling import derived_seed, hash_order
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.audit_choice import (
    CELL,
    DISAGREEMENT,
    METHODS,
    STRATIFIED,
    AuditVerdict,
    Choice,
    Chosen,
    at_random,
    disagreements_first,
    of_cell,
    stratified,
)
from core.workflows.audit_strata import EQUAL
from core.workflows.audit_supply import subjects_of, verdicts_in
from core.workflows.audits import AuditableJudge, verdicts_of
from core.workflows.people import Person
from core.workflows.studies import Study
from core.workflows.study_settings import checked_seed

MOST, LONGEST_NAME = 10_000, 80
PRESET_N, PRESET_SUBJECTS = 100, 3


@dataclass(frozen=True)
class DrawnAudit:
    """A sample in the store: its id, name and size, and whether it was drawn just now."""

    audit_id: str
    name: str
    n_items: int
    is_new: bool


def draw_audit(
    store: Store,
    study: Study,
    step: str,
    *,
    judge: str,
    prompt_hash: str,
    method: str,
    n: int,
    seed: int = 0,
    person: Person,
    name: str | None = None,
    by: Sequence[str] = ("verdict",),
    allocation: str = EQUAL,
    subjects: Collection[str] = (),
    units: Collection[str] = (),
) -> DrawnAudit:
    """A sample of a judge's valid verdicts, drawn and frozen.

    Args:
        judge, prompt_hash: the judge, as `core.workflows.audits.auditable_judges` names it.
        method: random; stratified; disagreement, first those on which judges of the study differ
            or an auditor said otherwise, then at random; or cell, from `units`.
        n: how many; for a cell at most so many.
        seed: the same seed and verdicts give the same sample.
        name: by default one that tells how it was drawn.
        by: what strata are made by, of `audit_choice.STRATA`. allocation: how n is spread over
            them, equal or proportional.
        subjects: whose answers are judged; by default everybody's.
        units: for a cell, the items of the answers, or the tasks, that it holds.

    Raises:
        InputError: a number, method or word that cannot be used, or more verdicts than there are.
        NotFoundError: there is no such step.
        ConflictError: another sample of the study has this name.
    """
    verdicts = verdicts_of(study, step)
    if method not in METHODS:
        raise InputError(f"the method {method!r} is not known", hint=f"one of {', '.join(METHODS)}")
    if not 1 <= n <= MOST:
        raise InputError(f"a sample cannot have {n:,} verdicts", hint=f"choose 1 to {MOST:,}")
    seed = checked_seed(seed)
    name = _checked_sample_name(name)
    keys = {"step": step, "judge": judge, "prompt_hash": prompt_hash}
    keys |= {"method": method, "seed": seed}
    wanted = set(units)

    def choose(tx: Transaction, pool: Sequence[AuditVerdict], heard: Mapping[str, set]) -> Choice:
        if method == STRATIFIED:
            return stratified(pool, n, seed=seed, by=by, allocation=allocation)
        if method == CELL:
            return of_cell(pool, n, seed=seed)
        if method == DISAGREEMENT:
            for row in tx.rows("audited_truths", study_id=study.study_id, step=step):
                heard[row["answer_item"] or row["task_id"]].add(row["truth"])
            return disagreements_first(pool, n, seed=seed, heard=heard)
        return at_random(pool, n, seed=seed)

    def add(tx: Transaction) -> DrawnAudit:
        own, heard = [], defaultdict(set)
        for of_judge, one in verdicts_in(tx, study, step, verdicts):
            heard[one.unit].add(one.verdict)
            if of_judge == (judge, prompt_hash):
                own.append(one)
        pool = [one for one in own if not subjects or one.subject in subjects]
        if method == CELL:
            pool = [one for one in pool if one.unit in wanted]
        _check_supply(judge, step, n, len(pool), is_cell=method == CELL)
        chosen, settings = choose(tx, pool, heard)
        settings |= {"population": len(own), "drawn_from": len(pool), "n": len(chosen)}
        settings["representative"] &= len(pool) == len(own)
        if subjects:
            settings["subjects"] = sorted(subjects)
        told = keys | {"settings_json": canonical_json(settings)}
        row = told | {
            "audit_id": content_id("audit", study.study_id, told, sorted(chosen.items())),
            "study_id": study.study_id,
            "person_id": person.person_id,
        }
        given = name or _own_name(method, seed, len(chosen), settings)
        about = {one.item_id: one for one in pool}
        return _store(tx, row, about, chosen, given, is_named=name is not None)

    return store.write(add)


def hundred_of_three(
    store: Store, study: Study, judge: AuditableJudge, *, seed: int = 0, person: Person
) -> DrawnAudit:
    """The check of the paper: 100 answers of three models, as many of each, at random.

    The three with the most verdicts, or all where there are fewer; of fewer than 100 verdicts, all.

    Raises:
        InputError: the judge has no valid verdicts.
    """
    counts = subjects_of(store, study, judge)
    chosen = sorted(counts, key=lambda name: (-counts[name], name))[:PRESET_SUBJECTS]
    return draw_audit(
        store,
        study,
        judge.step,
        judge=judge.judge,
        prompt_hash=judge.prompt_hash,
        method=STRATIFIED,
        n=min(PRESET_N, sum(counts[name] for name in chosen)) or PRESET_N,
        seed=seed,
        person=person,
        by=("subject",),
        subjects=chosen,
    )


def _store(
    tx: Transaction,
    audit: Mapping[str, Any],
    pool: Mapping[str, AuditVerdict],
    chosen: Chosen,
    name: str,
    *,
    is_named: bool,
) -> DrawnAudit:
    audit_id, study_id = audit["audit_id"], audit["study_id"]
    found = tx.rows("audit_names", study_id=study_id)
    names = {row["audit_id"]: row["name"] for row in found}
    if audit_id in names:
        return DrawnAudit(audit_id, names[audit_id], len(chosen), is_new=False)
    if is_named and name in names.values():
        raise ConflictError(f"there is a sample named {name!r} already", hint="choose another name")
    name = _not_taken(name, names.values())
    about = {"name": name, "seq": tx.next_seq(), "made_at": datetime.now(UTC)}
    tx.append("audit", [audit | about])
    # Not the order of drawing, in which strata and disagreements come one after the other.
    order = hash_order(chosen, seed=derived_seed(audit["seed"], "presentation"))
    rows = [
        {
            "audit_id": audit_id,
            "study_id": study_id,
            "item_id": item_id,
            "answer_item": pool[item_id].answer_item,
            "task_id": pool[item_id].task_id,
            "position": position,
            "stratum": chosen[item_id][0],
            "weight": chosen[item_id][1],
            "verdict": pool[item_id].verdict,
        }
        for position, item_id in enumerate(order)
    ]
    tx.append("audited", rows)
    return DrawnAudit(audit_id, name, len(rows), is_new=True)


def _own_name(method: str, seed: int, n: int, settings: Mapping[str, Any]) -> str:
    words = {DISAGREEMENT: "disagreements first", CELL: "behind a number"}.get(method, method)
    by = settings.get("by", [])
    if by == ["subject"]:
        n_subjects = len(settings["strata"])
        words = f"answers of {n_subjects} {'model' if n_subjects == 1 else 'models'}"
    elif by:
        words = f"by {' and '.join(by)}"
    return f"{n:,} {words}, seed {seed}"


def _not_taken(name: str, taken: Collection[str]) -> str:
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name} ({number})"
    return found


def _checked_sample_name(name: str | None) -> str | None:
    name = " ".join((name or "").split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        fault = f"{len(name)} characters" if name.isprintable() else "unprintable characters"
        raise InputError(
            f"the sample's name {name[:40]!r} has {fault}",
            hint=f"use at most {LONGEST_NAME} printable characters",
        )
    return name or None


def _check_supply(judge: str, step: str, n: int, n_pool: int, *, is_cell: bool) -> None:
    if not n_pool:
        where = " on these answers" if is_cell else ""
        raise InputError(
            f"{judge} gave no valid verdicts{where} in the step {step}",
            hint="audit another judge, or have this one judge first",
        )
    if n > n_pool and not is_cell:
        raise InputError(
            f"{n:,} verdicts were asked for, and there are {n_pool:,} valid ones to draw from",
            hint=f"ask for at most {n_pool:,}",
        )
