"""Twenty people decide at once and the process is killed: nothing acknowledged is lost."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from core.store import Store, verify
from core.workflows.desk import Desk
from core.workflows.people import person_named
from core.workflows.studies import study_named
from tests.support.big_study import make_big_study

PROJECT = Path(__file__).parents[2]
N_PEOPLE, N_EACH = 20, 200
N_TASKS = N_PEOPLE * N_EACH
KILL_AFTER = 700

WORKER = """
import sys, threading
from core.store import Store
from core.workflows.desk import Desk
from core.workflows.people import person_named
from core.workflows.studies import study_named

store = Store.open(sys.argv[1])
desk = Desk(store, study_named(store, "Big"))
lock = threading.Lock()

def work(number):
    person = person_named(store, f"P{number}")
    while desk.progress(person).mine["keep"] < int(sys.argv[2]):
        task = desk.open_next(person)
        if task is None:
            break
        review = desk.decide(person, task, "keep", seen_seq=0)
        with lock:
            print(f'["{number}", "{task}", "{review}"]', flush=True)

threads = [threading.Thread(target=work, args=(n,)) for n in range(int(sys.argv[3]))]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
store.close()
"""


def _start(path: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, str(path), str(N_EACH), str(N_PEOPLE)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_twenty_people_times_two_hundred_over_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store.open(path) as store:
        make_big_study(store, n_tasks=N_TASKS)
    told = []
    first = _start(path)
    for line in first.stdout:
        told.append(json.loads(line))
        if len(told) == KILL_AFTER:
            os.kill(first.pid, signal.SIGKILL)
            break
    # What was printed before the kill was acknowledged before it.
    rest = first.stdout.read().splitlines()
    told += [json.loads(line) for line in rest if line.endswith("]")]
    first.wait()
    second = _start(path)
    told += [json.loads(line) for line in second.stdout]
    assert second.wait() == 0
    with Store.open(path) as store:
        assert verify(store) == []
        study = study_named(store, "Big")
        reviews = store.rows("reviews_since", study_id=study.study_id, seq=0)
        owners = {row["task_id"]: row["person_id"] for row in reviews}
        assert len(reviews) == len(owners) == N_TASKS
        stored = {row["review_id"]: row["task_id"] for row in reviews}
        assert all(stored[review] == task for _, task, review in told)
        progress = Desk(store, study).progress(person_named(store, "P0"))
        assert (progress.totals["kept"], progress.mine["keep"]) == (N_TASKS, N_EACH)
