"""One profile per model: what each protocol says of it, apart by prompt set, from all studies."""

from pathlib import Path

import pytest

from core.errors import NotFoundError
from core.records import Reply, Request
from core.workflows.drawing import draw_tasks
from core.workflows.profiles import COLUMNS, model_profiles
from core.workflows.results import label_counts
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from tests.support.contracts import settled_study, state_chances
from tests.support.questions import add_questions

from .conftest import MODEL, obedient


def _replies(request: Request) -> Reply:
    if request.context.get("intent") in ("answerable", "unanswerable"):
        return Reply(text=r"\boxed{<MODEL_UNCERTAIN>}", model=request.model)
    return obedient(request)


def _run(bench, study, step: str) -> None:
    assert start_step(bench, study, step).wait(30)


@pytest.fixture
def profiled(open_bench, tmp_path: Path):
    """A workbench with a study of each protocol, all of one model."""
    bench = open_bench(_replies)
    boundary = create_study(
        bench.store, "Tasks", protocol="feasibility_boundary", subject=MODEL, per_type=2
    )
    _run(bench, boundary, "generate")
    draw_tasks(bench.store, boundary)
    _run(bench, boundary, "classify")
    asked = create_study(bench.store, "Asked", protocol="uncertainty_attribution", subject=MODEL)
    add_questions(bench.store, asked, [(f"Question {at}?", ["4"]) for at in range(3)])
    _run(bench, asked, "attempt")
    for name, solved, failed, chances in (
        ("Sure", ("a", "b"), ("c",), (0.9, 0.7, 0.2)),
        ("Surer", ("d",), ("e",), (0.6, 0.6)),
    ):
        folder = tmp_path / name
        folder.mkdir()
        given = {"solved": solved, "failed": failed, "name": name, "model": MODEL}
        state_chances(bench.store, settled_study(bench.store, folder, **given), chances)
    return bench


def test_every_protocol_says_its_own_of_a_model(profiled) -> None:
    found = model_profiles(profiled.store)
    assert list(found.columns) == list(COLUMNS)
    assert set(found["model"]) == {MODEL}
    by = {(row.protocol, row.metric): row for row in found.itertuples()}
    # The obedient model classifies as it was meant.
    assert by["Feasibility boundary", "accuracy"].value == 1.0
    assert by["Feasibility boundary", "accuracy"].n == 20
    assert by["Uncertainty attribution", "ACC"].value == 0.0
    assert by["Uncertainty attribution", "ACC"].n == 3
    # Both studies together: 0.9 + 0.7 + 0.2 + 0.6 + 0.6 of five, of which three were solved.
    over = by["In-advance confidence", "overconfidence"]
    assert (over.n, over.value) == (5, pytest.approx(3.0 / 5 - 3 / 5))
    assert by["In-advance confidence", "auroc"].value == pytest.approx(5.5 / 6)


def test_a_model_without_results_is_named(profiled) -> None:
    assert model_profiles(profiled.store, models=[MODEL])["protocol"].nunique() == 3
    with pytest.raises(NotFoundError, match="no results of openai/nobody"):
        model_profiles(profiled.store, models=["openai/nobody"])


def test_a_store_without_results_has_no_profiles(store) -> None:
    assert model_profiles(store).empty
    assert label_counts(
        store, [create_study(store, "E", protocol="in_advance_confidence", subject=MODEL)]
    ).empty
