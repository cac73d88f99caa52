"""Text for LaTeX: shown as it is, whatever stands in it."""

import re

from core.exchange.visible_text import visible_in_ascii

_SIGNS = {char: f"\\{char}" for char in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_LIGATURE = re.compile(r"(?<=[-`',])(?=[-`',])|(?<=[?!])(?=`)")
"""Between two of these signs LaTeX would make one of them: a dash, a quotation mark, an ¿."""

_SPACE = re.compile(r"[\t\n\r\v\f\x85\u2028\u2029]+")
_LAST_EUROPEAN = 0x17F


def latex_escaped(text: str) -> str:
    r"""The text so that LaTeX prints it; line breaks and tabs become spaces.

    Characters beyond ASCII stay as they are.

    Example:
        >>> print(latex_escaped("50% of $5 & a_b -- <x>"))
        50\% of \$5 \& a\_b -{}- \textless{}x\textgreater{}
    """
    line = visible_in_ascii(_SPACE.sub(" ", text))
    # No NUL is left in the line, so one can stand for what parts two signs.
    parted = _LIGATURE.sub("\0", line)
    return "".join(_SIGNS.get(char, char) for char in parted).replace("\0", "{}")


def needs_unicode(text: str) -> bool:
    """Whether pdfLaTeX with European fonts has no letter for some character of the text.

    Example:
        >>> needs_unicode("Größe"), needs_unicode("日本")
        (False, True)
    """
    return any(ord(char) > _LAST_EUROPEAN for char in text)
