"""The report as a file, from the command line."""

from pathlib import Path

from .conftest import Cli


def test_a_report_is_written_and_said_on_standard_error(worked: Cli, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = worked.run("report", "small", "Small", "--to", str(path))
    assert (done.code, done.out) == (0, "")
    assert f"The report is in {path}" in done.err.replace("\n", "")
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "<svg " in page


def test_the_report_does_not_depend_on_the_order_of_sets_in_a_process(
    worked: Cli, tmp_path: Path
) -> None:
    pages = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.html"
        done = worked.run_anew("report", "Small", "--to", str(path), env={"PYTHONHASHSEED": seed})
        assert done.code == 0, done.err
        pages.append(path.read_bytes())
    assert pages[0] == pages[1]


def test_a_report_that_cannot_be_made_says_why(worked: Cli, tmp_path: Path) -> None:
    nowhere = worked.run("report", "Small", "--to", str(tmp_path / "none" / "r.html")).problem()
    assert "the report cannot be written to" in nowhere
    unknown = worked.run("report", "Large", "--to", str(tmp_path / "r.html")).problem()
    assert "there is no study named 'Large'" in unknown
    assert not (tmp_path / "r.html").exists()
