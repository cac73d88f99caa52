"""Small words for messages about files: counts in good grammar, met values kept short."""

SHOWN_LENGTH = 60
"""Characters of a met value that a message repeats."""


def counted(n: int, one: str, many: str) -> str:
    """A count with the words that go with it.

    Example:
        >>> counted(1, "row is", "rows are"), counted(19, "row is", "rows are")
        ('1 row is', '19 rows are')
    """
    return f"{n:,} {one if n == 1 else many}"


def shown(value: object) -> str:
    """A met value in quotes, cut to 60 characters, control characters escaped.

    Example:
        >>> shown("too hard\\n")
        "'too hard\\\\n'"
    """
    text = str(value)
    return repr(text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…")


def listed(names: object) -> str:
    """Names in a row, with commas.

    Example:
        >>> listed(["text", "intent"])
        'text, intent'
    """
    return ", ".join(names)
