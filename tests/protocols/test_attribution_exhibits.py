"""What results of questions are shown in: every table can be read, written and drawn."""

from collections.abc import Iterator

import pandas as pd
import pytest

from core.charts.drawing import exhibit_chart
from core.charts.pictures import chart_svg
from core.exchange.table_text import csv_text, latex_table, markdown_table
from core.protocols.attribution_exhibits import attribution_results
from core.protocols.attribution_tables import best_values, flat_rows, tables
from core.protocols.shown import Exhibit
from tests.metrics.attribution_counts_frames import frame_of, rows_of

RESULTS = attribution_results()
EXHIBITS = {one.key: one for one in RESULTS.exhibits}


def _study(name: str, mode: str, *, right: int, judge: str = "j") -> list[dict]:
    names = {"study": name, "prompt_set": mode, "judge": judge}
    answered = {"correct": right, "wrong": 9 - right, "invalid": 1, "MODEL_UNCERTAIN": 2}
    rows = rows_of(answered, {}, type="able", group="one", **names)
    rows += rows_of({}, {"DATA_UNCERTAIN": 5, "ANSWERED": 3}, type="not", group="one", **names)
    rows += rows_of({"correct": 4}, {"ANSWERED": 6}, type="both", group="two", **names)
    return [row | {"match": "exact" if row["verdict"] == "yes" else None} for row in rows]


ONE = frame_of(_study("A", "attribution", right=6), _study("B", "answer_only", right=4))
EVERY = pd.concat([ONE, frame_of(_study("A", "attribution", right=3, judge="k"))])


def _tables() -> Iterator[tuple[Exhibit, pd.DataFrame]]:
    for exhibit in RESULTS.exhibits:
        counts = EVERY if exhibit.of_every_judge else ONE
        assert exhibit.is_wanted(counts), exhibit.key
        yield exhibit, exhibit.table(counts)


def test_every_exhibit_can_be_drawn_and_written_in_every_format() -> None:
    for exhibit, table in _tables():
        assert len(table), exhibit.key
        best = exhibit.best(table) if exhibit.best else None
        marks = {"best": best, "best_within": exhibit.best_within, "digits": 2}
        assert csv_text(table).count("\n") == len(table) + 1
        latex = latex_table(table, caption=exhibit.title, label=exhibit.key, **marks)
        assert "\\end{tabular}" in latex
        assert markdown_table(table, **marks).startswith("|")
        if exhibit.chart:
            assert chart_svg(exhibit_chart(exhibit.chart, table)).startswith("<svg")


def test_wherever_an_f1_stands_its_form_is_said() -> None:
    for exhibit, table in _tables():
        shown = [*map(str, table.columns), *table.get("metric", ())]
        f1s = [name for name in shown if "F1" in name]
        assert all("released" in name or "balanced" in name for name in f1s), exhibit.key
        if f1s and exhibit.key != "scores":
            assert "Released divides" in exhibit.reading, exhibit.key


@pytest.mark.parametrize(
    ("key", "counts"),
    [
        ("modes_acc", frame_of(_study("A", "attribution", right=6))),
        ("groups_du", ONE[ONE["group"] == "one"]),
        ("judges", ONE),
        ("judge_adds", ONE.assign(match=None)),
    ],
)
def test_what_has_nothing_to_tell_apart_is_left_out(key: str, counts: pd.DataFrame) -> None:
    assert not EXHIBITS[key].is_wanted(counts)


def test_the_document_has_each_study_its_groups_and_files_and_all_of_a_mode() -> None:
    again = frame_of(_study("C", "attribution", right=2))
    document = tables(pd.concat([ONE, again]))
    assert [one["study"] for one in document["studies"]] == ["A", "B", "C"]
    first = document["studies"][0]
    assert list(first["by_group"]) == ["one", "two"]
    assert list(first["by_type"]) == ["able", "both", "not"]
    assert first["intervals"]["ACC"][0] < first["accuracy"] < first["intervals"]["ACC"][1]
    pooled = {one["prompt_set"]: one for one in document["pooled"]}
    assert pooled["attribution"]["studies"] == ["A", "C"]
    # 6 + 4 and 2 + 4 right, of 11 + 4 each.
    assert pooled["attribution"]["accuracy"] == 16 / 30
    header, rows = flat_rows(document)
    assert {row[header.index("no_reply")] for row in rows} == {None}
    assert [row[0] for row in rows if row[3] == "all"] == ["A", "B", "C", "A + C"]
    assert header[-5:] == list(best_values(pd.DataFrame([rows[0]], columns=header)))


def test_a_group_and_a_file_of_one_name_have_a_row_each_and_so_have_all_questions() -> None:
    rows = rows_of({"correct": 3, "wrong": 1}, {}, type="all", group="mine")
    rows += rows_of({"correct": 1}, {"ANSWERED": 5}, type="mine", group="all")
    header, table = flat_rows(tables(frame_of(rows)))
    part, n_answerable = header.index("questions"), header.index("answerable")
    assert {row[part]: row[n_answerable] for row in table} == {
        "all": 5,
        "mine (group)": 4,
        "all (group)": 1,
        "all (file)": 4,
        "mine (file)": 1,
    }
    assert len(table) == 5
