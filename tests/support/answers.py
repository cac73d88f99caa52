"""Subjects and judges of questions that say what a test wrote down."""

from collections.abc import Callable, Mapping, Sequence

from core.records import Reply, Request
from core.workflows.steps import start_step
from core.workflows.studies import Study, create_study
from core.workflows.workbench import Workbench
from tests.support.questions import add_questions

JUDGE, STRICT = "scripted/judge", "scripted/strict"
DATA, MODEL = r"\boxed{<DATA_UNCERTAIN>}", r"\boxed{<MODEL_UNCERTAIN>}"

# file, question, references (None: unanswerable); the right answer stands first.
QUESTIONS = [
    ("easy", "Two and two?", ["4"]),
    ("easy", "The capital of Italy?", ["Rome"]),
    ("easy", "The colour of snow?", ["white"]),
    ("hard", "The 9,999th prime?", ["104723"]),
    ("hard", "Who wrote it?", ["Ada"]),
    ("open", "How old is he?", None),
    ("open", "Who will win?", None),
    ("open", "What is behind it?", None),
]
GROUPS = {"easy": "knowing", "open": "knowing", "hard": "thinking"}


def replies(said: Mapping[str, Mapping[str, str]]) -> Callable[[Request], Reply]:
    """What models say: each subject by question, both judges by how an answer matches.

    `JUDGE` takes what matches but for its dress, `STRICT` only what matches to the letter; neither
    can decide on an answer that says `unclear`.
    """

    def reply(request: Request) -> Reply:
        text = request.messages[-1].content
        if request.model in (JUDGE, STRICT):
            if "unclear" in text:
                return Reply(text="Hard to say", model=request.model)
            takes = ("exact", "normalised") if request.model == JUDGE else ("exact",)
            verdict = "Yes" if request.context["match"] in takes else "No"
            return Reply(text=verdict, model=request.model)
        return Reply(text=said[request.model][text.rsplit("\n", 1)[-1]], model=request.model)

    return reply


def attempted(
    bench: Workbench,
    name: str,
    subject: str,
    *,
    prompt_set: str = "attribution",
    questions: Sequence[tuple[str, str, list[str] | None]] = QUESTIONS,
    judges: Sequence[str] = (JUDGE, STRICT),
) -> Study:
    """A study whose subject has attempted the questions, judged by all the judges."""
    study = create_study(
        bench.store,
        name,
        protocol="uncertainty_attribution",
        subject=subject,
        prompt_set=prompt_set,
        judge=JUDGE,
    )
    for file in dict.fromkeys(file for file, _, _ in questions):
        own = [(text, references) for of, text, references in questions if of == file]
        add_questions(bench.store, study, own, file=file, group=GROUPS[file])
    steps = [("attempt", None), *(("judge", judge) for judge in judges)]
    for step, model in steps if questions else []:
        run = start_step(bench, study, step, model=model)
        assert run is None or run.wait(30)
    return study
