"""Rows of decided tasks that do not fit the study: each is told in words, and can be mended."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.exchange.decided_tasks import LABEL_STUDIO
from core.exchange.rejects import reject_suffix, write_reject_file
from core.store.store import Store
from core.workflows.importing import import_tasks
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.decided_exchange import PRIME, exported, stored, study_like


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
    assert stored(bench.store, study) == []
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
    path = exported(bench.store, study, tmp_path, "jsonl")
    lines = path.read_text(encoding="utf-8").split("\n")
    row = json.loads(lines[0])
    history = json.loads(row["decisions_json"])
    history[0] |= {"action": "skip"}
    changed = json.dumps(row | {"decisions_json": history})
    # In a fresh study the row as it was stands before the changed one.
    study_like(other, "There")
    path.write_text(f"{changed}\n" if is_known else f"{lines[0]}\n{changed}\n", encoding="utf-8")
    store, name = (bench.store, "Small") if is_known else (other, "There")
    with pytest.raises(InputError, match=r"holds the decision '\w+', which is known to say somet"):
        import_tasks(store, [path], study_name=name)


def test_a_task_left_out_of_label_studio_json_can_be_mended_and_brought_in(
    bench: Workbench, study: Study, worked: list[str], other: Store, tmp_path: Path
) -> None:
    path = exported(bench.store, study, tmp_path, LABEL_STUDIO)
    items = json.loads(path.read_text(encoding="utf-8"))
    items[1]["data"]["intent"] = "maybe"
    path.write_text(json.dumps(items), encoding="utf-8")
    study_like(other, "There")
    [found] = import_tasks(other, [path], study_name="There", skip_bad_rows=True)
    assert (found.n_added, [bad.line for bad in found.bad_rows]) == (19, [2])
    rejects = tmp_path / f"rejects{reject_suffix(found.bad_rows)}"
    assert (write_reject_file(found.bad_rows, rejects), rejects.suffix) == (1, ".jsonl")
    text = rejects.read_text(encoding="utf-8")
    rejects.write_text(
        text.replace(
            '"maybe"',
            json.dumps(bench.store.rows("tasks_short", study_id=study.study_id)[1]["intent"]),
        )
    )
    [mended] = import_tasks(other, [rejects], study_name="There")
    assert (mended.n_added, mended.n_decisions) == (1, 2)
