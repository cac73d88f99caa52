"""Contracts: which are drawn, what is said in the conversation, and how trials end."""

from pathlib import Path

import pytest

from core.errors import ConflictError
from core.records import Reply, Request
from core.store import verify
from core.workflows.contract_draw import draw_contracts, filled_trials
from core.workflows.contract_plans import contract_progress, plan_contracts
from core.workflows.steps import start_step
from tests.support.code_tasks import SUBJECT, task_name
from tests.support.contracts import offer, settled_study

SOLVED, FAILED = ("sa", "sb", "sc"), ("fa", "fb", "fc")


def _drawn(bench, study) -> list[dict]:
    return bench.store.rows("contracts_of", study_id=study.study_id, model=SUBJECT)


def _run(bench, study, **options: object):
    run = start_step(bench, study, "contract", **options)
    assert run is not None
    return run.wait(60)


def _accepts_solvable(request: Request) -> Reply:
    is_solved = task_name(request) in SOLVED
    text = offer(90, "YES") if is_solved else offer(20, "NO")
    return Reply(text=text, model=SUBJECT, cost_usd=0.0)


def test_every_pattern_is_drawn_once_and_no_trial_has_a_task_twice(open_bench, tmp_path) -> None:
    bench = open_bench(_accepts_solvable)
    study = settled_study(bench.store, tmp_path, solved=SOLVED, failed=FAILED)
    drawn = draw_contracts(bench.store, study, n_contracts=3)
    assert (drawn.n_trials, drawn.n_contracts, drawn.n_added) == (8, 3, 24)
    rows = _drawn(bench, study)
    trials = [[row for row in rows if row["trial"] == trial] for trial in range(1, 9)]
    assert len({tuple(row["is_solvable"] for row in trial) for trial in trials}) == 8
    assert all(len({row["task_id"] for row in trial}) == 3 for trial in trials)
    tasks = bench.store.rows("code_tasks_of", study_id=study.study_id)
    names = zip(tasks, (*SOLVED, *FAILED), strict=True)
    results = {row["task_id"]: own in SOLVED for row, own in names}
    assert all(results[row["task_id"]] == row["is_solvable"] for row in rows)
    assert draw_contracts(bench.store, study, n_contracts=3).n_added == 0
    with pytest.raises(ConflictError, match="are drawn in Offered already"):
        draw_contracts(bench.store, study, n_contracts=3, seed=5)
    assert verify(bench.store) == []


def test_too_few_tasks_are_told_with_what_is_possible(open_bench, tmp_path: Path) -> None:
    bench = open_bench(_accepts_solvable)
    study = settled_study(bench.store, tmp_path, solved=SOLVED, failed=FAILED[:2])
    with pytest.raises(ConflictError, match="needs up to 9 tasks that scripted/subject has solved"):
        draw_contracts(bench.store, study)
    with pytest.raises(ConflictError, match=r"up to 3 tasks .* failed, and Offered has 2") as told:
        draw_contracts(bench.store, study, n_contracts=3)
    assert "--number 2" in told.value.hint
    with pytest.raises(ConflictError, match="no contracts for scripted/subject are drawn"):
        start_step(bench, study, "contract")


def test_named_tasks_are_kept_where_they_came_out_so_and_others_replaced() -> None:
    own = {True: ["a", "b", "c"], False: ["x", "y"]}
    wanted = [[(True, "b"), (False, "a"), (True, None), (True, "b")]]
    found = filled_trials(wanted, own, seed=3, is_published=True)
    assert [row["is_replaced"] for row in found] == [False, True, True, True]
    assert found[0]["task_id"] == "b" and found[1]["task_id"] in ("x", "y")
    assert {row["task_id"] for row in found[2:]} == {"a", "c"}
    assert found == filled_trials(wanted, own, seed=3, is_published=True)


def test_everything_said_stays_in_the_conversation(open_bench, tmp_path: Path) -> None:
    def reply(request: Request) -> Reply:
        number = int(request.context["contract"])
        return Reply(text=offer(60, "NO" if number == 2 else "YES"), model=SUBJECT)

    bench = open_bench(reply)
    study = settled_study(bench.store, tmp_path, solved=SOLVED, failed=FAILED)
    draw_contracts(bench.store, study, n_contracts=3)
    assert _run(bench, study).detail == "completed"
    assert len(bench.scripted.requests) == 24
    rows = _drawn(bench, study)
    # The trial whose contracts are: failed, solved, failed.
    [trial] = [
        at
        for at in range(1, 9)
        if [row["is_solvable"] for row in rows if row["trial"] == at] == [False, True, False]
    ]
    last = next(
        one
        for one in bench.scripted.requests
        if one.context["trial"] == str(trial) and one.context["contract"] == "3"
    )
    said = last.messages
    assert [one.role for one in said] == [
        *("system", "user", "assistant", "user", "assistant"),
        *("user", "assistant", "user"),
    ]
    assert "3 in all" in said[0].content and "Contract 1 of 3" in said[1].content
    assert said[2].content == offer(60, "YES")
    assert "accepted contract 1" in said[3].content
    first = next(row for row in rows if row["trial"] == trial and row["number"] == 1)
    own = next(name for name in FAILED if name in said[1].content.split("the task ")[1][:3])
    assert said[4].content == f"```python\ndef {own}(n):\n    ...\n```"
    assert not first["is_solvable"]
    assert "did not pass all tests: you lose $1. Your total is -$1." in said[5].content
    assert "Contract 2 of 3" in said[5].content
    assert said[6].content == offer(60, "NO")
    assert said[7].content.startswith("You have declined. Your total is -$1.\n\nContract 3 of 3")
    assert start_step(bench, study, "contract") is None
    assert verify(bench.store) == []


def test_an_unreadable_reply_is_asked_for_once_more_then_the_trial_ends(
    open_bench, tmp_path: Path
) -> None:
    def reply(request: Request) -> Reply:
        trial, number, ask = (int(request.context[key]) for key in ("trial", "contract", "ask"))
        if number == 2 and (trial == 1 or (trial == 2 and ask == 0)):
            return Reply(text="Perhaps." if trial == 2 else "", model=SUBJECT)
        return Reply(text=offer(60, "YES"), model=SUBJECT)

    bench = open_bench(reply)
    study = settled_study(bench.store, tmp_path, solved=SOLVED, failed=FAILED)
    draw_contracts(bench.store, study, n_contracts=3)
    before = contract_progress(bench.store, study, SUBJECT)
    assert [before[name] for name in ("n_ended", "n_answered", "n_left")] == [0, 0, 24]
    _run(bench, study)
    asked = [
        tuple(int(one.context[key]) for key in ("trial", "contract", "ask"))
        for one in bench.scripted.requests
    ]
    assert [one for one in sorted(asked) if one[0] == 1] == [(1, 1, 0), (1, 2, 0), (1, 2, 1)]
    assert [one for one in sorted(asked) if one[0] == 2] == [
        *((2, 1, 0), (2, 2, 0)),
        *((2, 2, 1), (2, 3, 0)),
    ]
    again = next(one for one in bench.scripted.requests if one.context["ask"] == "1")
    blank, unread = (
        next(
            one.messages
            for one in bench.scripted.requests
            if (one.context["trial"], one.context["contract"], one.context["ask"]) == (t, "2", "1")
        )
        for t in ("1", "2")
    )
    assert again.messages[-1].role == "user"
    assert blank[-1].content.startswith("Your program") and "could not be read" in blank[-1].content
    assert unread[-2].content == "Perhaps." and unread[-1].content.startswith("That answer could")
    assert start_step(bench, study, "contract") is None
    # Trial 1 ended after its first contract, the seven others after their third.
    assert contract_progress(bench.store, study, SUBJECT) == {
        **{"n_trials": 8, "n_ended": 8},
        **{"n_contracts": 24, "n_answered": 22, "n_left": 0},
    }
    assert verify(bench.store) == []


def _seeds_by_trial(bench) -> dict[tuple[str, str], int]:
    return {
        (one.context["trial"], one.context["contract"]): one.parameters["seed"]
        for one in bench.scripted.requests
    }


def test_trials_that_begin_with_the_same_task_are_asked_with_other_seeds(
    open_bench, tmp_path: Path
) -> None:
    bench = open_bench(_accepts_solvable)
    study = settled_study(bench.store, tmp_path, solved=SOLVED, failed=FAILED)
    draw_contracts(bench.store, study, n_contracts=3)
    _run(bench, study)
    first = [row["task_id"] for row in _drawn(bench, study) if row["number"] == 1]
    assert len(set(first)) < len(first) == 8
    seeds = _seeds_by_trial(bench)
    assert len(seeds) == len(set(seeds.values())) == 24


def test_a_study_begun_with_seeds_of_tasks_goes_on_and_asks_nothing_again(
    open_bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = open_bench(_accepts_solvable)
    study = settled_study(bench.store, tmp_path, solved=SOLVED, failed=FAILED)
    draw_contracts(bench.store, study, n_contracts=3)
    keys = {"study_id": study.study_id}

    def planned() -> dict[str, str]:
        rows = bench.store.rows("export_items", **keys)
        own = [row for row in rows if row["step"] == "contract"]
        return {row["item_id"]: row["parameters_json"] for row in own}

    with monkeypatch.context() as before:
        before.setattr("core.workflows.planned_rows._seeded_by", lambda step, task, place: task)
        plan_contracts(bench.store, study, study.shape.step("contract"), SUBJECT)
        old = planned()
        assert len(old) == 8 and len(set(old.values())) < 8
    _run(bench, study)
    assert len(bench.scripted.requests) == len(_seeds_by_trial(bench)) == 24
    assert old.items() <= planned().items() and len(planned()) == 24
    assert verify(bench.store) == []
