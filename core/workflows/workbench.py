"""The workbench: one store, one engine and one model client for the whole process.

Screens and commands open it once and pass it on. Closing it stops what runs, waits until every
reply in hand is stored, and then closes the store.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from core.llm.client import Client
from core.runs.engine import Engine
from core.runs.run import Run
from core.settings import store_path
from core.store.store import Store

if TYPE_CHECKING:
    from core.workflows.desk import Desk

RunKey = tuple[str, str, str]
"""Study id, step and model: there is never more than one live run of a key."""


@dataclass
class Workbench:
    """What every workflow that calls a model needs.

    Args:
        store: the open store. engine: runs the calls.
        make_client: called once, in the engine's thread, when a model is first needed.
        runs: the newest run of each key in this process. desks: the desk of each study by its id.
        findings: the newest check of each study's tasks, by its id. `lock` guards these three.
    """

    store: Store
    engine: Engine
    make_client: Callable[[], Client]
    runs: dict[RunKey, Run] = field(default_factory=dict)
    desks: dict[str, "Desk"] = field(default_factory=dict)
    findings: "dict[str, Future[None]]" = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    _client: Client | None = None
    _client_lock: Lock = field(default_factory=Lock)
    _helper: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2))

    def client(self) -> Client:
        """The one model client, made when first asked for. It may take seconds."""
        with self._client_lock:
            if self._client is None:
                self._client = self.make_client()
            return self._client

    def aside(self, work: Callable[..., Any], *args: Any, **options: Any) -> "Future[Any]":
        """The work under way beside the caller, two pieces at a time; for what takes seconds."""
        return self._helper.submit(work, *args, **options)

    def close(self) -> None:
        """End what runs, store what is in hand, and let go of model and store."""
        self._helper.shutdown(cancel_futures=True)
        self.engine.close()
        self.store.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_workbench(path: Path | None = None) -> Workbench:
    """A workbench on the store at `path`, by default the one the settings name.

    Raises:
        StoreError: the store cannot be opened; another process may hold it.
    """
    return Workbench(Store.open(path or store_path()), Engine(), _hosted_client)


def _hosted_client() -> Client:
    # LiteLLM costs seconds and 180 MB to import: only when a model is first asked.
    from core.llm.litellm_client import LitellmClient

    return LitellmClient()
