"""What can be imported on screen: each layout, the studies that take it, and how it comes in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.protocols.base import CODE_TASKS, QUESTIONS, Brought
from core.settings import SAMPLE_CODE_TASKS, SAMPLE_QUESTIONS
from core.store.store import Store
from core.workflows.agent_import import import_agent_logs
from core.workflows.code_task_import import import_code_tasks
from core.workflows.imported import Imported
from core.workflows.importing import import_line_of_duty, import_tasks
from core.workflows.question_import import import_questions
from core.workflows.studies import Study


@dataclass(frozen=True)
class Layout:
    """One choice of what to import.

    Args:
        title, caption: as it is offered.
        bring: imports files into a study.
        brought: what people bring with it; None for tasks of studies that invent their own.
        sample: a file of ours, in place of files that are asked for.
        has_rows: whether rows that cannot be used can be left out.
        makes_studies: whether the files bring their own studies.
        choice: what files can leave open, which is then chosen on screen and given as `choice`.
        unit: one of what its files hold.
    """

    title: str
    caption: str
    bring: Callable[..., list[Imported]]
    brought: Brought | None = None
    sample: Path | None = None
    has_rows: bool = True
    makes_studies: bool = False
    choice: str = ""
    unit: str = "row"

    @property
    def noun(self) -> str:
        """What one of the things imported is called."""
        return self.brought.noun if self.brought else "task"

    def is_for(self, study: Study) -> bool:
        """Whether a study takes it."""
        if study.shape.makes_tasks or self.brought is None:
            return study.shape.makes_tasks and self.brought is None
        return study.shape.brought is self.brought


def _bring_logs(
    store: Store, paths: Sequence[Path], *, study_name: str, skip_bad_rows: bool, choice: str = ""
) -> list[Imported]:
    return import_agent_logs(store, paths, study_name=study_name, scorer=choice or None)


LAYOUTS = (
    Layout("Published results of Line of Duty", "", import_line_of_duty, makes_studies=True),
    Layout(
        "Tasks with text, intent, type and reason, and with decisions where there are any",
        "Files of your own, files downloaded from the table of the Curate screen, and JSON exports "
        "of Label Studio. Nothing is added twice.",
        import_tasks,
    ),
    Layout(
        "Questions with reference_answers and should_abstain",
        "reference_answers is a list of texts, should_abstain true or false; a column group may "
        "stand beside them. Nothing is added twice.",
        import_questions,
        QUESTIONS,
    ),
    Layout(
        "Our sample questions",
        "24 short questions, half of which nobody can answer, for a first try.",
        import_questions,
        QUESTIONS,
        SAMPLE_QUESTIONS,
    ),
    Layout(
        "Code tasks with their tests",
        "Files in the layouts of HumanEval and BigCodeBench, also packed as .gz. Nothing is added "
        "twice.",
        import_code_tasks,
        CODE_TASKS,
    ),
    Layout(
        "Our sample code tasks",
        "12 small functions to write, each with its tests, for a first try.",
        import_code_tasks,
        CODE_TASKS,
        SAMPLE_CODE_TASKS,
    ),
    Layout(
        "Logs of agents",
        ".eval and .json logs of Inspect AI in which agents state a likelihood of success. Nothing "
        "is added twice.",
        _bring_logs,
        CODE_TASKS,
        has_rows=False,
        choice="The score that decides",
        unit="run",
    ),
)
