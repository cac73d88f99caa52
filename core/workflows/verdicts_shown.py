"""Verdicts of judges that people were shown elsewhere than at the audit desk.

Whoever has read what a judge said of an answer cannot vote on it blind any more. So that is written
down when it is shown to somebody who is at the desk, and their vote is stored as not blind.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.people import Person
from core.workflows.studies import Study


def note_shown(store: Store, study: Study, person: Person, item_ids: Collection[str]) -> None:
    """Nothing; these verdicts, by the judges' items, are known to have been shown to the person."""
    about = {"study_id": study.study_id, "person_id": person.person_id}
    if not item_ids:
        return
    wanted = about | {"item_ids": sorted(item_ids)}
    # Looked at first, so that what is seen again and again is not written each time.
    if not store.rows("verdicts_not_shown_yet", **wanted):
        return

    def add(tx: Transaction) -> None:
        now = datetime.now(UTC)
        new = tx.rows("verdicts_not_shown_yet", **wanted)
        tx.append("verdict_shown", [about | row | {"shown_at": now} for row in new])

    store.write(add)


def note_answers_shown(
    store: Store, study: Study, person: Person, answer_items: Collection[str], *, judge: str
) -> None:
    """Nothing; what the judge of this title said of these answers was shown to the person."""
    wanted = {"answer_items": sorted(answer_items), "judge": judge}
    rows = store.rows("verdicts_on_answers", study_id=study.study_id, **wanted)
    note_shown(store, study, person, {row["item_id"] for row in rows})


def note_story_shown(store: Store, study: Study, person: Person, task_id: str) -> None:
    """Nothing; what every judge said of the answers to a task was shown to the person."""
    rows = store.rows("verdicts_on_answers_to", study_id=study.study_id, task_id=task_id)
    note_shown(store, study, person, {row["item_id"] for row in rows})


def note_data_shown(store: Store, studies: Sequence[Study], person: Person) -> None:
    """Nothing; what every judge said of every answer in these studies was given to the person."""
    for study in studies:
        rows = store.rows("verdicts_on_all_answers", study_id=study.study_id)
        note_shown(store, study, person, {row["item_id"] for row in rows})
