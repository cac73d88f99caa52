"""`verify` finds each planted fault, and nothing in a sound store."""

import pytest

from core.store import verify

ITEM = "an item that is planned nowhere"


def drawn(**given):
    return {"draw_id": "d1", "study_id": "s1", "task_id": "t1", "position": 0} | given


def draw(rows, **given):
    row = {"draw_id": "d1", "study_id": "s1", "seq": 1, "kind": "all", "shortfalls_json": "[]"}
    return row | {"drawn_at": rows.NOON} | given


def event(rows, **given):
    row = {"run_id": "r1", "seq": 1, "event": "started", "detail": "", "happened_at": rows.NOON}
    return row | given


def gold(rows, **given):
    row = {"study_id": "s1", "seq": 9, "person_id": "p1", "action": "keep"}
    return row | {"marked_at": rows.NOON} | given


def rules(rows, **given):
    row = {"seq": 9, "person_id": "p1", "overlap": 1, "rules_json": "{}", "set_at": rows.NOON}
    return row | given


def contract(rows, **given):
    row = {"study_id": "s1", "model": "m", "trial": 1, "number": 1, "task_id": "t1", "seed": 0}
    row |= {"is_solvable": True, "origin": "drawn", "is_replaced": False, "drawn_at": rows.NOON}
    return row | given


FAULTS = {
    "contracts of no task of their study": lambda r, i: [("contract", [contract(r, task_id="t9")])],
    "trials with two contracts at one place, or with one task twice": lambda r, i: [
        ("contract", [contract(r), contract(r, number=2)])
    ],
    "offers of contracts that are not drawn": lambda r, i: [
        ("contract", [contract(r)]),
        (
            "planned",
            [
                r.planned(step="contract", model="m", context_json=context)
                for context in ('{"contract":"1","trial":"1"}', '{"contract":"1","trial":"2"}')
            ],
        ),
    ],
    "tasks of no study": lambda r, i: [("task", [r.task("t2", study_id="s2")])],
    "draws of no study": lambda r, i: [("draw", [draw(r, study_id="s2")])],
    "drawn tasks of no draw": lambda r, i: [("drawn_task", [drawn()])],
    "drawn tasks that are not there": lambda r, i: [
        ("draw", [draw(r)]),
        ("drawn_task", [drawn(task_id="t9")]),
    ],
    "tasks drawn more than once in one draw": lambda r, i: [
        ("draw", [draw(r)]),
        ("drawn_task", [drawn(), drawn()]),
    ],
    "planned items of no study": lambda r, i: [("planned", [r.planned(study_id="s2")])],
    "planned items of no task": lambda r, i: [("planned", [r.planned("t9")])],
    "planned items of no draw": lambda r, i: [("planned", [r.planned(draw_id="d9")])],
    "planned items whose prompt is not stored": lambda r, i: [
        ("planned", [r.planned(prompt_hash="0" * 64)])
    ],
    "planned items whose id does not follow from them": lambda r, i: [
        ("planned", [r.planned(draw_number=1, item_id="abc")])
    ],
    "items planned more than once in one draw": lambda r, i: [("planned", [r.planned()])],
    "runs of no study": lambda r, i: [("run", [r.run("r2", study_id="s2")])],
    "events of no run": lambda r, i: [("run_event", [event(r, run_id="r9")])],
    "calls of no run": lambda r, i: [
        ("call", [r.call("c2", i, 9, "timed_out", final=False, run_id="r9")])
    ],
    "calls of no planned item": lambda r, i: [("call", [r.call("c2", ITEM, 20)])],
    "calls with an unknown outcome": lambda r, i: [("call", [r.call("c2", i, 9, "fine")])],
    "items with more than one final answer": lambda r, i: [("call", [r.call("c2", i, 20)])],
    "items called again after their answer": lambda r, i: [
        ("call", [r.call("c2", i, 20, "timed_out")])
    ],
    "replies read as ok that left neither label nor task": lambda r, i: [
        ("planned", [r.planned(draw_number=2)]),
        ("call", [r.call("c2", r.planned(draw_number=2)["item_id"], 20)]),
    ],
    "labels of no planned item": lambda r, i: [("label", [r.label(ITEM, 20)])],
    "labels of no call": lambda r, i: [("label", [r.label(i, 20, "c9")])],
    "calls with more than one label": lambda r, i: [("label", [r.label(i, 20, "c1")])],
    "reviews of no task": lambda r, i: [("review", [r.review("v3", 20, task_id="t9")])],
    "reviews by no known person": lambda r, i: [("review", [r.review("v3", 20, person_id="x")])],
    "reviews that take back no review": lambda r, i: [
        ("review", [r.review("v3", 20, "undo", undoes="v9")])
    ],
    "decisions taken back more than once": lambda r, i: [
        (
            "review",
            [r.review("v3", 20, "undo", undoes="v1"), r.review("v4", 21, "undo", undoes="v1")],
        )
    ],
    "decisions taken back by another person or on another task": lambda r, i: [
        ("person", [r.person(person_id="p9", name="Ben")]),
        ("review", [r.review("v3", 20, "undo", undoes="v1", person_id="p9")]),
    ],
    "rewrites of no task of their study": lambda r, i: [
        ("task", [r.task("t3", made_from="t1"), r.task("t4", made_from="t9")])
    ],
    "gold marks on tasks that are not there": lambda r, i: [("gold", [gold(r, task_id="t9")])],
    "rules of a desk of no study": lambda r, i: [("desk_rules", [rules(r, study_id="s9")])],
    "studies stored more than once": lambda r, i: [("study", [r.study()])],
    "people stored more than once": lambda r, i: [("person", [r.person()])],
    "prompts stored more than once": lambda r, i: [("prompt", [r.prompt()])],
    "tasks stored more than once": lambda r, i: [("task", [r.task()])],
    "draws stored more than once": lambda r, i: [("draw", [draw(r), draw(r)])],
    "runs stored more than once": lambda r, i: [("run", [r.run()])],
    "calls stored more than once": lambda r, i: [
        ("call", [r.call("c1", i, 5, "timed_out", final=False)])
    ],
    "reviews stored more than once": lambda r, i: [("review", [r.review("v1", 20)])],
}


def test_a_sound_store_has_no_findings(sound):
    assert verify(sound) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_each_planted_fault_is_found(sound, rows, fault):
    sound.write(FAULTS[fault](rows, rows.planned()["item_id"]))
    found = verify(sound)
    assert any(finding.startswith(f"{fault}: 1, for example ") for finding in found), found


def test_a_prompt_whose_text_was_changed_is_found_with_both_hashes(sound, rows):
    sound.append("prompt", [rows.prompt("another text", prompt_hash="f" * 64, version=2)])
    (finding,) = verify(sound)
    assert finding.startswith(f"prompt classification.v2 is stored under the hash {'f' * 64} and")


def test_outcomes_that_do_not_add_up_to_the_plan_are_found(sound, rows):
    sound.append("call", [rows.call("c2", rows.planned()["item_id"], 20, "fine")])
    assert (
        "outcomes and pending of step classify of study s1 add up to 0 and 1 are planned"
        in verify(sound)
    )


def test_an_imported_item_has_no_prompt_and_an_id_of_its_own(sound, rows):
    sound.write(
        [
            ("planned", [rows.planned(prompt_hash="", item_id="imported-1")]),
            ("label", [rows.label("imported-1", 30)]),
        ]
    )
    assert verify(sound) == []
