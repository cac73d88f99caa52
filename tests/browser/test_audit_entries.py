"""From a judge, and from the answers behind a number, to an audit; and hostile text in one."""

import pytest

from core.store import Store
from core.workflows.audit_desk import next_item
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audits import find_audit
from core.workflows.people import person_named
from core.workflows.studies import study_named
from tests.support.few_tasks import add_tasks, empty_study
from tests.support.judged import answer, asked_study, judge

from .conftest import item_on_screen, press
from .running import apps_in
from .visitor import be_known_as

pytestmark = pytest.mark.browser


@pytest.fixture
def start(tmp_path):
    """A function that fills a store and starts the app on it."""
    with apps_in(tmp_path) as start:
        yield start


def _screened(store: Store) -> None:
    study = empty_study(store)
    add_tasks(store, study, [f"Task {n}." for n in range(6)])
    judge(
        store,
        study,
        step="screen",
        verdict=lambda row: "malformed" if row["position"] == 0 else "sound",
    )


def _asked(store: Store) -> None:
    study = asked_study(store, 10)
    answer(store, study)
    judge(store, study, verdict=lambda row: "no" if row["position"] < 4 else "yes")


def test_a_screening_judge_leads_to_its_audit(start, new_page) -> None:
    app, page = start(_screened), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/curate?study=Few&view=Rules")
    page.get_by_role("button", name="Audit this judge").click()
    page.get_by_text("6 verdicts to draw from: 1 yes and 5 no.").wait_for()
    page.get_by_role("button", name="Draw the sample").click()
    page.locator("[data-item]").wait_for()
    page.get_by_text("Is this task malformed?").wait_for()
    before = item_on_screen(page)
    press(page, "n")
    page.get_by_text("you said No.").wait_for()
    assert item_on_screen(page) != before


def test_a_judge_of_answers_leads_to_its_audit(start, new_page) -> None:
    app, page = start(_asked), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/classify?study=Asked&step=judge")
    page.get_by_role("button", name="Audit this judge").click()
    page.get_by_text("10 verdicts to draw from: 6 yes and 4 no.").wait_for()


def test_the_answers_behind_a_number_lead_to_a_vote_that_is_blind_for_others_only(
    start, new_page
) -> None:
    app, page = start(_asked), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/results?study=Asked&outcomes=answered+wrong")
    page.get_by_role("dialog").get_by_text("4 questions").wait_for()
    page.get_by_text("your own votes on them count as not blind").wait_for()
    page.get_by_role("button", name="Audit these verdicts").click()
    page.get_by_text("4 verdicts of scripted/judge, prompt v1").wait_for()
    page.get_by_role("button", name="Draw these").click()
    page.locator("[data-item]").wait_for()
    page.get_by_text("0 yes + 0 no + 0 unsure + 4 open = 4").wait_for()
    assert "wrong" not in page.content()
    press(page, "y")
    page.get_by_text("The judge said No; you said Yes.").wait_for()
    address, ben = page.url, new_page()
    be_known_as(ben, "Ben")
    ben.goto(address)
    ben.locator("[data-item]").wait_for()
    ben.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    press(ben, "y")
    ben.get_by_text("The judge said No; you said Yes.").wait_for()
    app.stop()
    with Store.open(app.store) as store:
        study_id = study_named(store, "Asked").study_id
        votes = store.rows("export_audit_votes", study_id=study_id)
    # Ada had read in the list what the judge said.
    assert [(row["person"], row["is_blind"]) for row in votes] == [("Ada", False), ("Ben", True)]


HOSTILE = "Costs $5 to $10, keep __init__ and *args* :smile: at 10:30 <img src=x onerror=alert(1)>"


def test_hostile_text_is_shown_exactly_in_every_view(start, new_page) -> None:
    ids = []

    def fill(store: Store) -> None:
        study = asked_study(store, 4)
        answer(store, study, said=lambda position: f"{HOSTILE} {position}")
        found = judge(store, study, verdict=lambda row: "yes", words=lambda row: f" {HOSTILE}")
        ben = person_named(store, "Ben :red[x]")
        about = {"judge": found.judge, "prompt_hash": found.prompt_hash, "person": ben}
        drawn = draw_audit(store, study, "judge", method="random", n=4, name=HOSTILE[:80], **about)
        audit = find_audit(store, study, drawn.audit_id)
        while (item := next_item(store, study, audit, ben)) is not None:
            vote(store, study, audit, ben, item.item_id, "no", note=HOSTILE)
        ids.append(drawn.audit_id)

    app, page = start(fill), new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/audit?study=Asked&view=samples")
    page.get_by_text(HOSTILE[:80], exact=True).wait_for()
    page.get_by_text("Ben :red[x] 4").wait_for()
    page.goto(f"{app.url}/audit?study=Asked&view=desk&audit={ids[0]}")
    page.locator("[data-item]").get_by_text(HOSTILE).wait_for()
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    press(page, "y")
    page.get_by_text("The judge said Yes; you said Yes.").wait_for()
    page.locator(".st-key-reveal_words").get_by_text(f"yes {HOSTILE}").wait_for()
    page.goto(f"{app.url}/audit?study=Asked&view=disagreements&audit={ids[0]}")
    page.get_by_text("Ben :red[x]: no").wait_for()
    assert HOSTILE in page.inner_text("body")
    assert page.locator("img[src=x]").count() == 0
