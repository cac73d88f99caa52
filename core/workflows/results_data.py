"""The data behind the results: one row an answer, for analyses of one's own."""

from collections.abc import Sequence
from pathlib import Path

from core.errors import ConflictError
from core.exchange.writers import write_table
from core.store.store import Store
from core.workflows.results import common_protocol
from core.workflows.studies import Study

_CHUNK = 5_000
"""Rows read at a time: more is not faster."""


def results_data(store: Store, studies: Sequence[Study], path: Path) -> int:
    """The number of rows written to a Parquet file, which the studies' protocol describes.

    Tasks that people removed and calls without a usable reply have their rows too, and say so; the
    others are those that the tables count.

    Args:
        path: the file, which is replaced only once all is written; its folder exists.

    Raises:
        ConflictError: the studies follow more than one protocol, or it describes no such file.
        OSError: the disk refuses; nothing is left behind.
    """
    protocol = common_protocol(studies)
    data = protocol.results().data
    if data is None:
        raise ConflictError(
            f"studies of {protocol.title} have no file of their data", hint="export their tasks"
        )
    ids = [study.study_id for study in studies]
    rows = store.stream(data.query, chunk=_CHUNK, study_ids=ids)
    return write_table(rows, path, columns=dict(data.columns), format="parquet")
