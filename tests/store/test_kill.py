"""Acknowledged means committed: whatever was acknowledged is there after SIGKILL, whole."""

import random
import subprocess
import sys

from core.store import Store, verify

ACKNOWLEDGE = """
import sys, threading
from datetime import UTC, datetime
from core.store import Store

store = Store.open(sys.argv[1])
now = datetime.now(UTC)
say = threading.Lock()
print("open", flush=True)

def work(thread):
    for number in range(1_000_000):
        key = f"{sys.argv[2]}-{thread}-{number}"
        row = {"person_id": key, "name": key * 20, "created_at": now}
        study = {"study_id": key, "name": key, "protocol": "p", "subject": "s", "prompt_set": "v",
            "settings_json": "{}", "source": "", "is_demo": False, "created_at": now}
        store.write([("person", [row]), ("study", [study])])
        with say:
            print(key, flush=True)

for thread in range(4):
    threading.Thread(target=work, args=(thread,), daemon=True).start()
threading.Event().wait()
"""


def killed_at_random(path, name, random_numbers):
    """The keys a child acknowledged before it was killed after a random number of them."""
    acknowledged = []
    command = [sys.executable, "-c", ACKNOWLEDGE, path, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "open\n"
        for _ in range(random_numbers.randint(1, 120)):
            acknowledged.append(child.stdout.readline().strip())
        child.kill()
        rest = child.stdout.read().split("\n")
    # What was printed before the kill was acknowledged too; the last line may be cut off.
    return acknowledged + rest[:-1]


def test_every_acknowledged_row_is_there_after_five_kills(tmp_path):
    path = tmp_path / "s.duckdb"
    random_numbers = random.Random(1)
    acknowledged = set()
    for round_number in range(5):
        acknowledged.update(killed_at_random(path, f"r{round_number}", random_numbers))
        with Store.open(path) as store:
            assert store.notices == []
            people = {row["person_id"] for row in store.rows("people_all")}
            studies = {row["study_id"] for row in store.rows("studies_all")}
            assert acknowledged <= people
            assert people == studies  # rows written together are there together
            assert verify(store) == []
