"""How names of metrics and of columns of results, and p-values, are written where people read them.

Names are ours, in lower case with underscores; what has a capital or a letter of its own in the
literature gets it here.
"""

SMALLEST_P = 0.001
"""What is smaller is not written out, so that no p-value reads as 0."""

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


def p_text(p: float) -> str:
    """A p-value with three decimals, or that it is smaller than those can show.

    Example:
        >>> p_text(0.0123), p_text(0.0004)
        ('0.012', '< 0.001')
    """
    return f"< {SMALLEST_P}" if p < SMALLEST_P else f"{p:.3f}"


def p_words(p: float) -> str:
    """A p-value as it stands in a sentence.

    Example:
        >>> p_words(0.0123), p_words(0.0004)
        ('p = 0.012', 'p < 0.001')
    """
    return f"p {p_text(p)}" if p < SMALLEST_P else f"p = {p_text(p)}"
