"""The audit desk in a real browser: by keyboard alone, blind until the vote, nothing ever lost."""

from collections.abc import Callable

import pytest

from core.store import Store, verify
from core.workflows.audit_desk import next_item
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audits import find_audit
from core.workflows.people import person_named
from core.workflows.studies import study_named
from tests.support.judged import REPLY, answer, asked_study, judge

from .conftest import SEEN_MS, item_on_screen, press
from .running import Running, apps_in
from .visitor import be_known_as, frames_heard

pytestmark = pytest.mark.browser

SETTLED_MS = 800
OTHER = "other/model"
CHANGED = "before => document.querySelector('[data-item]')?.dataset.item !== before"


@pytest.fixture
def start(tmp_path):
    """A function that starts the app on a sample of so many verdicts, and gives the sample's id.

    Args of the function: n verdicts; more, a function of store, study and sample that goes on.
    """
    with apps_in(tmp_path) as begin:

        def start_one(n: int, more: Callable | None = None) -> tuple[Running, str]:
            ids = []

            def fill(store: Store) -> None:
                study = asked_study(store, n // 2)
                for model in ("scripted/subject", OTHER):
                    answer(store, study, model)
                found = judge(
                    store,
                    study,
                    verdict=lambda row: "no" if row["position"] % 3 == 0 else "yes",
                    words=lambda row: f", {row['item_id']}",
                )
                drawn = draw_audit(
                    store,
                    study,
                    "judge",
                    judge=found.judge,
                    prompt_hash=found.prompt_hash,
                    method="random",
                    n=n,
                    person=person_named(store, "Ada"),
                )
                ids.append(drawn.audit_id)
                if more is not None:
                    more(store, study, find_audit(store, study, drawn.audit_id))

            return begin(fill), ids[0]

        yield start_one


def _sit_down(page, app: Running, audit_id: str, *, name: str = "Ada", view: str = "desk") -> None:
    be_known_as(page, name)
    page.goto(f"{app.url}/audit?study=Asked&view={view}&audit={audit_id}")
    page.locator("[data-item]").wait_for()
    page.wait_for_selector(".st-key-sb-unseen-keys", state="attached")
    page.wait_for_timeout(SETTLED_MS)


def _stored(app: Running) -> tuple[list[dict], dict[str, dict]]:
    """The votes, oldest first, and the sampled verdicts by item, of a store that no app holds."""
    with Store.open(app.store) as store:
        assert verify(store) == []
        study_id = study_named(store, "Asked").study_id
        votes = store.rows("export_audit_votes", study_id=study_id)
        audited = store.rows("export_audits", study_id=study_id)
    return votes, {row["item_id"]: row for row in audited}


def test_a_hundred_verdicts_by_keyboard_alone(start, new_page) -> None:
    app, audit_id = start(100)
    page = new_page()
    _sit_down(page, app, audit_id)
    done = []
    said = {"y": "yes", "n": "no", "x": "unsure"}
    keys = ("yynyx" * 20)[:100]
    for key in keys:
        done.append(item_on_screen(page))
        press(page, key)
    page.get_by_text("You have voted on all of this sample").wait_for()
    page.get_by_text("60 yes + 20 no + 20 unsure + 0 open = 100").wait_for()
    page.close()
    app.stop()
    votes, audited = _stored(app)
    assert [row["item_id"] for row in votes] == done
    assert [row["action"] for row in votes] == [said[key] for key in keys]
    assert all(row["seconds_active"] > 0 and row["is_blind"] for row in votes)
    assert set(done) == set(audited)
    # Sums of the store, of the screen and of the sample are the same.
    truths = [row["truth"] for row in audited.values()]
    assert [truths.count(one) for one in ("yes", "no", "unsure")] == [60, 20, 20]


def test_no_verdict_reaches_the_browser_before_the_own_vote(start, new_page) -> None:
    def ben_disagrees(store, study, audit) -> None:
        # Others have voted, and been told; to Ada nothing is told by it.
        for name, action in (("Ben", "yes"), ("Cleo", "no")):
            person = person_named(store, name)
            while (item := next_item(store, study, audit, person)) is not None:
                vote(store, study, audit, person, item.item_id, action, note="said aloud")

    app, audit_id = start(12, ben_disagrees)
    page = new_page()
    heard = frames_heard(page)
    _sit_down(page, app, audit_id)
    for view in ("Samples", "Desk"):
        page.get_by_test_id("stButtonGroup").get_by_text(view, exact=True).click()
        page.wait_for_timeout(SETTLED_MS)
    page.locator("[data-item]").wait_for()
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("dialog").get_by_text("unsure").wait_for()
    page.keyboard.press("Escape")
    told = (REPLY, "The judge said", "said aloud", "answerable", '"exact"')
    assert heard
    assert not [word for word in told if any(word.encode() in frame for frame in heard)]
    assert not [word for word in told if word in page.content() or word in page.url]
    page.get_by_role("dialog").wait_for(state="hidden")
    first = item_on_screen(page)
    press(page, "y")
    page.get_by_text("you said Yes.").wait_for()
    page.get_by_text(f"{REPLY} ").wait_for()
    second = item_on_screen(page)
    press(page, "n")
    page.get_by_text("you said No.").wait_for()
    page.wait_for_timeout(SETTLED_MS)
    # The judge names the item in its words: of those not voted on, none was heard.
    page.close()
    app.stop()
    votes, audited = _stored(app)
    assert [row["item_id"] for row in votes if row["person"] == "Ada"] == [first, second]
    reached = {
        item
        for item in audited
        for label in ("yes", "no")
        if any(f"{REPLY} {label}, {item}".encode() in frame for frame in heard)
    }
    assert reached == {first, second}


def test_undo_reload_and_a_kill_lose_nothing(start, new_page) -> None:
    app, audit_id = start(20)
    page = new_page()
    _sit_down(page, app, audit_id)
    done = []
    for key in "ynxyn":
        done.append(item_on_screen(page))
        press(page, key)
    following = item_on_screen(page)
    page.reload()
    page.locator("[data-item]").wait_for()
    page.wait_for_timeout(SETTLED_MS)
    assert item_on_screen(page) == following
    page.get_by_text("2 yes + 2 no + 1 unsure + 15 open = 20").wait_for()
    press(page, "u")
    press(page, "u")
    assert item_on_screen(page) == done[3]
    # What the judge said of it is not told again before the next vote on it.
    page.get_by_text("you were unsure.").wait_for()
    app.restart(by_force=True)
    _sit_down(page, app, audit_id)
    assert item_on_screen(page) == done[3]
    page.get_by_text("1 yes + 1 no + 1 unsure + 17 open = 20").wait_for()
    press(page, "n")
    assert item_on_screen(page) == done[4]
    page.close()
    app.stop()
    votes, _ = _stored(app)
    assert [row["action"] for row in votes] == [
        *("yes", "no", "unsure", "yes", "no", "undo", "undo", "no")
    ]
    assert [row["is_blind"] for row in votes if row["action"] != "undo"] == [True] * 5 + [False]


def test_letters_typed_into_a_note_vote_for_nothing(start, new_page) -> None:
    app, audit_id = start(10)
    page = new_page()
    _sit_down(page, app, audit_id)
    item = item_on_screen(page)
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("t")
    page.locator(".st-key-note input:focus").wait_for()
    page.keyboard.type("yes, no: 2 units x u")
    page.wait_for_timeout(SETTLED_MS)
    assert item_on_screen(page) == item
    app.restart(by_force=True)
    _sit_down(page, app, audit_id)
    # Neither a reload nor a kill takes what was half typed.
    assert page.locator(".st-key-note input").input_value() == "yes, no: 2 units x u"
    assert item_on_screen(page) == item
    page.wait_for_timeout(SEEN_MS)
    page.keyboard.press("n")
    page.wait_for_function(CHANGED, arg=item)
    page.get_by_text("0 yes + 1 no + 0 unsure + 9 open = 10").wait_for()
    page.close()
    app.stop()
    [row], _ = _stored(app)
    assert (row["action"], row["note"]) == ("no", "yes, no: 2 units x u")


def test_two_auditors_and_their_disagreements_settled_by_keyboard(start, new_page) -> None:
    def ada_says_yes(store, study, audit) -> None:
        ada = person_named(store, "Ada")
        while (item := next_item(store, study, audit, ada)) is not None:
            vote(store, study, audit, ada, item.item_id, "yes")

    app, audit_id = start(10, ada_says_yes)
    page = new_page()
    _sit_down(page, app, audit_id, name="Ben")
    for key in "nnyyyyyyyy":
        press(page, key)
    page.get_by_text("Auditors disagree on 2 verdicts").wait_for()
    _sit_down(page, app, audit_id, name="Ben", view="disagreements")
    page.get_by_text("2 disagreements to settle, 0 settled.").wait_for()
    page.get_by_text("Ada: yes").wait_for()
    page.get_by_text("Ben: no").wait_for()
    settled = item_on_screen(page)
    press(page, "n")
    page.get_by_text("1 disagreement to settle, 1 settled.").wait_for()
    press(page, "u")
    assert item_on_screen(page) == settled
    press(page, "n")
    page.wait_for_timeout(SEEN_MS)
    press(page, "x")
    page.get_by_text("There is no disagreement to settle").wait_for()
    page.close()
    app.stop()
    votes, audited = _stored(app)
    assert len([row for row in votes if not row["is_final"]]) == 20
    assert [row["action"] for row in votes if row["is_final"]] == ["no", "undo", "no", "unsure"]
    assert audited[settled]["truth"] == "no"


def test_a_sample_drawn_on_the_screen_opens_its_desk_and_its_address_opens_it_again(
    start, new_page
) -> None:
    app, first = start(20)
    page = new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/audit?study=Asked&view=samples")
    page.get_by_text("20 verdicts to draw from").wait_for()
    page.get_by_text("By strata").click()
    page.get_by_label("Verdicts", exact=True).fill("7")
    page.get_by_label("Verdicts", exact=True).press("Tab")
    page.wait_for_timeout(SETTLED_MS)
    page.get_by_role("button", name="Draw the sample").click()
    page.get_by_text("7 by verdict, seed 0 is drawn").wait_for()
    page.get_by_text("0 yes + 0 no + 0 unsure + 7 open = 7").wait_for()
    item, address = item_on_screen(page), page.url
    assert first not in address
    other = new_page()
    be_known_as(other, "Ada")
    other.goto(address.replace(page.url.split("/audit")[0], app.url))
    other.locator("[data-item]").wait_for()
    assert item_on_screen(other) == item
    other.goto(f"{app.url}/audit?study=Asked&view=desk&audit=nothing")
    other.get_by_text("The sample in the address is not one of this study").wait_for()


def test_from_curation_the_audit_screen_opens_at_its_own_view(start, new_page) -> None:
    app, _ = start(10)
    page = new_page()
    be_known_as(page, "Ada")
    page.goto(f"{app.url}/curate?study=Asked&view=Table")
    page.get_by_text("rows 1 to 5").wait_for()
    page.get_by_role("link", name="Audit").click()
    page.get_by_text("Draw a sample").wait_for()
