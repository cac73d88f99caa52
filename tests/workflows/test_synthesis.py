"""Rewriting and verifying in turns, until every problem is settled and none is paid for twice."""

import asyncio
import json
import shutil
import time
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from core.errors import ConflictError, InputError
from core.prompts import load_prompt, prompt_versions
from core.records import Reply, Request
from core.settings import PROMPTS_DIR
from core.store import verify
from core.workflows.estimates import owed_calls
from core.workflows.rewrite_plans import Shares, plan_rewrites, rewrites_to_plan
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from core.workflows.synthesis import synthesis_document, synthesis_steps, synthesize
from tests.support.questions import add_questions
from tests.support.rewriting import HALF, JUDGE, REWRITER, make_study, watch


def rewriter(request: Request) -> str:
    """A rewrite that names its part, its problem's place and which attempt it is."""
    n = sum(one.context["position"] == request.context["position"] for one in asked(request))
    text = f"{request.context['type']} {request.context['position']}, attempt {n}"
    return json.dumps({"problem": text})


def asked(_request: Request) -> list[Request]:
    return [one for one in SEEN if one.model == REWRITER]


SEEN: list[Request] = []


def obedient(request: Request) -> Reply:
    """Rewrites as told; the judge believes what a rewrite says of itself."""
    SEEN.append(request)
    if request.model == REWRITER:
        return Reply(text=rewriter(request), model=REWRITER)
    is_difficult = "\ndifficult" in request.messages[-1].content
    return Reply(text="Yes" if is_difficult else "No", model=JUDGE)


@pytest.fixture(autouse=True)
def forget() -> None:
    SEEN.clear()


def test_every_problem_gets_one_part_and_at_most_one_rewrite(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench)
    assert synthesize(bench, study, watch=watch, shares=HALF)
    document = synthesis_document(bench.store, study)
    assert document["settled"]
    assert document["shares"] == {"insufficient": 0.3, "difficult": 0.2}
    problems = document["problems"]
    assert problems["n"] == 10
    assert (problems["original"]["kept"], problems["insufficient"]["accepted"]) == (5, 3)
    assert problems["difficult"]["accepted"] == 2
    calls = Counter(request.model for request in SEEN)
    assert calls == {REWRITER: 5, JUDGE: 5}
    rows = bench.store.rows("training_rows", study_id=study.study_id)
    assert Counter(row["part"] for row in rows) == {
        "original": 5,
        "insufficient": 3,
        "difficult": 2,
    }
    assert len({row["original_id"] for row in rows}) == 10
    for row in rows:
        is_rewrite = row["part"] != "original"
        assert (row["made_from"] == row["original_id"]) == is_rewrite
        assert (row["references_json"] is None) == is_rewrite
    assert verify(bench.store) == []


def test_the_rewriter_sees_the_answer_and_the_judge_sees_the_rewrite_alone(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench, n=1)
    add_questions(bench.store, study, [("How long is it?", None)])
    synthesize(bench, study, watch=watch, shares=Shares(0, 1))
    told, judged = (request.messages[-1].content for request in SEEN)
    assert "Problem 0?" in told and "\n0\n" in told
    assert "difficult 0, attempt 1" in judged and "Problem 0?" not in judged
    assert [request.parameters["temperature"] for request in SEEN] == [1.0, 0.0]
    assert synthesis_document(bench.store, study)["not_usable"] == 1


def test_a_second_version_of_the_judges_prompt_is_asked_about_every_rewrite(
    open_bench, monkeypatch, tmp_path
) -> None:
    root = tmp_path / "prompts"
    shutil.copytree(PROMPTS_DIR, root)
    for name, read in (("load_prompt", load_prompt), ("prompt_versions", prompt_versions)):
        monkeypatch.setattr(f"core.workflows.planned_rows.{name}", partial(read, root=root))
    first = root / "training_data/judge/vanilla/verify.v1.md"
    newer = first.read_text(encoding="utf-8").replace("# system\n", "# system\nNewer. ")
    first.with_name("verify.v2.md").write_text(newer, encoding="utf-8")
    bench = open_bench(obedient)
    study = make_study(bench)
    plan_rewrites(bench.store, study, study.shape.step("rewrite"), HALF)
    start_step(bench, study, "rewrite").wait(30)
    for version in (1, 2, 1, 2):
        run = start_step(bench, study, "verify-rewrites", judge_version=version)
        assert run is None or run.wait(30)
    told = Counter(
        request.messages[0].content.startswith("Newer")
        for request in SEEN
        if request.model == JUDGE
    )
    assert told == {False: 5, True: 5}
    assert owed_calls(bench, study, study.shape.step("verify-rewrites"), JUDGE) == 0
    problems = synthesis_document(bench.store, study)["problems"]
    assert (problems["insufficient"]["accepted"], problems["difficult"]["accepted"]) == (3, 2)
    assert verify(bench.store) == []


def test_a_rewrite_that_fails_is_made_anew_and_the_fifth_failure_drops_the_problem(
    open_bench,
) -> None:
    def stubborn(request: Request) -> Reply:
        SEEN.append(request)
        if request.model == JUDGE:
            # The judge finds every rewrite solvable: right for difficult ones only.
            return Reply(text="Yes", model=JUDGE)
        return Reply(text=rewriter(request), model=REWRITER)

    bench = open_bench(stubborn)
    study = make_study(bench)
    synthesize(bench, study, watch=watch, shares=HALF, rounds=50)
    document = synthesis_document(bench.store, study)
    insufficient = document["problems"]["insufficient"]
    assert (insufficient["n"], insufficient["dropped"]) == (3, 3)
    assert insufficient["dropped_why"]["judged_otherwise"] == 3
    assert document["problems"]["difficult"]["accepted"] == 2
    assert document["attempts"]["insufficient"]["judged_otherwise"] == 15
    assert document["settled"]
    seeds = [
        (one.context["position"], one.parameters["seed"]) for one in SEEN if one.model == REWRITER
    ]
    assert len(set(seeds)) == len(seeds) == 17
    n = len(SEEN)
    synthesize(bench, study, watch=watch)
    assert len(SEEN) == n
    assert len(bench.store.rows("training_rows", study_id=study.study_id)) == 7


def test_every_way_to_fail_is_counted_and_the_sums_are_closed(open_bench) -> None:
    """Attempts 1 to 4 fail, each in its way; the fifth is accepted."""

    def clumsy(request: Request) -> Reply:
        SEEN.append(request)
        if request.model == JUDGE:
            text = request.messages[-1].content
            verdict = "Perhaps" if "attempt 3" in text else "Yes" if "attempt 4" in text else "No"
            return Reply(text=verdict, model=JUDGE)
        n = len(asked(request))
        text = {1: "I would rather not.", 2: '{"problem": " problem  0? "}'}
        return Reply(text=text.get(n, rewriter(request)), model=REWRITER)

    bench = open_bench(clumsy)
    study = make_study(bench, n=1)
    synthesize(bench, study, watch=watch, shares=Shares(1, 0))
    document = synthesis_document(bench.store, study)
    assert document["problems"]["insufficient"]["accepted"] == 1
    assert document["attempts"]["insufficient"] == {
        "n": 5,
        "verified": 1,
        "unreadable": 1,
        "unchanged": 1,
        "judged_otherwise": 1,
        "no_verdict": 1,
        "removed": 0,
        "waiting": 0,
    }
    # What did not change is put before no judge.
    assert sum(one.model == JUDGE for one in SEEN) == 3
    (row,) = bench.store.rows("training_rows", study_id=study.study_id)
    assert row["text"] == "insufficient 0, attempt 5"


def test_a_synthesis_that_was_cut_off_goes_on_and_pays_nothing_twice(open_bench) -> None:
    async def slow(_request: Request) -> None:
        await asyncio.sleep(0.05)

    bench = open_bench(obedient, latency=slow)
    study = make_study(bench, n=20)
    rewrite, verifying = synthesis_steps(study)
    run = start_step(bench, study, "rewrite", concurrency=1)
    while len(SEEN) < 3:
        time.sleep(0.01)
    run.stop(grace_s=0)
    assert run.wait(20).state == "ended"
    answered = bench.store.value("n_rewrites", study_id=study.study_id)
    assert 1 < answered < 6
    bench = open_bench(obedient)
    assert owed_calls(bench, study, rewrite, REWRITER) == 6 - answered
    n_before = len(SEEN)
    synthesize(bench, study, watch=watch)
    assert len(SEEN) - n_before == (6 - answered) + 6
    assert owed_calls(bench, study, verifying, JUDGE) == 0
    assert synthesis_document(bench.store, study)["settled"]
    assert verify(bench.store) == []


def test_steps_from_a_screen_go_on_with_the_shares_that_were_chosen(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench)
    synthesize(bench, study, watch=watch, shares=Shares(0.5, 0))
    assert start_step(bench, study, "rewrite") is None
    add_questions(bench.store, study, [(f"More {i}?", ["1"]) for i in range(4)], file="more")
    run = start_step(bench, study, "rewrite")
    assert run.wait(20)
    document = synthesis_document(bench.store, study)
    assert document["problems"]["insufficient"]["n"] == 7
    assert document["problems"]["difficult"]["n"] == 0
    assert not document["settled"]


def test_the_parts_follow_the_seed_and_every_group_gets_its_share(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench, n=0)
    for group in ("easy", "odd"):
        questions = [(f"{group} {i}?", ["1"]) for i in range(20)]
        add_questions(bench.store, study, questions, file=group, group=group)

    def parts(seed: int) -> dict[str, str]:
        wanted = rewrites_to_plan(bench.store, replace(study, seed=seed), Shares(0.25, 0.1))
        return {one["text"]: one["context"]["type"] for one in wanted}

    assert parts(1) == parts(1) != parts(2)
    by_group = Counter((text.split()[0], part) for text, part in parts(1).items())
    assert by_group == {
        (group, part): n
        for group in ("easy", "odd")
        for part, n in (("insufficient", 5), ("difficult", 2))
    }


def test_the_judge_is_never_the_rewriter(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench, judge=None)
    with pytest.raises(InputError, match="subject"):
        synthesize(bench, study, watch=watch, judge="other/rewriter")
    with pytest.raises(InputError, match="needs a judge"):
        synthesize(bench, study, watch=watch)
    assert not SEEN


def test_shares_that_cannot_be_are_refused_and_so_is_a_study_without_problems(open_bench) -> None:
    bench = open_bench(obedient)
    study = make_study(bench, n=0)
    with pytest.raises(InputError, match=r"add up to 1\.2"):
        Shares(0.6, 0.6)
    with pytest.raises(InputError, match=r"-0\.1"):
        Shares(-0.1, 0.6)
    with pytest.raises(ConflictError, match="reference answers"):
        synthesize(bench, study, watch=watch)
    other = create_study(
        bench.store, "Other", protocol="uncertainty_attribution", subject=REWRITER, judge=JUDGE
    )
    with pytest.raises(ConflictError, match="rewrites"):
        synthesize(bench, other, watch=watch)
