"""Parquet files, column by column."""

import io
from collections import Counter

from core.errors import InputError
from core.exchange.cell_text import cell_text
from core.exchange.row_file import RowFile
from core.exchange.wording import listed, shown


def read_parquet(data: bytes, name: str) -> RowFile:
    """The rows of a Parquet file; a row number is a place in the file.

    Raises:
        InputError: the file is damaged, names a column twice, or has a column of raw bytes.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(io.BytesIO(data)).read()
        columns = [column.to_pylist() for column in table.columns]
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{name} cannot be read as Parquet: {str(error).splitlines()[0]}",
            hint="write the file again",
        ) from None
    names = tuple(table.column_names)
    twice = [column for column, n in Counter(names).items() if n > 1]
    if twice:
        raise InputError(
            f"{name} has two columns named {listed(map(shown, twice))}",
            hint="give each column a name of its own",
        )
    for field, values in zip(table.schema, columns, strict=True):
        if any(isinstance(value, bytes) for value in values):
            raise InputError(
                f"column {shown(field.name)} of {name} holds raw bytes where text was wanted",
                hint="write the column as a string",
            )
    texts = [[cell_text(value) for value in values] for values in columns]
    rows = zip(*texts, strict=True)
    numbered = [(n, dict(zip(names, row, strict=True))) for n, row in enumerate(rows, start=1)]
    return RowFile(name, "parquet", names, numbered)
