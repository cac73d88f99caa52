"""Tasks that say the same as an earlier one, and what a task says, word by word.

`word_weights` is the base of the similarity of two tasks. The weights are fixed instead of learned
from the study, so that two texts compare the same whatever others there are.
"""

import re
import unicodedata
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import TypeVar

Id = TypeVar("Id", bound=Hashable)

NUMBER = 0.7
WORD_PAIR = 0.25
FILLING_WORD = 0.1
FRAMING_WORD = 0.4

# Words in at least a fifth of 8,000 published tasks of five models, and further function words.
_FILLING = """
a about all also an and any are as at be been between both by can could do does during each for from
had has have how if in into is it its may might must no not of on only or other s should so such
than that the their them then there these they this those to was were what when where which who why
will with without would you your
detailed following include provide specific
"""
# Words in 5 to 20 % of them that belong to the form of a task more than to its matter.
_FRAMING = """
additionally analysis analyze answer based calculate clear complete comprehensive consider
considering context create describe details determine develop different discuss ensure ensuring
example examples exact explain explanation first format generate given identify including
information input instructions key like list long make one output please potential present provided
sentence short step steps task text three two use used using various words write
"""
WEIGHT_OF_COMMON_WORDS = {
    **dict.fromkeys(_FRAMING.split(), FRAMING_WORD),
    **dict.fromkeys(_FILLING.split(), FILLING_WORD),
}

# Scripts that write without spaces: Thai, Lao, Tibetan, Myanmar, Khmer, Japanese, Chinese.
_SPACELESS = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_MARKS = "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
# A word with its marks, a minus between numbers, or any other sign.
_TOKEN = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*|(?<=\d)-(?=\d)|(?<=\d )-(?= \d)|[^\w\s-]")
_SIGNS_OF_ARITHMETIC = "-*/%"
_ANY_NUMBER = "#"  # punctuation, so never a word itself


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


def word_weights(text: str) -> dict[str, float]:
    """What a text says: its words and pairs of neighbouring words, with how much each matters.

    * A word or a sign as + weighs 1; a word that nearly every English task holds weighs less, so
      that two tasks are compared by what they are about. Other punctuation is left out.
    * A number weighs `NUMBER`, and that there is a number weighs 1: one template with other numbers
      is another task, but a similar one.
    * A pair weighs `WORD_PAIR` of the heavier of the two, whatever number stands in it.
    * In scripts that write without spaces each character is a word.

    Args:
        text: in the form that `same_words` gives it.

    Example:
        >>> word_weights("add 17")
        {'add': 1.0, '#17': 0.7, '#': 1.0, 'add #': 0.25}
    """
    weights: dict[str, float] = {}
    before, before_weight = "", 0.0
    for token in _TOKEN.findall(_SPACELESS.sub(r" \g<0> ", text)):
        weight = _weight(token)
        if not weight:
            continue
        if token.isdecimal():
            weights[_ANY_NUMBER + token] = NUMBER
            token = _ANY_NUMBER
        weights[token] = weight
        if before:
            weights[f"{before} {token}"] = WORD_PAIR * max(before_weight, weight)
        before, before_weight = token, weight
    return weights


@lru_cache(maxsize=1 << 14)
def _weight(token: str) -> float:
    if token in WEIGHT_OF_COMMON_WORDS:
        return WEIGHT_OF_COMMON_WORDS[token]
    silent = len(token) == 1 and unicodedata.category(token)[0] in "PC"
    return 0.0 if silent and token not in _SIGNS_OF_ARITHMETIC else 1.0


def _is_punctuation(mark: str) -> bool:
    return unicodedata.category(mark)[0] in "PZ"
