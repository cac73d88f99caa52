"""Tasks from a person's own file: nothing guessed, nothing changed, every fault by its wording."""

import csv
import json

import pytest

from core.errors import InputError
from core.exchange.rejects import write_reject_file
from core.exchange.row_file import raise_for_bad_rows
from core.exchange.tasks import TaskRow, read_tasks

GOOD = "Fold a paper crane,feasible,Functional Ceiling,\n"


@pytest.fixture
def tasks_csv(tmp_path):
    """Writes lines below the header text,intent,type,reason, and returns the file's path."""

    def write(lines, header="text,intent,type,reason", name="tasks.csv"):
        path = tmp_path / name
        path.write_text(header + "\n" + lines, encoding="utf-8", newline="")
        return path

    return write


def faults(path):
    return [str(bad) for bad in read_tasks(path).bad_rows]


def refusal(path):
    with pytest.raises(InputError) as caught:
        read_tasks(path)
    return str(caught.value)


def test_a_task_is_read_with_its_names_normalised(tasks_csv):
    path = tasks_csv(
        GOOD
        + "Say what the report means,INFEASIBLE,contextual awareness,2. missing context\n"
        + "Settle it,Infeasible,,no scientific consensus\n"
    )
    assert read_tasks(path).rows == (
        TaskRow(2, "Fold a paper crane", "feasible", "Functional Ceiling", None),
        TaskRow(
            3, "Say what the report means", "infeasible", "Contextual Awareness", "Missing Context"
        ),
        # The blank type follows from the reason by definition.
        TaskRow(
            4, "Settle it", "infeasible", "Identification of Ambiguity", "No Scientific Consensus"
        ),
    )


def test_the_text_of_a_task_is_kept_to_the_last_character(tasks_csv):
    text = '  "Costs $5, keep __init__" \r\n:smile:\t<b>\u200f שלום  '
    path = tasks_csv('"' + text.replace('"', '""') + '",feasible,Functional Ceiling,\n')
    assert read_tasks(path).rows[0].text == text


@pytest.mark.parametrize("word", ["None", "NA", "null", "nan", "=1+1", "-"])
def test_words_that_look_empty_or_like_formulas_are_tasks(tasks_csv, word):
    path = tasks_csv(f"{word},feasible,Functional Ceiling,\n")
    assert read_tasks(path).rows[0].text == word


@pytest.mark.parametrize(
    "header",
    [
        "Text,INTENT,Type,Reason",
        "task,intent,type,reason",
        "Task Text,intended,type_of_self-knowledge,Reason for Incapacity",
        "prompt,feasibility,knowledge-type,reason_for_infeasibility",
    ],
)
def test_headers_are_understood_in_other_spellings(tasks_csv, header):
    assert len(read_tasks(tasks_csv(GOOD, header)).rows) == 1


def test_the_plain_name_of_a_column_wins_over_another_spelling(tasks_csv):
    path = tasks_csv("7," + GOOD, "task,text,intent,type,reason")
    tasks = read_tasks(path)
    assert tasks.rows[0].text == "Fold a paper crane"
    assert tasks.findings == ("1 column is not used: 'task'",)


def test_columns_may_be_missing_where_no_row_needs_them(tasks_csv):
    feasible = tasks_csv("Fold,feasible,Functional Ceiling\n", "text,intent,type")
    assert len(read_tasks(feasible).rows) == 1
    infeasible = tasks_csv("Settle it,infeasible,Missing Context\n", "text,intent,reason")
    assert read_tasks(infeasible).rows[0].type == "Contextual Awareness"


def test_a_missing_column_is_refused_with_the_columns_met(tasks_csv):
    assert refusal(tasks_csv("a,b\n", "question,answer")) == (
        "tasks.csv has no column text, intent; it has 'question', 'answer'"
    )


def test_two_columns_for_one_thing_are_refused(tasks_csv):
    assert refusal(tasks_csv("a," + GOOD, "task,prompt,intent,type,reason")) == (
        "tasks.csv has 2 columns for text: 'task', 'prompt'"
    )
    assert refusal(tasks_csv("a," + GOOD, "Text,text,intent,type,reason")) == (
        "tasks.csv has 2 columns for text: 'Text', 'text'"
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (",feasible,Functional Ceiling,", "has no task text"),
        ('" \n\u200b",feasible,Functional Ceiling,', "has no task text"),
        ("a,,Functional Ceiling,", "has no intent"),
        ("a,,,Missing Context", "has no intent"),
        ("a,maybe,Functional Ceiling,", "has the unknown intent 'maybe'"),
        ("a,not feasible,Functional Ceiling,", "has the unknown intent 'not feasible'"),
        ("a,feasible,,", "is feasible and has no type"),
        ("a,feasible,Wisdom,", "has the unknown type 'Wisdom'"),
        (
            "a,feasible,Functional Ceiling,None",
            "is feasible and yet has the reason 'None'",
        ),
        ("a,infeasible,Functional Ceiling,", "is infeasible and has no reason"),
        ("a,infeasible,,too hard", "has the unknown reason 'too hard'"),
        (
            "a,infeasible,Functional Ceiling,Missing Context",
            "has the type 'Functional Ceiling', but its reason 'Missing Context' belongs to "
            "'Contextual Awareness'",
        ),
        ("a,feasible", "has 2 cells where the header has 4"),
    ],
)
def test_each_fault_of_a_row_is_told_in_words_and_spoils_no_other_row(tasks_csv, line, why):
    path = tasks_csv(GOOD + line + "\n" + GOOD.replace("crane", "boat"))
    assert faults(path) == [f"row 3 of tasks.csv {why}"]
    assert [row.text for row in read_tasks(path).rows] == [
        "Fold a paper crane",
        "Fold a paper boat",
    ]


def test_a_refused_import_says_which_row_why_how_many_are_fine_and_what_to_do(tasks_csv):
    # Header, 15 good rows, the blank one on line 17, 83 good rows: 98 good.
    path = tasks_csv(GOOD * 15 + ",feasible,Functional Ceiling,\n" + GOOD * 83)
    with pytest.raises(InputError) as caught:
        raise_for_bad_rows(read_tasks(path))
    assert str(caught.value) == "row 17 of tasks.csv has no task text; 98 other rows are fine"
    assert caught.value.hint == "fix the row, or import with bad rows skipped"


def test_the_hint_for_an_unknown_name_lists_the_known_ones(tasks_csv):
    path = tasks_csv(GOOD + "a,infeasible,,too hard\n")
    with pytest.raises(InputError) as caught:
        raise_for_bad_rows(read_tasks(path))
    assert caught.value.hint.startswith(
        "fix the row (known reasons: Insufficient Domain Expertise,"
    )


def test_a_file_without_a_good_row_is_refused_even_when_bad_rows_may_be_skipped(tasks_csv):
    assert refusal(tasks_csv(",feasible,Functional Ceiling,\n")) == (
        "row 2 of tasks.csv has no task text; no other row is fine"
    )
    assert refusal(tasks_csv("a\n")) == (
        "row 2 of tasks.csv has 1 cell where the header has 4; no other row is fine"
    )


def test_bad_lines_of_json_and_bad_tasks_are_reported_in_the_order_of_the_file(tmp_path):
    task = {"text": "Fold", "intent": "feasible", "type": "Functional Ceiling", "reason": None}
    lines = [task | {"text": ["a"]}, task, "{", task | {"text": ""}]
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
    assert faults(path) == [
        "row 1 of tasks.jsonl has \"['a']\" where the task text belongs",
        "row 3 of tasks.jsonl is not JSON: expecting property name enclosed in double quotes "
        "at column 2",
        "row 4 of tasks.jsonl has no task text",
    ]


def test_unused_columns_and_repeated_texts_are_findings(tasks_csv):
    path = tasks_csv(f"1,x,{GOOD}" * 3, "id,note,text,intent,type,reason")
    tasks = read_tasks(path)
    assert len(tasks.rows) == 3
    assert tasks.findings == (
        "2 columns are not used: 'id', 'note'",
        "2 rows repeat the text of an earlier row exactly",
    )


def test_the_reject_file_holds_the_bad_rows_with_their_own_cells(tasks_csv, tmp_path):
    path = tasks_csv(GOOD + "=1+1,maybe,,\nx\n")
    assert write_reject_file(read_tasks(path).bad_rows, tmp_path / "rejects.csv") == 2
    with (tmp_path / "rejects.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            [
                "rejected_file",
                "rejected_line",
                "rejected_because",
                "text",
                "intent",
                "type",
                "reason",
                "raw",
            ],
            ["tasks.csv", "3", "has the unknown intent 'maybe'", "'=1+1", "maybe", "", "", ""],
            ["tasks.csv", "4", "has 1 cell where the header has 4", "", "", "", "", "x\n"],
        ]


def test_a_mended_reject_file_can_be_imported_as_it_is(tasks_csv, tmp_path):
    bad = read_tasks(tasks_csv(GOOD + "=1+1,maybe,Functional Ceiling,\n")).bad_rows
    rejects = tmp_path / "rejects.csv"
    write_reject_file(bad, rejects)
    rejects.write_text(rejects.read_text().replace(",maybe,", ",feasible,"))
    mended = read_tasks(rejects)
    assert mended.rows == (TaskRow(2, "=1+1", "feasible", "Functional Ceiling", None),)
    assert "not used" not in " ".join(mended.findings)


def test_a_reject_of_a_reject_file_names_the_newer_fault(tasks_csv, tmp_path):
    rejects, again = tmp_path / "rejects.csv", tmp_path / "again.csv"
    write_reject_file(read_tasks(tasks_csv(GOOD + "a,maybe,,\n")).bad_rows, rejects)
    rejects.write_text(rejects.read_text() + f",,,{GOOD}")
    write_reject_file(read_tasks(rejects).bad_rows, again)
    assert again.read_text().splitlines()[1].startswith("rejects.csv,2,")
