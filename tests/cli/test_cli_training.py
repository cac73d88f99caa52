"""Training data from the command line: made through a kill, and written for trainers."""

import json
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from core.cli import app
from tests.support.openai_server import Answer, completion, serve

from .conftest import MODEL, Cli

N = 40


def served(request: dict) -> Answer:
    """Rewrites of numbered problems; the judge finds every second of the difficult unsolvable."""
    text = request["messages"][-1]["content"]
    if request["model"] == "judge":
        answer = "No" if "easier" in text or "\ngap" in text else "Yes"
    else:
        number = re.search(r"Problem (\d+)\?", text)[1]
        word = "gap in" if "cannot be answered" in text else "harder than"
        is_stubborn = word == "harder than" and int(number) % 2
        answer = json.dumps({"problem": f"{'easier' if is_stubborn else word} {number}"})
    return Answer(completion(answer), delay_s=0.03)


@pytest.fixture
def trained(cli: Cli, tmp_path: Path) -> Cli:
    questions = [
        {"question": f"Problem {i}?", "reference_answers": [str(i)], "should_abstain": False}
        for i in range(N)
    ]
    path = tmp_path / "numbered.json"
    path.write_text(json.dumps(questions), encoding="utf-8")
    assert cli.run("new", "Small", "--protocol", "training_data", "--subject", MODEL).code == 0
    assert cli.run("import", "questions", str(path), "--study", "Small").code == 0
    return cli


def test_a_synthesis_that_is_killed_goes_on_and_its_sums_are_closed(
    trained: Cli, tmp_path: Path
) -> None:
    with serve(served) as server:
        command = ("synthesize", "Small", "--judge", "openai/judge", "--json", "--concurrency", "2")
        command += ("--insufficient", "0.25", "--difficult", "0.25", "--api-base", server.api_base)
        running = trained.start(*command)
        deadline = time.monotonic() + 60
        while len(server.requests) < 12:
            assert time.monotonic() < deadline, "no request came for a minute"
            time.sleep(0.005)
        running.signal(signal.SIGKILL)
        running.process.join()
        done = trained.run(*command[:5], *command[5:7], "--api-base", server.api_base)
    assert done.code == 0
    document = done.document
    assert document["settled"]
    assert document["shares"] == {"insufficient": 0.25, "difficult": 0.25}
    problems, attempts = document["problems"], document["attempts"]
    assert (problems["n"], problems["original"]["kept"]) == (N, 20)
    assert problems["insufficient"]["accepted"] == 10
    difficult = problems["difficult"]
    n_stubborn = difficult["dropped"]
    assert difficult["accepted"] + n_stubborn == difficult["n"] == 10
    assert difficult["dropped_why"]["judged_otherwise"] == n_stubborn > 0
    assert attempts["insufficient"]["n"] == attempts["insufficient"]["verified"] == 10
    assert attempts["difficult"]["n"] == 5 * n_stubborn + difficult["accepted"]
    # Only the two calls in flight can have been made twice.
    n_calls = 2 * (attempts["insufficient"]["n"] + attempts["difficult"]["n"])
    assert n_calls <= len(server.requests) <= n_calls + 2
    by_temperature = Counter((one["model"], one["temperature"]) for one in server.requests)
    assert set(by_temperature) == {("fake", 1.0), ("judge", 0.0)}
    assert trained.run("verify").code == 0
    folder = tmp_path / "out"
    done = trained.run("training-set", "Small", "--to", str(folder), "--validation", "0.2")
    assert done.code == 0
    frames = [pd.read_parquet(folder / f"{name}.parquet") for name in ("train", "validation")]
    assert sum(map(len, frames)) == N - n_stubborn
    assert (folder / "reward.py").exists()


def test_problems_are_said_in_a_sentence(trained: Cli, tmp_path: Path) -> None:
    assert "needs a judge" in trained.run("synthesize", "Small").problem()
    said = trained.run("synthesize", "Small", "--judge", MODEL).problem()
    assert "is the study's subject" in said
    share = ("--insufficient", "1.5", "--judge", "openai/judge")
    assert (
        "the share of insufficient problems is 1.5"
        in trained.run("synthesize", "Small", *share).problem()
    )
    said = trained.run("training-set", "Small", "--to", str(tmp_path / "out")).problem()
    assert "500 of 40 different problems cannot be set apart" in said


def test_no_step_takes_the_name_of_another_command() -> None:
    names = [one.name or one.callback.__name__.replace("_", "-") for one in app.registered_commands]
    assert len(names) > 20
    assert len(set(names)) == len(names)
