"""The demo on the real small model, from the command line."""

import pytest

from core.llm.weights import FILE_NAME
from core.settings import cache_dir
from core.workflows.demo import STAND_IN

from .conftest import Cli


@pytest.mark.model
def test_the_demo_prints_its_tables_and_says_who_curated(cli: Cli) -> None:
    if not (cache_dir() / FILE_NAME).is_file():
        pytest.skip("the embedded model is not installed; make install fetches it")
    demo = cli.run_anew("demo", "--tasks-per-cell", "1", "--json", timeout_s=600)
    assert demo.code == 0, demo.err
    assert f"{STAND_IN} kept " in demo.err
    assert "not a finding" in demo.err
    document = demo.document
    curation = document["curation"]
    assert curation["by"] == STAND_IN
    status = cli.run("status", document["study"], "--json").document["steps"]
    for entry in status.values():
        assert sum(entry["outcomes"].values()) == entry["planned"]
    assert status["generate"]["planned"] == 10
    assert curation["kept"] + curation["removed"] == status["generate"]["outcomes"]["ok"]
    assert status["classify"]["planned"] == curation["kept"]
    [entry] = document["studies"]
    assert sum(entry["cells"].values()) == status["classify"]["outcomes"]["ok"]
