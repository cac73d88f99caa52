"""The commands about a study's tasks: decide one, and draw those that models classify."""

from enum import StrEnum
from typing import Annotated

import typer

from core.cli_output import print_document, say
from core.cli_session import JsonFlag, StudyName, open_store


class Decision(StrEnum):
    """What `review` can decide."""

    KEEP = "keep"
    REMOVE = "remove"


def review(
    study: StudyName,
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task's id, or its beginning.")],
    decision: Annotated[Decision, typer.Argument(help="What to do with it.")],
    reason: Annotated[str | None, typer.Option(help="Why it goes, as a code.")] = None,
    note: Annotated[str, typer.Option(help="A note to the decision.")] = "",
    person: Annotated[str, typer.Option("--as", help="Who decides.")] = "command line",
) -> None:
    """Decide one task."""
    from core.workflows.curation import decide, task_from_prefix
    from core.workflows.people import person_named
    from core.workflows.studies import study_named

    with open_store() as store:
        found = study_named(store, study)
        task_id = task_from_prefix(store, found, task)
        who = person_named(store, person)
        decide(store, found, task_id, decision.value, person=who, reason=reason, note=note)
    say(f"{task_id}: {decision.value}")


def draw(
    study: StudyName,
    per_cell: Annotated[int | None, typer.Option(help="Tasks per type and side.")] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes which tasks are drawn.")] = None,
    with_removed: Annotated[
        bool,
        typer.Option(
            "--with-removed",
            help="Draw removed tasks too, to tell the results with and without them.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Draw the balanced sample."""
    from core.workflows.drawing import draw_tasks, shortfall_sentence
    from core.workflows.studies import study_named

    with open_store() as store:
        found = study_named(store, study)
        drawn = draw_tasks(store, found, per_cell=per_cell, seed=seed, with_removed=with_removed)
    said = [shortfall_sentence(one) for one in drawn.shortfalls]
    say(f"{drawn.n_tasks:,} tasks are drawn" + ("" if drawn.is_new else ", the same as before"))
    if drawn.n_undecided:
        say(f"  nobody has looked at {drawn.n_undecided:,} of them yet")
    if drawn.n_removed:
        say(f"  people removed {drawn.n_removed:,} of them; the tables leave those out")
    for sentence in said:
        say(f"  {sentence}")
    if as_json:
        print_document(
            {"draw": drawn.draw_id, "tasks": drawn.n_tasks, "new": drawn.is_new}
            | {"undecided": drawn.n_undecided, "removed": drawn.n_removed, "shortfalls": said}
        )
