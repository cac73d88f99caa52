"""Label Studio's exports: each annotation is read as a decision, and each fault is told."""

import pytest

from core.errors import InputError
from core.exchange.decided_tasks import DecidedTaskRow
from core.exchange.rejects import write_reject_file
from core.exchange.row_file import raise_for_bad_rows
from tests.support.decided_files import NOON
from tests.support.label_studio import (
    annotation,
    choice,
    decision,
    decisions,
    faults,
    note,
    read,
)


@pytest.fixture
def annotated(exported):
    """Writes one task with these annotations, and returns the file's path."""

    def write(*annotations, **other):
        return exported({"id": 1, "data": {"text": "Fold"}, "annotations": annotations} | other)

    return write


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
