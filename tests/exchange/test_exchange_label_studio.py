"""Label Studio's JSON: what its import takes, and what its exports say, to the last annotation."""

import json
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from core.errors import InputError
from core.exchange.decided_tasks import (
    DecidedTask,
    DecidedTaskRow,
    Decision,
    read_decided_tasks,
    write_decided_tasks,
)
from core.exchange.label_studio import labeling_config
from core.exchange.rejects import write_reject_file
from core.exchange.row_file import raise_for_bad_rows

REASONS = {"malformed": "Malformed", "other": "Other, see note", "unsafe": 'Unsafe <"to" show>'}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def decision(action="keep", **other):
    plain = {
        "decision_id": None,
        "person": "ada@example.org",
        "action": action,
        "reason": None,
        "note": "",
        "decided_at": None,
        "seconds_active": None,
        "undoes": None,
        "is_final": False,
    }
    return Decision(**plain | other)


def task(*history, **other):
    plain = {
        "task_id": "t1",
        "text": "Fold a paper crane",
        "intent": "feasible",
        "type": "Functional Ceiling",
        "reason": None,
        "state": "pending",
        "removal_reason": None,
        "note": "",
        "decisions": history,
    }
    return DecidedTask(**plain | other)


def choice(name, *choices):
    return {
        "id": "Dx_aB91ISN",
        "from_name": name,
        "to_name": "text",
        "type": "choices",
        "value": {"choices": list(choices)},
    }


def note(*lines):
    return choice("note") | {"type": "textarea", "value": {"text": list(lines)}}


def annotation(*results, **other):
    """An annotation as Label Studio exports it."""
    plain = {
        "id": 71,
        "completed_by": {
            "id": 1,
            "email": "ada@example.org",
            "first_name": "Ada",
            "last_name": "Lovelace",
        },
        "result": list(results),
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-03-01T11:00:00.000000Z",
        "updated_at": "2026-03-01T12:00:00.000000Z",
        "lead_time": 4.25,
        "import_id": None,
    }
    return plain | other


@pytest.fixture
def exported(tmp_path):
    """Writes items as one JSON list, and returns the file's path."""

    def write(*items):
        path = tmp_path / "project.json"
        path.write_text(json.dumps(items), encoding="utf-8")
        return path

    return write


@pytest.fixture
def annotated(exported):
    """Writes one task with these annotations, and returns the file's path."""

    def write(*annotations, **other):
        return exported({"id": 1, "data": {"text": "Fold"}, "annotations": annotations} | other)

    return write


def read(path):
    return read_decided_tasks(path, reasons=REASONS)


def decisions(path):
    (row,) = read(path).rows
    return row.decisions


def faults(path):
    return [str(bad) for bad in read(path).bad_rows]


def items_written(tmp_path, *tasks):
    path = tmp_path / "out.json"
    assert write_decided_tasks(tasks, path, format="label-studio") == len(tasks)
    return json.loads(path.read_text(encoding="utf-8"))


# What we write


def test_a_standing_decision_is_an_annotation_and_the_history_is_in_the_data(tmp_path):
    history = (
        decision("keep", decision_id="a"),
        decision(
            "remove",
            decision_id="b",
            reason="malformed",
            note="no verb",
            decided_at=NOON,
            seconds_active=4.25,
        ),
    )
    (item,) = items_written(tmp_path, task(*history))
    fields = {"reason": None, "note": "", "decided_at": None, "seconds_active": None}
    fields |= {"undoes": None, "is_final": False, "person": "ada@example.org"}
    assert item == {
        "id": 1,
        "data": {
            "text": "Fold a paper crane",
            "selfbound_task_id": "t1",
            "intent": "feasible",
            "type": "Functional Ceiling",
            "selfbound_decisions": [
                fields | {"decision_id": "a", "action": "keep"},
                fields
                | {
                    "decision_id": "b",
                    "action": "remove",
                    "reason": "malformed",
                    "note": "no verb",
                    "decided_at": "2026-03-01T12:00:00.000000Z",
                    "seconds_active": 4.25,
                },
            ],
        },
        "annotations": [
            {
                "id": 1,
                "created_username": "ada@example.org",
                "was_cancelled": False,
                "ground_truth": False,
                "created_at": "2026-03-01T12:00:00.000000Z",
                "updated_at": "2026-03-01T12:00:00.000000Z",
                "lead_time": 4.25,
                "result": [
                    {
                        "from_name": "decision",
                        "to_name": "text",
                        "type": "choices",
                        "value": {"choices": ["remove"]},
                    },
                    {
                        "from_name": "removal_reason",
                        "to_name": "text",
                        "type": "choices",
                        "value": {"choices": ["malformed"]},
                    },
                    {
                        "from_name": "note",
                        "to_name": "text",
                        "type": "textarea",
                        "value": {"text": ["no verb"]},
                    },
                ],
            }
        ],
    }


def test_what_was_taken_back_is_no_annotation(tmp_path):
    history = (decision(decision_id="a"), decision("undo", decision_id="b", undoes="a"))
    (item,) = items_written(tmp_path, task(*history))
    assert item["annotations"] == []
    assert len(item["data"]["selfbound_decisions"]) == 2


def test_a_skip_is_a_cancelled_annotation_and_a_final_decision_is_ground_truth(tmp_path):
    history = (decision("skip", note="later"), decision(person="Ben", is_final=True))
    (item,) = items_written(tmp_path, task(*history))
    skipped, final = item["annotations"]
    assert (skipped["was_cancelled"], skipped["ground_truth"]) == (True, False)
    assert [one["from_name"] for one in skipped["result"]] == ["note"]
    assert (final["was_cancelled"], final["ground_truth"]) == (False, True)


def test_tasks_and_annotations_are_numbered_through_the_file(tmp_path):
    both = (decision(), decision(person="Ben"))
    items = items_written(tmp_path, task(*both), task(), task(*both))
    assert [item["id"] for item in items] == [1, 2, 3]
    numbers = [[one["id"] for one in item["annotations"]] for item in items]
    assert numbers == [[1, 2], [], [3, 4]]


def test_what_is_hidden_is_left_out(tmp_path):
    (item,) = items_written(tmp_path, task(intent=None, type=None, task_id=None))
    assert item["data"].keys() == {"text", "selfbound_decisions"}


def test_no_tasks_are_an_empty_list(tmp_path):
    assert items_written(tmp_path) == []


# What an export says


def test_a_task_annotated_in_label_studio_is_read_with_its_decision(exported):
    item = {
        "id": 5,
        "data": {"text": "Settle it", "intent": "infeasible", "reason": "no scientific consensus"},
        "annotations": [
            annotation(choice("decision", "remove"), choice("removal_reason", "other"), note("so"))
        ],
        "drafts": [],
        "predictions": [],
        "meta": {},
        "project": 83,
        "created_at": "2026-03-01T10:00:00Z",
    }
    found = read(exported(item))
    assert found.findings == ()
    assert found.rows == (
        DecidedTaskRow(
            1,
            None,
            "Settle it",
            "infeasible",
            "Identification of Ambiguity",
            "No Scientific Consensus",
            (decision("remove", reason="other", note="so", decided_at=NOON, seconds_active=4.25),),
        ),
    )


def test_a_skipped_task_is_read_as_a_skip_whatever_was_chosen_before(annotated):
    (one,) = decisions(annotated(annotation(choice("decision", "keep"), was_cancelled=True)))
    assert one.action == "skip"
    (one,) = decisions(annotated(annotation(was_cancelled=True)))
    assert (one.action, one.person) == ("skip", "ada@example.org")


def test_ground_truth_is_a_final_decision(annotated):
    (one,) = decisions(annotated(annotation(choice("decision", "keep"), ground_truth=True)))
    assert one.is_final


@pytest.mark.parametrize(
    ("who", "person"),
    [
        ({"completed_by": {"id": 1, "email": "b@x.org", "first_name": "Ben"}}, "b@x.org"),
        (
            {"completed_by": {"id": 1, "email": "", "first_name": "Ben", "last_name": "Ito"}},
            "Ben Ito",
        ),
        ({"completed_by": {"id": 1, "first_name": "Ben", "last_name": ""}}, "Ben"),
        ({"completed_by": {"id": 1}}, "Label Studio user 1"),
        ({"completed_by": 10}, "Label Studio user 10"),
        ({"completed_by": "b@x.org"}, "b@x.org"),
        ({"completed_by": 3, "created_username": "Ben Ito b@x.org, 3"}, "b@x.org"),
        ({"completed_by": 3, "created_username": " b@x.org, 3"}, "b@x.org"),
        ({"completed_by": None, "created_username": "eric"}, "eric"),
    ],
)
def test_a_person_is_known_by_mail_address_else_name_else_number(annotated, who, person):
    (one,) = decisions(annotated(annotation(choice("decision", "keep"), **who)))
    assert one.person == person


@pytest.mark.parametrize("value", [{"choices": ["Keep"]}, {"choices": "keep"}])
def test_a_choice_may_be_a_list_or_a_word(annotated, value):
    result = choice("decision") | {"value": value}
    assert [one.action for one in decisions(annotated(annotation(result)))] == ["keep"]


def test_a_label_is_understood_where_the_project_has_no_aliases(annotated):
    path = annotated(
        annotation(choice("decision", "Remove"), choice("removal_reason", "Other, see note"))
    )
    assert [(one.action, one.reason) for one in decisions(path)] == [("remove", "other")]


def test_the_lines_of_a_note_are_put_together(annotated):
    (one,) = decisions(annotated(annotation(choice("decision", "keep"), note("a", "b"))))
    assert one.note == "a\nb"


def test_results_of_other_controls_are_passed_over(annotated):
    path = annotated(annotation(choice("mood", "a", "b"), choice("decision", "keep")))
    assert [one.action for one in decisions(path)] == ["keep"]


def test_several_annotations_come_oldest_first(annotated):
    late = annotation(choice("decision", "keep"), updated_at="2026-03-02T00:00:00Z")
    early = annotation(choice("decision", "keep"), completed_by=2)
    assert [one.person for one in decisions(annotated(late, early))] == [
        "Label Studio user 2",
        "ada@example.org",
    ]
    # Without a time for each, the file's own order is all there is.
    timeless = early | {"updated_at": None, "created_at": None}
    assert decisions(annotated(late, timeless))[0].person == "ada@example.org"


def test_the_old_name_and_times_of_annotations_are_understood(exported):
    # 1772366400 seconds after 1970 began is 2026-03-01 12:00 UTC.
    old = {"result": [choice("decision", "keep")], "completed_by": 1, "created_at": 1772366400}
    skipped = {"result": [], "skipped": True, "completed_by": 1, "created_at": 1772366401}
    path = exported({"id": 0, "data": {"text": "Fold"}, "completions": [old, skipped]})
    keep, skip = decisions(path)
    assert (keep.action, keep.decided_at, skip.action) == ("keep", NOON, "skip")


@pytest.mark.parametrize("item", [{}, {"annotations": []}, {"annotations": None}])
def test_a_task_without_annotations_is_not_decided_yet(exported, item):
    assert decisions(exported({"data": {"text": "Fold"}} | item)) == ()


def test_predictions_drafts_and_other_data_are_findings(exported):
    item = {"data": {"text": "Fold", "url": "x"}, "predictions": [{"result": []}], "drafts": [{}]}
    assert read(exported(item, {"data": {"text": "Draw"}})).findings == (
        "1 column is not used: 'url'",
        "1 task has predictions, which are not used",
        "1 task has drafts, which are not used",
    )


@pytest.mark.parametrize(
    ("annotations", "why"),
    [
        ("none", "has 'none' where its list of annotations belongs"),
        ([7], "holds an annotation (1 of 1) that is '7' and no object"),
        ([annotation()], "holds an annotation (1 of 1) that has no decision"),
        ([annotation(choice("decision"))], "(1 of 1) that has no decision"),
        (
            [annotation(choice("decision", "keep")), annotation(choice("decision", "maybe"))],
            "holds an annotation (2 of 2) that has the unknown decision 'maybe'",
        ),
        (
            [annotation(choice("decision", "keep", "remove"))],
            "that has 2 choices for decision: 'keep', 'remove'",
        ),
        (
            [annotation(choice("decision", "keep"), choice("decision", "keep"))],
            "that has two results for decision",
        ),
        ([annotation(choice("decision", "remove"))], "removes the task and has no removal reason"),
        (
            [annotation(choice("decision", "remove"), choice("removal_reason", "ugly"))],
            "that has the unknown removal reason 'ugly'",
        ),
        ([annotation(result={"a": []})], "where its list of results belongs"),
        ([annotation(result=["a"])], "where its list of results belongs"),
        (
            [annotation(choice("decision") | {"value": {"choices": [["keep"]]}})],
            "for decision where text was wanted",
        ),
        (
            [annotation(choice("decision", "keep"), completed_by=None)],
            "that does not say who decided",
        ),
        (
            [annotation(choice("decision", "keep"), updated_at="3 hours ago")],
            "that has '3 hours ago' for the time of the decision",
        ),
    ],
)
def test_each_fault_names_the_tasks_place_in_the_list(exported, annotations, why):
    good = {"id": 9, "data": {"text": "Draw"}, "annotations": []}
    path = exported(good, {"id": 4, "data": {"text": "Fold"}, "annotations": annotations})
    (fault,) = faults(path)
    assert fault.startswith("row 2 of project.json ")
    assert fault.endswith(why)
    assert [row.text for row in read(path).rows] == ["Draw"]


def test_a_task_without_data_or_text_is_a_bad_row(exported, tmp_path):
    path = exported(
        {"data": {"text": "Draw"}}, {"data": "Fold"}, {"id": 3}, {"data": {"text": True}}, [1]
    )
    assert faults(path) == [
        "row 2 of project.json has 'Fold' where the task's data belong",
        "row 3 of project.json has 'None' where the task's data belong",
        "row 5 of project.json is not a JSON object",
    ]
    assert write_reject_file(read(path).bad_rows, tmp_path / "rejects.csv") == 3
    with pytest.raises(InputError, match="; 2 more rows have faults; 2 other rows"):
        raise_for_bad_rows(read(path))


def test_data_without_a_text_is_refused_with_what_they_hold(exported):
    with pytest.raises(InputError, match="has no column text; it has 'image'"):
        read(exported({"data": {"image": "a.jpg"}}))


# A file that went there and came back


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


HISTORY = (
    decision("keep", decision_id="a", person="Ada", decided_at=NOON, seconds_active=1.5),
    decision("remove", decision_id="b", person="Ben", reason="unsafe", note=" \n"),
    decision("skip", decision_id="c", person="Cy"),
    decision("undo", decision_id="d", person="Cy", undoes="c"),
    decision("keep", decision_id="e", person="Ann", is_final=True),
)


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


# JSON-MIN and CSV


MIN = {
    "id": 5,
    "text": "Fold",
    "annotator": "ada@example.org",
    "annotation_id": 71,
    "created_at": "2026-03-01T11:00:00Z",
    "updated_at": "2026-03-01T12:00:00Z",
    "lead_time": 4.25,
}


def test_rows_of_json_min_are_read_one_annotation_each(exported):
    keep = MIN | {"decision": "keep", "selfbound_task_id": "t1"}
    remove = MIN | {"decision": "remove", "removal_reason": "other", "note": "so", "annotator": 2}
    found = read(exported(keep, remove, {"id": 6, "text": "Draw"}))
    assert [(row.task_id, row.text) for row in found.rows] == [
        ("t1", "Fold"),
        ("Label Studio task 5", "Fold"),
        ("Label Studio task 6", "Draw"),
    ]
    took = {"decided_at": NOON, "seconds_active": 4.25}
    assert [row.decisions for row in found.rows] == [
        (decision("keep", **took),),
        (decision("remove", reason="other", note="so", person="Label Studio user 2", **took),),
        (),
    ]
    assert found.findings == ("1 row repeats the text of an earlier row exactly",)


def test_a_history_travels_through_json_min_too(tmp_path, exported):
    sent = decision("keep", decision_id="a", person="Ada", is_final=True, seconds_active=4.25)
    (item,) = items_written(tmp_path, task(sent))
    known = MIN | item["data"] | {"decision": "keep"}
    assert decisions(exported(known)) == (sent,)
    new = known | {"decision": "remove", "removal_reason": "other"}
    assert [one.action for one in decisions(exported(new))] == ["keep", "remove"]


def test_a_csv_export_is_read_with_its_lines_of_notes(tmp_path):
    path = tmp_path / "project.csv"
    path.write_text(
        "annotation_id,annotator,created_at,decision,id,lead_time,note,text,updated_at\n"
        "71,1,2026-03-01T11:00:00Z,keep,5,4.25,so,Fold,2026-03-01T12:00:00Z\n"
    )
    assert decisions(path) == (
        decision(note="so", person="Label Studio user 1", decided_at=NOON, seconds_active=4.25),
    )


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"decision": {"choices": ["keep", "skip"]}}, "has the unknown decision"),
        ({"decision": "remove"}, "removes the task and has no removal reason"),
        ({"decision": "keep", "annotator": None}, "does not say who decided"),
    ],
)
def test_each_fault_of_json_min_is_told(exported, cells, why):
    (fault,) = faults(exported({"text": "Draw"}, MIN | cells))
    assert fault.startswith(f"row 2 of project.json {why}")


# The labeling configuration


def test_the_labeling_configuration_has_the_controls_that_an_export_names():
    root = ElementTree.fromstring(labeling_config(REASONS))
    controls = {one.get("name"): one for one in root if one.get("toName")}
    assert list(controls) == ["decision", "removal_reason", "note"]
    assert {one.get("toName") for one in controls.values()} == {root.find("Text").get("name")}
    assert root.find("Text").get("value") == "$text"
    assert [one.get("value") for one in controls["decision"]] == ["keep", "remove"]
    assert [(one.get("alias"), one.get("value")) for one in controls["removal_reason"]] == list(
        REASONS.items()
    )
    assert controls["removal_reason"].get("whenChoiceValue") == "remove"


def test_codes_stand_for_labels_that_are_not_given():
    assert '<Choice value="unsafe" alias="unsafe"/>' in labeling_config(["unsafe"])
