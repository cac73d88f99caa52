"""Amounts in the words people use: durations, money, counts."""

from itertools import pairwise


def human_duration(seconds: float) -> str:
    """A duration in its two largest units, or in seconds when it is short.

    Args:
        seconds: zero or more, in seconds.

    Example:
        >>> [human_duration(s) for s in (0, 0.25, 4.2, 59.6, 61, 3_700, 200_000)]
        ['0 s', '0.2 s', '4.2 s', '1 min', '1 min 1 s', '1 h 1 min', '2 d 7 h']
    """
    if 0 < seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    units = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
    for (size, name), (small, small_name) in pairwise(units):
        if whole >= size:
            large, rest = divmod(whole, size)
            return f"{large} {name}" + (f" {rest // small} {small_name}" if rest >= small else "")
    return f"{whole} s"


def pace_words(seconds_each: float, n_left: int) -> str:
    """What one decision at a desk takes, and with it all that are left.

    Args:
        seconds_each: zero or more, in seconds.

    Example:
        >>> pace_words(4.24, 30), pace_words(612.4, 6)
        ('4.2 s each, so about 2 min 7 s left', '10 min 12 s each, so about 1 h 1 min left')
    """
    left = human_duration(seconds_each * n_left)
    return f"{human_duration(seconds_each)} each, so about {left} left"


def human_cost(usd: float) -> str:
    """An amount in US dollars with as many digits as it needs to be told from nothing.

    The dollar sign is Markdown to Streamlit: inside a label or a caption use `text.plain`.

    Args:
        usd: zero or more.

    Example:
        >>> [human_cost(x) for x in (0, 0.000_004, 0.0042, 0.1849, 12.5, 1_234.5)]
        ['$0', '< $0.0001', '$0.0042', '$0.185', '$12.50', '$1,234.50']
    """
    if usd == 0:
        return "$0"
    if usd < 0.0001:
        return "< $0.0001"
    digits = 4 if usd < 0.1 else 3 if usd < 1 else 2
    return f"${usd:,.{digits}f}"


def human_count(n: int, one: str = "", many: str = "") -> str:
    """A whole number with its thousands set apart, and its noun when one is given.

    Args:
        n: the number.
        one: the noun for exactly one.
        many: the noun for any other number; `one` with an s when left out.

    Example:
        >>> human_count(12345), human_count(1, "task"), human_count(0, "reply", "replies")
        ('12,345', '1 task', '0 replies')
    """
    noun = one if n == 1 else many or (one and f"{one}s")
    return f"{n:,} {noun}".rstrip()
