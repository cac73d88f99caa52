"""Tasks with decisions out of a store and into one: nothing lost, nothing doubled, nothing told."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.curation.reasons import REMOVAL_REASONS
from core.errors import InputError
from core.exchange.decided_tasks import FORMATS, LABEL_STUDIO, read_decided_tasks
from core.exchange.decisions import DecidedTaskRow
from core.exchange.rejects import reject_suffix, write_reject_file
from core.store.store import Store
from core.store.verify import verify
from core.workflows.curation import Decision, decide, decide_together, undo
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, set_rules
from core.workflows.desk_table import TaskFilter, table_page
from core.workflows.exporting import export_decided_tasks
from core.workflows.importing import Imported, import_tasks
from core.workflows.people import person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench

from .conftest import MODEL

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOTE = '=1+1; "two" lines\r\nfor Zoë, $5 \U0001f600'
HEADER = ("task_id", "text", "intent", "type", "reason", "decision", "removal_reason")
HEADER += ("note", "decided_by", "decided_at")
PRIME = {"text": "Name a prime.", "intent": "feasible", "type": "Functional Ceiling"}


@pytest.fixture
def ids(bench: Workbench, study: Study) -> list[str]:
    """The ids of the study's 20 tasks, of which two people decide each."""
    start_step(bench, study, "generate").wait(20)
    ada = person_named(bench.store, "Ada")
    set_rules(bench.store, study, DeskRules(overlap=2), person=ada)
    return [row["task_id"] for row in bench.store.rows("board_tasks", study_id=study.study_id)]


@pytest.fixture
def worked(bench: Workbench, study: Study, ids: list[str]) -> list[str]:
    """The same, with tasks in every state, and every kind of thing that people do."""
    store = bench.store
    ada, ben = person_named(store, "Ada"), person_named(store, "=Zebulon, 'B.'")

    def do(at: int, who, action: str, reason: str | None = None, **more) -> None:
        decide(store, study, ids[at], action, person=who, reason=reason, **more)

    do(0, ada, "keep", seconds_active=1.5)
    do(0, ben, "keep")
    do(1, ada, "remove", "malformed", note=NOTE)
    do(1, ben, "keep")  # disputed
    do(2, ben, "remove", "other", note="Zebulon's own words")
    do(2, ada, "remove", "duplicate")
    do(3, ben, "remove", "wrong_type")
    do(3, ada, "keep")
    do(3, ben, "keep", is_final=True)  # settled
    do(4, ada, "skip", note="too long")
    do(5, ben, "skip")
    do(6, ben, "keep")
    undo(store, study, person=ben)
    do(7, ben, "remove", "unsafe")  # waits for a second person
    many = [Decision(one, "remove", "wrong_language") for one in ids[8:12]]
    decide_together(store, study, many, person=ben)
    decide_together(store, study, many[:2], person=ada)
    undo(store, study, person=ada)
    return ids


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """Another store."""
    with Store.open(tmp_path / "other.duckdb") as store:
        yield store


def _study_like(store: Store, name: str) -> Study:
    study = create_study(
        store, name, protocol="feasibility_boundary", subject=MODEL, prompt_set="challenge_qap"
    )
    set_rules(store, study, DeskRules(overlap=2), person=person_named(store, "Owner"))
    return study


def _path(folder: Path, format: str, name: str = "tasks") -> Path:
    return folder / (f"{name}.json" if format == LABEL_STUDIO else f"{name}.{format}")


def _exported(store: Store, study: Study, folder: Path, format: str, name: str = "tasks") -> Path:
    path = _path(folder, format, name)
    assert export_decided_tasks(store, study, path, format=format) == 20
    return path


def _rows(path: Path) -> Sequence[DecidedTaskRow]:
    file = read_decided_tasks(path, reasons=list(REMOVAL_REASONS))
    assert file.bad_rows == ()
    return file.rows


def _brought(found: Sequence[Imported]) -> list[tuple[int, int]]:
    return [(one.n_added, one.n_decisions) for one in found]


def _states(store: Store, study: Study) -> dict[str, str]:
    rows = store.rows("tasks_short", study_id=study.study_id)
    return {row["text"] + str(row["intent"]) + row["type"]: row["state"] for row in rows}


def _stored(store: Store, study: Study) -> list[tuple]:
    """All that people did, in the order in which it counts."""
    rows = store.frame("export_reviews", study_id=study.study_id).to_dict("records")
    return [(row["person"], row["action"], row["reason"], row["note"]) for row in rows]


@pytest.fixture
def by_hand(tmp_path: Path) -> Callable[..., Path]:
    """Writes a CSV file with a row of `HEADER` for each mapping, and returns its path."""

    def write(*rows: dict[str, str], name: str = "hand.csv") -> Path:
        with (tmp_path / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, HEADER)
            writer.writeheader()
            writer.writerows(rows)
        return tmp_path / name

    return write


# There and back


@pytest.mark.parametrize("format", FORMATS)
def test_a_study_comes_back_from_a_fresh_store_with_its_states_and_whole_history(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path, format: str
) -> None:
    path = _exported(bench.store, study, tmp_path, format)
    there = _study_like(other, "There")
    # 11 single decisions and one undo, 4 + 2 together, and 2 undos of those.
    n_decisions = len(_stored(bench.store, study))
    assert _brought(import_tasks(other, [path], study_name="There")) == [(20, n_decisions)]
    assert _states(other, there) == _states(bench.store, study)
    assert set(_states(other, there).values()) == {
        "kept",
        "removed",
        "disputed",
        "skipped",
        "pending",
    }
    assert verify(other) == []
    back = _exported(other, there, tmp_path, format, "back")
    for before, after in zip(_rows(path), _rows(back), strict=True):
        assert replace(after, task_id=before.task_id) == before
    people = {one.person for row in _rows(back) for one in row.decisions}
    assert people == {"Ada", "=Zebulon, 'B.'"}


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_that_comes_in_again_adds_nothing_anywhere(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    path = _exported(bench.store, study, tmp_path, format)
    before = _stored(bench.store, study)
    assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 0)]
    copy = _study_like(bench.store, "Copy")
    twice = import_tasks(bench.store, [path, path], study_name="Copy")
    assert _brought(twice) == [(20, len(before)), (0, 0)]
    assert _brought(import_tasks(bench.store, [path], study_name="Copy")) == [(0, 0)]
    assert _states(bench.store, copy) == _states(bench.store, study)
    assert _stored(bench.store, study) == before
    # Ids and undos of the copy are its own: no decision stands for two.
    assert verify(bench.store) == []


def test_the_same_study_in_four_formats_is_the_same_study(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path
) -> None:
    _study_like(other, "There")
    paths = [_exported(bench.store, study, tmp_path, format, format) for format in FORMATS]
    n_decisions = len(_stored(bench.store, study))
    found = import_tasks(other, paths, study_name="There")
    assert _brought(found) == [(20, n_decisions), (0, 0), (0, 0), (0, 0)]


# What is written


def _plain_rows(path: Path, format: str) -> list[dict]:
    if format == "jsonl":
        return [json.loads(line) for line in path.read_bytes().decode().split("\n") if line]
    if format == "parquet":
        return pq.read_table(path).to_pylist()
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("format", FORMATS[:3])
def test_the_states_in_a_file_are_those_of_the_store_and_of_the_desk(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    rows = _plain_rows(_exported(bench.store, study, tmp_path, format), format)
    found: dict[tuple, Counter[str]] = {}
    for row in rows:
        found.setdefault((row["type"], row["intent"]), Counter())[row["state"]] += 1
    for cell in bench.store.rows("curation_cells", study_id=study.study_id):
        counts = found.pop((cell["type"], cell["intent"]))
        assert counts.total() == cell["n_tasks"]
        assert counts == {state: cell[state] for state in counts}
    assert found == {}
    desk = Desk(bench.store, study)
    totals = desk.progress(person_named(bench.store, "Ada")).totals
    # Of 12 tasks touched: 0 and 3 kept, 2 removed, 1 disputed, 4 and 5 skipped, the rest wait.
    assert Counter(row["state"] for row in rows) == totals
    assert totals == {"kept": 2, "removed": 1, "disputed": 1, "skipped": 2, "pending": 14}


def test_what_speaks_for_a_task_is_in_its_plain_columns(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path
) -> None:
    rows = _plain_rows(_exported(bench.store, study, tmp_path, "jsonl"), "jsonl")
    assert [row["task_id"] for row in rows] == worked
    assert (rows[2]["removal_reason"], rows[2]["note"], rows[2]["decided_by"]) == (
        *("duplicate", ""),
        "Ada",
    )
    assert (rows[0]["decided_by"], rows[0]["seconds_active"]) == ("=Zebulon, 'B.'", None)
    assert (rows[6]["state"], rows[6]["decided_by"]) == ("pending", None)


# Blind


def _all_said(path: Path, format: str) -> bytes:
    """The file's bytes, and for Parquet, which is compressed, its cells as well."""
    data = path.read_bytes()
    if format == "parquet":
        data += json.dumps(pq.read_table(path).to_pylist(), default=str).encode()
    return data


def _told(data: bytes, words: Sequence[str]) -> list[str]:
    return [word for word in words if word.encode() in data]


def _secrets(bench: Workbench, study: Study) -> list[str]:
    """All that a blind file must not tell of the tasks of `worked`."""
    tasks = bench.store.rows("tasks_to_match", study_id=study.study_id)
    meant = {row[name] for row in tasks for name in ("intent", "reason")} - {None}
    removed = ("malformed", "duplicate", "wrong_type", "unsafe", "wrong_language")
    return [*sorted(meant), *removed, "Ada", "Zebulon", "own words", "too long"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_blind_file_for_somebody_who_decided_nothing_tells_nothing(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    open_path, blind_path = _path(tmp_path, format, "open"), _path(tmp_path, format, "blind")
    export_decided_tasks(bench.store, study, open_path, format=format)
    # All of it is there to be told, or the rest of this test could not fail.
    secrets = _secrets(bench, study)
    assert len(secrets) > 15
    assert _told(_all_said(open_path, format), secrets) == secrets
    for person in (None, person_named(bench.store, "Cem")):
        export_decided_tasks(
            bench.store, study, blind_path, format=format, person=person, is_blind=True
        )
        assert _told(_all_said(blind_path, format), [*secrets, "disputed"]) == []
        assert len(_rows(blind_path)) == 20


@pytest.mark.parametrize("format", FORMATS)
def test_a_blind_file_tells_of_others_only_on_tasks_the_person_has_decided(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str
) -> None:
    ada, path = person_named(bench.store, "Ada"), _path(tmp_path, format)
    export_decided_tasks(bench.store, study, path, format=format, person=ada, is_blind=True)
    rows = {row.task_id: row for row in _rows(path)}
    # Ada decided tasks 0 to 3, skipped 4, and took her decisions on 8 and 9 back.
    for at, task_id in enumerate(worked):
        is_seen = at < 4
        assert (rows[task_id].intent is not None) == is_seen
        assert rows[task_id].type is not None
        others = [one for one in rows[task_id].decisions if one.person != "Ada"]
        assert bool(others) == is_seen
    own = [[one.action for one in rows[worked[at]].decisions] for at in (4, 8, 10)]
    assert own == [["skip"], ["remove", "undo"], []]
    # Ben's removal of task 7; and what was said on tasks that Ada may see.
    said = _all_said(path, format)
    assert _told(said, ["unsafe", "own words", "too long"]) == ["own words", "too long"]


@pytest.mark.parametrize("format", FORMATS[:3])
@pytest.mark.parametrize("name", ["Ada", "=Zebulon, 'B.'", "Cem"])
def test_a_blind_file_says_of_each_task_what_the_table_on_screen_says(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, format: str, name: str
) -> None:
    person, path = person_named(bench.store, name), _path(tmp_path, format)
    export_decided_tasks(bench.store, study, path, format=format, person=person, is_blind=True)
    written = _plain_rows(path, format)
    page = table_page(Desk(bench.store, study), person, TaskFilter())
    assert [row["task_id"] for row in page.rows] == [row["task_id"] for row in written]
    for shown, row in zip(page.rows, written, strict=True):
        for key in ("type", "intent", "reason", "state", "removal_reason"):
            assert (row[key] or None) == shown[key]


def test_a_blind_file_holds_no_final_decision_on_a_task_that_is_not_seen_nor_its_undo(
    bench: Workbench, study: Study, ids: list[str], tmp_path: Path
) -> None:
    ada = person_named(bench.store, "Ada")
    decide(bench.store, study, ids[0], "keep", person=ada, is_final=True)
    undo(bench.store, study, person=ada)
    path = tmp_path / "tasks.jsonl"
    export_decided_tasks(bench.store, study, path, format="jsonl", person=ada, is_blind=True)
    assert _rows(path)[0].decisions == ()


@pytest.mark.parametrize("is_blind", [False, True])
def test_a_pending_task_is_decided_in_a_spreadsheet_by_its_plain_columns(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path, is_blind: bool
) -> None:
    path, before = tmp_path / "tasks.csv", len(_stored(bench.store, study))
    export_decided_tasks(bench.store, study, path, format="csv", is_blind=is_blind)
    rows = _plain_rows(path, "csv")
    assert rows[13]["state"] == "pending"
    rows[13] |= {"state": "removed", "removal_reason": "malformed", "decided_by": "Ada"}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 1)]
    assert len(_stored(bench.store, study)) == before + 1
    [stored] = bench.store.rows("reviews_of_task", task_id=worked[13])
    assert (stored["person"], stored["action"], stored["reason"]) == ("Ada", "remove", "malformed")


def test_a_task_that_others_decided_is_decided_in_a_blind_spreadsheet(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "tasks.csv"
    export_decided_tasks(bench.store, study, path, format="csv", is_blind=True)
    text = path.read_text(encoding="utf-8")
    assert text.count("decided by others") == 4  # two are kept, one removed, one disputed
    path.write_text(text.replace("decided by others,,,,", "kept,,,Cem,", 1), encoding="utf-8")
    assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 1)]
    newest = bench.store.rows("reviews_of_task", task_id=worked[0])[-1]
    assert (newest["person"], newest["action"]) == ("Cem", "keep")


def test_a_blind_file_that_was_decided_in_label_studio_comes_back(
    bench: Workbench, study: Study, ids: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "tasks.json"
    export_decided_tasks(bench.store, study, path, format=LABEL_STUDIO, is_blind=True)
    items = json.loads(path.read_text(encoding="utf-8"))
    choice = {"from_name": "decision", "type": "choices", "value": {"choices": ["keep"]}}
    items[3]["annotations"] = [{"completed_by": {"email": "cem@x.org"}, "result": [choice]}]
    path.write_text(json.dumps(items), encoding="utf-8")
    assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 1)]
    [stored] = bench.store.rows("reviews_of_task", task_id=ids[3])
    assert (stored["person"], stored["action"]) == ("cem@x.org", "keep")


def test_a_blind_row_of_a_task_that_the_study_does_not_have_cannot_be_used(
    bench: Workbench, study: Study, ids: list[str], other: Store, tmp_path: Path
) -> None:
    path = tmp_path / "tasks.csv"
    export_decided_tasks(bench.store, study, path, format="csv", is_blind=True)
    _study_like(other, "There")
    with pytest.raises(InputError) as caught:
        import_tasks(other, [path], study_name="There")
    assert str(caught.value) == (
        f"row 2 of tasks.csv has no intent, and There has no task '{ids[0]}'; "
        "19 more rows have faults; no other row is fine"
    )
    assert caught.value.hint == "fix the rows (feasible, infeasible)"
    with pytest.raises(InputError, match="no other row is fine"):
        import_tasks(other, [path], study_name="There", skip_bad_rows=True)


# Rows that do not fit


def test_a_row_whose_text_is_not_that_of_its_task_stops_all_files(
    bench: Workbench, study: Study, ids: list[str], by_hand, tmp_path: Path
) -> None:
    good = by_hand(PRIME | {"decision": "keep", "decided_by": "Ada"}, name="good.csv")
    changed = {"task_id": ids[0], "text": "Another task.", "decision": "keep", "decided_by": "Ada"}
    bad = by_hand(PRIME | {"text": "Name a colour."}, changed, name="bad.csv")
    with pytest.raises(InputError) as caught:
        import_tasks(bench.store, [good, bad], study_name="Small")
    assert str(caught.value) == (
        f"row 3 of bad.csv has another text than the task '{ids[0]}', which it names; "
        "1 other row is fine"
    )
    assert _stored(bench.store, study) == []
    assert len(bench.store.rows("board_tasks", study_id=study.study_id)) == 20
    found = import_tasks(bench.store, [good, bad], study_name="Small", skip_bad_rows=True)
    assert [(one.n_rows, one.n_added, one.n_decisions) for one in found] == [(1, 1, 1), (2, 1, 0)]
    [left_out] = found[1].bad_rows
    assert (left_out.line, left_out.row["text"]) == (3, "Another task.")
    rejects = tmp_path / "rejects.csv"
    write_reject_file(found[1].bad_rows, rejects)
    rejects.write_text(rejects.read_text().replace("Another task.", "Task 0 of its cell."))
    [mended] = import_tasks(bench.store, [rejects], study_name="Small")
    assert (mended.n_added, mended.n_decisions, mended.bad_rows) == (0, 1, ())


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"type": "Ethical Integrity", "intent": "feasible"},
            "has 'Ethical Integrity' for type, and the task '{id}', which it names, has '{type}'",
        ),
        (
            {"type": "Ethical Integrity"},
            "has 'Ethical Integrity' for type, and the task '{id}', which it names, has '{type}'",
        ),
        (
            {"decided_by": "n" * 81},
            "names the person '" + "n" * 59 + "…', which cannot be used",
        ),
        (
            {"decided_by": "A\u202eda"},
            "names the person 'A\\u202eda', which cannot be used",
        ),
        (
            {"decision": "remove", "removal_reason": "other"},
            "holds a decision that cannot be used: the reason other has no note",
        ),
        (
            {"note": "n" * 2001},
            "holds a decision that cannot be used: the note has 2,001 characters",
        ),
    ],
)
def test_each_fault_of_a_row_is_told_in_words(
    bench: Workbench, study: Study, ids: list[str], by_hand, changes: dict, why: str
) -> None:
    rows = bench.store.rows("tasks_short", study_id=study.study_id)
    task = next(row for row in rows if row["type"] != "Ethical Integrity")
    row = {"task_id": task["task_id"], "text": task["text"], "decision": "keep"}
    path = by_hand(row | {"decided_by": "Ada"} | changes, PRIME)
    [found] = import_tasks(bench.store, [path], study_name="Small", skip_bad_rows=True)
    words = why.format(id=task["task_id"], type=task["type"])
    assert [str(bad) for bad in found.bad_rows] == [f"row 2 of hand.csv {words}"]
    assert (found.n_added, found.n_decisions) == (1, 0)
    assert {row["name"] for row in bench.store.rows("people_all")} == {"Ada"}


@pytest.mark.parametrize("is_known", [True, False])
def test_a_decision_changed_under_its_id_is_told_and_never_taken_over(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path, is_known: bool
) -> None:
    path = _exported(bench.store, study, tmp_path, "jsonl")
    lines = path.read_text(encoding="utf-8").split("\n")
    row = json.loads(lines[0])
    history = json.loads(row["decisions_json"])
    history[0] |= {"action": "skip"}
    changed = json.dumps(row | {"decisions_json": history})
    # In a fresh study the row as it was stands before the changed one.
    _study_like(other, "There")
    path.write_text(f"{changed}\n" if is_known else f"{lines[0]}\n{changed}\n", encoding="utf-8")
    store, name = (bench.store, "Small") if is_known else (other, "There")
    with pytest.raises(InputError, match=r"holds the decision '\w+', which is known to say somet"):
        import_tasks(store, [path], study_name=name)


def test_a_task_left_out_of_label_studio_json_can_be_mended_and_brought_in(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path
) -> None:
    path = _exported(bench.store, study, tmp_path, LABEL_STUDIO)
    items = json.loads(path.read_text(encoding="utf-8"))
    items[1]["data"]["intent"] = "maybe"
    path.write_text(json.dumps(items), encoding="utf-8")
    _study_like(other, "There")
    [found] = import_tasks(other, [path], study_name="There", skip_bad_rows=True)
    assert (found.n_added, [bad.line for bad in found.bad_rows]) == (19, [2])
    rejects = tmp_path / f"rejects{reject_suffix(found.bad_rows)}"
    assert (write_reject_file(found.bad_rows, rejects), rejects.suffix) == (1, ".jsonl")
    text = rejects.read_text(encoding="utf-8")
    rejects.write_text(text.replace('"maybe"', json.dumps(_rows_of(bench, study)[1]["intent"])))
    [mended] = import_tasks(other, [rejects], study_name="There")
    assert (mended.n_added, mended.n_decisions) == (1, 2)


def _rows_of(bench: Workbench, study: Study) -> list[dict]:
    return bench.store.rows("tasks_short", study_id=study.study_id)


# Decisions


def test_decisions_without_ids_are_added_once_and_equal_ones_are_counted(
    bench: Workbench, study: Study, by_hand
) -> None:
    row = PRIME | {"task_id": "theirs 1", "decision": "keep", "decided_by": "Ada"}
    row |= {"decided_at": NOON.isoformat()}
    path = by_hand(row, row, row | {"decided_by": "Ben"}, row | {"task_id": "theirs 2"})
    # Rows that name one task are one task; here two annotators, and Ada twice.
    for wanted in [(2, 4), (0, 0)]:
        assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
    assert verify(bench.store) == []


def test_people_are_known_by_name_whatever_the_spaces(
    bench: Workbench, study: Study, by_hand
) -> None:
    ada = person_named(bench.store, "Ada Old")
    row = PRIME | {"decision": "keep"}
    path = by_hand(row | {"decided_by": " Ada  Old"}, row | {"decided_by": "Ben"})
    import_tasks(bench.store, [path], study_name="Small")
    people = {row["name"]: row["person_id"] for row in bench.store.rows("people_all")}
    assert people.keys() == {"Ada Old", "Ben"}
    assert people["Ada Old"] == ada.person_id


def test_decisions_count_in_the_order_of_their_times_and_a_desk_at_work_follows(
    bench: Workbench, study: Study, ids: list[str], by_hand
) -> None:
    desk = Desk(bench.store, study)
    ada = person_named(bench.store, "Ada")
    assert desk.progress(ada).totals == {"pending": 20}
    row = {"task_id": ids[0], "text": "Task 0 of its cell.", "decided_by": "Ben"}
    path = by_hand(
        row | {"decision": "keep", "decided_at": (NOON + timedelta(hours=1)).isoformat()},
        row
        | {"decision": "remove", "removal_reason": "unsafe", "decided_at": NOON.isoformat()}
        | {"note": "at first"},
        row | {"decision": "keep", "decided_by": "Ada", "decided_at": NOON.isoformat()},
    )
    import_tasks(bench.store, [path], study_name="Small")
    assert [row[:2] for row in _stored(bench.store, study)] == [
        ("Ben", "remove"),
        ("Ada", "keep"),
        ("Ben", "keep"),
    ]
    assert desk.progress(ada).totals == {"kept": 1, "pending": 19}
    assert desk.board().state(ids[0]) == "kept"
    # An undo on the desk takes back what the file brought.
    assert desk.undo(ada) == [ids[0]]
    assert desk.board().state(ids[0]) == "pending"


def test_a_history_keeps_its_order_where_a_clock_was_set_back(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    about = {"person": "Ada", "action": "keep"}
    history = [
        about | {"decision_id": "a", "decided_at": "2026-03-01T12:00:00Z"},
        about | {"decision_id": "b", "action": "skip", "decided_at": "2026-03-01T11:00:00Z"},
        about | {"action": "undo", "undoes": "b", "decided_at": "2026-03-01T10:00:00Z"},
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(PRIME | {"decisions_json": history}))
    assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [(1, 3)]
    assert [row[1] for row in _stored(bench.store, study)] == ["keep", "skip", "undo"]
    assert set(_states(bench.store, study).values()) == {"kept"}
    assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [(0, 0)]


def test_a_decision_without_a_time_gets_that_of_the_import_and_a_finding_says_so(
    bench: Workbench, study: Study, by_hand
) -> None:
    start = datetime.now(UTC)
    path = by_hand(PRIME | {"decision": "keep", "decided_by": "Ada"})
    [found] = import_tasks(bench.store, [path], study_name="Small")
    assert "1 decision has no time, and that of the import counts" in found.findings
    [row] = bench.store.frame("export_reviews", study_id=study.study_id).to_dict("records")
    assert start <= row["decided_at"] <= datetime.now(UTC)


def test_what_was_annotated_in_label_studio_comes_after_the_history_and_only_once(
    bench: Workbench, study: Study, worked: list[str], tmp_path: Path
) -> None:
    path = _exported(bench.store, study, tmp_path, LABEL_STUDIO)
    items = json.loads(path.read_text(encoding="utf-8"))
    results = [
        {"from_name": "decision", "type": "choices", "value": {"choices": ["remove"]}},
        {
            "from_name": "removal_reason",
            "type": "choices",
            "value": {"choices": ["Unsafe to show"]},
        },
    ]
    items[7]["annotations"].append(
        {
            "completed_by": {"email": "eve@x.org"},
            "created_at": "2099-03-01T12:00:00.000000Z",
            "lead_time": 12.5,
            "result": results,
        }
    )
    path.write_text(json.dumps(items), encoding="utf-8")
    for wanted in [(0, 1), (0, 0)]:
        assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
    newest = bench.store.rows("reviews_of_task", task_id=worked[7])[-1]
    assert (newest["person"], newest["action"], newest["reason"]) == (
        *("eve@x.org", "remove"),
        "unsafe",
    )
    assert newest["seconds_active"] == 12.5
    # Two people agree on it now.
    rows = {row["task_id"]: row["state"] for row in _rows_of(bench, study)}
    assert rows[worked[7]] == "removed"


def test_annotators_of_one_task_in_json_min_decide_one_task(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    min_row = PRIME | {"annotation_id": 1, "created_at": NOON.isoformat(), "decision": "keep"}
    rows = [
        min_row | {"id": number, "annotator": annotator}
        for number, annotator in [(5, "ada@x.org"), (5, "ben@x.org"), (6, "ada@x.org")]
    ]
    path = tmp_path / "project.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    # Task 6 says the same as task 5 and is another one.
    for wanted in [(2, 3), (0, 0)]:
        assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
    decided = bench.store.frame("export_reviews", study_id=study.study_id).groupby("task_id")
    assert sorted(map(sorted, decided["person"].agg(list))) == [
        ["ada@x.org"],
        ["ada@x.org", "ben@x.org"],
    ]


def test_a_lone_surrogate_is_the_same_task_and_decision_when_it_comes_in_again(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    decided = {"decision_id": "a", "person": "Ada\ud835", "action": "keep", "note": "\ud835"}
    path = tmp_path / "tasks.jsonl"
    row = PRIME | {"text": "Half \ud835", "decisions_json": [decided]}
    path.write_text(json.dumps(row))
    with pytest.raises(InputError, match="names the person"):
        import_tasks(bench.store, [path], study_name="Small")
    path.write_text(json.dumps(row | {"decisions_json": [decided | {"person": "Ada"}]}))
    for wanted in [(1, 1), (0, 0)]:
        assert _brought(import_tasks(bench.store, [path], study_name="Small")) == [wanted]
