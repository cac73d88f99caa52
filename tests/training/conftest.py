"""A study whose problems are rewritten, verified and ready for training."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.llm.scripted import ScriptedClient
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.rewrite_plans import Shares
from core.workflows.studies import Study, create_study
from core.workflows.synthesis import synthesize
from core.workflows.workbench import Workbench
from tests.support.questions import add_questions
from tests.support.rewriting import JUDGE, REWRITER, obedient

N_PER_GROUP = 30


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A workbench with a rewriter and a judge that do as they are told."""
    client = ScriptedClient(obedient)
    bench = Workbench(Store.open(tmp_path / "s.duckdb"), Engine(), lambda: client)
    yield bench
    bench.close()


@pytest.fixture
def study(bench: Workbench) -> Study:
    """Sixty problems of two groups: in each six are insufficient and three are difficult."""
    study = create_study(
        bench.store, "Trained", protocol="training_data", subject=REWRITER, judge=JUDGE
    )
    for group in ("sums", "words"):
        questions = [(f"{group} {i}?", [str(i), f"no. {i}"]) for i in range(N_PER_GROUP)]
        add_questions(bench.store, study, questions, file=f"{group}_file", group=group)
    assert synthesize(bench, study, watch=lambda _title, run: run.wait(30), shares=Shares(0.2, 0.1))
    return study
