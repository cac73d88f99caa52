"""Results of studies of questions, as people see them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.llm.scripted import ScriptedClient
from core.records import Reply
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.workbench import Workbench
from tests.support.answers import DATA, JUDGE, MODEL, STRICT, attempted, replies
from tests.support.curation_screen import sound

APP = Path(__file__).parents[2] / "app.py"
GOOD, POOR = "scripted/good", "scripted/poor"
RIGHT = {
    "Two and two?": r"\boxed{4}",
    "The capital of Italy?": r"\boxed{Rome.}",
    "The colour of snow?": r"\boxed{white}",
    "The 9,999th prime?": MODEL,
    "Who wrote it?": r"\boxed{:red[Bob] $1$}",
    "How old is he?": DATA,
    "Who will win?": DATA,
    "What is behind it?": r"\boxed{A wall}",
}
SAID = {GOOD: RIGHT, POOR: dict.fromkeys(RIGHT, DATA)}


@pytest.fixture
def filled(store_path: Path) -> Callable[..., None]:
    """Fills the app's store with studies, through replies that were written down."""

    def fill(make: Callable[[Workbench], None], reply=None) -> None:
        client = ScriptedClient(reply or replies(SAID))
        bench = Workbench(Store.open(store_path), Engine(), lambda: client)
        make(bench)
        bench.close()

    return fill


def results(**address: str | list[str]) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=60)
    page.run().switch_page("pages/results.py")
    for name, value in address.items():
        page.query_params[name] = value
    return sound(page.run())


def words_of(page: AppTest) -> str:
    shown = [*page.caption, *page.markdown, *page.info, *page.subheader]
    return "\n".join(one.value for one in shown)


def test_a_study_of_questions_is_shown_in_the_words_of_questions(filled) -> None:
    filled(lambda bench: attempted(bench, "Good", GOOD))
    page = results(study="Good")
    said = words_of(page)
    assert "8 questions asked = 8 with a usable reply" in said
    for title in ("Attribution at a glance", "What became of the questions", "What the judge adds"):
        assert title in said
    assert "From imported to judged" in said
    assert "classif" not in said.casefold()
    [judged_by] = [one for one in page.selectbox if one.label == "Judged by"]
    assert judged_by.options == [f"{JUDGE}, prompt v1", f"{STRICT}, prompt v1"]


def test_another_judge_changes_the_numbers(filled) -> None:
    filled(lambda bench: attempted(bench, "Good", GOOD))
    page = results(study="Good")
    first = next(table.value for table in page.dataframe if "ACC" in table.value.columns)
    assert first["ACC"].iloc[0].startswith("0.600 [")
    [judged_by] = [one for one in page.selectbox if one.label == "Judged by"]
    sound(judged_by.select(f"{STRICT}, prompt v1").run())
    then = next(table.value for table in page.dataframe if "ACC" in table.value.columns)
    assert then["ACC"].iloc[0].startswith("0.400 [")


def test_two_studies_are_compared_question_by_question(filled) -> None:
    def both(bench: Workbench) -> None:
        attempted(bench, "Good", GOOD)
        attempted(bench, "Poor", POOR, judges=[])

    filled(both)
    page = results(study=["Good", "Poor"])
    said = words_of(page)
    assert "Good and Poor reached an outcome on the same 8 questions" in said
    assert "compared question by question" in said
    assert "It has not judged" in said


def test_a_link_opens_the_questions_behind_a_square(filled) -> None:
    filled(lambda bench: attempted(bench, "Good", GOOD))
    page = results(
        study="Good",
        of_study="Good",
        intent="answerable",
        outcomes="answered wrong",
        judge=f"{STRICT}, prompt v1",
    )
    said = words_of(page)
    assert "2 questions; rows 1 to 2" in said
    [table] = [one.value for one in page.dataframe if "question" in one.value.columns
               and "answer" in one.value.columns]  # fmt: skip
    assert sorted(table["answer"]) == [":red[Bob] $1$", "Rome."]


@pytest.mark.parametrize("n_questions", [0, 1])
def test_nothing_and_a_single_question_say_so(filled, n_questions: int) -> None:
    one = [("easy", "Two and two?", ["4"])]
    filled(lambda bench: attempted(bench, "Few", GOOD, questions=one[:n_questions]))
    page = results(study="Few")
    said = words_of(page)
    if n_questions:
        assert "Fewer than 5 answered questions" in said
    else:
        assert "There are no results yet" in said


def test_a_subject_that_refuses_everything_still_has_its_row(filled) -> None:
    def refuse(request) -> Reply:
        return Reply(text=None, refusal="No.", model=request.model)

    filled(lambda bench: attempted(bench, "Refused", GOOD, judges=[]), refuse)
    page = results(study="Refused")
    assert not page.exception
    said = words_of(page)
    assert "8 ended without a usable reply" in said
