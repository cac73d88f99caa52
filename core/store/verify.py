"""The store checks itself: hashes and ids derived again, references, doubles and sums.

The checks that SQL can make are the blocks of queries/verify.sql, one fault each; every block
gives what is wrong, how often, and one example, and no row when all is well.
"""

from collections.abc import Iterator

from core.identity import content_hash
from core.records import PENDING, Outcome
from core.store.keys import derive_item_id
from core.store.queries import all_queries
from core.store.store import Store


def verify(store: Store) -> list[str]:
    """What is wrong with the store, one sentence per kind of fault; an empty list when nothing is.

    Args:
        store: open; it is only read, and may be in use meanwhile.
    """
    return [*_changed_prompts(store), *_changed_items(store), *_faults(store), *_open_sums(store)]


def _changed_prompts(store: Store) -> Iterator[str]:
    for row in store.stream("stored_prompts"):
        derived = content_hash(row["text"])
        if derived != row["prompt_hash"]:
            yield (
                f"prompt {row['name']}.v{row['version']} is stored under the hash "
                f"{row['prompt_hash']} and its text has {derived}"
            )


def _changed_items(store: Store) -> Iterator[str]:
    wrong = [
        row["item_id"]
        for row in store.stream("planned_keys")
        if derive_item_id(row) != row["item_id"]
    ]
    if wrong:
        yield _sentence("planned items whose id does not follow from them", len(wrong), wrong[0])


def _faults(store: Store) -> Iterator[str]:
    for name in all_queries():
        if name.startswith("fault_"):
            for row in store.rows(name):
                yield _sentence(row["fault"], row["n"], row["example"])


def _open_sums(store: Store) -> Iterator[str]:
    for count in store.rows("planned_counts"):
        parts = [
            row[part]
            for row in store.rows("step_outcomes", study_id=count["study_id"])
            if row["step"] == count["step"]
            for part in (*Outcome, PENDING)
        ]
        if sum(parts) != count["planned"]:
            yield (
                f"outcomes and pending of step {count['step']} of study {count['study_id']} add "
                f"up to {sum(parts)} and {count['planned']} are planned"
            )


def _sentence(fault: str, n: int, example: str) -> str:
    return f"{fault}: {n}, for example {example}"
