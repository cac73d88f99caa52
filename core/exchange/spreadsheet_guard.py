"""Keep text text when a CSV file is opened in a spreadsheet, and lose nothing by it.

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@` as a formula. So text that begins
with one of them (or with a tab or line break, which some programs drop before looking, or with
their full-width forms) is written with one apostrophe in front, the spreadsheets' own sign for
text. Text that already looks guarded gets one more, so taking one off is always exact:
`unguarded(guarded(text)) == text` for every text. Numbers are not text and are never guarded.
"""

import re

_TRIGGERS = "=+-@＝＋－＠\t\r\n"
_GUARDED_START = re.compile(f"'*[{re.escape(_TRIGGERS)}]")
_FIRST = frozenset("'" + _TRIGGERS)
"""Nearly every cell is settled by its first character, several times faster than by the pattern."""


def guarded(text: str) -> str:
    """The text as it is written to a CSV cell.

    Example:
        >>> guarded("=1+1"), guarded("'=1+1"), guarded("1+1")
        ("'=1+1", "''=1+1", '1+1')
    """
    return "'" + text if text[:1] in _FIRST and _GUARDED_START.match(text) else text


def unguarded(cell: str) -> str:
    """The text that a CSV cell holds: one guarding apostrophe taken off, any other kept.

    Example:
        >>> unguarded("'=1+1"), unguarded("'tis so"), unguarded("-5")
        ('=1+1', "'tis so", '-5')
    """
    return cell[1:] if cell.startswith("'") and _GUARDED_START.match(cell) else cell
