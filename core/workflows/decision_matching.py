"""Which decisions of a file are new to a study, and the rows that store them.

A decision without an id gets one that follows from its content, so that it is the same on every
import; so does one whose id another study has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.errors import InputError
from core.exchange.decisions import DecidedTaskRow, Decision
from core.exchange.wording import shown
from core.identity import content_id, new_id
from core.store.cleaning import clean_text
from core.store.transaction import Transaction
from core.workflows.curation import check_decision
from core.workflows.people import LONGEST_PERSON, checked_person_name
from core.workflows.studies import Study
from core.workflows.task_matching import UnfitRow


@dataclass(frozen=True)
class NewReview:
    """A decision that is new to the study, and what it has here.

    Args:
        review_id, task_id: its id and its task's. person: the name of who decided.
        undoes: the id here of the decision that an undo takes back.
        moment: when it counts; not before the decisions above it in its history.
    """

    review_id: str
    task_id: str
    person: str
    decision: Decision
    undoes: str | None
    moment: datetime


def new_reviews(
    tx: Transaction, study: Study, matched: list[tuple[DecidedTaskRow, str]], now: datetime
) -> tuple[list[NewReview], dict[int, UnfitRow]]:
    """The decisions that the study does not have, in the order to store them.

    Args:
        matched: rows with the ids of their tasks, as `matched_tasks` gives them.
        now: when a decision without a time counts.

    Returns:
        The decisions; and by row number why those of other rows cannot be stored.
    """
    ids = {one.decision_id for row, _ in matched for one in row.decisions if one.decision_id}
    if not any(row.decisions for row, _ in matched):
        return [], {}
    about = {"study_id": study.study_id}
    met = {row["review_id"]: _stored_sense(row) for row in tx.rows("stored_decisions", **about)}
    taken = {row["review_id"] for row in tx.rows("ids_elsewhere", ids=sorted(ids), **about)}
    seen: Counter[tuple[Any, ...]] = Counter()
    new: list[NewReview] = []
    unfit: dict[int, UnfitRow] = {}
    for row, task_id in matched:
        try:
            people = [_person_name(one.person) for one in row.decisions]
            _check_decisions(row)
            review_ids = _review_ids(study, row, task_id, people, taken, seen)
            senses = list(map(_sense, row.decisions, people, [task_id] * len(people)))
            _check_known(row, review_ids, senses, met)
        except UnfitRow as fault:
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
                new.append(NewReview(review_id, task_id, person, one, undoes, moment))
    new.sort(key=lambda one: one.moment)
    return new, unfit


def _person_name(name: str) -> str:
    try:
        return checked_person_name(name)
    except InputError:
        raise UnfitRow(
            f"names the person {shown(name)}, which cannot be used",
            f"1 to {LONGEST_PERSON} characters that can be shown",
        ) from None


def _check_decisions(row: DecidedTaskRow) -> None:
    for one in row.decisions:
        if one.action == "undo":
            continue
        try:
            check_decision(one.action, one.reason, one.note)
        except InputError as error:
            raise UnfitRow(f"holds a decision that cannot be used: {error}", error.hint) from None


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
            raise UnfitRow(
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


def review_rows(
    tx: Transaction, study: Study, reviews: list[NewReview], now: datetime
) -> list[dict[str, Any]]:
    """A row of the table `review` for each new decision; people who are new are stored with `tx`.

    Args:
        now: the time of a decision that has none.
    """
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
