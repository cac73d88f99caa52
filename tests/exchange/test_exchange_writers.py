"""Files out: every character comes back, spreadsheets run nothing, and it is all or nothing."""

import csv
import json
from datetime import UTC, datetime, timedelta, timezone

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.exchange.rows import read_rows
from core.exchange.spreadsheet_guard import guarded, unguarded
from core.exchange.writers import columns_of, write_table

FORMATS = ("jsonl", "csv", "parquet")

# Any text that UTF-8 can hold, with the troublesome characters over-represented.
ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from(",;\t|\"'\r\n\0=+-@＝ \u2028\u2029\x85\ufeff\u200f\u202eא\u0301😀"),
        st.characters(exclude_categories=["Cs"]),
    ),
    min_size=1,
)


def written(tmp_path, rows, format, columns=None):
    path = tmp_path / f"out.{format}"
    columns = columns or dict.fromkeys(rows[0], str)
    assert write_table(rows, path, columns=columns, format=format) == len(rows)
    return path


def read_back(path):
    return [row for _, row in read_rows(path).rows]


def csv_cells(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("format", FORMATS)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.tuples(ANY_TEXT, st.none() | ANY_TEXT), min_size=1, max_size=5))
@example(texts=[("'=1+1", "''-"), ("\r", "\n"), ("\0", '"'), ("None", "NA"), ("null", "nan")])
@example(texts=[("\ufefftext", "a;b;c;d"), ("[{", "{}"), (" ", None)])
def test_every_text_comes_back_byte_for_byte(tmp_path, format, texts):
    rows = [{"text": text, "note": note} for text, note in texts]
    assert read_back(written(tmp_path, rows, format)) == rows


@pytest.mark.parametrize("format", FORMATS)
def test_a_frame_is_written_like_its_rows(tmp_path, format):
    rows = [{"text": "a", "note": None}, {"text": "=b", "note": "nan"}]
    path = tmp_path / "frame.out"
    frame = pd.DataFrame(rows).assign(unused=1)
    write_table(frame, path, columns={"text": str, "note": str}, format=format)
    assert read_back(path) == rows


def test_a_csv_cell_cannot_tell_an_empty_text_from_none_and_the_others_can(tmp_path):
    rows = [{"id": "1", "text": ""}, {"id": "2", "text": None}]
    assert read_back(written(tmp_path, rows, "jsonl")) == rows
    assert read_back(written(tmp_path, rows, "parquet")) == rows
    assert [row["text"] for row in read_back(written(tmp_path, rows, "csv"))] == [None, None]


# Spreadsheets


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "'=", "''-"])
def test_text_that_a_spreadsheet_would_run_is_guarded_in_csv_only(tmp_path, start):
    rows = [{"text": start + "cmd", "n": "x"}]
    assert csv_cells(written(tmp_path, rows, "csv"))[1] == ["'" + start + "cmd", "x"]
    assert json.loads(written(tmp_path, rows, "jsonl").read_text()) == rows[0]
    assert pq.read_table(written(tmp_path, rows, "parquet")).to_pylist() == rows


@pytest.mark.parametrize("text", ["1=1", "'tis so", "a-b", " =1", "5", "'", ""])
def test_other_text_is_not_guarded(text):
    assert guarded(text) == text


@given(text=ANY_TEXT | st.text("'=-a", max_size=6))
def test_taking_the_guard_off_gives_exactly_the_text(text):
    assert unguarded(guarded(text)) == text


def test_real_numbers_stay_numbers_and_numeric_text_stays_text(tmp_path):
    columns = {"n": int, "x": float, "text": str}
    rows = [{"n": -5, "x": -0.25, "text": "-5"}, {"n": 7, "x": 1e-7, "text": "+7"}]
    path = written(tmp_path, rows, "csv", columns)
    assert csv_cells(path)[1:] == [["-5", "-0.25", "'-5"], ["7", "1e-07", "'+7"]]


def test_csv_has_no_byte_order_mark_and_line_ends_of_rfc_4180(tmp_path):
    path = written(tmp_path, [{"text": "é", "n": "1"}], "csv")
    assert path.read_bytes() == "text,n\r\né,1\r\n".encode()


# Values that are not plain text


@pytest.mark.parametrize("format", FORMATS)
def test_times_are_utc_whatever_zone_they_came_in(tmp_path, format):
    # 14:00 at two hours east of Greenwich is 12:00 UTC; a time without a zone is UTC already.
    moments = [
        datetime(2026, 3, 1, 12, 0, 0, 250),
        datetime(2026, 3, 1, 12, 0, 0, 250, tzinfo=UTC),
        datetime(2026, 3, 1, 14, 0, 0, 250, tzinfo=timezone(timedelta(hours=2))),
        pd.Timestamp("2026-03-01T14:00:00.000250+02:00"),
    ]
    rows = [{"at": moment} for moment in moments]
    path = written(tmp_path, rows, format, {"at": datetime})
    if format == "parquet":
        assert pq.read_schema(path).field("at").type == pa.timestamp("us", tz="UTC")
        assert pq.read_table(path).to_pylist() == [{"at": moments[1]}] * 4
    else:
        assert read_back(path) == [{"at": "2026-03-01T12:00:00.000250Z"}] * 4


@pytest.mark.parametrize("format", FORMATS)
def test_nan_is_written_as_a_missing_value_and_no_text_is(tmp_path, format):
    columns = {"id": str, "x": float}
    rows = [{"id": "nan", "x": float("nan")}, {"id": "b", "x": None}, {"id": "c", "x": 0.5}]
    assert read_back(written(tmp_path, rows, format, columns)) == [
        {"id": "nan", "x": None},
        {"id": "b", "x": None},
        {"id": "c", "x": "0.5"},
    ]


def test_an_infinite_number_is_refused_where_json_has_none(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        written(tmp_path, [{"x": float("inf")}], "jsonl", {"x": float})


def test_jsonl_is_plain_utf8_and_escapes_only_what_would_break_it(tmp_path):
    path = written(tmp_path, [{"text": "é😀\0\ud835 x"}], "jsonl")
    assert path.read_bytes() == '{"text": "é😀\\u0000\\ud835 x"}\n'.encode()
    assert json.loads(path.read_text())["text"] == "é😀\0\ud835 x"


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_lone_surrogate_is_written_as_its_escape_where_the_format_cannot_hold_it(
    tmp_path, format
):
    rows = [{"text": "\ud835 x"}, {"text": "the other row"}]
    assert [row["text"] for row in read_back(written(tmp_path, rows, format))] == [
        "\\ud835 x",
        "the other row",
    ]


def test_parquet_columns_have_the_types_asked_for_even_when_all_are_missing(tmp_path):
    columns = {"text": str, "n": int, "x": float, "ok": bool, "at": datetime}
    path = written(tmp_path, [dict.fromkeys(columns)], "parquet", columns)
    types = [str(kind) for kind in pq.read_schema(path).types]
    assert types == ["string", "int64", "double", "bool", "timestamp[us, tz=UTC]"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_without_rows_still_names_its_columns_where_the_format_can(tmp_path, format):
    path = tmp_path / "none.out"
    assert write_table([], path, columns={"text": str}, format=format) == 0
    if format == "csv":
        assert path.read_text() == "text\n"
    if format == "parquet":
        assert pq.read_table(path).column_names == ["text"]


def test_more_rows_than_one_batch_are_all_written_in_order(tmp_path):
    rows = [{"n": n} for n in range(25_001)]
    path = written(tmp_path, rows, "parquet", {"n": int})
    assert pq.read_table(path).column("n").to_pylist() == list(range(25_001))


def test_the_columns_of_a_frame_are_found():
    frame = pd.DataFrame(
        {
            "text": ["a"],
            "mixed": [None],
            "n": [1],
            "x": [0.5],
            "ok": [True],
            "at": [datetime(2026, 1, 1, tzinfo=UTC)],
        }
    )
    assert list(columns_of(frame).values()) == [str, str, int, float, bool, datetime]


# All or nothing


@pytest.mark.parametrize("format", FORMATS)
def test_a_failure_half_way_leaves_the_old_file_and_nothing_else(tmp_path, format):
    path = tmp_path / "out"
    path.write_text("the old file")

    def rows():
        yield {"text": "a"}
        raise OSError("the source broke")

    with pytest.raises(OSError, match="the source broke"):
        write_table(rows(), path, columns={"text": str}, format=format)
    assert path.read_text() == "the old file"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("row", [{"text": "a", "extra": "b"}, {}])
def test_a_row_with_other_columns_is_a_mistake_and_not_dropped(tmp_path, row):
    with pytest.raises(ValueError, match="row 2 does not have the columns wanted"):
        write_table([{"text": "a"}, row], tmp_path / "out", columns={"text": str}, format="jsonl")
    assert not list(tmp_path.iterdir())
