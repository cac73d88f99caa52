"""A rewriter and a judge that do as they are told, and problems for them."""

import json

from core.records import Reply, Request
from core.runs.progress import Progress
from core.runs.run import Run
from core.workflows.rewrite_plans import Shares
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.questions import add_questions

REWRITER, JUDGE = "scripted/rewriter", "scripted/judge"
HALF = Shares(insufficient=0.3, difficult=0.2)


def obedient(request: Request) -> Reply:
    """A rewrite that names its part and its problem; the judge believes what it says of itself."""
    if request.model == REWRITER:
        text = f"{request.context['type']} version of {request.context['task_id']}"
        return Reply(text=json.dumps({"problem": text}), model=REWRITER)
    is_difficult = "\ndifficult" in request.messages[-1].content
    return Reply(text="Yes" if is_difficult else "No", model=JUDGE)


def make_study(bench: Workbench, n: int = 10, **options: object) -> Study:
    """A study with so many numbered problems."""
    options = {"subject": REWRITER, "judge": JUDGE} | options
    study = create_study(bench.store, "Trained", protocol="training_data", **options)
    add_questions(bench.store, study, [(f"Problem {i}?", [str(i)]) for i in range(n)])
    return study


def watch(_title: str, run: Run) -> Progress:
    """How a run ended; it has half a minute."""
    progress = run.wait(30)
    assert progress.state == "ended"
    return progress
