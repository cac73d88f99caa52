"""Results: counted over the current draw, without what people removed, and plain when empty."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from core.errors import ConflictError, NotFoundError
from core.workflows.drawing import draw_tasks
from core.workflows.results import (
    common_protocol,
    coverage,
    label_counts,
    printed_comparison,
    removal_effect,
    tables_document,
)
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.tasks import remove_one

from .conftest import MODEL


def _classified(bench: Workbench, study: Study, *, model: str | None = None) -> Study:
    for step in ("generate", "classify"):
        if step == "classify":
            draw_tasks(bench.store, study)
        run = start_step(bench, study, step, model=model if step == "classify" else None)
        if run is not None:
            run.wait(20)
    return study


def test_a_task_removed_after_it_was_classified_leaves_the_counts(
    bench: Workbench, study: Study
) -> None:
    _classified(bench, study)
    before = label_counts(bench.store, [study])
    intent = remove_one(bench.store, study).intent
    after = label_counts(bench.store, [study])
    assert (before["n"].sum(), after["n"].sum()) == (20, 19)
    of_intent = [frame.loc[frame["intent"] == intent, "n"].sum() for frame in (before, after)]
    assert of_intent == [10, 9]


def test_the_coverage_of_a_study_adds_up_to_what_was_planned(
    bench: Workbench, study: Study
) -> None:
    _classified(bench, study)
    remove_one(bench.store, study)
    _classified(bench, study, model="scripted/other")
    parts = ("removed_since", "read", "unread", "open")
    found = {row["model"]: row for row in coverage(bench.store, [study])}
    for row in found.values():
        assert row["planned"] == sum(row[part] for part in parts)
    # The second draw is made after the removal, so it holds 19 tasks; the subject's answers to them
    # count on.
    assert {model: row["read"] for model, row in found.items()} == {MODEL: 19, "scripted/other": 19}


def test_each_model_that_classified_a_study_has_its_own_entry_the_subject_first(
    bench: Workbench, study: Study
) -> None:
    _classified(bench, study)
    _classified(bench, study, model="a/other")
    entries = tables_document(bench.store, [study])["studies"]
    assert [(one["subject"], one["model"]) for one in entries] == [
        (MODEL, MODEL),
        (MODEL, "a/other"),
    ]
    assert [sum(one["cells"].values()) for one in entries] == [20, 20]


def test_studies_of_one_subject_are_pooled_and_those_of_another_are_not(
    bench: Workbench, study: Study
) -> None:
    options = {"protocol": "feasibility_boundary", "per_type": 1}
    second = create_study(
        bench.store, "Second", subject=MODEL, prompt_set="challenge_qap", **options
    )
    third = create_study(bench.store, "Third", subject="scripted/third", **options)
    for one in (study, second, third):
        _classified(bench, one)
    document = tables_document(bench.store, [study, second, third])
    assert [one["study"] for one in document["studies"]] == ["Second", "Small", "Third"]
    pooled = {one["subject"]: one for one in document["pooled"]}
    assert pooled[MODEL]["studies"] == ["Second", "Small"]
    assert sum(pooled[MODEL]["cells"].values()) == 30
    assert pooled["scripted/third"]["studies"] == ["Third"]


def test_a_study_without_classified_tasks_says_so(bench: Workbench, study: Study) -> None:
    for advance in (lambda: None, lambda: start_step(bench, study, "generate").wait(20)):
        advance()
        with pytest.raises(ConflictError, match="there are no classified tasks in Small"):
            tables_document(bench.store, [study])
    assert coverage(bench.store, [study]) == []


def test_studies_of_two_protocols_are_not_put_into_one_table(
    bench: Workbench, study: Study
) -> None:
    with pytest.raises(NotFoundError, match="no protocol named 'other'"):
        common_protocol([study, replace(study, protocol="other")])
    with pytest.raises(ConflictError, match="the studies follow 0 protocols"):
        common_protocol([])


def test_a_subject_that_was_not_printed_has_nothing_to_be_compared_with(
    bench: Workbench, study: Study
) -> None:
    _classified(bench, study)
    found = printed_comparison(study.shape, label_counts(bench.store, [study]))
    assert found is None or found.empty


def test_removed_tasks_are_counted_where_they_are_asked_for(bench: Workbench, study: Study) -> None:
    _classified(bench, study)
    before = label_counts(bench.store, [study])
    remove_one(bench.store, study)
    after = label_counts(bench.store, [study], with_removed=True)
    assert after.equals(before)


def test_what_curation_changed_is_told_once_a_removed_task_has_a_reply(
    bench: Workbench, study: Study
) -> None:
    start_step(bench, study, "generate").wait(20)
    remove_one(bench.store, study)
    draw_tasks(bench.store, study, with_removed=True)
    assert removal_effect(bench.store, [study]) is None
    start_step(bench, study, "classify").wait(20)
    counts = label_counts(bench.store, [study])
    found = removal_effect(bench.store, [study])
    accuracy = found[(found["type"] == "Overall") & (found["metric"] == "accuracy")].iloc[0]
    assert (accuracy["n_without"], accuracy["n_with"]) == (counts["n"].sum(), 20) == (19, 20)


def test_what_curation_changed_is_told_of_the_chosen_models_alone(
    bench: Workbench, study: Study
) -> None:
    start_step(bench, study, "generate").wait(20)
    remove_one(bench.store, study)
    draw_tasks(bench.store, study, with_removed=True)
    for model in (MODEL, "a/other"):
        start_step(bench, study, "classify", model=model).wait(20)
    every = removal_effect(bench.store, [study])
    found = removal_effect(bench.store, [study], models=["a/other"])
    assert set(every["model"]) == {MODEL, "a/other"}
    pd.testing.assert_frame_equal(
        found, every[every["model"] == "a/other"].reset_index(drop=True), check_dtype=False
    )
    accuracy = found[(found["type"] == "Overall") & (found["metric"] == "accuracy")]
    assert accuracy[["n_without", "n_with"]].to_numpy().tolist() == [[19, 20]]
    assert removal_effect(bench.store, [study], models=["nobody/here"]) is None


def test_the_document_of_the_tables_also_tells_funnel_and_removal_as_json_can(
    bench: Workbench, study: Study
) -> None:
    _classified(bench, study)
    untouched = tables_document(bench.store, [study])
    assert untouched["removal_effect"] == []
    assert untouched["funnel"][0]["study"] == "Small"
    assert untouched["funnel"][0]["stages"]["drawn"] == 20
    for _ in range(2):
        remove_one(bench.store, study)
    document = tables_document(bench.store, [study])
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["funnel"][0]["stages"]["removed:malformed"] == 2
    first = document["removal_effect"][0]
    assert (first["metric"], first["n_without"], first["n_with"]) == ("accuracy", 18, 20)
    # The tables themselves leave the removed tasks out, as before.
    assert sum(document["studies"][0]["cells"].values()) == 18
