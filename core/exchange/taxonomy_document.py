"""What a JSON document must say to be a taxonomy: keys, sizes, and names that can be told apart.

A name is what a model repeats to choose it, so it is a few words without punctuation, and no two
names may be taken for each other. A reason that is also spelt like a built-in one ("Missing
Context", "Vague/Open-Ended") is treated as that one by the checks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.errors import InputError
from core.exchange.wording import listed, shown
from core.taxonomy import ENGLISH, KnowledgeType, Reason, Taxonomy, fold, telling_words

MOST_TYPES, MOST_REASONS = 20, 50
"""More reasons make a list that no model reads and a square of confusions that nobody can."""
MOST_SPELLINGS = 500
LONGEST_NAME, LONGEST_DESCRIPTION = 80, 400

RESERVED = frozenset(
    {
        *("feasible", "infeasible", "overall", "all", "no reason given"),
        *("none", "null", "nil", "na", "n a", "not applicable"),
    }
)
"""Names, folded, that stand for something else in replies and tables."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_PUNCTUATION = frozenset(':;,.()[]{}<>–—"“”„«»')
_INVISIBLE_LETTERS = "\u00a0\u202f\u200c\u200d"
"""Not printable by the letter of Unicode, and needed to write some languages well."""


def taxonomy_of_document(document: Any, name: str) -> Taxonomy:
    """The taxonomy that a document says, as `Taxonomy.document` gives it.

    Args:
        name: of the file or study that the document comes from, for messages.

    Raises:
        InputError: something in it cannot be used.

    Example:
        >>> from core.taxonomy import LINE_OF_DUTY
        >>> taxonomy_of_document(LINE_OF_DUTY.document, "built in") == LINE_OF_DUTY
        True
    """
    _check_keys(
        document, name, needed=("name", "version", "types"), optional=("spellings", "language")
    )
    title = _text(document, "name", name, LONGEST_NAME)
    version = document["version"]
    if type(version) is not int or not 1 <= version <= 1_000_000:
        raise InputError(
            f"{name} has the version {shown(version)}",
            hint="count its changes: write a whole number from 1 up",
        )
    types = tuple(
        _type(kind, f"type {number} of {name}")
        for number, kind in enumerate(_list(document, "types", name, MOST_TYPES), start=1)
    )
    n_reasons = sum(len(kind.reasons) for kind in types)
    if n_reasons > MOST_REASONS:
        raise InputError(
            f"{name} has {n_reasons} reasons; at most {MOST_REASONS} were wanted",
            hint="put reasons together that ask for the same answer",
        )
    spellings = _spellings(document.get("spellings", {}), name)
    language = document.get("language", ENGLISH)
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise InputError(
            f"{name} has the language {shown(language)}",
            hint="write its code of two or three small letters, such as en or de",
        )
    taxonomy = Taxonomy(title, version, types, tuple(sorted(spellings.items())), language)
    _check_names(taxonomy, name)
    _check_spellings(taxonomy, name)
    return taxonomy


def _type(document: Any, where: str) -> KnowledgeType:
    _check_keys(document, where, needed=("name", "description", "reasons"))
    kind, description = _name_and_description(document, where)
    reasons = []
    for number, reason in enumerate(_list(document, "reasons", where, MOST_REASONS), start=1):
        place = f"reason {number} of {where}"
        _check_keys(reason, place, needed=("name", "description"))
        reasons.append(Reason(*_name_and_description(reason, place)))
    return KnowledgeType(kind, description, tuple(reasons))


def _name_and_description(document: Mapping[str, Any], where: str) -> tuple[str, str]:
    name = _text(document, "name", where, LONGEST_NAME)
    if signs := [sign for sign in name if sign in _PUNCTUATION]:
        raise InputError(
            f"{where} has {signs[0]} in its name {shown(name)}",
            hint="in a reply the name would seem to end there; say more in the description",
        )
    if not telling_words(name):
        raise InputError(
            f"{where} has the name {shown(name)}, which has no word to tell it by",
            hint="write it in letters; digits, signs, and joining words like “of” do not count",
        )
    if fold(name) in RESERVED:
        raise InputError(
            f"{where} has the name {shown(name)}, which stands for something else in replies "
            "and tables",
            hint="choose another name",
        )
    return name, _text(document, "description", where, LONGEST_DESCRIPTION)


def _text(document: Mapping[str, Any], key: str, where: str, longest: int) -> str:
    _check_text(document[key], key, where, longest)
    return document[key]


def _check_text(text: Any, key: str, where: str, longest: int) -> None:
    if not isinstance(text, str):
        raise InputError(f"{where} has {shown(text)} for its {key} where text was wanted")
    if not text.strip():
        raise InputError(f"{where} has an empty {key}")
    if text != text.strip():
        raise InputError(
            f"{where} has a {key} that begins or ends with white space: {shown(text)}",
            hint="leave the white space out",
        )
    if len(text) > longest:
        raise InputError(
            f"{where} has a {key} of {len(text):,} characters; at most {longest} were wanted"
        )
    for sign in text:
        if not sign.isprintable() and sign not in _INVISIBLE_LETTERS:
            raise InputError(
                f"{where} has the character U+{ord(sign):04X} in its {key}, which cannot be "
                "printed",
                hint="leave it out; line breaks too",
            )


def _list(document: Mapping[str, Any], key: str, where: str, most: int) -> Sequence[Any]:
    items = document[key]
    if not isinstance(items, list):
        raise InputError(f"{where} has {shown(items)} for its {key} where a list was wanted")
    if not items:
        raise InputError(f"{where} has no {key}", hint="write at least one")
    if len(items) > most:
        raise InputError(f"{where} has {len(items):,} {key}; at most {most} were wanted")
    return items


def _check_keys(
    document: Any, where: str, *, needed: Sequence[str], optional: Sequence[str] = ()
) -> None:
    if not isinstance(document, dict):
        raise InputError(f"{where} is {shown(document)} where a JSON object was wanted")
    known = (*needed, *optional)
    if unknown := [key for key in document if key not in known]:
        raise InputError(
            f"{where} has the unknown key {shown(unknown[0])}",
            hint=f"known keys: {listed(known)}",
        )
    if missing := [key for key in needed if key not in document]:
        raise InputError(f"{where} has no {missing[0]}", hint=f"it needs: {listed(needed)}")


def _spellings(found: Any, name: str) -> dict[str, str]:
    if not isinstance(found, dict):
        raise InputError(
            f"{name} has {shown(found)} for its spellings where a JSON object was wanted",
            hint='write {"another spelling": "the name"}',
        )
    if len(found) > MOST_SPELLINGS:
        raise InputError(
            f"{name} has {len(found):,} spellings; at most {MOST_SPELLINGS} were wanted"
        )
    for spelt, target in found.items():
        where = f"the spelling {shown(spelt)} of {name}"
        _check_text(spelt, "text", where, LONGEST_NAME)
        _check_text(target, "name", where, LONGEST_NAME)
    return found


def _names(taxonomy: Taxonomy) -> Iterator[tuple[str, str]]:
    """Every name with the words that say what it is of."""
    for kind in taxonomy.types:
        yield kind.name, "type"
        for reason in kind.reasons:
            yield reason.name, f"reason of {shown(kind.name)}"


def _check_names(taxonomy: Taxonomy, name: str) -> None:
    met: dict[str, tuple[str, str]] = {}
    for one, what in _names(taxonomy):
        words = telling_words(one)
        if words in met:
            other, what_other = met[words]
            again = f"{shown(other)} ({what_other}) and {shown(one)} ({what})"
            raise InputError(
                f"{name} has two names that are read as one: {again}",
                hint="letters tell names apart; case, accents, digits and signs do not",
            )
        met[words] = one, what


def _check_spellings(taxonomy: Taxonomy, name: str) -> None:
    names = [one for one, _ in _names(taxonomy)]
    meant = {fold(one): one for one in names}
    for spelt, target in taxonomy.other_spellings:
        if target not in names:
            raise InputError(
                f"{name} has the spelling {shown(spelt)} for {shown(target)}, which it does not "
                "name",
                hint="write the name of one of its types or reasons, letter for letter",
            )
        if not fold(spelt) or fold(spelt) in RESERVED:
            raise InputError(
                f"{name} has the spelling {shown(spelt)}, which cannot stand for a name",
                hint="leave it out",
            )
        if (other := meant.setdefault(fold(spelt), target)) != target:
            raise InputError(
                f"{name} has the spelling {shown(spelt)} for {shown(target)}, and it is read as "
                f"{shown(other)}",
                hint="leave it out",
            )
