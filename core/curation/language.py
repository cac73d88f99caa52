"""Whether a task is written in the language of its study.

A task counts as written in another language only when no stretch of it in the open, outside
quotation marks, is in the study's own. So *Translate "je ne sais pas" into English* is English,
however long the quotation. The questions are asked in this order, and the first sure answer
settles it:

1. *Does a stretch read as the study's language?* Then nothing is wrong; most tasks end here,
   after their first sentence.
2. *Whose letters are these?* Letters of a script the language does not use are certain, except
   Latin ones, which stand in formulas, code and names everywhere.
3. *Which language is it?* A classifier over 139 languages must be sure, and the task long enough:
   names, code, formulas and a few words are never judged.

Nothing is flagged between close relatives, such as Croatian and Serbian, that the classifier
cannot tell apart safely. Apart from that, a task may also change into another script half-way, as
models do when they lose the thread: a long run of it in the open is flagged with its place.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from core.curation.flags import Flag
from core.curation.language_names import checked_language, language_name
from core.curation.scripts import (
    LATIN,
    is_spaced,
    letters_by_script,
    runs_in,
    scripts_of,
    shown_script,
)

MOST_READ = 10_000
"""Characters of a task that are read."""

SURE = 0.9
"""What the three likeliest languages must have together, the study's and its kin left out.

Three, since relatives share the probability among them; in gibberish many more have a part.
"""

FEWEST_WORDS = 4
"""Words that are no names and no code, which a task needs to be judged."""

FEWEST_LETTERS = 20
"""Letters a task needs to be judged."""

STRETCH_LETTERS = 12
"""Letters that make a stretch worth reading."""

STRETCH_SURE = 0.3
"""A stretch whose likeliest language is the study's, at this probability or more, is in it."""

OWN_SHARE = 0.2
"""With no more of its letters in the study's script, a task is written in the other one."""

LONG_RUN = 60
"""So many letters of another script in the open are more than a word that is mentioned."""

_CLOSE_RELATIVES = """
ar ary arz | bcl tl | bs hr sr | el grc | en pcm | es ext | fr wa | gcf gcr ht | gl pt | hbo he |
id ms | it lij vec | ku sdh | ltg lv | nn no | uz uzs | wuu yue zh
"""
_KIN = tuple(frozenset(group.split()) for group in _CLOSE_RELATIVES.split("|"))
_NO_LANGUAGE = "zxx"
"""What the classifier calls a text that is in none, such as code or ciphers."""

_QUOTED = re.compile(
    r"\"[^\"\n]{1,600}\"|[“„][^“”„\n]{1,600}[”“]|«[^«»\n]{1,600}»|「[^「」\n]{1,600}」"
    r"|(?<!\w)‘[^\n]{1,600}?’(?!\w)|(?<!\w)'[^\n]{1,600}?'(?!\w)"
)
_BRACKETED = re.compile(r"\[[^\[\]\n]{1,600}\]|\([^()\n]{1,600}\)")
# Quotations are taken whole, so that no stretch is read inside one.
_QUOTED_OR_STRETCH = re.compile(
    rf"({_QUOTED.pattern})|(?:[^.!?:;\n。！？：；।\"“„«‘「']|(?<=\w)['‘]){{1,80}}"
)
_OPENING = re.compile(r"[^:：\n]+")
_LATIN_LETTER = re.compile("[A-Za-z]")
_CODE = re.compile(r"[\d_=<>{}\[\]\\/|@#$%^&*+~`]|\w\(")
# A task may say what to do in one word, and then give a text in any language.
_ENGLISH_LEAD = re.compile(
    r"\W*(?:analy[sz]e|answer|classify|correct|explain|interpret|paraphrase|proofread|"
    r"rephrase|reply|rewrite|simplify|summari[sz]e|translate)\b",
    re.IGNORECASE,
)


def language_flag(text: str, *, language: str) -> Flag | None:
    """A `wrong_language` flag for a task that is not in the study's language; None when it is.

    Args:
        text: the task as generated.
        language: the study's language, a code that `checked_language` knows.

    Returns:
        None also when the task cannot be judged. The spans show where a task changes into another
        script; they are empty when it is in another language as a whole.

    Raises:
        InputError: no known language has this code.

    Example:
        >>> flag = language_flag("Escribe un poema corto sobre el mar en otoño.", language="en")
        >>> flag.why
        'The task reads like Spanish, not like English.'
        >>> language_flag('Translate "je ne sais pas" into English.', language="en") is None
        True
    """
    own = checked_language(language)
    text = text[:MOST_READ]
    reads_as_own = _has_stretch_in(own, text)
    if reads_as_own and text.isascii():
        return None
    outside = _blanked(_QUOTED, text)
    if not any(map(str.isalpha, outside)):
        outside = text
    if reads_as_own:
        return _change_of_script(outside, own)
    return _script_flag(outside, own) or _classifier_flag(outside, own)


def _change_of_script(outside: str, own: str) -> Flag | None:
    start, opening = _opening(_blanked(_BRACKETED, outside))
    mine, strange = _mine_and_strange(opening, own)
    if mine < STRETCH_LETTERS or sum(strange.values()) < LONG_RUN:
        return None
    spans = tuple((start + one, start + end) for one, end in runs_in(opening, strange))
    return Flag("wrong_language", _script_sentence("Part of the task is", strange, own), spans)


def _script_flag(outside: str, own: str) -> Flag | None:
    mine, strange = _mine_and_strange(_opening(outside)[1], own)
    n_strange = sum(strange.values())
    if n_strange < STRETCH_LETTERS or mine > OWN_SHARE * (mine + n_strange):
        return None
    return Flag("wrong_language", _script_sentence("The task is", strange, own))


def _classifier_flag(outside: str, own: str) -> Flag | None:
    if own == "en" and _ENGLISH_LEAD.match(outside):
        return None
    words = [word for word in outside.split() if not (word.isascii() and _CODE.search(word))]
    letters = letters_by_script(" ".join(words))
    n_latin = letters.get(LATIN, 0)
    if LATIN not in scripts_of(own) and n_latin <= sum(letters.values()) - n_latin:
        # Latin words in a text of another script are names, terms and code.
        words = [word for word in words if not _LATIN_LETTER.search(word)]
        letters.pop(LATIN, None)
    prose = " ".join(words)
    if sum(letters.values()) < FEWEST_LETTERS or not _has_words(words, letters, prose.isupper()):
        return None
    left_out = {_NO_LANGUAGE, *_kin(own)}
    others = [one for one in _identifier().rank(prose) if one[0] not in left_out][:3]
    if sum(probability for _, probability in others) < SURE:
        return None
    found, study = language_name(others[0][0]), language_name(own)
    return Flag("wrong_language", f"The task reads like {found}, not like {study}.")


def _has_stretch_in(own: str, text: str) -> bool:
    kin = _kin(own)
    for match in _QUOTED_OR_STRETCH.finditer(text):
        if match[1] is None and _n_letters(match[0]) >= STRETCH_LETTERS:
            found, probability = _identifier().classify(match[0])
            if found in kin and probability >= STRETCH_SURE:
                return True
    return False


def _n_letters(text: str) -> int:
    if text.isascii():
        return sum(map(str.isalpha, text))
    return sum(letters_by_script(text).values())


def _has_words(words: Iterable[str], letters: dict[str, int], is_upper: bool) -> bool:
    """Whether a text has words; after the first one, a capital letter makes a name."""
    if not all(map(is_spaced, letters)):
        return True
    plain = [word.strip("\"'“”‘’«»„.,;:!?¿¡()-") for word in words]
    plain = [word for n, word in enumerate(plain) if n == 0 or is_upper or not word[:1].isupper()]
    return sum(len(word) > 1 for word in plain) >= FEWEST_WORDS


def _opening(outside: str) -> tuple[int, str]:
    """The text up to a colon or line break, behind which there may be data, and its place."""
    for match in _OPENING.finditer(outside):
        if any(map(str.isalpha, match[0])):
            return match.start(), match[0]
    return 0, ""


def _mine_and_strange(text: str, own: str) -> tuple[int, dict[str, int]]:
    letters = letters_by_script(text)
    mine = scripts_of(own)
    strange = {script: n for script, n in letters.items() if script not in mine | {LATIN}}
    return sum(n for script, n in letters.items() if script in mine), strange


def _script_sentence(begin: str, strange: dict[str, int], own: str) -> str:
    script = shown_script(max(strange, key=lambda one: strange[one]))
    return f"{begin} in {script}; the study is in {language_name(own)}."


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)


@cache
def _kin(own: str) -> frozenset[str]:
    return next((group for group in _KIN if own in group), frozenset({own}))


@cache
def _identifier() -> Any:
    # Loads a model of 4.6 MB, which takes most of a second.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
