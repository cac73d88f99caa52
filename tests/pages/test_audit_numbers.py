"""The numbers of the audit screen: what a sample says, and the report card of a judge."""

import pytest
from streamlit.testing.v1 import AppTest

from core.store.store import Store
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audited_pairs import audited_verdicts
from core.workflows.audits import find_audit, find_judge
from core.workflows.judge_acceptance import acceptance_of
from core.workflows.people import person_named
from core.workflows.studies import study_named
from pages.shared import session
from tests.support import curation_screen
from tests.support.curation_screen import press, sound
from tests.support.judged import answer, asked_study, judge

from .conftest import APP

ANSWER = "It is *about* $5, <b>or so</b>"


@pytest.fixture
def store(store_path) -> Store:
    """The app's own store: forty answers, judged half yes, in a sample of twenty without votes."""
    with Store.open(store_path) as store:
        study = asked_study(store, 40)
        answer(store, study, said=lambda at: f"{ANSWER} {at}")
        judge(store, study, verdict=_verdict)
        judge(store, study, "scripted/other", verdict=lambda item: "yes")
    return session._workbench(str(store_path)).store


def _verdict(item: dict) -> str:
    return "yes" if item["position"] % 2 else "no"


def _sample(store: Store, n_votes: int, *, n_wrong: int = 0, **how: object) -> str:
    """The id of a sample with so many votes by Ada, the first of them against the judge."""
    study, ada = study_named(store, "Asked"), person_named(store, "Ada")
    steps = {"study_id": study.study_id, "steps": ["judge"]}
    [prompt_hash] = {row["prompt_hash"] for row in store.rows("judges_of_study", **steps)}
    about = {"judge": "scripted/judge", "prompt_hash": prompt_hash, "method": "random", "n": 20}
    drawn = draw_audit(store, study, "judge", person=ada, **about | how)
    audit = find_audit(store, study, drawn.audit_id)
    for at, one in enumerate(audited_verdicts(store, study, [drawn.audit_id])[:n_votes]):
        other = {"yes": "no", "no": "yes"}[one.verdict]
        vote(store, study, audit, ada, one.item_id, other if at < n_wrong else one.verdict)
    return drawn.audit_id


def _open(view: str, **address: str) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=30)
    page.session_state["person_name"] = "Ada"
    page.run().switch_page("pages/audit.py")
    for key, value in {"view": view, **address}.items():
        page.query_params[key] = value
    return sound(page.run())


def words(page: AppTest) -> str:
    """All that stands on the page, as a person reads it."""
    shown = curation_screen.words(page).replace("\N{NO-BREAK SPACE}", " ")
    return shown.replace("\\", "")


def _measures(page: AppTest) -> dict[str, str]:
    return {one.label: one.value for one in page.metric}


def test_a_sample_with_few_votes_shows_no_number(store: Store) -> None:
    page = _open("statistics", audit=_sample(store, 4))
    assert "20 verdicts = 4 decided + 16 still open; 4 votes by 1 person" in words(page)
    assert "Fewer than 5 verdicts" in words(page)
    assert not page.metric


def test_every_number_of_a_sample_has_its_formula_interval_and_n(store: Store) -> None:
    page = _open("statistics", audit=_sample(store, 20, n_wrong=5))
    assert _measures(page)["Agreement"] == "0.750"
    assert len(page.metric) == 9
    assert all(one.help for one in page.metric)
    # Wilson's interval of 15 of 20.
    assert "0.531 to 0.888 · n = 20" in words(page)
    assert _measures(page)["As judged"] == "0.500"
    assert "ACC of scripted/subject is 0.500 as judged" in words(page)
    assert "more decided verdicts, if people go on to confirm" in words(page)


def test_a_sample_of_disagreements_corrects_nothing_and_says_so(store: Store) -> None:
    page = _open("statistics", audit=_sample(store, 20, method="disagreement"))
    assert "it corrects no number" in words(page)
    measures = _measures(page)
    assert measures["Corrected (default)"] == "not defined"
    assert measures["As judged"] == "0.500"


def test_a_judge_below_the_bar_is_refused_with_its_numbers(store: Store) -> None:
    _sample(store, 20, n_wrong=5)
    page = press(_open("judges"), "accept_judge")
    assert "judge, prompt v1 misses the bar of 0.80" in words(page)
    assert "sensitivity is" in words(page)
    assert _acceptance(store) is None


def test_a_judge_is_accepted_and_withdrawn_once_the_owner_lowers_the_bar(store: Store) -> None:
    _sample(store, 20)
    page = _open("judges")
    [bar] = page.number_input
    assert bar.value == 0.8
    page = press(sound(bar.set_value(0.6).run()), "accept_judge")
    assert "Accepted by Ada on" in words(page)
    assert _acceptance(store)
    page = press(page, "withdraw_judge")
    assert "No longer accepted by Ada on" in words(page)
    assert not _acceptance(store)


def test_examples_stand_as_they_were_written(store: Store) -> None:
    _sample(store, 20, n_wrong=5)
    page = _open("judges")
    shown = [one.proto.body for one in page.get("html")]
    assert any("It is *about* $5, &lt;b&gt;or so&lt;/b&gt;" in one for one in shown)
    assert "people say" in words(page)


def test_judges_stand_side_by_side_on_the_same_answers(store: Store) -> None:
    _sample(store, 20)
    page = _open("judges")
    # The other says yes to all: of forty shared, the two agree on twenty.
    assert "judged the same 40 answers and agree on 50.0" in words(page)
    # On the audited twenty, the first is always right.
    assert "is right on 100.0" in words(page)


def _acceptance(store: Store) -> bool | None:
    study = study_named(store, "Asked")
    found = acceptance_of(store, study, find_judge(store, study, "judge", judge="scripted/judge"))
    return None if found is None else found.is_accepted


def test_results_show_the_headline_as_judged_and_as_corrected_right_below_it(store) -> None:
    def results() -> AppTest:
        page = AppTest.from_file(str(APP), default_timeout=60)
        page.run().switch_page("pages/results.py")
        page.query_params["study"] = "Asked"
        page.query_params["judged_by"] = "scripted/judge, prompt v1"
        return sound(page.run())

    few = results()
    assert "people have not audited scripted/judge, prompt v1 yet, or too little" in words(few)
    _sample(store, 20, n_wrong=4)
    _sample(store, 20, method="disagreement")
    page = results()
    # The sample of disagreements is newer, and speaks for nothing but itself.
    assert (
        "20 verdicts of scripted/judge, prompt v1 that people decided, in the sample 20 random"
        in (words(page))
    )
    titles = [one.value for one in page.subheader]
    assert titles.index("As judged, and as corrected by people's audits") == 1
    [shown] = [one.value for one in page.dataframe if "corrected (default)" in one.value]
    row = shown.set_index("metric").loc["ACC"]
    assert row["as judged"].startswith("0.500 (")
    assert row["corrected (default)"] != "not defined"
    assert row["audited"] == 20


def test_what_judge_and_people_said_is_crossed_even_where_people_said_one_thing(store) -> None:
    study, ada = study_named(store, "Asked"), person_named(store, "Ada")
    audit_id = _sample(store, 0, judge="scripted/other")
    audit = find_audit(store, study, audit_id)
    for one in audited_verdicts(store, study, [audit_id]):
        vote(store, study, audit, ada, one.item_id, "yes")
    page = _open("statistics", audit=audit_id)
    assert _measures(page)["Cohen's kappa"] == "not defined"
    [crossed] = [one.value for one in page.dataframe if "people" in one.value]
    assert crossed["n"].tolist() == [20, 0, 0, 0]
    assert "share" in crossed and crossed["share"].isna().tolist() == [False, False, True, True]


def test_who_saw_an_example_in_a_report_card_does_not_vote_on_it_blind(store) -> None:
    study, ben = study_named(store, "Asked"), person_named(store, "Ben")
    audit_id = _sample(store, 20, n_wrong=1)
    audit = find_audit(store, study, audit_id)
    wrong, right, *_ = audited_verdicts(store, study, [audit_id])
    page = AppTest.from_file(str(APP), default_timeout=30)
    page.session_state["person_name"] = "Ben"
    page.run().switch_page("pages/audit.py")
    page.query_params["view"] = "judges"
    sound(page.run())
    page.selectbox(key="card_judge").select("scripted/judge, prompt v1").run()
    assert f"Wrong {wrong.verdict} (1)" in [one.label for one in page.expander]
    for one in (wrong, right):
        vote(store, study, audit, ben, one.item_id, "yes")
    votes = store.rows("export_audit_votes", study_id=study.study_id)
    blind = {row["item_id"]: row["is_blind"] for row in votes if row["person"] == "Ben"}
    assert blind == {wrong.item_id: False, right.item_id: True}
