"""The results desk: all tables of ten studies, and of a million classified tasks."""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.store.store import Store
from core.workflows.results import common_protocol, label_counts
from core.workflows.studies import Study
from tests.support.big_study import classify_all, make_big_study

SIZES = (100_000, 1_000_000)


def main() -> None:
    """Print seconds, and how the cost grows from one size to the next."""
    seconds = []
    for n_tasks in SIZES:
        with (
            tempfile.TemporaryDirectory() as folder,
            Store.open(Path(folder) / "s.duckdb") as store,
        ):
            study = make_big_study(store, n_tasks=n_tasks)
            classify_all(store, study)
            seconds.append(_tables(store, study))
            print(f"{n_tasks:,} classified tasks: every table in {seconds[-1]:.2f} s", flush=True)
    rows = SIZES[1] / SIZES[0]
    print(f"{rows:.0f}x the tasks cost {seconds[1] / seconds[0]:.1f}x the time")


def _one_size(path: Path, n_tasks: int) -> float:
    with Store.open(path) as store:
        study = make_big_study(store, n_tasks=n_tasks)
        classify_all(store, study)
        return _tables(store, study)


def _tables(store: Store, study: Study) -> float:
    began = time.perf_counter()
    counts = label_counts(store, [study])
    for exhibit in common_protocol([study]).results().exhibits:
        exhibit.table(counts)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
