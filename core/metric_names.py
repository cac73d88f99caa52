"""How names of metrics and of columns of results are written where people read them.

Names are ours, in lower case with underscores; what has a capital or a letter of its own in the
literature gets it here.
"""

_WHOLE = {"lambda": "λ", "beta": "β"}
_WORDS = {"auroc": "AUROC", "brier": "Brier"}


def in_words(name: str) -> str:
    """A name in words.

    Example:
        >>> in_words("confidence_balance"), in_words("brier_score"), in_words("lambda")
        ('confidence balance', 'Brier score', 'λ')
    """
    words = name.replace("_", " ").split(" ")
    return _WHOLE.get(name) or " ".join(_WORDS.get(word, word) for word in words)
