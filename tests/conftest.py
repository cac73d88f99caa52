"""What tests of several layers begin with, and the order in which they are shared out."""

import pytest

from core.store.store import Store


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, the long ones go first and none waits at the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.fixture(scope="session")
def new_store_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a new store: making one takes several times as long as opening it."""
    path = tmp_path_factory.mktemp("new") / "new.duckdb"
    Store.open(path).close()
    return path.read_bytes()
