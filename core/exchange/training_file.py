"""Training data as Parquet, in the columns that VeRL reads and that TRL takes as they are.

    data_source   what kind of problem it is, by which trainers group what they report
    prompt        the conversation the model is given: role and content each
    ability       what is practised
    reward_model  style, and ground_truth: the texts by which the reward is worked out
    extra_info    index and split, and where the problem came from

Types are the same in every file, so that files with nothing in a column can be joined with others.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from core.exchange.writers import replacing

_BATCH = 5_000
"""Rows held in memory at once."""

_ORIGIN = ("split", "part", "task_id", "made_from", "file", "group")


def write_training_file(rows: Iterable[Mapping[str, Any]], path: Path) -> int:
    """The number of rows written to `path`, which is replaced only once all are written.

    Args:
        rows: mappings with the columns above.

    Raises:
        OSError: the disk refuses; nothing is left behind.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.string()
    origin = [("index", pa.int64()), *((name, text) for name in _ORIGIN)]
    schema = pa.schema(
        [
            ("data_source", text),
            ("prompt", pa.list_(pa.struct([("role", text), ("content", text)]))),
            ("ability", text),
            ("reward_model", pa.struct([("style", text), ("ground_truth", pa.list_(text))])),
            ("extra_info", pa.struct(origin)),
        ]
    )
    n, source = 0, iter(rows)
    with replacing(path) as part, pq.ParquetWriter(part, schema, compression="zstd") as writer:
        while batch := list(islice(source, _BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            n += len(batch)
    return n
