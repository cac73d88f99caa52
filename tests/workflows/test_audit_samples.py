"""Samples of verdicts: seeded, frozen, weighed, and of valid verdicts only."""

from collections import Counter

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.store.store import Store
from core.store.verify import verify
from core.workflows.audit_desk import next_item
from core.workflows.audit_samples import (
    DrawnAudit,
    draw_audit,
    hundred_of_three,
)
from core.workflows.audit_supply import strata_on_offer, units_with_verdicts
from core.workflows.audit_votes import vote
from core.workflows.audits import AuditableJudge, auditable_judges, find_audit, find_judge
from core.workflows.curation import decide
from core.workflows.judges import judges_of
from core.workflows.people import Person
from core.workflows.studies import Study
from tests.support.few_tasks import add_tasks
from tests.support.judged import JUDGE, SUBJECT, answer, asked_study, judge
from tests.support.tasks import queue

OTHERS = ("other/one", "other/two")


def _mostly_yes(row: dict) -> str | None:
    """Of every 20 questions: one reply that says nothing, four No, fifteen Yes."""
    place = row["position"] % 20
    return None if place == 0 else "no" if place <= 4 else "yes"


@pytest.fixture
def asked(store: Store) -> Study:
    """200 questions, answered by three models."""
    study = asked_study(store, 200)
    for model in (SUBJECT, *OTHERS):
        answer(store, study, model)
    return study


@pytest.fixture
def one_judge(store: Store, asked: Study) -> AuditableJudge:
    """The judge of their 600 answers: 450 yes, 120 no, 30 invalid."""
    return judge(store, asked, verdict=_mostly_yes)


@pytest.fixture
def draw(store: Store, asked: Study, one_judge: AuditableJudge, ada: Person):
    """A function that draws a sample of the judge's verdicts and gives it with its rows."""

    def draw_one(method: str, n: int, **options: object) -> tuple[DrawnAudit, list[dict]]:
        of = options.pop("of", one_judge)
        drawn = draw_audit(
            store,
            asked,
            "judge",
            judge=of.judge,
            prompt_hash=of.prompt_hash,
            method=method,
            n=n,
            person=ada,
            **options,
        )
        return drawn, _rows(store, asked, drawn)

    return draw_one


def _rows(store: Store, study: Study, drawn: DrawnAudit) -> list[dict]:
    rows = store.rows("export_audits", study_id=study.study_id)
    return [row for row in rows if row["audit_id"] == drawn.audit_id]


def test_what_can_be_audited_is_counted_with_what_cannot(
    store: Store, asked: Study, one_judge: AuditableJudge, ada: Person
) -> None:
    assert (one_judge.n_yes, one_judge.n_no, one_judge.n_invalid) == (450, 120, 30)
    assert one_judge.title == f"{JUDGE}, prompt v1"
    # A task that people removed is no part of what the results count, so of no audit either.
    decide(
        store, asked, queue(store, asked, n=2)[1].task_id, "remove", person=ada, reason="malformed"
    )
    [left] = auditable_judges(store, asked)
    assert (left.n_valid, left.n_invalid) == (567, 30)


def test_a_random_sample_is_the_same_for_its_seed_and_another_for_another(draw, store) -> None:
    first, rows = draw("random", 60, seed=1)
    assert len(rows) == len({row["item_id"] for row in rows}) == first.n_items == 60
    assert [row["position"] for row in rows] == list(range(60))
    assert {row["weight"] for row in rows} == {570 / 60}
    again, _ = draw("random", 60, seed=1)
    assert (again.audit_id, again.is_new) == (first.audit_id, False)
    other, other_rows = draw("random", 60, seed=2)
    assert other.is_new
    assert {row["item_id"] for row in other_rows} != {row["item_id"] for row in rows}
    assert verify(store) == []


def test_a_sample_stays_as_it_was_drawn_when_more_is_judged(draw, store, asked) -> None:
    drawn, before = draw("random", 30)
    answer(store, asked, "late/model")
    judge(store, asked, verdict=_mostly_yes)
    assert _rows(store, asked, drawn) == before
    later, _ = draw("random", 30)
    assert later.audit_id != drawn.audit_id


def test_one_seed_leads_to_the_same_answers_whichever_judge_is_audited(draw, store, asked) -> None:
    _, rows = draw("random", 40, seed=5)
    second = judge(store, asked, "scripted/second", verdict=lambda row: "no")
    _, others = draw("random", 40, seed=5, of=second)
    # The second judge has valid verdicts on 30 answers more, which may take some places.
    shared = {row["answer_item"] for row in rows} & {row["answer_item"] for row in others}
    assert len(shared) >= 30
    assert not {row["item_id"] for row in rows} & {row["item_id"] for row in others}


def test_strata_weigh_what_they_stand_for(draw, store, asked) -> None:
    drawn, rows = draw("stratified", 100)
    by_stratum = {(row["stratum"], row["weight"]) for row in rows}
    # 450 yes and 120 no, 50 drawn of each: 450 / 50 = 9 and 120 / 50 = 2.4.
    assert by_stratum == {("yes", 9.0), ("no", 2.4)}
    assert all(row["stratum"] == row["verdict"] for row in rows)
    settings = find_audit(store, asked, drawn.audit_id).settings
    assert settings["strata"] == {
        "no": {"size": 120, "drawn": 50},
        "yes": {"size": 450, "drawn": 50},
    }
    assert settings["representative"] is True


def test_finer_strata_in_proportion_add_up_to_all_verdicts(draw) -> None:
    _, rows = draw("stratified", 38, by=("verdict", "type"), allocation="proportional")
    counts = Counter(row["stratum"] for row in rows)
    # Each file has 225 yes and 60 no; a 15th of each is 15 and 4.
    assert counts == {"yes · odd": 15, "no · odd": 4, "yes · even": 15, "no · even": 4}
    assert sum(row["weight"] for row in rows) == pytest.approx(570)


def test_disagreements_of_judges_come_first_and_speak_for_nothing_else(draw, store, asked) -> None:
    def unlike(row: dict) -> str | None:
        # Says otherwise on the questions 10 and 30, of three models: six answers.
        return "no" if row["position"] in (10, 30) else _mostly_yes(row)

    judge(store, asked, "scripted/second", verdict=unlike)
    drawn, rows = draw("disagreement", 20)
    strata = Counter(row["stratum"] for row in rows)
    assert strata == {"disagreement": 6, "fill": 14}
    tasks = {row["task_id"] for row in rows if row["stratum"] == "disagreement"}
    questions = queue(store, asked, n=31)
    assert tasks == {questions[10].task_id, questions[30].task_id}
    assert {row["weight"] for row in rows} == {1.0}
    settings = find_audit(store, asked, drawn.audit_id).settings
    assert (settings["representative"], settings["n_disagreements"]) == (False, 6)
    # Shown one after the other as drawn, the first six would give themselves away.
    places = [row["position"] for row in rows if row["stratum"] == "disagreement"]
    assert places != list(range(6))


def test_what_an_auditor_said_otherwise_is_a_disagreement_too(
    draw, store, asked, one_judge, ada
) -> None:
    drawn, rows = draw("random", 10)
    audit = find_audit(store, asked, drawn.audit_id)
    verdicts = {row["item_id"]: row["verdict"] for row in rows}
    for said_otherwise in [True, True, True, *[False] * 7]:
        item_id = next_item(store, asked, audit, ada).item_id
        wrong = {"yes": "no", "no": "yes"}[verdicts[item_id]]
        said = wrong if said_otherwise else verdicts[item_id]
        vote(store, asked, audit, ada, item_id, said)
    _, second = draw("disagreement", 5)
    assert Counter(row["stratum"] for row in second) == {"disagreement": 3, "fill": 2}


def test_a_cell_holds_the_answers_behind_it_and_no_others(draw, store, asked, one_judge) -> None:
    rows = store.rows("export_items", study_id=asked.study_id)
    units = [row["item_id"] for row in rows if row["step"] == "attempt" and row["position"] < 3]
    # Questions 0, 1 and 2 of three models; of question 0 no verdict could be read.
    assert len(units_with_verdicts(store, asked, one_judge, units)) == 6
    drawn, cell = draw("cell", 100, units=units)
    assert {row["answer_item"] for row in cell} < set(units)
    assert drawn.n_items == 6
    assert find_audit(store, asked, drawn.audit_id).settings["representative"] is False
    with pytest.raises(InputError, match="no valid verdicts on these answers"):
        draw("cell", 100, units=["nothing"])


def test_the_preset_takes_a_hundred_answers_of_three_models_evenly(
    store, asked, one_judge, ada
) -> None:
    answer(store, asked, "fourth/model")
    # The fourth model has fewer verdicts than the three.
    judge(store, asked, verdict=lambda row: "yes" if row["position"] > 100 else None)
    drawn = hundred_of_three(store, asked, one_judge, seed=4, person=ada)
    rows = _rows(store, asked, drawn)
    assert drawn.name == "100 answers of 3 models, seed 4"
    assert sorted(Counter(row["stratum"] for row in rows).values()) == [33, 33, 34]
    assert "fourth/model" not in {row["stratum"] for row in rows}
    # Drawn from three of four models, it does not speak for the judge's verdicts on the fourth.
    assert find_audit(store, asked, drawn.audit_id).settings["representative"] is False


def test_the_preset_takes_what_there_is(store, ada) -> None:
    study = asked_study(store, 12)
    answer(store, study)
    found = judge(store, study, verdict=lambda row: "yes")
    drawn = hundred_of_three(store, study, found, person=ada)
    assert drawn.n_items == 12
    assert find_audit(store, study, drawn.audit_id).settings["representative"] is True


def test_a_screening_judge_is_audited_with_the_tasks_people_removed_since(
    store: Store, study: Study, ada: Person
) -> None:
    tasks = add_tasks(store, study, [f"Task {n}" for n in range(6)])
    found = judge(
        store,
        study,
        step="screen",
        verdict=lambda row: "malformed" if row["position"] < 2 else "sound",
    )
    assert (found.n_yes, found.n_no) == (2, 4)
    decide(store, study, tasks[0], "remove", person=ada, reason="malformed")
    assert find_judge(store, study, "screen").n_yes == 2
    assert strata_on_offer(store, study, found) == ["verdict"]
    drawn = draw_audit(
        store,
        study,
        "screen",
        judge=JUDGE,
        prompt_hash=found.prompt_hash,
        method="stratified",
        n=4,
        person=ada,
    )
    rows = _rows(store, study, drawn)
    assert Counter(row["verdict"] for row in rows) == {"yes": 2, "no": 2}
    assert {row["answer_item"] for row in rows} == {""}


def test_strata_on_offer_are_those_that_differ(store, asked, one_judge) -> None:
    assert strata_on_offer(store, asked, one_judge) == ["verdict", "type", "subject"]


@pytest.mark.parametrize(
    ("method", "n", "options", "said"),
    [
        ("guess", 5, {}, "the method 'guess' is not known"),
        ("random", 0, {}, "a sample cannot have 0 verdicts"),
        ("random", 571, {}, "571 verdicts were asked for, and there are 570 valid ones"),
        ("stratified", 5, {"by": ("mood",)}, "strata cannot be made by 'mood'"),
        ("stratified", 5, {"by": ()}, "no strata were named"),
        ("stratified", 1, {}, "1 verdicts cannot stand for 2 strata"),
        ("stratified", 9, {"allocation": "fair"}, "the allocation 'fair' is not known"),
        ("random", 5, {"subjects": ["nobody"]}, "gave no valid verdicts"),
        ("random", 5, {"name": "x" * 81}, "has 81 characters"),
        ("random", 5, {"seed": 2**60}, "the seed is"),
    ],
)
def test_bad_input_is_told_in_one_sentence_and_changes_nothing(
    draw, store, asked, method, n, options, said
) -> None:
    with pytest.raises(InputError) as caught:
        draw(method, n, **options)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    assert store.rows("audit_names", study_id=asked.study_id) == []


def test_names_are_told_apart(draw) -> None:
    draw("random", 5, name="Mine")
    with pytest.raises(ConflictError, match="named 'Mine' already"):
        draw("random", 6, name="Mine")
    first, _ = draw("random", 7)
    assert first.name == "7 random, seed 0"


def test_without_a_name_it_is_the_judge_that_the_results_go_by(store, asked, one_judge) -> None:
    # By name and by number of verdicts the other one would come first.
    judge(store, asked, "scripted/busy", verdict=lambda row: "yes")
    assert judges_of(store, [asked])["Asked"][0] == one_judge.title
    assert find_judge(store, asked, "judge") == one_judge


def test_of_two_versions_of_a_judge_the_newest_with_verdicts_is_meant(store, study) -> None:
    add_tasks(store, study, [f"Task {n}" for n in range(3)])
    first = judge(store, study, step="screen", version=1, verdict=lambda row: "sound")
    second = judge(store, study, step="screen", version=2, verdict=lambda row: "sound")
    assert (first.version, second.version) == (1, 2)
    assert find_judge(store, study, "screen", judge=JUDGE) == second
    assert find_judge(store, study, "screen", judge=JUDGE, version=1) == first
    assert find_judge(store, study, "screen", judge=first.title) == first


def test_a_judge_is_found_by_what_is_known_of_it(store, asked, one_judge) -> None:
    assert find_judge(store, asked, "judge") == one_judge
    second = judge(store, asked, "scripted/second", verdict=_mostly_yes)
    assert find_judge(store, asked, "judge", judge=JUDGE) == one_judge
    for name in (second.judge, second.title):
        assert find_judge(store, asked, "judge", judge=name) == second
    with pytest.raises(NotFoundError, match="no judge 'nobody'"):
        find_judge(store, asked, "judge", judge="nobody")
    with pytest.raises(InputError, match="attempt gives no verdicts"):
        find_judge(store, asked, "attempt")
