"""Read a file of rows, whatever it is called: CSV, TSV, JSON, JSONL, Parquet or a workbook.

What a file is follows from its content; the extension only settles what content leaves open.
A cell is text exactly as the file holds it: `None`, `NA`, `null` and `nan` are text, only an
empty cell is empty. Rows without any content are passed over, like blank lines.
"""

from pathlib import Path

from core.errors import InputError, NotFoundError
from core.exchange.delimited import read_delimited
from core.exchange.json_rows import read_json_array, read_json_lines
from core.exchange.parquet_rows import read_parquet
from core.exchange.row_file import RowFile
from core.exchange.text_files import decoded
from core.exchange.workbook_rows import read_workbook

_UNREADABLE = (
    (b"\x1f\x8b", "a gzip archive", "unpack it first, with gunzip"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected workbook", "save it as a plain .xlsx"),
)


def read_rows(path: Path | str) -> RowFile:
    """The rows of a file, with what was odd about it.

    Args:
        path: a file in CSV (any of , ; tab |), JSON array, JSONL, Parquet or xlsx; text is UTF-8,
            or UTF-16 or UTF-32 with a byte order mark.

    Returns:
        At least one row, good or bad. Numbers come as text: as the file spells them, and in a
        workbook and Parquet without a needless `.0`.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file as a whole cannot be read, or holds no rows.
    """
    path = Path(path)
    if not path.exists():
        raise NotFoundError(f"there is no file {path}", hint="check the path")
    if not path.is_file():
        raise InputError(f"{path} is a folder, and a file was wanted", hint="name the files in it")
    file = _read(path.read_bytes(), path.name)
    if not file.rows and not file.bad_rows:
        raise InputError(
            f"{file.name} holds no rows" + (" below its header" if file.columns else ""),
            hint="check that it is the file you meant",
        )
    return file


def _read(data: bytes, name: str) -> RowFile:
    if not data:
        raise InputError(f"{name} is empty", hint="check that it is the file you meant")
    if data.startswith(b"PAR1"):
        return read_parquet(data, name)
    if data.startswith(b"PK\x03\x04"):
        return read_workbook(data, name)
    for start, kind, hint in _UNREADABLE:
        if data.startswith(start):
            raise InputError(f"{name} is {kind}, which is not read", hint=hint)
    return _read_text(decoded(data, name), name)


def _read_text(text: str, name: str) -> RowFile:
    suffix = Path(name).suffix.lower()
    first = text.lstrip()[:1]
    if first == "[" or (suffix == ".json" and first != "{"):
        return read_json_array(text, name)
    if first == "{" or suffix in (".jsonl", ".ndjson"):
        return read_json_lines(text, name)
    return read_delimited(text, name)
