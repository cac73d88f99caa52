"""The one thread that writes: it groups changes into commits and acknowledges after them.

All changes waiting when a commit starts share it, so a busy store commits often and an idle one
at once. When a change of a group fails, the group is rolled back and its members run again one by
one: only the bad one fails. A change can therefore run twice, and must act on nothing outside.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import duckdb

from core.errors import StoreError
from core.store.transaction import Columns, Row, Transaction

Change = Callable[[Transaction], Any] | Sequence[tuple[str, Sequence[Row]]]
"""Rows to append, as (table, rows) pairs; or a function that reads, decides and writes."""

_GROUP_LIMIT = 500
"""Changes in one commit: large enough to keep up, small enough to answer soon."""


@dataclass(frozen=True)
class _Job:
    change: Change
    future: Future[Any]


class Writer:
    """The writer thread of one store.

    Args:
        cursor: used by the thread alone.
        columns: the tables of the store.
        next_seq: gives the next sequence number.
        after_commit: called in the thread after each commit, before it is acknowledged.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        columns: Columns,
        next_seq: Callable[[], int],
        after_commit: Callable[[], None],
    ) -> None:
        self._cursor = cursor
        self._transaction = Transaction(cursor, columns, next_seq)
        self._after_commit = after_commit
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, change: Change) -> Future[Any]:
        """A future that resolves after the change is committed, to what the change returned.

        Rows to append give their number. A future that is cancelled before its commit starts is
        not written.

        Raises:
            StoreError: the store is closed.
        """
        job = _Job(change, Future())
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed", hint="open it again")
            self._jobs.put(job)
        return job.future

    def write(self, change: Change) -> Any:
        """What the change returned, after its commit."""
        if threading.current_thread() is self._thread:
            raise StoreError("a change may not wait for another change: it would wait for ever")
        return self.submit(change).result()

    def close(self) -> None:
        """Nothing; what was submitted is written, and the thread has ended."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        closing = False
        while not closing:
            group = [self._jobs.get()]
            with suppress(queue.Empty):
                while len(group) < _GROUP_LIMIT:
                    group.append(self._jobs.get_nowait())
            closing = None in group
            self._commit(
                [job for job in group if job and job.future.set_running_or_notify_cancel()]
            )

    def _commit(self, jobs: Sequence[_Job]) -> None:
        if not jobs:
            return
        try:
            results = self._run(jobs)
        except Exception as error:
            if len(jobs) == 1:
                jobs[0].future.set_exception(_told(error))
                return
            for job in jobs:
                self._commit([job])
            return
        self._after_commit()
        for job, result in zip(jobs, results, strict=True):
            job.future.set_result(result)

    def _run(self, jobs: Sequence[_Job]) -> list[Any]:
        self._cursor.begin()
        try:
            results = self._apply(jobs)
            self._cursor.commit()
        except BaseException:
            with suppress(duckdb.Error):  # a failed commit has rolled back already
                self._cursor.rollback()
            raise
        return results

    def _apply(self, jobs: Sequence[_Job]) -> list[Any]:
        # Rows of one table wait for each other: one insert of many rows costs little more than
        # an insert of one. A function must see what came before it, so it empties the pool.
        pool: dict[str, list[Row]] = {}
        results: list[Any] = []
        for job in jobs:
            if callable(job.change):
                self._empty(pool)
                results.append(job.change(self._transaction))
                continue
            for table, rows in job.change:
                pool.setdefault(table, []).extend(rows)
            results.append(sum(len(rows) for _, rows in job.change))
        self._empty(pool)
        return results

    def _empty(self, pool: dict[str, list[Row]]) -> None:
        for table, rows in pool.items():
            self._transaction.append(table, rows)
        pool.clear()


def _told(error: Exception) -> Exception:
    if isinstance(error, duckdb.Error):
        return StoreError(f"the change was not stored: {str(error).partition(chr(10))[0]}")
    return error
