"""Which scripts a text is written in, and which ones a language uses."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache

LATIN = "LATIN"

# Languages that use no other script than Latin are left out.
_USERS = {
    LATIN: "ace az bs crh fuv gom ha jv kk ku ms om sr tk tt ug uz",
    "ARABIC": "ace ar ary arz az crh fa fuv ha jv kk ku ky ms pa ps sdh tg tk ug ur uz uzs",
    "ARMENIAN": "hy",
    "BENGALI": "as bn",
    "CJK": "ja ko wuu yue zh",
    "CYRILLIC": "az ba be bg bs crh kk ky mk mn ru sr tg tk tt ug uk uz",
    "DEVANAGARI": "gom hi mr ne sa",
    "ETHIOPIC": "am om",
    "GEORGIAN": "ka",
    "GREEK": "el grc",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HEBREW": "hbo he",
    "HIRAGANA": "ja",
    "KANNADA": "gom kn",
    "KATAKANA": "ja",
    "KHMER": "km",
    "LAO": "lo",
    "MALAYALAM": "ml",
    "MONGOLIAN": "mn",
    "MYANMAR": "my",
    "ORIYA": "or",
    "SINHALA": "si",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
    "TIBETAN": "dz",
}
_RARE = "RARE"
_SHOWN = {
    "CJK": "Chinese characters",
    "HIRAGANA": "Japanese characters",
    "KATAKANA": "Japanese characters",
    "HANGUL": "Korean characters",
    "MYANMAR": "Burmese characters",
    "ORIYA": "Odia characters",
    _RARE: "characters of a rare script",
}

# A sign of these says about as much as three letters of an alphabet.
_LETTERS_PER_SIGN = {"CJK": 3, "HIRAGANA": 3, "KATAKANA": 3, "HANGUL": 3}
_UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KHMER", "LAO", "MYANMAR", "THAI", "TIBETAN"})
# A Greek letter on its own is a symbol.
_LONE_GREEK = re.compile(r"(?<![^\W\d_])[\u0370-\u03ff](?![^\W\d_])")


@cache
def scripts_of(language: str) -> frozenset[str]:
    """The scripts a language is written in, by the names Unicode gives their letters.

    Example:
        >>> sorted(scripts_of("sr")), sorted(scripts_of("fr"))
        (['CYRILLIC', 'LATIN'], ['LATIN'])
    """
    own = {script for script, users in _USERS.items() if language in users.split()}
    return frozenset(own or {LATIN})


def letters_by_script(text: str) -> dict[str, int]:
    """How many letters of each script a text has; a sign for a syllable or word counts as three.

    Marks, digits, symbols and Greek letters on their own do not count.

    Example:
        >>> letters_by_script("Пи: π = 3.14, 円周率 (pi)")
        {'CYRILLIC': 2, 'CJK': 9, 'LATIN': 2}
    """
    letters: Counter[str] = Counter()
    for mark, n in Counter(_LONE_GREEK.sub(" ", text)).items():
        if script := script_of(mark):
            letters[script] += n * _LETTERS_PER_SIGN.get(script, 1)
    return dict(letters)


def runs_in(text: str, scripts: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """Where letters of the given scripts stand, with the marks between them, as (start, end)."""
    runs: list[tuple[int, int]] = []
    is_open = False
    for place, mark in enumerate(text):
        if script := script_of(mark):
            if script in scripts:
                runs.append((runs.pop()[0] if is_open else place, place + 1))
            is_open = script in scripts
    return tuple(runs)


@cache
def script_of(mark: str) -> str | None:
    """The script of a letter, by Unicode's name for it; None for what is no letter of a script."""
    if not mark.isalpha():
        return None
    name = unicodedata.name(mark, "")
    script = name.removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").partition(" ")[0]
    if script in _USERS:
        return script
    is_script = unicodedata.category(mark) == "Lo" and ord(mark) > 0x370 and "SYMBOL" not in name
    return _RARE if is_script else None


def is_spaced(script: str) -> bool:
    """Whether words of this script have spaces between them."""
    return script not in _UNSPACED


def shown_script(script: str) -> str:
    """What to call the letters of a script in a sentence.

    Example:
        >>> shown_script("CJK"), shown_script("CYRILLIC")
        ('Chinese characters', 'Cyrillic letters')
    """
    return _SHOWN.get(script, f"{script.capitalize()} letters")
