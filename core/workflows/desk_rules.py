"""The rules of a study's desks: how many people decide a task, what they see meanwhile, and how
good a judge has to be.

Rules are only ever added; the newest are in force. Whoever set the first is the study's owner, and
from then on only the owner changes them. A name is no proof: the rules guard against mistakes, not
against ill will.
"""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from core.curation.language_names import checked_language
from core.curation.similarity import DEFAULT_THRESHOLD
from core.errors import ConflictError, InputError
from core.identity import canonical_json
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.people import Person
from core.workflows.studies import Study

MOST_PEOPLE = 20
LEAST_GOLD_EVERY, MOST_GOLD_EVERY = 3, 100
LEAST_SIMILARITY = 0.6
"""Below it tasks share some words, and nobody would call them the same."""

LEAST_JUDGE_BAR, MOST_JUDGE_BAR = 0.5, 0.99


@dataclass(frozen=True)
class DeskRules:
    """How a study is curated.

    Args:
        overlap: how many people decide each task.
        is_blind: whether intent, reason, other people's decisions and a judge's flags are hidden
            from a person until they have decided.
        language: the language tasks should be in, as ISO 639-1.
        similarity: from which similarity on two tasks count as nearly the same.
        gold_every: every how many decisions a gold task is mixed in; 0 for never.
        judge_bar: what the lower ends of a judge's sensitivity and specificity have to reach before
            it can be accepted.
    """

    overlap: int = 1
    is_blind: bool = True
    language: str = "en"
    similarity: float = DEFAULT_THRESHOLD
    gold_every: int = 0
    judge_bar: float = 0.80


def rules_of(store: Store | Transaction, study: Study) -> DeskRules:
    """The rules in force for a study; the usual ones when nobody has set any, in its language."""
    found = store.rows("rules_now", study_id=study.study_id)
    if found:
        return DeskRules(**json.loads(found[0]["rules_json"]))
    return DeskRules(language=study.taxonomy.language)


def owner_of(store: Store, study: Study) -> Person | None:
    """The person who set the study's first rules, or None while nobody has."""
    found = store.rows("rules_owner", study_id=study.study_id)
    return Person(**found[0]) if found else None


def set_rules(store: Store, study: Study, rules: DeskRules, *, person: Person) -> DeskRules:
    """The rules, now in force.

    Raises:
        ConflictError: somebody else owns the study.
        InputError: a number or language that cannot be used.
    """
    _check(rules)
    row = {
        "study_id": study.study_id,
        "person_id": person.person_id,
        "overlap": rules.overlap,
        "rules_json": canonical_json(asdict(rules)),
        "set_at": datetime.now(UTC),
    }

    def add(tx: Transaction) -> None:
        owner = tx.rows("rules_owner", study_id=study.study_id)
        if owner and owner[0]["person_id"] != person.person_id:
            raise ConflictError(
                f"{owner[0]['name']} set the rules of {study.name}, and {person.name} cannot",
                hint=f"ask {owner[0]['name']} to change them",
            )
        if rules_of(tx, study).language != rules.language:
            # What was found in another language's eyes is found anew.
            tx.execute("drop_task_checks", study_id=study.study_id)
        tx.append("desk_rules", [row | {"seq": tx.next_seq()}])

    store.write(add)
    return rules


def _check(rules: DeskRules) -> None:
    if not 1 <= rules.overlap <= MOST_PEOPLE:
        raise InputError(
            f"{rules.overlap} people cannot decide a task",
            hint=f"choose a number from 1 to {MOST_PEOPLE}",
        )
    if not LEAST_SIMILARITY <= rules.similarity <= 1:
        raise InputError(
            f"the similarity {rules.similarity} is out of range",
            hint=f"choose a number from {LEAST_SIMILARITY} to 1",
        )
    if rules.gold_every and not LEAST_GOLD_EVERY <= rules.gold_every <= MOST_GOLD_EVERY:
        raise InputError(
            f"a gold task cannot be mixed in every {rules.gold_every} decisions",
            hint=f"choose a number from {LEAST_GOLD_EVERY} to {MOST_GOLD_EVERY}, or 0 for none",
        )
    if not LEAST_JUDGE_BAR <= rules.judge_bar <= MOST_JUDGE_BAR:
        raise InputError(
            f"the bar for judges {rules.judge_bar} is out of range",
            hint=f"choose a share from {LEAST_JUDGE_BAR} to {MOST_JUDGE_BAR}",
        )
    checked_language(rules.language)
