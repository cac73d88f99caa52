"""A study that its subject has classified, and somebody who has begun with it."""

import pytest

from core.workflows.drawing import draw_tasks
from core.workflows.human_baseline import begin_attempts
from core.workflows.people import Person, person_named
from core.workflows.steps import start_step
from core.workflows.studies import Study
from core.workflows.workbench import Workbench


@pytest.fixture
def drawn(bench: Workbench, study: Study) -> Study:
    """A study whose 20 tasks are drawn and classified by its subject."""
    start_step(bench, study, "generate").wait(20)
    draw_tasks(bench.store, study)
    start_step(bench, study, "classify").wait(20)
    return study


@pytest.fixture
def ada(bench: Workbench, drawn: Study) -> Person:
    """Somebody who has begun with the draw."""
    person = person_named(bench.store, "Ada Lovelace")
    assert begin_attempts(bench.store, drawn, person) == 20
    return person
