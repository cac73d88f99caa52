"""Comparisons in the store: tasks are paired once, over the current draws, and nothing is lost."""

import json
from collections.abc import Callable

import pandas as pd
import pytest

from core.errors import ConflictError, InputError
from core.metrics.comparison import COMPARED_METRICS
from core.metrics.comparison_words import comparison_sentence
from core.metrics.joint_cells import JOINT_COLUMNS
from core.records import Reply, Request
from core.taxonomy import FEASIBLE, INFEASIBLE, TYPES
from core.workflows.comparison import compare_all, joint_counts, member_counts, member_names
from core.workflows.curation import decide
from core.workflows.drawing import draw_tasks
from core.workflows.people import person_named
from core.workflows.results import label_counts
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.few_tasks import add_tasks, empty_study
from tests.support.tasks import queue

from .conftest import MODEL, obedient

OTHER = "scripted/other"
LABELS = {"a": ["label_a", "label_reason_a"], "b": ["label_b", "label_reason_b"]}


def always_able(request: Request) -> Reply:
    """As the obedient model, but the other one answers every task it is given."""
    if request.model == OTHER:
        text = json.dumps({"task_class": "feasible", "answer": "Done.", "reason": ""})
        return Reply(text=text, model=OTHER)
    return obedient(request)


def mute_on_feasible(request: Request) -> Reply:
    """As the obedient model, but the other one says nothing that can be read on feasible tasks."""
    if request.model == OTHER and request.context["intent"] == FEASIBLE:
        return Reply(text="I would rather not say.", model=OTHER)
    return obedient(request)


def _classify(bench: Workbench, study: Study, *models: str) -> None:
    for model in models or (None,):
        run = start_step(bench, study, "classify", model=model)
        if run is not None:
            run.wait(20)


def _whole(bench: Workbench, study: Study, *models: str) -> None:
    start_step(bench, study, "generate").wait(20)
    draw_tasks(bench.store, study)
    _classify(bench, study, *models)


def _with_texts(bench: Workbench, name: str, texts: list[str], **options: list[str]) -> Study:
    study = empty_study(bench.store, name)
    add_tasks(bench.store, study, texts, **options)
    draw_tasks(bench.store, study)
    _classify(bench, study)
    return study


def test_two_models_of_one_study_share_all_its_tasks(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(always_able)
    _whole(bench, study, MODEL, OTHER)
    joint = joint_counts(bench.store, (study, MODEL), (study, OTHER))
    assert list(joint.columns) == list(JOINT_COLUMNS)
    assert joint["n"].sum() == 20
    # The subject declines what it invented as infeasible, the other one declines nothing.
    assert set(joint["label_b"]) == {FEASIBLE}
    assert (joint["label_a"] == joint["intent"]).all()
    of_infeasible = joint[joint["intent"] == INFEASIBLE]
    assert (of_infeasible["reason"] == of_infeasible["label_reason_a"]).all()


def test_the_margins_of_the_joint_counts_are_the_counts_of_each(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(always_able)
    _whole(bench, study, MODEL, OTHER)
    joint = joint_counts(bench.store, (study, MODEL), (study, OTHER))
    counts = label_counts(bench.store, [study])
    for side, model in (("a", MODEL), ("b", OTHER)):
        keys = ["type", "intent", "reason", *LABELS[side]]
        margin = joint.groupby(keys, dropna=False)["n"].sum()
        own = (
            counts[counts["model"] == model]
            .groupby(["type", "intent", "reason", "label", "label_reason"], dropna=False)["n"]
            .sum()
        )
        assert sorted(margin.tolist()) == sorted(own.tolist())
        assert margin.sum() == own.sum() == 20


def test_a_member_beside_itself_agrees_on_every_task(bench: Workbench, study: Study) -> None:
    _whole(bench, study)
    joint = joint_counts(bench.store, (study, MODEL), (study, MODEL))
    assert joint["n"].sum() == 20
    assert joint["label_a"].equals(joint["label_b"])
    assert joint["label_reason_a"].equals(joint["label_reason_b"])


def test_changing_the_two_for_one_another_changes_the_columns_only(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(always_able)
    _whole(bench, study, MODEL, OTHER)
    one = joint_counts(bench.store, (study, MODEL), (study, OTHER))
    other = joint_counts(bench.store, (study, OTHER), (study, MODEL))
    back = dict(zip([*LABELS["a"], *LABELS["b"]], [*LABELS["b"], *LABELS["a"]], strict=True))
    turned = other.rename(columns=back)[list(JOINT_COLUMNS)]
    keys = list(JOINT_COLUMNS)
    pd.testing.assert_frame_equal(
        turned.sort_values(keys, ignore_index=True), one.sort_values(keys, ignore_index=True)
    )


def test_a_removed_task_is_not_compared(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(always_able)
    _whole(bench, study, MODEL, OTHER)
    [task] = queue(bench.store, study, n=1)
    ada = person_named(bench.store, "Ada")
    decide(bench.store, study, task.task_id, "remove", person=ada, reason="malformed")
    assert joint_counts(bench.store, (study, MODEL), (study, OTHER))["n"].sum() == 19
    [counts] = member_counts(bench.store, [(study, OTHER)])
    assert counts["n"].sum() == 19


def test_tasks_without_a_usable_reply_are_shared_and_have_no_label(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(mute_on_feasible)
    _whole(bench, study, MODEL, OTHER)
    members = (study, MODEL), (study, OTHER)
    asked = joint_counts(bench.store, *members)
    assert asked.dropna(subset=["label_a", "label_b"])["n"].sum() == 10
    assert asked["n"].sum() == 20
    assert asked.loc[asked["label_b"].isna(), "n"].sum() == 10
    found = compare_all(bench.store, members).set_index("metric")
    # The other one is right on all 10 tasks it could be read on, and on 10 of 20 it was asked.
    assert found.loc["accuracy", ["b", "n_b"]].tolist() == [1, 10]
    assert found.loc["accuracy_of_asked", ["a", "b", "n_b"]].tolist() == [1, 0.5, 20]
    assert found.loc["accuracy", ["no_reply_a", "no_reply_b"]].tolist() == [0, 10]


def test_across_studies_each_copy_of_a_text_is_paired_once(bench: Workbench) -> None:
    one = _with_texts(bench, "One", ["x", "x", "y", "only here"])
    other = _with_texts(bench, "Other", ["y", "x", "x", "x", "only there", "X"])
    joint = joint_counts(bench.store, (one, MODEL), (other, MODEL))
    assert joint["n"].sum() == 3


@pytest.mark.parametrize(
    "options",
    [{"kinds": [TYPES[1].name]}, {"intents": [INFEASIBLE]}],
)
def test_across_studies_a_task_is_the_same_only_with_type_and_intent(
    bench: Workbench, options: dict[str, list[str]]
) -> None:
    one = _with_texts(bench, "One", ["x"])
    other = _with_texts(bench, "Other", ["x"], **options)
    assert joint_counts(bench.store, (one, MODEL), (other, MODEL)).empty


def test_a_copy_that_was_removed_does_not_stand_in_the_way_of_the_next(bench: Workbench) -> None:
    one = _with_texts(bench, "One", ["x", "x"])
    other = _with_texts(bench, "Other", ["x"])
    [first] = queue(bench.store, one, n=1)
    ada = person_named(bench.store, "Ada")
    decide(bench.store, one, first.task_id, "remove", person=ada, reason="duplicate")
    assert joint_counts(bench.store, (one, MODEL), (other, MODEL))["n"].sum() == 1


def test_every_two_members_are_compared_and_corrected_together(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(always_able)
    _whole(bench, study, MODEL, OTHER)
    texts = _with_texts(bench, "Texts", ["x", "y", "z"])
    members = [(study, MODEL), (study, OTHER), (texts, MODEL)]
    found = compare_all(bench.store, members, metrics=["accuracy"])
    assert found[["study_a", "model_a", "study_b", "model_b"]].to_numpy().tolist() == [
        ["Small", MODEL, "Small", OTHER],
        ["Small", MODEL, "Texts", MODEL],
        ["Small", OTHER, "Texts", MODEL],
    ]
    assert found["is_paired"].tolist() == [True, False, False]
    # Two models on the same tasks are never taken for independent: 10 tasks differ, 2 / 2¹¹.
    assert found.loc[0, "p"] == pytest.approx(2**-10)
    assert found.loc[0, "p_adjusted"] == pytest.approx(3 * 2**-10)
    assert comparison_sentence(found.iloc[0].to_dict()).startswith(
        f"{MODEL} on Small and {OTHER} on Small classified the same 20 tasks"
    )


def test_all_metrics_are_compared_by_type_too(
    open_bench: Callable[..., Workbench], bench: Workbench, study: Study
) -> None:
    bench = open_bench(always_able)
    _whole(bench, study, MODEL, OTHER)
    found = compare_all(bench.store, [(study, MODEL), (study, OTHER)], by_type=True)
    assert len(found) == len(COMPARED_METRICS) * (1 + len(TYPES))
    assert found.loc[found["metric"] == "accuracy", "n_a"].tolist() == [20, 4, 4, 4, 4, 4]


def test_a_study_that_nobody_classified_is_compared_without_values(
    bench: Workbench, study: Study
) -> None:
    _whole(bench, study)
    found = compare_all(bench.store, [(study, MODEL), (study, "nobody/yet")])
    assert found["difference"].isna().all()
    assert found["why"].str.contains("for b no task").all()


def test_members_have_the_shortest_names_that_tell_them_apart(
    bench: Workbench, study: Study
) -> None:
    texts = empty_study(bench.store, "Texts")
    assert member_names([(study, MODEL), (texts, MODEL)]) == ["Small", "Texts"]
    assert member_names([(study, MODEL), (study, OTHER)]) == [MODEL, OTHER]
    assert member_names([(study, MODEL), (study, OTHER), (texts, MODEL)])[1] == f"{OTHER} on Small"


def test_what_cannot_be_compared_is_refused(bench: Workbench, study: Study) -> None:
    with pytest.raises(ConflictError, match="scripted/model on Small is there twice"):
        compare_all(bench.store, [(study, MODEL), (study, MODEL)])
    with pytest.raises(ConflictError, match="takes two studies or models, and has 1"):
        compare_all(bench.store, [(study, MODEL)])
    with pytest.raises(InputError, match="there is no metric 'auroc' to compare"):
        compare_all(bench.store, [(study, MODEL), (study, OTHER)], metrics=["auroc"])
