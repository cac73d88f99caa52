r"""Whether an answer is a reference answer to the letter, or but for its dress.

The written rule. An answer matches a reference *exactly* when both are the same characters. It
matches *normalised* when both are the same once dressed down: compatible characters made one
(NFKC), case folded, LaTeX that only dresses a text taken off (`$`, `\(`, `\)`, `\text{…}`,
`\mathrm{…}`, `\left`, `\right`, spaces such as `\,`), thousands separators between digits taken
out, white space made one space, and at the ends quotation marks, stops and an article dropped. The
stop in front of .5, the mark behind 5! and a raised digit stay: they make another number.

It is a strict rule on purpose: what it finds is right nearly always, and what a judge finds beyond
it is what the judge adds.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

Match = Literal["exact", "normalised", "none"]

_SIZES = re.compile(r"\s*\\(?:left|right)\b\s*")
_DRESS = re.compile(r"\\[(),;:!\s]|\$|\\(?:text|mathrm|textbf)\s*(?=\{)")
_RAISED = {ord(mark): f"^{unicodedata.normalize('NFKC', mark)}" for mark in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"}
_PARTS = {ord(mark): f" {unicodedata.normalize('NFKC', mark)}" for mark in "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
_WRAPPED = re.compile(r"^\{([^{}]*)\}$")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLE = re.compile(r"^(?:the|an|a) ")
_STARTS = " \t\n;:?\"'“”‘’`"
_ENDS = _STARTS + "."


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
    # As compatible characters, 2² would be 22 and 2½ would be 21/2.
    text = unicodedata.normalize("NFKC", text.translate(_RAISED | _PARTS))
    text = _DRESS.sub(" ", _SIZES.sub("", text.casefold()))
    text = _trimmed(" ".join(_THOUSANDS.sub("", text).split()))
    return _trimmed(_ARTICLE.sub("", _WRAPPED.sub(r"\1", text)))


def _trimmed(text: str) -> str:
    # A stop in front begins a number, and an exclamation mark can be a factorial.
    return text.lstrip(_STARTS).rstrip(_ENDS)
