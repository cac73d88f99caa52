"""Groups of look-alike tasks at a desk, from the similarities that the checks stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.curation.board import Board
from core.curation.similarity import clusters
from core.store.store import Store

KEPT_THRESHOLDS = 4


@dataclass(frozen=True)
class Clusters:
    """Groups of tasks that say nearly the same, the largest first, and the group of each task."""

    groups: list[tuple[str, ...]]
    of_task: Mapping[str, tuple[str, ...]]


class ClusterMemory:
    """The groups of one study by threshold, made anew when the pairs or the board change.

    It takes no lock of its own: a desk asks it under its own.
    """

    def __init__(self, store: Store, study_id: str) -> None:
        self._store, self._study_id = store, study_id
        self._pairs: list[tuple[str, str, float]] = []
        self._pairs_made: datetime | None = None
        self._found: dict[float, Clusters] = {}

    def forget(self) -> None:
        """Nothing; groups are made anew, as when tasks have come on the board."""
        self._found.clear()

    def at(self, threshold: float, board: Board) -> Clusters:
        """The groups of the tasks on the board that are alike from this similarity on."""
        made = self._store.rows("similar_run_of_study", study_id=self._study_id)
        if made and made[0]["made_at"] != self._pairs_made:
            rows = self._store.rows("similar_pairs_of_study", study_id=self._study_id)
            self._pairs = [tuple(row.values()) for row in rows]
            self._pairs_made = made[0]["made_at"]
            self.forget()
        if threshold not in self._found:
            # A slider asks for many thresholds; the last few are enough to keep.
            while len(self._found) >= KEPT_THRESHOLDS:
                self._found.pop(next(iter(self._found)))
            pairs = [one for one in self._pairs if one[0] in board and one[1] in board]
            found = clusters(pairs, threshold=threshold, order=board.task_ids)
            of_task = {task_id: group for group in found for task_id in group}
            self._found[threshold] = Clusters(found, of_task)
        return self._found[threshold]
