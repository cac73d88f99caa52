"""The languages a study can be in: those the language identifier tells apart, with their names."""

from functools import cache

from core.errors import InputError

_NAMES = """
ace Acehnese, af Afrikaans, am Amharic, an Aragonese, ar Arabic, ary Moroccan Arabic,
arz Egyptian Arabic, as Assamese, az Azerbaijani, ba Bashkir, bcl Central Bikol, be Belarusian,
bg Bulgarian, bn Bengali, br Breton, bs Bosnian, ca Catalan, crh Crimean Tatar, cs Czech, cy Welsh,
da Danish, de German, dz Dzongkha, el Greek, en English, eo Esperanto, es Spanish, et Estonian,
eu Basque, ext Extremaduran, fa Persian, fi Finnish, fo Faroese, fr French, fuv Nigerian Fulfulde,
fy Western Frisian, ga Irish, gcf Guadeloupean Creole, gcr Guianese Creole, gd Scottish Gaelic,
gl Galician, gom Goan Konkani, grc Ancient Greek, gu Gujarati, gug Paraguayan Guarani, guw Gun,
ha Hausa, hbo Ancient Hebrew, he Hebrew, hi Hindi, hr Croatian, ht Haitian Creole, hu Hungarian,
hy Armenian, id Indonesian, ig Igbo, is Icelandic, it Italian, ja Japanese, jv Javanese,
ka Georgian, kab Kabyle, kik Kikuyu, kk Kazakh, km Khmer, kn Kannada, ko Korean, ku Kurdish,
ky Kyrgyz, la Latin, lb Luxembourgish, lg Ganda, lij Ligurian, ln Lingala, lo Lao, lt Lithuanian,
ltg Latgalian, lv Latvian, mg Malagasy, mk Macedonian, ml Malayalam, mn Mongolian, mr Marathi,
ms Malay, mt Maltese, my Burmese, ne Nepali, nl Dutch, nn Norwegian Nynorsk, no Norwegian,
nso Northern Sotho, oc Occitan, om Oromo, or Odia, pa Punjabi, pcm Nigerian Pidgin, pl Polish,
ps Pashto, pt Portuguese, qu Quechua, ro Romanian, ru Russian, rw Kinyarwanda, sa Sanskrit,
sdh Southern Kurdish, se Northern Sami, si Sinhala, sk Slovak, sl Slovenian, sn Shona, so Somali,
sq Albanian, sr Serbian, st Southern Sotho, sv Swedish, sw Swahili, ta Tamil, te Telugu, tg Tajik,
th Thai, tk Turkmen, tl Tagalog, tr Turkish, tt Tatar, ug Uyghur, uk Ukrainian, ur Urdu, uz Uzbek,
uzs Southern Uzbek, vec Venetian, vi Vietnamese, vo Volapük, wa Walloon, wuu Wu Chinese, xh Xhosa,
yo Yoruba, yue Cantonese, zh Chinese, zu Zulu
"""


@cache
def language_names() -> dict[str, str]:
    """Code → English name of every language a study can be in, by name.

    Example:
        >>> len(language_names()), language_names()["eu"]
        (139, 'Basque')
    """
    pairs = (entry.strip().split(" ", 1) for entry in _NAMES.split(","))
    return dict(sorted(((code, name) for code, name in pairs), key=lambda pair: pair[1]))


def language_name(code: str) -> str:
    """The English name of a language.

    Raises:
        InputError: no known language has this code.

    Example:
        >>> language_name("de")
        'German'
    """
    return language_names()[checked_language(code)]


def checked_language(code: str) -> str:
    """The code itself, when it names a language that can be told from the others.

    Raises:
        InputError: it does not.

    Example:
        >>> checked_language("pt")
        'pt'
        >>> checked_language("German")
        Traceback (most recent call last):
            ...
        core.errors.InputError: language 'German' is not a known code
    """
    names = language_names()
    if code in names:
        return code
    wanted = code.strip().casefold()
    meant = [known for known, name in names.items() if wanted in (known, name.casefold())]
    raise InputError(
        f"language {code!r} is not a known code",
        hint=f"write {meant[0]}"
        if meant
        else "write it as ISO 639-1 does, in two small letters, for example "
        "en (English), de (German), es (Spanish), zh (Chinese); "
        f"{len(names)} languages are known",
    )
