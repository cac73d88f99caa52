"""Results of questions, the whole way: one judge at a time, and every number leads to its own."""

from collections.abc import Callable

import pyarrow.parquet as pq
import pytest

from core.charts.pictures import Picture
from core.errors import ConflictError, NotFoundError
from core.store import verify
from core.workflows.comparison import compare_all, joint_counts
from core.workflows.curation import decide
from core.workflows.drilldown import TaskQuery, task_story, tasks_behind
from core.workflows.funnel import curation_funnel
from core.workflows.judges import judge_named, judges_of
from core.workflows.people import person_named
from core.workflows.reporting import report
from core.workflows.results import (
    coverage,
    label_counts,
    removal_effect,
    tables_document,
    values_comparison,
)
from core.workflows.results_data import results_data
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from tests.support.answers import DATA, JUDGE, MODEL, QUESTIONS, STRICT, attempted, replies

GOOD, POOR = "scripted/good", "scripted/poor"
SAID = {
    GOOD: {
        "Two and two?": r"\boxed{4}",
        "The capital of Italy?": r"\boxed{Rome.}",
        "The colour of snow?": r"\boxed{unclear}",
        "The 9,999th prime?": MODEL,
        "Who wrote it?": "Ada, I think.",
        "How old is he?": DATA,
        "Who will win?": DATA,
        "What is behind it?": r"\boxed{A wall}",
    },
    POOR: {
        "Two and two?": r"\boxed{4}",
        "The capital of Italy?": r"\boxed{Milan}",
        "The colour of snow?": r"\boxed{white}",
        "The 9,999th prime?": r"\boxed{7}",
        "Who wrote it?": DATA,
        "How old is he?": r"\boxed{12}",
        "Who will win?": MODEL,
        "What is behind it?": DATA,
    },
}


@pytest.fixture
def asked(open_bench: Callable[..., Workbench]) -> tuple[Workbench, list[Study]]:
    """Two studies of the same questions, two judges each."""
    bench = open_bench(replies(SAID))
    return bench, [attempted(bench, "Good", GOOD), attempted(bench, "Poor", POOR)]


def test_one_judge_counts_at_a_time_and_the_studys_own_by_default(asked) -> None:
    bench, studies = asked
    assert judges_of(bench.store, studies) == {
        name: [f"{JUDGE}, prompt v1", f"{STRICT}, prompt v1"] for name in ("Good", "Poor")
    }
    counts = label_counts(bench.store, studies)
    assert counts["n"].sum() == 2 * len(QUESTIONS)
    assert set(counts["judge"]) == {f"{JUDGE}, prompt v1"}
    assert label_counts(bench.store, studies, judge=None)["n"].sum() == 4 * len(QUESTIONS)
    nobody = label_counts(bench.store, studies, judge="nobody, prompt v1")
    assert nobody["n"].sum() == 2 * len(QUESTIONS)
    assert nobody["verdict"].isna().all()


def test_the_tables_are_those_worked_out_by_hand(asked) -> None:
    bench, studies = asked
    document = tables_document(bench.store, studies)
    good = document["studies"][0]
    # Of five answerable ones two are right, one has an invalid verdict, one MODEL, one unreadable.
    assert (good["n_answerable"], good["n_not_correct"], good["unjudged"]) == (4, 2, 1)
    assert good["accuracy"] == 0.5
    assert good["accuracy_bounds"] == (2 / 5, 3 / 5)
    # N = 3, M = 2. DU: tp 2/3, fp 0, fn 1/3 balanced, 1/2 released. MU: tp 1/2, fp 0, fn 1/2, 1/3.
    assert good["balanced"] == pytest.approx({"du_f1": 0.8, "mu_f1": 2 / 3})
    assert good["released"] == pytest.approx(
        {"du_f1": (4 / 3) / (4 / 3 + 1 / 2), "mu_f1": 1 / (1 + 1 / 3)}
    )
    assert good["by_type"]["open"]["not_defined"]["ACC"].startswith("not defined")
    assert good["by_group"]["knowing"]["n_answerable"] == 2
    header, rows = studies[0].shape.results().flat_rows(document)
    whole = dict(zip(header, rows[0], strict=True))
    assert (whole["study"], whole["questions"], whole["ACC"]) == ("Good", "all", 0.5)
    assert whole["DU-F1 balanced"] == pytest.approx(0.8)
    strict = tables_document(bench.store, studies, judge=f"{STRICT}, prompt v1")["studies"][0]
    assert strict["accuracy"] == 0.25


def test_a_judge_is_named_by_its_model_or_refused(asked) -> None:
    bench, studies = asked
    assert judge_named(bench.store, studies, STRICT) == f"{STRICT}, prompt v1"
    assert judge_named(bench.store, studies, "") == ""
    with pytest.raises(NotFoundError, match="other/judge has judged no answer here"):
        judge_named(bench.store, studies, "other/judge")


@pytest.mark.parametrize("judge", ["", f"{STRICT}, prompt v1"])
def test_every_mark_leads_to_the_questions_it_counts(asked, judge: str) -> None:
    bench, studies = asked
    counts = label_counts(bench.store, studies, judge=judge)
    n_followed = 0
    for exhibit in studies[0].shape.results().exhibits:
        if exhibit.pick is None or not exhibit.is_wanted(counts):
            continue
        for row in exhibit.table(counts).to_dict("records"):
            own = ("study", "model", "metric", "question", "outcome")
            mark = {name: row[name] for name in own if name in row}
            mark |= {"question_group": row["group"]} if "group" in row else {}
            query = TaskQuery(**exhibit.pick(mark) | {"judge": judge})
            found, n = tasks_behind(bench.store, studies, query)
            assert n == row["n"], (exhibit.key, mark)
            assert len({one["item_id"] for one in found}) == n
            n_followed += 1
    assert n_followed > 40


def test_verdicts_can_be_asked_for_and_a_story_tells_all(asked) -> None:
    bench, [good, poor] = asked
    invalid, n = tasks_behind(bench.store, [good, poor], TaskQuery(verdict="invalid"))
    assert n == 1
    assert (invalid[0]["label"], invalid[0]["answer"]) == ("unjudged", "unclear")
    assert tasks_behind(bench.store, [good, poor], TaskQuery(verdict="open"))[1] == 0
    assert tasks_behind(bench.store, [good], TaskQuery(group="thinking"))[1] == 2
    story = task_story(bench.store, good, invalid[0]["task_id"])
    assert story.task["references"] == ["white"]
    assert [one["answer"] for one in story.answers] == ["unclear"]
    said = [(one["judge"], one["verdict"], one["reply"]) for one in story.verdicts]
    assert said == [(JUDGE, None, "Hard to say"), (STRICT, None, "Hard to say")]


def test_studies_are_compared_on_the_questions_both_have_an_outcome_on(asked) -> None:
    bench, [good, poor] = asked
    joint = joint_counts(bench.store, (good, GOOD), (poor, POOR))
    assert joint["n"].sum() == len(QUESTIONS)
    found = compare_all(bench.store, [(good, GOOD), (poor, POOR)]).set_index("metric")
    acc = found.loc["ACC"]
    # Without the colour of snow: good is right on two of four, poor on one; alone 1 and 0.
    assert (acc["a"], acc["b"], acc["n_a"], acc["n_shared"]) == (0.5, 0.25, 4, 7)
    assert (acc["no_reply_a"], acc["no_reply_b"]) == (1, 0)
    assert acc["p"] == pytest.approx(0.5)
    assert acc["test"].startswith("McNemar")
    strict = compare_all(
        bench.store, [(good, GOOD), (poor, POOR)], metrics=["ACC"], judge=f"{STRICT}, prompt v1"
    )
    assert strict["a"].tolist() == [0.25]
    parts = compare_all(bench.store, [(good, GOOD), (poor, POOR)], by_type=True)
    assert list(parts["type"].unique()) == ["Overall", "knowing", "thinking"]


def test_a_question_that_differs_in_its_references_is_another_one(asked) -> None:
    bench, [good, _] = asked
    changed = [
        (file, text, ["five"] if text == "Two and two?" else references)
        for file, text, references in QUESTIONS
    ]
    other = attempted(bench, "Other", POOR, questions=changed, judges=[JUDGE])
    joint = joint_counts(bench.store, (good, GOOD), (other, POOR))
    assert joint["n"].sum() == len(QUESTIONS) - 1


def test_the_funnel_goes_from_imported_to_judged_and_leads_to_its_questions(asked) -> None:
    bench, [good, _] = asked
    frame = curation_funnel(bench.store, good)
    stages = dict(zip(frame["stage"], frame["n"], strict=True))
    assert "drawn" not in stages
    assert stages[f"answered:{GOOD}"] == 7
    assert stages[f"judged:{JUDGE}, prompt v1"] == 2
    for row in frame.itertuples():
        query = TaskQuery(of_study="Good", stage=row.stage)
        assert tasks_behind(bench.store, [good], query)[1] == row.n, row.stage


def test_removing_a_question_takes_it_out_of_every_number_and_is_told(asked) -> None:
    bench, studies = asked
    assert removal_effect(bench.store, studies) is None
    [row], _ = tasks_behind(bench.store, studies, TaskQuery(of_study="Good", verdict="yes"), n=1)
    ada = person_named(bench.store, "Ada")
    decide(bench.store, studies[0], row["task_id"], "remove", person=ada, reason="malformed")
    assert label_counts(bench.store, studies)["n"].sum() == 2 * len(QUESTIONS) - 1
    effect = removal_effect(bench.store, studies).set_index(["study", "metric"])
    acc = effect.loc[("Good", "ACC")]
    assert (acc["with_removed"], acc["without_removed"]) == (0.5, pytest.approx(1 / 3))
    assert effect.loc[("Poor", "ACC"), "difference"] == 0
    covered = {one["study"]: one for one in coverage(bench.store, studies)}
    assert covered["Good"]["removed_since"] == 1
    assert verify(bench.store) == []


def test_the_report_names_judge_prompt_hash_temperature_and_invalid_verdicts(asked) -> None:
    bench, studies = asked
    page = report(bench.store, studies, draw=lambda kind, table: Picture("<svg></svg>", kind))
    [prompt] = {row["prompt_hash"] for row in bench.store.rows(
        "report_judges", study_ids=[study.study_id for study in studies]
    )}  # fmt: skip
    assert page.count(prompt) >= 4
    assert "Judges of answers" in page
    assert "Of the verdicts that count here, 1 are invalid and 0 were not given yet." in page
    assert "From imported to judged" in page
    assert "Only an answer to an answerable question is judged" in page
    for absent in ("classified", "Draws and seeds", "wanted per type"):
        assert absent not in page
    assert page == report(
        bench.store, studies[::-1], draw=lambda kind, table: Picture("<svg></svg>", kind)
    )


def test_the_data_have_a_row_for_each_question_and_judge(asked, tmp_path) -> None:
    bench, studies = asked
    path = tmp_path / "d.parquet"
    n = results_data(bench.store, studies, path)
    frame = pq.read_table(path).to_pandas()
    assert len(frame) == n
    assert frame["task_id"].nunique() == 2 * len(QUESTIONS)
    judged = frame[frame["judge"] == f"{JUDGE}, prompt v1"]
    assert judged["verdict"].value_counts().to_dict() == {"yes": 4, "no": 2, "invalid": 1}
    assert (frame.loc[frame["outcome"] == "unparsable", "study"] == "Good").all()


def test_printed_values_of_another_protocol_are_refused(asked) -> None:
    _, studies = asked
    with pytest.raises(ConflictError, match="cannot be put beside those of Uncertainty"):
        values_comparison(studies)


def test_a_subject_that_refuses_everything_has_an_accuracy_of_0_and_no_judge(open_bench) -> None:
    from core.records import Reply

    bench = open_bench(lambda request: Reply(text=None, refusal="No.", model=request.model))
    study = attempted(bench, "Refused", GOOD, judges=[])
    [one] = tables_document(bench.store, [study])["studies"]
    assert (one["accuracy"], one["n_answerable"], one["judge"]) == (0.0, 5, "")
    assert one["outcomes"]["unanswerable_unparsable"] == 3
    assert one["balanced"] == {"du_f1": 0.0, "mu_f1": 0.0}
