"""Label Studio's import: the items we write for it, and the controls of its configuration."""

from xml.etree import ElementTree

from core.exchange.label_studio import labeling_config
from tests.support.decided_files import NOON, task
from tests.support.label_studio import REASONS, decision, items_written


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
