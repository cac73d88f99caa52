"""Undo as every view of the curation screen offers it: one step, told in words."""

from core.errors import ConflictError, SelfboundError
from core.workflows.desk import Desk
from core.workflows.people import Person
from pages.shared.quantities import human_count


def undo_step(desk: Desk, person: Person) -> str | SelfboundError:
    """What the undo took back, in words; or why nothing was."""
    try:
        undone = desk.undo(person)
    except SelfboundError as error:
        return error
    if not undone:
        return ConflictError("there is no decision of yours to take back")
    return f"{human_count(len(undone), 'decision')} taken back."
