"""The project's app on a store that a test fills, and that it may kill and start again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.store import Store
from tests.support.forking import PROJECT

from .serving import launch, stop


class Running:
    """An app on a store; `restart` ends it, by force if asked, and starts it again."""

    def __init__(self, store: Path, folder: Path) -> None:
        self.store, self._folder = store, folder
        self.url, self._process = launch(PROJECT / "app.py", store, folder)

    def restart(self, *, by_force: bool = False) -> None:
        if by_force:
            self._process.kill()
            self._process.join()
        self.stop()
        self.url, self._process = launch(PROJECT / "app.py", self.store, self._folder)

    def stop(self) -> None:
        stop(self._process)


@contextmanager
def apps_in(folder: Path) -> Iterator[Callable[..., Running]]:
    """A function that fills a store and starts the app on it; the app ends with the block."""
    running = []

    def begin(fill: Callable[[Store], object]) -> Running:
        path = folder / "store.duckdb"
        with Store.open(path) as store:
            fill(store)
        running.append(Running(path, folder))
        return running[-1]

    try:
        yield begin
    finally:
        for app in running:
            app.stop()
