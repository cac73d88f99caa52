"""Tasks that say the same as an earlier one."""

import unicodedata
from collections.abc import Hashable, Mapping
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)


def exact_repeats(texts: Mapping[Id, str]) -> dict[Id, Id]:
    """For every task that repeats an earlier one, the first that said it.

    Two tasks are the same when they differ in nothing but case, white space, punctuation at the
    ends, or how Unicode writes the same character (NFKC). A text of nothing but
    punctuation is compared as it is.

    Args:
        texts: id → text; the order decides which is the first.

    Returns:
        repeat's id → first's id; the first ones themselves are not in it.

    Example:
        >>> exact_repeats({"a": "Write a story.", "b": "write  a story", "c": "Write a poem."})
        {'b': 'a'}
    """
    first: dict[str, Id] = {}
    repeats: dict[Id, Id] = {}
    for task_id, text in texts.items():
        earlier = first.setdefault(same_words(text), task_id)
        if earlier != task_id:
            repeats[task_id] = earlier
    return repeats


def same_words(text: str) -> str:
    """A text in the form in which two that say the same are equal.

    Example:
        >>> same_words('  "Ｗrite a\\n story!" ')
        'write a story'
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    start, end = 0, len(plain)
    while start < end and _is_punctuation(plain[start]):
        start += 1
    while end > start and _is_punctuation(plain[end - 1]):
        end -= 1
    return plain[start:end] or plain


def _is_punctuation(mark: str) -> bool:
    return unicodedata.category(mark)[0] in "PZ"
