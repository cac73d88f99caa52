r"""Whether an answer is a reference answer to the letter, or but for its dress.

The written rule. An answer matches a reference *exactly* when both are the same characters. It
matches *normalised* when both are the same once dressed down: compatible characters made one
(NFKC), case folded, LaTeX that only dresses a text taken off (`$`, `\(`, `\)`, `\text{…}`,
`\mathrm{…}`, `\left`, `\right`, spaces such as `\,`), thousands separators between digits taken
out, white space made one space, and at the ends quotation marks, stops and an article dropped.

It is a strict rule on purpose: what it finds is right nearly always, and what a judge finds beyond
it is what the judge adds.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

Match = Literal["exact", "normalised", "none"]

_DRESS = re.compile(r"\\(?:left|right)\b|\\[(),;:!\s]|\$|\\(?:text|mathrm|textbf)\s*(?=\{)")
_WRAPPED = re.compile(r"^\{([^{}]*)\}$")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLE = re.compile(r"^(?:the|an|a) ")
_ENDS = " \t\n.;:!?\"'“”‘’`"


def answer_match(answer: str, references: Sequence[str]) -> Match:
    r"""How an answer matches the reference it matches best.

    Example:
        >>> answer_match("Rome", ["Rome"]), answer_match("$1,000$.", ["1000"])
        ('exact', 'normalised')
        >>> answer_match(r"\frac{1}{2}", ["0.5"])
        'none'
    """
    if answer in references:
        return "exact"
    plain = _plain(answer)
    return "normalised" if plain and plain in map(_plain, references) else "none"


def _plain(text: str) -> str:
    text = _DRESS.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    text = " ".join(_THOUSANDS.sub("", text).split()).strip(_ENDS)
    return _ARTICLE.sub("", _WRAPPED.sub(r"\1", text)).strip(_ENDS)
