"""Workbooks (.xlsx), by their first sheet that holds anything."""

import io

from core.errors import InputError
from core.exchange.cell_text import cell_text
from core.exchange.header import Record, tabulated
from core.exchange.row_file import RowFile
from core.exchange.wording import shown


def read_workbook(data: bytes, name: str) -> RowFile:
    """The rows of a workbook's first sheet with content; others with content are named.

    A formula counts as the value last computed for it.

    Raises:
        InputError: the workbook cannot be opened, or its header is wrong.
    """
    import python_calamine as calamine

    try:
        workbook = calamine.load_workbook(io.BytesIO(data))
        sheets = [workbook.get_sheet_by_name(title) for title in workbook.sheet_names]
    except calamine.CalamineError as error:
        raise InputError(
            f"{name} cannot be opened as a workbook: {str(error).splitlines()[0]}",
            hint="open it in a spreadsheet and save it again as .xlsx, or as CSV UTF-8",
        ) from None
    filled = [sheet for sheet in sheets if sheet.start is not None]
    if not filled:
        return RowFile(name, "xlsx", (), [])
    sheet, others = filled[0], filled[1:]
    first_row = sheet.start[0] + 1
    records = [
        Record(number, [_text(value) for value in cells], "")
        for number, cells in enumerate(sheet.to_python(), start=first_row)
    ]
    findings = []
    if others:
        titles = ", ".join(shown(other.name) for other in others)
        findings.append(f"only the sheet {shown(sheet.name)} was read; not read: {titles}")
    return tabulated(records, name=name, format="xlsx", findings=findings)


def _text(value: object) -> str:
    text = cell_text(value)
    return text if isinstance(text, str) else ""
