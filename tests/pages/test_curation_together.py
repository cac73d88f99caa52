"""The views Look-alikes, Agreement and Rules of the curation screen, as people see and use them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.store.store import Store
from core.workflows.desk import Desk
from core.workflows.desk_rules import DeskRules, owner_of, rules_of, set_rules
from core.workflows.findings import are_findings_whole
from core.workflows.gold import mark_gold
from core.workflows.workbench import Workbench
from pages.shared import session
from tests.support.curation_screen import labels, person, press, sound, states, vote, words
from tests.support.few_tasks import add_tasks, empty_study

RIVERS, SORT = "Name three rivers.", "Sort 5, 3 and 4."


def _rules(desk: Desk, name: str = "Ada", **rules: object) -> None:
    set_rules(desk.store, desk.study, DeskRules(**rules), person=person(desk, name))


def _keep_buttons(page: AppTest) -> list[str]:
    return [one.key for one in page.button if one.key.startswith("keep_")]


def test_a_study_without_tasks_leads_to_where_they_are_made(
    store_path: Path, sit_down: Callable
) -> None:
    with Store.open(store_path) as store:
        empty_study(store)
    page = sit_down()
    assert "There are no tasks yet" in words(page)
    assert labels(page) == ["Go to Generate"]


# --- look-alikes


def test_look_alikes_show_a_cluster_and_one_click_decides_it(
    study_desk: Desk, sit_down: Callable
) -> None:
    page = sit_down(view="duplicates")
    assert "**1 cluster to decide** of 1, with 2 tasks in all" in words(page)
    assert RIVERS in words(page)
    assert SORT not in words(page)
    first, second = _keep_buttons(page)
    page = press(page, second)
    assert states(study_desk) == ["removed", "pending", "kept", "pending"]
    assert "2 tasks decided; one undo takes it back." in words(page)
    assert "You have decided every cluster." in words(page)
    page = press(page, "undo")
    assert "2 decisions taken back." in words(page)
    assert _keep_buttons(page) == [first, second]


def test_a_task_of_a_cluster_that_somebody_has_stays_and_is_told(
    study_desk: Desk, sit_down: Callable
) -> None:
    assert study_desk.open_next(person(study_desk, "Ben")) == study_desk.board().task_ids[0]
    page = sit_down(view="duplicates")
    page = press(page, _keep_buttons(page)[1])
    assert states(study_desk) == ["pending", "pending", "kept", "pending"]
    assert "1 task stayed as before" in words(page)


def test_a_higher_similarity_parts_clusters(sit_down: Callable, study_desk: Desk) -> None:
    _rules(study_desk, similarity=0.6)
    page = sit_down(view="duplicates")
    assert page.slider[0].value == 0.6
    page = sound(page.slider[0].set_value(1.0).run())
    assert "The same text, but for case, spaces and outer punctuation." in words(page)


def test_in_a_blind_study_look_alikes_do_not_tell_what_others_decided(
    study_desk: Desk, sit_down: Callable
) -> None:
    seen = []
    for action in ("keep", "remove"):
        vote(study_desk, "Ben", 0, action)
        seen.append(words(sit_down(view="duplicates")))
    assert seen[0] == seen[1]


def test_where_two_decide_a_cluster_waits_no_longer_for_who_decided_it(
    study_desk: Desk, sit_down: Callable
) -> None:
    _rules(study_desk, overlap=2)
    page = sit_down(view="duplicates")
    page = press(page, _keep_buttons(page)[0])
    assert _keep_buttons(page) == []
    assert _keep_buttons(sit_down("Ben", view="duplicates"))


def test_a_cluster_whose_tasks_were_all_kept_waits_no_longer(
    study_desk: Desk, sit_down: Callable
) -> None:
    for at in (0, 2):
        vote(study_desk, "Ada", at, "keep")
    assert _keep_buttons(sit_down(view="duplicates")) == []


# --- agreement


def test_agreement_says_why_there_is_nothing_to_compare(
    study_desk: Desk, sit_down: Callable
) -> None:
    assert "Each task is decided by one person." in words(sit_down(view="people"))
    _rules(study_desk, overlap=2)
    assert "No task has been decided by two people so far." in words(sit_down(view="people"))


@pytest.fixture
def disputed(study_desk: Desk) -> Desk:
    """Two people decided three tasks, Ada k k x and Ben k x k: one alike, and two disputes."""
    _rules(study_desk, overlap=2)
    for name, actions in (("Ada", "kkx"), ("Ben", "kxk")):
        for at, action in enumerate(actions):
            vote(study_desk, name, at, "keep" if action == "k" else "remove")
    assert states(study_desk) == ["kept", "disputed", "disputed", "pending"]
    return study_desk


def test_agreement_shows_numbers_and_the_first_dispute_with_its_votes(
    disputed: Desk, sit_down: Callable
) -> None:
    page = sit_down(view="people")
    assert "2 tasks to settle." in words(page)
    assert SORT in words(page)
    assert "**Ada** keeps" in words(page)
    assert "**Ben** removes, Unsafe to show" in words(page)
    assert {"Keep finally", "Remove finally"} <= set(labels(page))
    [reason] = [one for one in page.selectbox if one.key and one.key.startswith("settle_reason")]
    assert reason.value == "unsafe"
    assert "3 tasks decided by two people or more, 2 people in all." in words(page)
    assert _values(page)[0] == "0.333"
    page = sound(page.toggle(key="by_reason").set_value(True).run())
    assert _values(page)[0] == "0.333"


def test_one_click_settles_a_dispute_and_shows_the_next(disputed: Desk, sit_down: Callable) -> None:
    page = press(sit_down(view="people"), "settle_remove")
    assert states(disputed)[1] == "removed"
    assert "1 task to settle." in words(page)
    page = press(page, "settle_keep")
    assert states(disputed) == ["kept", "removed", "kept", "pending"]
    assert "Disagreements" not in words(page)
    # What was voted is what is compared, settled or not.
    assert _values(page)[0] == "0.333"


def _values(page: AppTest) -> list[str]:
    return list(page.dataframe[0].value["value"])


def test_in_a_blind_study_others_are_told_of_disputes_but_not_of_votes(
    study_desk: Desk, sit_down: Callable
) -> None:
    _rules(study_desk, overlap=2)
    vote(study_desk, "Ada", 0, "keep")
    vote(study_desk, "Ben", 0, "remove")
    page = sit_down("Cem", view="people")
    assert "People disagree on 1 task." in words(page)
    assert not {"Keep finally", "Remove finally"} & set(labels(page))
    assert RIVERS not in words(page)


def test_only_the_owner_sees_who_finds_the_gold_tasks(study_desk: Desk, sit_down: Callable) -> None:
    _rules(study_desk, gold_every=3)
    ids = study_desk.board().task_ids
    owner = person(study_desk, "Ada")
    mark_gold(study_desk.store, study_desk.study, ids[:2], "keep", person=owner)
    vote(study_desk, "Ben", 0, "keep")
    vote(study_desk, "Ben", 1, "remove")
    page = sit_down(view="people")
    assert list(page.dataframe[-1].value["right"]) == ["1 of 2"]
    assert "Gold tasks" not in words(sit_down("Ben", view="people"))


# --- rules


def test_saving_the_rules_makes_one_the_owner_and_others_can_only_look(
    study_desk: Desk, sit_down: Callable
) -> None:
    page = sit_down(view="rules")
    assert "Nobody owns this study yet." in words(page)
    page.number_input[0].set_value(2)
    page.checkbox[0].uncheck()
    page = press(page, page.button[0].key)
    assert "Ada owns this study, that is you." in words(page)
    assert rules_of(study_desk.store, study_desk.study) == DeskRules(overlap=2, is_blind=False)
    assert owner_of(study_desk.store, study_desk.study).name == "Ada"
    page = sit_down("Ben", view="rules")
    assert "Ada owns this study." in words(page)
    [save] = [one for one in page.button if one.label == "Save the rules"]
    assert save.disabled
    assert page.number_input[0].value == 2


def test_rules_that_cannot_be_used_are_told_in_words(study_desk: Desk, sit_down: Callable) -> None:
    page = sit_down(view="rules")
    page.number_input[1].set_value(2)
    page = press(page, page.button[0].key)
    assert "A gold task cannot be mixed in every 2 decisions." in words(page)
    assert owner_of(study_desk.store, study_desk.study) is None


def test_another_language_has_the_tasks_checked_again(
    study_desk: Desk, sit_down: Callable, store_path: Path
) -> None:
    page = sit_down(view="rules")
    [language] = [one for one in page.selectbox if one.label == "Language of the tasks"]
    language.set_value("de")
    press(page, page.button[0].key)
    bench: Workbench = session._workbench(str(store_path))
    bench.findings[study_desk.study.study_id].result(60)
    assert are_findings_whole(study_desk.store, study_desk.study)
    assert rules_of(study_desk.store, study_desk.study).language == "de"


def test_the_screen_tells_why_the_check_of_the_tasks_failed(
    study_desk: Desk, sit_down: Callable, store_path: Path
) -> None:
    store, study = study_desk.store, study_desk.study
    add_tasks(store, study, ["Name a colour that is in no flag."], first=4)
    row = {"study_id": study.study_id, "person_id": person(study_desk, "Ada").person_id}
    row |= {"seq": store.next_seq(), "overlap": 1, "set_at": "2026-05-01"}
    store.append("desk_rules", [row | {"rules_json": '{"language": "xx"}'}])
    page = sit_down(view="table")
    bench: Workbench = session._workbench(str(store_path))
    assert bench.findings[study.study_id].exception(60) is not None
    page = sound(page.run())
    assert "Language 'xx' is not a known code." in words(page)
    assert "5 tasks; rows 1 to 5" in words(page)
