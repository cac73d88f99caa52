"""Questions from a person's own file: nothing guessed, every fault by its wording."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.exchange.named_cells import RowFault
from core.exchange.questions import QuestionRow, question_row, read_questions
from core.exchange.row_file import raise_for_bad_rows

HEADER = "question,reference_answers,should_abstain,group"
ROWS = [
    {"question": "Two and two?", "reference_answers": ["4", "four"], "should_abstain": False},
    {"question": "How old is he?", "reference_answers": None, "should_abstain": True},
]
READ = (
    QuestionRow(1, "Two and two?", ("4", "four"), False, None),
    QuestionRow(2, "How old is he?", (), True, None),
)


@pytest.fixture
def questions_csv(tmp_path):
    """Writes lines below a header, and returns the file's path."""

    def write(*lines, header=HEADER, name="own.csv"):
        path = tmp_path / name
        path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
        return path

    return write


def faults(path: Path) -> list[str]:
    return [str(bad) for bad in read_questions(path).bad_rows]


def fault(references: object, abstains: object = "false", text: object = "Why?") -> str:
    with pytest.raises(RowFault) as caught:
        question_row(
            1, {"question": text, "reference_answers": references, "should_abstain": abstains}
        )
    return f"{caught.value}; {caught.value.wanted}"


def references(cell: object) -> tuple[str, ...]:
    cells = {"question": "Why?", "reference_answers": cell, "should_abstain": "no"}
    return question_row(1, cells).reference_answers


def test_every_format_says_the_same(tmp_path: Path, questions_csv) -> None:
    (tmp_path / "array.json").write_text(json.dumps(ROWS))
    (tmp_path / "lines.jsonl").write_text("\n".join(json.dumps(row) for row in ROWS))
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "table.parquet")
    for name in ("array.json", "lines.jsonl", "table.parquet"):
        assert read_questions(tmp_path / name).rows == READ, name
    plain = ['Two and two?,"[""4"", ""four""]",FALSE,', "How old is he?,,TRUE,"]
    below_header = tuple(
        QuestionRow(row.line + 1, row.text, row.reference_answers, row.should_abstain, None)
        for row in READ
    )
    assert read_questions(questions_csv(*plain)).rows == below_header
    tabs = ['Two and two?\t"[""4"", ""four""]"\tFALSE\t', "How old is he?\t\tTRUE\t"]
    header = HEADER.replace(",", "\t")
    assert read_questions(questions_csv(*tabs, header=header, name="a.tsv")).rows == below_header
    book = openpyxl.Workbook()
    book.active.append(HEADER.split(","))
    book.active.append(["Two and two?", '["4", "four"]', False, None])
    book.active.append(["How old is he?", None, True, None])
    book.save(tmp_path / "book.xlsx")
    assert read_questions(tmp_path / "book.xlsx").rows == below_header


@pytest.mark.parametrize("word", ["true", "TRUE", " Yes ", "y", "t", "1", "1.0"])
def test_usual_words_say_that_one_should_abstain(word: str) -> None:
    cells = {"question": "Why?", "reference_answers": None, "should_abstain": word}
    assert question_row(1, cells).should_abstain is True


@pytest.mark.parametrize("word", ["false", "False", "no", "N", "f", "0", "0.0"])
def test_usual_words_say_that_one_should_answer(word: str) -> None:
    cells = {"question": "Why?", "reference_answers": "So.", "should_abstain": word}
    assert question_row(1, cells).should_abstain is False


@pytest.mark.parametrize("word", ["maybe", "2", "answerable", ["true"]])
def test_another_word_is_not_guessed(word: object) -> None:
    assert "for should_abstain; true or false" in fault("4", word)


def test_a_row_that_contradicts_itself_is_a_bad_row_with_its_line(questions_csv) -> None:
    path = questions_csv(
        "Two and two?,4,no,",
        "The last digit of pi?,3,yes,",
        "Three and three?,,no,",
        "Four and four?,[],no,",
        "Who?,, ,",
        ",4,no,",
    )
    assert faults(path) == [
        "row 3 of own.csv is not to be answered and yet has the reference answer '3'",
        "row 4 of own.csv is to be answered and has no reference answer",
        "row 5 of own.csv is to be answered and has no reference answer",
        "row 6 of own.csv does not say whether to abstain",
        "row 7 of own.csv has no question",
    ]
    with pytest.raises(
        InputError, match=r"row 3 of own\.csv .*; 4 more rows .* 1 other row is fine"
    ):
        raise_for_bad_rows(read_questions(path))


def test_an_answer_is_plain_text_or_a_list_of_texts_and_nothing_else() -> None:
    assert references("four, or 4") == ("four, or 4",)
    assert references('["[0, 1]"]') == ("[0, 1]",)
    # A half-open interval is no list, and neither is what stands in other brackets.
    assert references("[0, 1)") == ("[0, 1)",)
    assert references('{"a": 1}') == ('{"a": 1}',)
    # Only empty is empty.
    assert [references(one) for one in ("null", "None", "nan")] == [("null",), ("None",), ("nan",)]
    assert references([4, 2.5, "x"]) == ("4", "2.5", "x")
    assert "a list of other things than texts" in fault("[0, 1]")
    assert "a list that is not JSON" in fault("['4', 'four']")
    assert "a list that is not JSON" in fault('["4", "four"')
    for part in ([True], [["4"]], [None], [{"text": "4"}], [float("nan")]):
        assert "among its reference answers" in fault(part)
    assert "an empty text among its reference answers" in fault(["4", " "])
    assert "for reference_answers; a list of texts" in fault({"text": "4"})


def test_text_and_answers_stay_as_they_are_to_the_last_character(tmp_path: Path) -> None:
    text = "  Costs $5, __init__ \r\n:smile:\t<b>\u200f שלום  "
    row = {"question": text, "reference_answers": [text], "should_abstain": False, "group": " g "}
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(row))
    assert read_questions(path).rows == (QuestionRow(1, text, (text,), False, "g"),)


def test_other_headers_are_understood_and_other_columns_named(questions_csv) -> None:
    path = questions_csv(
        "Two and two?,4,no,sums,easy", header="Prompt,Answer,is-unanswerable,Group Name,level"
    )
    file = read_questions(path)
    assert file.rows == (QuestionRow(2, "Two and two?", ("4",), False, "sums"),)
    assert file.findings == ("1 column is not used: 'level'",)


def test_a_column_that_is_missing_is_named_with_those_that_do(questions_csv) -> None:
    path = questions_csv("Two and two?,4", header="question,reference_answers")
    with pytest.raises(InputError) as caught:
        read_questions(path)
    assert str(caught.value) == (
        "own.csv has no column should_abstain; it has 'question', 'reference_answers'"
    )
    assert caught.value.hint.endswith("question, reference_answers, should_abstain, group")


def test_a_group_is_text(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps([ROWS[0], ROWS[0] | {"group": ["a"]}]))
    assert faults(path) == ["row 2 of own.json has \"['a']\" for group where text was wanted"]
    # The group is missing in the first row.
    assert read_questions(path).rows[0].group is None


answer = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).filter(str.strip)


@given(st.lists(answer, min_size=1))
def test_a_list_written_as_json_comes_back_from_a_cell_of_csv(answers: list[str]) -> None:
    cell = io.StringIO()
    csv.writer(cell).writerow([json.dumps(answers)])
    [[met]] = csv.reader(io.StringIO(cell.getvalue()))
    assert references(met) == tuple(answers)
