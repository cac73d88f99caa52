"""Problems on the command line: one sentence, one hint, exit 1; wrong usage is exit 2."""

import socket
import subprocess
from pathlib import Path

import pytest

from .conftest import Cli

NEW = ("new", "Study", "--protocol", "feasibility_boundary", "--subject", "openai/fake")


@pytest.mark.parametrize(
    ("args", "wording"),
    [
        (("status", "Nowhere", "--json"), "there is no study named 'Nowhere'\nhint: there are: "),
        (("tables", "Small", "Nowhere"), "there is no study named 'Nowhere'"),
        (("draw", "Small", "--per-cell", "9" * 30), f"tasks per cell is {'9' * 30}\nhint: choose"),
        (("draw", "Small", "--seed", "9" * 30), f"the seed is {'9' * 30}\nhint: choose"),
        (("classify", "Small", "--all", "--model", "two words"), "the model is named 'two words'"),
        (("classify", "Small", "--all", "--concurrency", "9" * 9), "concurrency is 999999999"),
        ((*NEW, "--per-type", "0"), "tasks per type is 0\nhint: choose a number from 1 to 100,000"),
        ((*NEW, "--budget", "nan"), "the budget is nan US dollars\nhint: choose"),
        (("import", "tasks", "absent.csv", "--study", "Small"), "there is no file absent.csv"),
        (("import", "tasks", "absent.csv"), "tasks need a study to go into\nhint: name one with"),
        (("export", "Small", "--to", "/dev/null/x"), "the export cannot be written to /dev/null/x"),
        (("restore", "absent.duckdb"), "there is no backup "),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_said_in_one_sentence_with_a_hint(
    worked: Cli, args: tuple[str, ...], wording: str
) -> None:
    before = worked.store.read_bytes()
    assert f"error: {wording}" in worked.run(*args).problem()
    assert worked.store.read_bytes() == before


@pytest.mark.parametrize(
    "args",
    [("frobnicate",), ("new",), ("review", "Small", "x", "burn"), ("tables", "S", "--format", "x")],
)
def test_wrong_usage_ends_with_2_and_prints_nothing_on_standard_output(
    cli: Cli, args: tuple[str, ...]
) -> None:
    done = cli.run(*args)
    assert (done.code, done.out) == (2, "")
    assert "Usage: " in done.err
    assert not cli.store.exists()


def test_a_store_that_cannot_be_opened_is_named_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.duckdb"
    other.write_text("no store")
    assert f"{other} is not a store" in Cli(other, tmp_path).run("studies").problem()
    assert other.read_text() == "no store"
    assert f"{tmp_path} cannot be opened" in Cli(tmp_path, tmp_path).run("studies").problem()
    below = Cli(other / "below" / "s.duckdb", tmp_path)
    assert "cannot be opened" in below.run("studies").problem()


def test_the_app_on_a_taken_port_says_which_other_to_try(cli: Cli) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        told = cli.run("app", "--port", str(port)).problem()
    assert f"error: port {port} is taken on this machine" in told
    assert "hint: choose another: selfbound app --port" in told


def test_a_full_disk_under_standard_output_is_told(worked: Cli) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as out:
        done = subprocess.run(
            worked.arguments("studies", "--json"),
            stdout=out,
            stderr=subprocess.PIPE,
            env=worked.environment(),
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: the system refuses: ")
    assert b"Traceback" not in done.stderr
