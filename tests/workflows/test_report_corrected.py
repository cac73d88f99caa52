"""What audits make of a report's numbers stands in the report."""

import re

import pytest

from core.charts.pictures import Picture
from core.store.store import Store
from core.workflows.audit_samples import draw_audit
from core.workflows.audit_votes import vote
from core.workflows.audited_pairs import audited_verdicts
from core.workflows.audits import find_audit
from core.workflows.people import Person
from core.workflows.reporting import report
from core.workflows.studies import Study
from tests.support.judged import twelve_right_of_twenty

NOTHING = "people decided none in a sample that speaks for all: nothing is corrected."


@pytest.fixture
def study(store: Store) -> Study:
    return twelve_right_of_twenty(store)


def _audit(store: Store, study: Study, person: Person, n: int, method: str = "stratified") -> None:
    """A sample in which people find one yes of the judge, and no no, to be wrong."""
    [row] = store.rows("judges_of_studies", study_ids=[study.study_id])
    [found] = {
        one["prompt_hash"]
        for one in store.rows("judges_of_study", study_id=study.study_id, steps=["judge"])
    }
    about = {"judge": row["model"], "prompt_hash": found, "person": person}
    drawn = draw_audit(store, study, "judge", method=method, n=n, **about)
    audit = find_audit(store, study, drawn.audit_id)
    wrong = True
    for one in audited_verdicts(store, study, [drawn.audit_id]):
        said = "no" if one.verdict == "yes" and wrong else one.verdict
        wrong = wrong and one.verdict == "no"
        vote(store, study, audit, person, one.item_id, said)


def _page(store: Store, study: Study) -> str:
    return report(store, [study], draw=lambda kind, table: Picture("<svg></svg>", kind))


def _table(page: str, caption: str) -> list[list[str]]:
    table = page.split(f"<caption>{caption}</caption>")[1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table)
    return [[re.sub(r"<[^>]+>", "", one) for one in re.split(r"</t[hd]>", row)] for row in rows]


def test_the_report_has_the_metrics_as_judged_and_as_corrected(store, study, ada) -> None:
    _audit(store, study, ada, 16)
    page = _page(store, study)
    # Eight of twelve yes, seven of them confirmed, and eight of eight no: 12 × 7/8 = 10.5 of 20.
    header, acc, *_ = _table(page, "Metrics as judged and as corrected")
    assert header[:5] == ["study", "subject", "metric", "judged", "corrected"]
    assert acc[:3] == ["Asked", "scripted/subject", "ACC"]
    assert acc[3].startswith("0.600 [")
    assert acc[4].startswith("0.525 [")
    rates = {row[1]: row[2] for row in _table(page, "The rate of yes")[1:]}
    assert rates["as judged"].startswith("0.600 [")
    assert rates["corrected (default)"].startswith("0.525 [")
    measures = {row[1]: row[2] for row in _table(page, "How far the judge is right")[1:]}
    assert measures["agreement"].startswith("0.925 [")
    assert "people decided 16 in 1 sample that speaks for all of them." in page
    assert "Ada" not in page


def test_without_enough_decided_verdicts_the_report_says_so(store, study, ada) -> None:
    assert NOTHING in _page(store, study)
    _audit(store, study, ada, 4)
    page = _page(store, study)
    assert "people decided 4 in 1 sample that speaks for all of them, too few to" in page
    assert "Metrics as judged and as corrected" not in page


def test_a_sample_of_disagreements_corrects_nothing(store, study, ada) -> None:
    _audit(store, study, ada, 16, "disagreement")
    assert NOTHING in _page(store, study)


def test_the_table_of_judges_has_no_hash_that_makes_it_scroll(store, study) -> None:
    page = _page(store, study)
    header, row = _table(page, "Judges, with what each said of the answers")
    assert "hash" not in header
    assert row[1] == "scripted/judge, prompt v1"
    _, asked_with = _table(page, "What each judge was asked with")
    assert len(asked_with[2]) == 64
