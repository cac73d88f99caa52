"""Characters that have no shape and could hide something, made visible."""

import re

_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""The text with every unshowable character replaced by a visible stand-in.

    Tabs and line breaks stay. A control character becomes its picture (NUL is ␀), anything else
    its code in ⟨⟩, such as half of a surrogate pair.

    Example:
        >>> visible("a\x00b \ud835 c")
        'a␀b ⟨U+D835⟩ c'
    """
    return _UNSHOWABLE.sub(_stand_in, text)


def visible_in_ascii(text: str) -> str:
    r"""As `visible`, for LaTeX, whose fonts have none of the stand-ins: each code stands in <>.

    Example:
        >>> visible_in_ascii("a\x00b \ud835 c")
        'a<U+0000>b <U+D835> c'
    """
    return _UNSHOWABLE.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
