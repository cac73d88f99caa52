"""Tasks that come with people's decisions, added to a study: each of them once, however often.

A task is the study's own when the file names it by its id; otherwise it follows from its content,
and so does a decision without an id. Nothing stored is ever changed: a row that says something
else about a task or a decision that is stored cannot be used.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from core.errors import InputError
from core.exchange.decisions import DecidedTaskFile, DecidedTaskRow, Decision
from core.exchange.row_file import BadRow, raise_for_bad_rows
from core.exchange.wording import counted, listed, shown
from core.identity import content_id, new_id
from core.store.cleaning import clean_text
from core.store.transaction import Transaction
from core.taxonomy import INTENTS
from core.workflows.curation import check_decision
from core.workflows.people import LONGEST_PERSON
from core.workflows.studies import Study

_ABOUT = ("intent", "type", "reason")


@dataclass(frozen=True)
class Added:
    """What a file added to a study.

    Args:
        n_tasks, n_decisions: tasks and decisions that were new to it.
        bad_rows: rows left out, in order; those that only the study spoils have no cells.
        findings: what was odd, in sentences.
    """

    n_tasks: int
    n_decisions: int
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


class _Unfit(Exception):
    """Why a row does not fit the study, and what would do."""

    def __init__(self, why: str, wanted: str = "") -> None:
        super().__init__(why)
        self.wanted = wanted


@dataclass(frozen=True)
class _NewReview:
    review_id: str
    task_id: str
    person: str
    decision: Decision
    undoes: str | None
    moment: datetime


def add_decided_tasks(
    tx: Transaction, study: Study, file: DecidedTaskFile, *, skip_bad_rows: bool = False
) -> Added:
    """What a file adds to a study that it does not have yet; all of it is stored with `tx`.

    New tasks stand behind the others. New decisions come after all that was decided before, in
    the order of their times; one without a time gets that of the import.

    Raises:
        InputError: a row does not fit the study and is not to be skipped, or no row fits.
    """
    now = datetime.now(UTC)
    stored = {row["task_id"]: row for row in tx.rows("tasks_to_match", study_id=study.study_id)}
    matched, unfit = _matched(study, file.rows, stored)
    reviews, undecided = _new_reviews(tx, study, matched, now)
    unfit |= undecided
    fit = {row.line: (row, task_id) for row, task_id in matched if row.line not in unfit}
    file = replace(
        file,
        rows=tuple(row for row, _ in fit.values()),
        bad_rows=_all_bad_rows(file, unfit),
    )
    if not (skip_bad_rows and fit):
        raise_for_bad_rows(file)
    first = max((row["position"] for row in stored.values()), default=-1) + 1
    tasks: dict[str, dict[str, Any]] = {}
    for row, task_id in fit.values():
        if task_id not in stored and task_id not in tasks:
            position, reference = first + len(tasks), f"{file.name}:{row.line}"
            tasks[task_id] = imported_task_row(study, task_id, row, position, reference, now)
    tx.append("task", list(tasks.values()))
    tx.append("review", _review_rows(tx, study, reviews, now))
    n_untimed = sum(one.decision.decided_at is None for one in reviews)
    findings = [_untimed(n_untimed)] if n_untimed else []
    return Added(len(tasks), len(reviews), file.bad_rows, (*file.findings, *findings))


def imported_task_row(
    study: Study, task_id: str, row: Any, position: int, reference: str, now: datetime
) -> dict[str, Any]:
    """A row of the table `task` for a task from a file; `reference` says where in it."""
    return {
        "task_id": task_id,
        "study_id": study.study_id,
        "position": position,
        "text": row.text,
        "intent": row.intent,
        "type": row.type,
        "reason": row.reason,
        "source": "imported",
        "source_ref": reference,
        "note": "",
        "created_at": now,
    }


def _matched(
    study: Study, rows: Iterable[DecidedTaskRow], stored: Mapping[str, Mapping[str, Any]]
) -> tuple[list[tuple[DecidedTaskRow, str]], dict[int, _Unfit]]:
    """Each row with the id of its task here, and why other rows (by their numbers) have none."""
    matched: list[tuple[DecidedTaskRow, str]] = []
    unfit: dict[int, _Unfit] = {}
    seen: Counter[tuple[Any, ...]] = Counter()
    named: dict[tuple[Any, ...], str] = {}
    for row in rows:
        same = (row.text, row.intent, row.type, row.reason)
        task_id = named.get((row.task_id, same)) if row.task_id else None
        if task_id is None:
            # A file may hold the same task twice; its n-th copy is the same on every import.
            task_id = content_id("import", study.study_id, *same, seen[same])
            seen[same] += 1
            if row.task_id:
                task_id = row.task_id if row.task_id in stored else task_id
                named[row.task_id, same] = task_id
        try:
            _check_task(study, row, stored.get(task_id))
        except _Unfit as fault:
            unfit[row.line] = fault
        else:
            matched.append((row, task_id))
    return matched, unfit


def _check_task(study: Study, row: DecidedTaskRow, stored: Mapping[str, Any] | None) -> None:
    """Nothing, when the row's task can be stored or says what is stored."""
    if stored is None:
        if row.intent is None:
            named = f", and {study.name} has no task {shown(row.task_id)}" if row.task_id else ""
            raise _Unfit(f"has no intent{named}", listed(INTENTS))
        return
    if clean_text(row.text) != stored["text"]:
        raise _Unfit(
            f"has another text than the task {shown(stored['task_id'])}, which it names",
            "the text as it was exported; without its task_id it is a task of its own",
        )
    for name in _ABOUT if row.intent is not None else ():
        if getattr(row, name) != stored[name]:
            raise _Unfit(
                f"has {shown(getattr(row, name))} for {name}, and the task "
                f"{shown(stored['task_id'])}, which it names, has {shown(stored[name])}",
                "what was exported, or intent, type and reason all empty",
            )


def _new_reviews(
    tx: Transaction, study: Study, matched: list[tuple[DecidedTaskRow, str]], now: datetime
) -> tuple[list[_NewReview], dict[int, _Unfit]]:
    """The decisions that the study does not have, in the order to store them; and why not those
    of other rows."""
    ids = {one.decision_id for row, _ in matched for one in row.decisions if one.decision_id}
    if not any(row.decisions for row, _ in matched):
        return [], {}
    about = {"study_id": study.study_id}
    met = {row["review_id"]: _stored_sense(row) for row in tx.rows("stored_decisions", **about)}
    taken = {row["review_id"] for row in tx.rows("ids_elsewhere", ids=sorted(ids), **about)}
    seen: Counter[tuple[Any, ...]] = Counter()
    new: list[_NewReview] = []
    unfit: dict[int, _Unfit] = {}
    for row, task_id in matched:
        try:
            people = [_person_name(one.person) for one in row.decisions]
            _check_decisions(row)
            review_ids = _review_ids(study, row, task_id, people, taken, seen)
            senses = list(map(_sense, row.decisions, people, [task_id] * len(people)))
            _check_known(row, review_ids, senses, met)
        except _Unfit as fault:
            unfit[row.line] = fault
            continue
        own = {one.decision_id: at for one, at in zip(row.decisions, review_ids, strict=True)}
        moment = datetime.min.replace(tzinfo=UTC)
        for one, person, review_id, sense in zip(
            row.decisions, people, review_ids, senses, strict=True
        ):
            # A history keeps its order, also where a clock was set back.
            moment = max(moment, one.decided_at or now)
            if review_id not in met:
                met[review_id] = sense
                undoes = own[one.undoes] if one.undoes else None
                new.append(_NewReview(review_id, task_id, person, one, undoes, moment))
    new.sort(key=lambda one: one.moment)
    return new, unfit


def _person_name(name: str) -> str:
    found = " ".join(name.split())
    if len(found) > LONGEST_PERSON or not found.isprintable():
        raise _Unfit(
            f"names the person {shown(name)}, which cannot be used",
            f"1 to {LONGEST_PERSON} characters that can be shown",
        )
    return found


def _check_decisions(row: DecidedTaskRow) -> None:
    for one in row.decisions:
        if one.action == "undo":
            continue
        try:
            check_decision(one.action, one.reason, one.note)
        except InputError as error:
            raise _Unfit(f"holds a decision that cannot be used: {error}", error.hint) from None


def _review_ids(
    study: Study,
    row: DecidedTaskRow,
    task_id: str,
    people: list[str],
    taken: set[str],
    seen: Counter[tuple[Any, ...]],
) -> list[str]:
    """The id of each decision here: its own, unless it has none or another study has it."""
    found = []
    for one, person in zip(row.decisions, people, strict=True):
        if one.decision_id and one.decision_id not in taken:
            found.append(one.decision_id)
        elif one.decision_id:
            found.append(content_id("review", study.study_id, one.decision_id))
        else:
            at = one.decided_at and one.decided_at.isoformat()
            same = (task_id, person, one.action, one.reason, one.note, at)
            found.append(content_id("review", study.study_id, *same, seen[same]))
            seen[same] += 1
    return found


def _check_known(
    row: DecidedTaskRow,
    review_ids: list[str],
    senses: list[tuple[Any, ...]],
    met: Mapping[str, tuple[Any, ...]],
) -> None:
    """Nothing, unless a decision that is known by its id says something else here."""
    for one, review_id, sense in zip(row.decisions, review_ids, senses, strict=True):
        if met.get(review_id, sense) != sense:
            raise _Unfit(
                f"holds the decision {shown(one.decision_id)}, which is known to say something "
                "else",
                "decisions as they were exported; a new one has no decision_id",
            )


def _sense(one: Decision, person: str, task_id: str) -> tuple[Any, ...]:
    note = clean_text(one.note)
    return task_id, clean_text(person), one.action, one.reason, note, one.is_final


def _stored_sense(row: Mapping[str, Any]) -> tuple[Any, ...]:
    names = ("task_id", "person", "action", "reason", "note", "is_final")
    return tuple(row[name] for name in names)


def _review_rows(
    tx: Transaction, study: Study, reviews: list[_NewReview], now: datetime
) -> list[dict[str, Any]]:
    people = _people(tx, {one.person for one in reviews}, now)
    return [
        {
            "review_id": one.review_id,
            "study_id": study.study_id,
            "task_id": one.task_id,
            "person_id": people[clean_text(one.person)],
            "seq": tx.next_seq(),
            "action": one.decision.action,
            "reason": one.decision.reason,
            "note": one.decision.note,
            "undoes": one.undoes,
            "batch_id": None,
            "is_final": one.decision.is_final,
            "seconds_active": one.decision.seconds_active,
            "decided_at": one.decision.decided_at or now,
        }
        for one in reviews
    ]


def _people(tx: Transaction, names: Iterable[str], now: datetime) -> dict[str, str]:
    """The ids of people by name; those who are not known are made known."""
    known = {row["name"]: row["person_id"] for row in tx.rows("people_all")}
    new = {clean_text(name): new_id() for name in sorted(names)}
    new = {name: person_id for name, person_id in new.items() if name not in known}
    rows = [{"person_id": one, "name": name, "created_at": now} for name, one in new.items()]
    tx.append("person", rows)
    return known | new


def _all_bad_rows(file: DecidedTaskFile, unfit: Mapping[int, _Unfit]) -> tuple[BadRow, ...]:
    found = [BadRow(file.name, line, str(fault), {}, fault.wanted) for line, fault in unfit.items()]
    return tuple(sorted([*file.bad_rows, *found], key=lambda row: row.line))


def _untimed(n: int) -> str:
    return counted(n, "decision has", "decisions have") + " no time, and that of the import counts"
