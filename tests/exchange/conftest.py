"""Files as Label Studio exports them."""

import json

import pytest


@pytest.fixture
def exported(tmp_path):
    """Writes items as one JSON list, and returns the file's path."""

    def write(*items):
        path = tmp_path / "project.json"
        path.write_text(json.dumps(items), encoding="utf-8")
        return path

    return write
