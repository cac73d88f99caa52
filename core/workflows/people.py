"""People: whoever decides something is known by a name."""

from dataclasses import dataclass
from datetime import UTC, datetime

from core.errors import InputError
from core.identity import new_id
from core.settings import PERSON_PREFIX
from core.store.store import Store
from core.store.transaction import Transaction

LONGEST_PERSON = 80


@dataclass(frozen=True)
class Person:
    """Somebody at the desk."""

    person_id: str
    name: str

    @property
    def as_model(self) -> str:
        """What stands for the person where the results name models.

        Example:
            >>> Person("p1", "Ada Lovelace").as_model
            'person/Ada Lovelace'
        """
        return PERSON_PREFIX + self.name


def is_person(model: str) -> bool:
    """Whether this name, met where a model's stands, is that of a person.

    Example:
        >>> is_person("person/Ada Lovelace"), is_person("openai/gpt-4o")
        (True, False)
    """
    return model.casefold().startswith(PERSON_PREFIX)


def checked_person_name(name: str) -> str:
    """The name with one space between its words, and none around it.

    Raises:
        InputError: it is empty, too long or has a character that cannot be shown.

    Example:
        >>> checked_person_name(" Ada  Lovelace")
        'Ada Lovelace'
    """
    name = " ".join(name.split())
    if not name:
        raise InputError("no name is given", hint="write the one you want to be known by")
    if len(name) > LONGEST_PERSON:
        raise InputError(
            f"the name {name[:40]!r} has {len(name)} characters",
            hint=f"use at most {LONGEST_PERSON} characters",
        )
    if not name.isprintable():
        raise InputError(
            f"the name {name!r} has a character that cannot be shown", hint="leave it out"
        )
    return name


def person_named(store: Store, name: str) -> Person:
    """The person of that name, made known when new.

    Raises:
        InputError: as for `checked_person_name`.
    """
    name = checked_person_name(name)

    def find_or_add(tx: Transaction) -> Person:
        found = tx.rows("person_by_name", name=name)
        if found:
            return Person(**found[0])
        row = {"person_id": new_id(), "name": name, "created_at": datetime.now(UTC)}
        tx.append("person", [row])
        return Person(row["person_id"], name)

    found = store.rows("person_by_name", name=name)
    return Person(**found[0]) if found else store.write(find_or_add)
