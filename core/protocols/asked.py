"""How many tasks stand behind a row of the metric tables: asked, answered, and readable.

Metrics are out of the tasks with a reply. A row that states them also states how many were asked,
which only the document's `coverage` tells (`core.workflows.results.coverage_document`).
"""

from collections.abc import Collection, Mapping
from typing import Any


def asked_of(
    document: Mapping[str, Any],
    studies: Collection[str],
    model: str,
    *,
    part: str = "",
    name: str = "",
) -> dict[str, int] | None:
    """`asked`, `answered` and `read` of a model in some studies; None where no coverage tells it.

    Args:
        document: the tables of studies, with their `coverage`.
        part, name: of the tasks only those of this `type` or `group`; by default all.

    Example:
        >>> parts = [{"type": "a", "group": None, "asked": 5, "answered": 4, "read": 3}]
        >>> document = {"coverage": [{"study": "S", "model": "m", "parts": parts}]}
        >>> asked_of(document, ["S"], "m", part="type", name="a")
        {'asked': 5, 'answered': 4, 'read': 3}
    """
    rows = [
        row
        for row in document.get("coverage", ())
        if row["model"] == model and row["study"] in studies
    ]
    if not rows:
        return None
    parts = [one for row in rows for one in row["parts"] if not part or one[part] == name]
    return {key: sum(one[key] for one in parts) for key in ("asked", "answered", "read")}
