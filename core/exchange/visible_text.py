"""Characters that have no shape and could hide something, made visible."""

import re

_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""The text with every character that cannot be shown replaced by its code in <>.

    Tabs and line breaks stay.

    Example:
        >>> visible("a\x00b \ud835 c")
        'a<U+0000>b <U+D835> c'
    """
    return _UNSHOWABLE.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)
