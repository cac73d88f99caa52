"""A file that went to Label Studio and came back: the whole history, then what is new."""

import json

import pytest

from tests.support.decided_files import NOON, task
from tests.support.label_studio import annotation, choice, decision, decisions, items_written

HISTORY = (
    decision("keep", decision_id="a", person="Ada", decided_at=NOON, seconds_active=1.5),
    decision("remove", decision_id="b", person="Ben", reason="unsafe", note=" \n"),
    decision("skip", decision_id="c", person="Cy"),
    decision("undo", decision_id="d", person="Cy", undoes="c"),
    decision("keep", decision_id="e", person="Ann", is_final=True),
)


@pytest.fixture
def returned(tmp_path):
    """Writes a task, has it annotated as Label Studio would, and returns the file's path."""

    def write(sent, *added, changed=None):
        (item,) = items_written(tmp_path, sent)
        # The import keeps the data and results, but names the importer and its own moment.
        for number, one in enumerate(item["annotations"], start=100):
            del one["created_username"]
            one |= {"import_id": one["id"], "id": number, "completed_by": 1}
            one |= {"created_at": "2026-04-01T00:00:00Z", "updated_at": "2026-04-01T00:00:00Z"}
            one |= changed or {}
        item["annotations"] += added
        path = tmp_path / "back.json"
        path.write_text(json.dumps([item]), encoding="utf-8")
        return path

    return write


def test_a_history_comes_back_unchanged_though_the_people_have_other_names_there(returned):
    assert decisions(returned(task(*HISTORY))) == HISTORY


def test_what_was_annotated_there_comes_after_the_history(returned):
    met = annotation(choice("decision", "keep"))
    new = decision("keep", decided_at=NOON, seconds_active=4.25)
    assert decisions(returned(task(*HISTORY), met)) == (*HISTORY, new)


def test_an_annotation_changed_there_is_a_decision_of_whom_it_belongs_to_there(returned):
    sent = decision("keep", decision_id="a", person="Ada")
    changed = {"result": [choice("decision", "remove"), choice("removal_reason", "other")]}
    first, second = decisions(returned(task(sent), changed=changed))
    assert first == sent
    assert (second.action, second.person) == ("remove", "Label Studio user 1")


def test_a_task_undone_here_and_annotated_there_is_decided_again(returned):
    history = (decision(decision_id="a"), decision("undo", decision_id="b", undoes="a"))
    met = annotation(choice("decision", "keep"))
    assert [one.action for one in decisions(returned(task(*history), met))] == [
        "keep",
        "undo",
        "keep",
    ]
