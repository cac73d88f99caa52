"""Files as people really have them: read as they are, or refused with file, line and reason."""

import gzip
import json
from datetime import date, datetime, time

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import InputError, NotFoundError
from core.exchange.row_file import BadRow, RowFile, raise_for_bad_rows
from core.exchange.rows import read_rows

TWO_ROWS = [
    {"text": "Name a colour", "intent": "feasible"},
    {"text": "Où est-il ?", "intent": "infeasible"},
]


@pytest.fixture
def file(tmp_path):
    """Writes bytes, or text as UTF-8, to a file of that name, and returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def workbook(tmp_path):
    """Writes sheets (title → rows of cells) to a workbook, and returns its path."""

    def write(name="tasks.xlsx", **sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(row)
        path = tmp_path / name
        book.save(path)
        return path

    return write


def cells(path):
    return [row for _, row in read_rows(path).rows]


def refusal(path):
    with pytest.raises(InputError) as caught:
        read_rows(path)
    return str(caught.value)


def bad_rows(path):
    return [str(bad) for bad in read_rows(path).bad_rows]


CSV = "text,intent\r\nName a colour,feasible\r\nOù est-il ?,infeasible\r\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", CSV),
        ("line_feeds.csv", CSV.replace("\r\n", "\n")),
        ("old_mac.csv", CSV.replace("\r\n", "\r")),
        ("blank_last_lines.csv", CSV + "\r\n\r\n"),
        ("rows_of_commas.csv", CSV + ",\r\n,\r\n"),
        ("no_last_line_end.csv", CSV.rstrip()),
        ("byte_order_mark.csv", CSV.encode("utf-8-sig")),
        ("utf16.csv", CSV.encode("utf-16")),
        ("utf16be.csv", b"\xfe\xff" + CSV.encode("utf-16-be")),
        ("utf32.csv", CSV.encode("utf-32")),
        ("semicolons.csv", CSV.replace(",", ";")),
        ("tabs.csv", CSV.replace(",", "\t")),
        ("pipes.txt", CSV.replace(",", "|")),
        ("spaced_header.csv", CSV.replace("text,intent", " text , intent ")),
        ("nameless_empty_column.csv", CSV.replace("\r\n", ",\r\n")),
        ("array.json", json.dumps(TWO_ROWS)),
        ("array_named.jsonl", json.dumps(TWO_ROWS, indent=2)),
        ("array_named.csv", json.dumps(TWO_ROWS)),
        ("lines.jsonl", "\n".join(json.dumps(row) for row in TWO_ROWS)),
        ("lines_named.json", "\n".join(json.dumps(row) for row in TWO_ROWS)),
        ("lines_crlf.jsonl", "\r\n\r\n".join(json.dumps(row) for row in TWO_ROWS) + "\r\n"),
        ("lines_byte_order_mark.jsonl", "\ufeff" + "\n".join(map(json.dumps, TWO_ROWS))),
    ],
)
def test_the_same_rows_come_back_whatever_wraps_them(file, name, content):
    path = file(name, content)
    assert cells(path) == TWO_ROWS
    assert read_rows(path).findings == ()


def test_workbooks_and_parquet_are_known_by_content_and_not_by_name(tmp_path, workbook):
    rows = [list(TWO_ROWS[0]), *(list(row.values()) for row in TWO_ROWS)]
    assert cells(workbook("tasks.csv", Sheet1=rows)) == TWO_ROWS
    pq.write_table(pa.Table.from_pylist(TWO_ROWS), tmp_path / "tasks.json")
    assert cells(tmp_path / "tasks.json") == TWO_ROWS


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.csv", "a,b\n1,2\n", "csv"),
        ("a.csv", "a\tb\n1\t2\n", "tsv"),
        ("a.csv", '[{"a": "1"}]', "json"),
        ("a.json", '{"a": "1"}', "jsonl"),
    ],
)
def test_the_format_named_is_the_one_met(file, name, content, format):
    assert read_rows(file(name, content)).format == format


def test_quoted_line_breaks_quotes_and_delimiters_stay_in_their_cell(file):
    path = file("tasks.csv", 'text,n\n"a, ""b""\r\nc\rd\ne",1\nf,2\n')
    assert read_rows(path).rows == [
        (2, {"text": 'a, "b"\r\nc\rd\ne', "n": "1"}),
        # The first row covers lines 2 to 5: a return alone ends a line too.
        (6, {"text": "f", "n": "2"}),
    ]


def test_the_delimiter_is_found_though_another_stands_inside_quotes(file):
    path = file("t.csv", '"text, as it is, or was";n\n"a;b,c";1\n')
    assert cells(path) == [{"text, as it is, or was": "a;b,c", "n": "1"}]


def test_only_empty_is_empty(file):
    path = file("words.csv", "a,b,c,d,e,f\nNone,NA,null,nan,, \n")
    assert cells(path) == [{"a": "None", "b": "NA", "c": "null", "d": "nan", "e": None, "f": " "}]


def test_a_file_with_one_column_is_read(file):
    assert cells(file("one.csv", "text\nfirst\nsecond\n")) == [
        {"text": "first"},
        {"text": "second"},
    ]


def test_a_very_long_cell_is_read_whole(file):
    long = "x" * 500_000
    assert cells(file("long.csv", f"text,n\n{long},1\n")) == [{"text": long, "n": "1"}]


def test_text_guarded_for_spreadsheets_is_read_without_its_guard_and_says_so(file):
    file_read = read_rows(file("guarded.csv", "text,n\n'=1+1,-5\n'tis so,'6\n"))
    assert [row for _, row in file_read.rows] == [
        {"text": "=1+1", "n": "-5"},
        {"text": "'tis so", "n": "'6"},
    ]
    assert file_read.findings == (
        "1 cell begins with an apostrophe that marks text for spreadsheets; "
        "it is not part of the value",
    )


# Encodings


@pytest.mark.parametrize(
    ("encoding", "text", "met"),
    [
        ("latin-1", "text\nplain\ncafé\n", "byte 0xE9 is 'é' in Latin-1"),
        ("cp1252", "text\nplain\n“hello”\n", "byte 0x93 is '“' in Windows-1252"),
    ],
)
def test_other_encodings_are_refused_with_line_and_encoding(file, encoding, text, met):
    path = file("tasks.csv", text.encode(encoding))
    assert refusal(path) == (f"line 3 of tasks.csv is not UTF-8: {met}, which the file seems to be")


def test_the_hint_for_another_encoding_is_a_command_that_converts_it(file):
    with pytest.raises(InputError) as caught:
        read_rows(file("tasks.csv", "text\ncafé\n".encode("latin-1")))
    assert caught.value.hint.endswith("iconv -f LATIN-1 -t UTF-8 tasks.csv > utf8-tasks.csv")


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE"])
def test_utf16_without_a_mark_is_refused_and_not_read_as_text_full_of_nul(file, encoding):
    message = refusal(file("tasks.csv", CSV.encode(encoding)))
    assert message == (
        f"line 1 of tasks.csv is {encoding} without a byte order mark, which is not read; "
        "UTF-8 was wanted"
    )


def test_a_damaged_utf16_file_is_refused(file):
    message = refusal(file("tasks.csv", CSV.encode("utf-16") + b"\x41"))
    assert message.startswith("tasks.csv says that it is UTF-16, but its byte ")


# Never zero rows in silence


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("e.csv", "", "e.csv is empty"),
        ("e.csv", "\n\r\n", "e.csv holds no rows"),
        ("e.csv", b"\xef\xbb\xbf", "e.csv holds no rows"),
        ("e.csv", "text,intent\n", "e.csv holds no rows below its header"),
        ("e.csv", "text,intent\n,\n", "e.csv holds no rows below its header"),
        ("e.json", "[]", "e.json holds no rows"),
        ("e.jsonl", "\n", "e.jsonl holds no rows"),
    ],
)
def test_a_file_without_rows_is_refused(file, name, content, message):
    assert refusal(file(name, content)) == message


def test_an_empty_workbook_or_table_is_refused(tmp_path, workbook):
    assert refusal(workbook("e.xlsx", Sheet1=[])) == "e.xlsx holds no rows"
    assert refusal(workbook("h.xlsx", Sheet1=[["text"]])) == "h.xlsx holds no rows below its header"
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "e.parquet")
    assert refusal(tmp_path / "e.parquet") == "e.parquet holds no rows below its header"


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path):
    with pytest.raises(NotFoundError, match="there is no file"):
        read_rows(tmp_path / "absent.csv")
    with pytest.raises(InputError, match="is a folder, and a file was wanted"):
        read_rows(tmp_path)


def test_an_archive_is_named_for_what_it_is(file):
    path = file("tasks.csv", gzip.compress(b"text\na\n"))
    assert refusal(path) == "tasks.csv is a gzip archive, which is not read"


# Faults of a header and of rows


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,a\n1,2,3\n", "the header of t.csv (row 1) has two columns named 'a'"),
        (
            ",text\n,x\n7,y\n",
            "column 1 of t.csv has no name in the header (row 1), but row 3 has '7' in it",
        ),
        (
            'a,b\n1,2\n"x" y,2\n',
            "row 3 of t.csv has text between a closing quote and the next cell",
        ),
        ('a,b\n1,2\n"x,2\n3,4\n', "row 3 of t.csv opens a quote that is never closed"),
    ],
)
def test_a_wrong_header_or_quote_is_refused(file, content, message):
    assert refusal(file("t.csv", content)) == message


def test_a_row_with_too_many_or_too_few_cells_is_a_bad_row_with_its_text(file):
    path = file("t.csv", 'a,b\n1,2\n1,2,"3\n4"\nx\n5,6\n')
    assert bad_rows(path) == [
        "row 3 of t.csv has 3 cells where the header has 2",
        "row 5 of t.csv has 1 cell where the header has 2",
    ]
    assert [bad.row for bad in read_rows(path).bad_rows] == [
        {"raw": '1,2,"3\n4"\n'},
        {"raw": "x\n"},
    ]
    assert cells(path) == [{"a": "1", "b": "2"}, {"a": "5", "b": "6"}]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"a": 1', "is not JSON: expecting ',' delimiter at column 8"),
        ('{"a": 1, "a": 2}', "names 'a' twice in one object"),
        ('{"a": NaN}', "holds NaN, which is not JSON; an empty value is null"),
        ('["a"]', "is not a JSON object"),
        ("null", "is not a JSON object"),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_wrong_line_of_json_is_a_bad_row_and_spoils_no_other(file, line, why):
    path = file("t.jsonl", '{"a": "x"}\n\n' + line + '\n{"a": "y"}\n')
    assert bad_rows(path) == [f"row 3 of t.jsonl {why}"]
    assert read_rows(path).rows == [(1, {"a": "x"}), (4, {"a": "y"})]


def test_a_wrong_first_line_of_json_lines_does_not_turn_it_into_csv(file):
    path = file("t.jsonl", 'oops\n{"a": "y"}\n')
    assert bad_rows(path) == ["row 1 of t.jsonl is not JSON: expecting value at column 1"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[\n{"a": 1},\n{"a" 2}\n]', "line 3 of t.json is not JSON: expecting ':' delimiter"),
        ('[{"a": 1, "a": 2}]', "t.json names 'a' twice in one object"),
        ('{\n"rows": []\n}', "t.json is one JSON object, not a list of them"),
        ("true", "t.json is not a list of objects"),
    ],
)
def test_json_that_is_no_list_of_objects_is_refused(file, content, message):
    assert refusal(file("t.json", content)).startswith(message)


def test_an_item_of_a_json_array_that_is_no_object_is_a_bad_row(file):
    path = file("t.json", '[{"a": "x"}, "loose", {"b": "y"}]')
    assert bad_rows(path) == ["row 2 of t.json is not a JSON object"]
    assert read_rows(path).rows == [(1, {"a": "x", "b": None}), (3, {"a": None, "b": "y"})]


def test_json_values_keep_their_spelling_and_their_characters(file):
    line = r'{"n": 1.50, "big": 123456789012345678901, "t": true, "z": "\u0000", "s": "\ud835 x"}'
    assert cells(file("t.jsonl", line)) == [
        {"n": "1.50", "big": "123456789012345678901", "t": "true", "z": "\0", "s": "\ud835 x"}
    ]
    assert cells(file("t.json", '[{"l": ["a"], "o": {"k": null}, "e": ""}]')) == [
        {"l": ["a"], "o": {"k": None}, "e": ""}
    ]


def test_a_line_separator_inside_a_json_string_does_not_end_the_line(file):
    assert cells(file("t.jsonl", '{"a": "x\u2028y\x85z"}\n')) == [{"a": "x\u2028y\x85z"}]


# Workbooks and Parquet


def test_workbook_cells_come_as_a_person_would_type_them(workbook):
    typed = [2024, 0.1, -3.0, True, date(2024, 5, 6), datetime(2024, 5, 6, 7, 8), time(9, 30), "NA"]
    path = workbook(Sheet1=[[f"c{n}" for n in range(len(typed))], typed])
    texts = ["2024", "0.1", "-3", "true", "2024-05-06", "2024-05-06T07:08:00", "09:30:00", "NA"]
    assert list(cells(path)[0].values()) == texts


def test_rows_of_a_workbook_are_numbered_as_the_spreadsheet_numbers_them(workbook):
    path = workbook(Sheet1=[[], [], ["text", "n"], ["a", 1], [], ["b", 2], [None, None]])
    assert read_rows(path).rows == [(4, {"text": "a", "n": "1"}), (6, {"text": "b", "n": "2"})]


def test_the_first_sheet_with_content_is_read_and_the_others_are_named(workbook):
    file_read = read_rows(workbook(Notes=[], Tasks=[["text"], ["a"]], Old=[["text"], ["b"]]))
    assert [row for _, row in file_read.rows] == [{"text": "a"}]
    assert file_read.findings == ("only the sheet 'Tasks' was read; not read: 'Old'",)


def test_a_damaged_workbook_is_refused(file):
    message = refusal(file("t.xlsx", b"PK\x03\x04 nothing"))
    assert message.startswith("t.xlsx cannot be opened as a workbook: ")


def test_parquet_values_come_as_text(tmp_path):
    table = pa.table(
        {"text": ["None", None], "n": [1, 2], "x": [0.5, float("nan")], "ok": [True, None]}
    )
    pq.write_table(table, tmp_path / "t.parquet")
    assert cells(tmp_path / "t.parquet") == [
        {"text": "None", "n": "1", "x": "0.5", "ok": "true"},
        {"text": None, "n": "2", "x": None, "ok": None},
    ]


def test_parquet_that_is_damaged_binary_or_ambiguous_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 nothing PAR1")
    assert refusal(path).startswith("t.parquet cannot be read as Parquet: ")
    pq.write_table(pa.table({"text": [b"raw"]}), path)
    assert refusal(path) == "column 'text' of t.parquet holds raw bytes where text was wanted"
    pq.write_table(pa.Table.from_arrays([pa.array(["a"])] * 2, names=["text", "text"]), path)
    assert refusal(path) == "t.parquet has two columns named 'text'"


# What a refused import says


def checked(n_good, n_bad):
    bad = tuple(BadRow("t.csv", 17 + n, "has no task text", {}) for n in range(n_bad))
    return RowFile("t.csv", "csv", ("text",), [(2, {})] * n_good, bad)


@pytest.mark.parametrize(
    ("n_good", "n_bad", "message", "hint"),
    [
        (
            98,
            1,
            "row 17 of t.csv has no task text; 98 other rows are fine",
            "fix the row, or import with bad rows skipped",
        ),
        (
            1,
            3,
            "row 17 of t.csv has no task text; 2 more rows have faults; 1 other row is fine",
            "fix the rows, or import with bad rows skipped",
        ),
        (0, 1, "row 17 of t.csv has no task text; no other row is fine", "fix the row"),
    ],
)
def test_a_refused_import_names_the_first_fault_and_counts_the_rest(n_good, n_bad, message, hint):
    with pytest.raises(InputError) as caught:
        raise_for_bad_rows(checked(n_good, n_bad))
    assert (str(caught.value), caught.value.hint) == (message, hint)


def test_a_file_without_bad_rows_passes():
    assert raise_for_bad_rows(checked(2, 0)) is None
