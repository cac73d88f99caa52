"""Downloads of a study's tasks with their decisions."""

from core.workflows.desk import Desk
from core.workflows.people import Person


def offer_downloads(desk: Desk, person: Person) -> None:
    """Nothing yet."""
