"""`compare` puts the values of a file beside ours and says which agree."""

import json
from pathlib import Path

from .conftest import Cli


def test_printed_values_are_compared_and_counted(worked: Cli, tmp_path: Path) -> None:
    tables = json.loads(worked.run("tables", "Small", "--format", "json").out)
    ours = tables["studies"][0]["accuracy"]
    values = [
        {"study": "Small", "metric": "accuracy", "printed": round(ours, 2), "digits": 2},
        {"study": "Small", "metric": "accuracy", "printed": ours - 0.4, "digits": 2},
        {"study": "Elsewhere", "metric": "accuracy", "printed": 0.5},
    ]
    file = tmp_path / "printed.json"
    file.write_text(json.dumps({"source": "A paper", "values": values}))
    done = worked.run("compare", "Small", "--printed", str(file), "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert [row["agrees"] for row in found["values"]] == [True, False, None]
    assert "A paper: 1 of 2 values that can be compared agree" in done.err
    as_rows = worked.run("compare", "Small", "--printed", str(file))
    assert as_rows.out.startswith("about,metric,ours,printed,difference,n,agrees,verdict")


def test_a_file_that_is_not_there_is_told_in_one_sentence(worked: Cli) -> None:
    done = worked.run("compare", "Small", "--printed", "absent.json")
    assert done.code == 1
    assert "there is no file absent.json" in done.err
