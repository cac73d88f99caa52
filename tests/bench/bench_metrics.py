"""What the metric tables cost beside the group-by that feeds them, on a million tasks.

The counts come from one group-by of the tasks; the tables are made from the counts alone, so their
share of the time says what a live page pays on top of its query.
"""

from time import perf_counter

import numpy as np
import pandas as pd

from core.metrics.boundary import tables
from core.metrics.counts import COUNT_COLUMNS
from core.taxonomy import INTENTS, REASON_NAMES, TYPE_OF_REASON

N_TASKS = 1_000_000
STUDIES = 10
COLUMNS = [name for name in COUNT_COLUMNS if name != "n"]


def synthetic_tasks(n: int, seed: int) -> pd.DataFrame:
    """Classified tasks of ten studies, every combination possible."""
    rng = np.random.default_rng(seed)

    def drawn(names: list[str]) -> pd.Categorical:
        return pd.Categorical.from_codes(rng.integers(0, len(names), n), names)

    study = drawn([f"study {at}" for at in range(STUDIES)])
    reason = drawn(list(REASON_NAMES))
    types = sorted(set(TYPE_OF_REASON.values()))
    type_codes = np.array([types.index(TYPE_OF_REASON[name]) for name in REASON_NAMES])
    subject = pd.Categorical.from_codes(study.codes // 2, [f"model {at}" for at in range(5)])
    return pd.DataFrame(
        {
            "study": study,
            "subject": subject,
            "model": subject,
            "prompt_set": pd.Categorical.from_codes(study.codes % 2, ["vanilla", "challenge_qap"]),
            "intent": drawn(list(INTENTS)),
            "type": pd.Categorical.from_codes(type_codes[reason.codes], types),
            "reason": reason,
            "label": drawn(list(INTENTS)),
            "label_reason": drawn(list(REASON_NAMES)),
        }
    )


def main() -> None:
    """Print how long the tables take beside one group-by of a million tasks."""
    tasks = synthetic_tasks(N_TASKS, seed=1)
    started = perf_counter()
    counts = tasks.groupby(COLUMNS, observed=True).size().rename("n").reset_index()
    grouped_s = perf_counter() - started
    started = perf_counter()
    found = tables(counts)
    tables_s = perf_counter() - started
    assert sum(study["accuracy"] is not None for study in found["studies"]) == STUDIES
    print(
        f"metrics: {N_TASKS:,} tasks are {len(counts):,} counts; "
        f"tables take {tables_s / grouped_s:.2f} times the group-by that feeds them"
    )


if __name__ == "__main__":
    main()
