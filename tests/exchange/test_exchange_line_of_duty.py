"""The published result files: read whole, told what is odd, and equal to the recomputed cells."""

import json
from collections import Counter
from pathlib import Path

import openpyxl
import pytest

from core.errors import InputError
from core.exchange.line_of_duty import COLUMNS, read_line_of_duty

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"

needs_published = pytest.mark.skipif(
    not PUBLISHED.is_dir(), reason="the published files are not beside the project"
)

FEASIBLE_ROW = [
    "id1",
    "Fold a crane",
    "m",
    "Feasible",
    "Functional Ceiling",
    "",
    "Feasible",
    "",
    "",
]
INFEASIBLE_ROW = [
    "id2",
    "Settle it",
    "m",
    "Infeasible",
    "Contextual Awareness",
    "Missing Context",
    "Infeasible",
    "Identification of Ambiguity",
    "No scientific consensus",
]


@pytest.fixture(scope="module")
def studies():
    return {path.stem: read_line_of_duty(path) for path in sorted(PUBLISHED.glob("*.xlsx"))}


@pytest.fixture
def published(tmp_path):
    """Writes rows in the published layout, and returns the file's path."""

    def write(*rows, header=None, name="m_results.xlsx"):
        book = openpyxl.Workbook()
        for row in (header or list(COLUMNS.values()), *rows):
            book.active.append(row)
        book.save(tmp_path / name)
        return tmp_path / name

    return write


def changed(row, **cells):
    order = list(COLUMNS)
    return [cells.get(name, old) for name, old in zip(order, row, strict=True)]


def findings(path):
    return list(read_line_of_duty(path).findings)


def cells(rows):
    """The counts ff, fr, rf, rr and rr_other; a blank reason is another reason."""
    names = {("feasible", "feasible"): "ff", ("feasible", "infeasible"): "fr"}
    names |= {("infeasible", "feasible"): "rf"}
    same = {True: "rr", False: "rr_other"}
    count = Counter(
        names.get((row.intent, row.label)) or same[row.reason == row.label_reason] for row in rows
    )
    return {name: count[name] for name in ("ff", "fr", "rf", "rr", "rr_other")}


@needs_published
def test_all_ten_files_are_read_whole(studies):
    assert len(studies) == 10
    assert sum(len(study.rows) for study in studies.values()) == 8_000
    assert not any(study.bad_rows for study in studies.values())


@needs_published
def test_subject_and_prompt_set_come_from_the_file(studies):
    advanced = studies["gpt-4o-mini_results_advanced"]
    assert (advanced.subject, advanced.prompt_set) == ("gpt-4o-mini", "challenge_qap")
    plain = studies["gpt-4o-mini_results"]
    assert (plain.subject, plain.prompt_set) == ("gpt-4o-mini", "vanilla")


@needs_published
def test_nineteen_rows_are_classified_infeasible_with_no_reason_and_212_repeat(studies):
    rows = [row for study in studies.values() for row in study.rows]
    assert sum(row.label == "infeasible" and row.label_reason is None for row in rows) == 19
    repeats = [
        len(study.rows) - len({row.text for row in study.rows}) for study in studies.values()
    ]
    assert sum(repeats) == 212


@needs_published
def test_the_findings_tell_what_is_odd_in_the_published_files(studies):
    assert {name: study.findings for name, study in studies.items() if study.findings} == {
        "gemini-1.5-flash_results": (
            "1 row is generated as feasible with a reason, which is ignored",
            "122 rows repeat the task of an earlier row exactly",
        ),
        "gemini-1.5-flash_results_advanced": (
            "2 rows are classified feasible with a reason, which is ignored",
            "1 row is generated as feasible with a reason, which is ignored",
            "88 rows repeat the task of an earlier row exactly",
        ),
        "gpt-4o-mini_results": ("19 rows are classified infeasible with no reason",),
        "gpt-4o_results_advanced": ("2 rows repeat the task of an earlier row exactly",),
        "mistral-large-latest_results_advanced": (
            "1 row is classified feasible with a reason, which is ignored",
        ),
    }


@needs_published
def test_the_rows_give_the_recomputed_cells_per_study_and_per_type(studies):
    oracle = json.loads((PUBLISHED / "tables_recomputed.json").read_text())["models"]
    met, wanted = [], []
    for study in studies.values():
        met.append(cells(study.rows))
        met += [
            cells([row for row in study.rows if row.type == kind])
            for kind in sorted({row.type for row in study.rows})
        ]
    for model in oracle.values():
        for prompt_set in ("vanilla", "challenge_qap"):
            wanted.append(model[prompt_set]["cells"])
            by_type = model[prompt_set]["by_type"]
            wanted += [by_type[kind]["cells"] for kind in sorted(by_type)]
    assert len(met) == 60
    # The oracle names its models otherwise, so the two are compared as collections.
    assert Counter(map(str, met)) == Counter(map(str, wanted))


def test_names_are_normalised_and_the_row_number_is_the_sheets(published):
    rows = read_line_of_duty(published(FEASIBLE_ROW, INFEASIBLE_ROW)).rows
    assert (rows[1].row_number, rows[1].id, rows[1].text) == (3, "id2", "Settle it")
    assert (rows[1].intent, rows[1].reason) == ("infeasible", "Missing Context")
    assert (rows[1].label, rows[1].label_reason) == ("infeasible", "No Scientific Consensus")
    assert rows[1].label_type == "Identification of Ambiguity"
    assert rows[1].note == ""


@pytest.mark.parametrize(
    ("row", "odd", "finding"),
    [
        (INFEASIBLE_ROW, {"label_reason": ""}, "1 row is classified infeasible with no reason"),
        (INFEASIBLE_ROW, {"reason": ""}, "1 row is generated as infeasible with no reason"),
        (
            FEASIBLE_ROW,
            {"label_reason": "Missing Context"},
            "1 row is classified feasible with a reason, which is ignored",
        ),
        (
            FEASIBLE_ROW,
            {"reason": "whatever"},
            "1 row is generated as feasible with a reason, which is ignored",
        ),
        (
            INFEASIBLE_ROW,
            {"type": "Functional Ceiling"},
            "1 row is generated under a type that the reason does not belong to",
        ),
        (
            INFEASIBLE_ROW,
            {"label_type": "Functional Ceiling"},
            "1 row is classified under a type that the reason does not belong to",
        ),
        (FEASIBLE_ROW, {"type": ""}, "1 row is without a type"),
        (FEASIBLE_ROW, {"id": ""}, "1 row is without an ID"),
    ],
)
def test_an_odd_row_is_kept_noted_and_counted(published, row, odd, finding):
    study = read_line_of_duty(published(changed(row, **odd), changed(row, id="x", text="other")))
    assert len(study.rows) == 2
    assert study.findings == (finding,)
    assert [f"1 row is {row.note}" for row in study.rows if row.note] == [finding]


def test_a_reason_beside_feasible_is_not_kept(published):
    odd = changed(FEASIBLE_ROW, reason="Missing Context", label_reason="Missing Context")
    row = read_line_of_duty(published(odd)).rows[0]
    assert (row.reason, row.label_reason) == (None, None)


def test_repeated_tasks_and_ids_are_counted_and_kept(published):
    assert findings(published(FEASIBLE_ROW, FEASIBLE_ROW, FEASIBLE_ROW)) == [
        "2 rows repeat the task of an earlier row exactly",
        "2 rows have the ID of an earlier row",
    ]


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"text": ""}, "has no task text"),
        ({"intent": ""}, "has no Task Category (Generation)"),
        ({"label": "Maybe"}, "has the unknown Task Category (Classification) 'Maybe'"),
        ({"type": "Wisdom"}, "has the unknown type 'Wisdom'"),
        ({"label_type": "Wisdom"}, "has the unknown type 'Wisdom'"),
        ({"reason": "too hard"}, "has the unknown reason 'too hard'"),
        ({"label_reason": "too hard"}, "has the unknown reason 'too hard'"),
    ],
)
def test_a_row_that_says_something_unknown_is_a_bad_row(published, odd, why):
    study = read_line_of_duty(published(FEASIBLE_ROW, changed(INFEASIBLE_ROW, **odd)))
    assert [str(bad) for bad in study.bad_rows] == [f"row 3 of m_results.xlsx {why}"]
    assert len(study.rows) == 1


def test_another_layout_is_refused_with_the_missing_columns(published):
    path = published(["a", "b", "m"], header=["ID", "Task", "LLM"])
    with pytest.raises(InputError) as caught:
        read_line_of_duty(path)
    assert str(caught.value).startswith(
        "m_results.xlsx does not have the layout of the published files; "
        "missing: 'Task Category (Generation)', 'Type of Self-Knowledge (Generation)'"
    )


def test_a_file_of_two_models_or_none_is_refused(published):
    with pytest.raises(InputError, match=r"names 2 models \('m', 'n'\) where one was wanted"):
        read_line_of_duty(published(FEASIBLE_ROW, changed(FEASIBLE_ROW, subject="n")))
    with pytest.raises(InputError, match="names 0 models where one was wanted"):
        read_line_of_duty(published(changed(FEASIBLE_ROW, subject="")))


def test_a_file_without_a_good_row_is_refused(published):
    with pytest.raises(
        InputError, match=r"row 2 of m_results\.xlsx has no task text; no other row"
    ):
        read_line_of_duty(published(changed(FEASIBLE_ROW, text="")))
