"""Reads a judge's verdict: exactly Yes or No.

The written rule. A reply is refused, truncated or empty as any other (`core.parsing.endings`), and
thinking is no part of it. From what is left the white space around it is taken, and then one full
stop at its end. It is a verdict if this leaves `yes` or `no`, whatever the case, and nothing else.

All else is unparsable: quotation marks, emphasis, a second word, an object, another language, a
yes that is taken back. The judge was asked for exactly Yes or No, so such a reply is a third state
that people see and can have judged again; it never counts as No.
"""

from core.parsing.endings import shown
from core.parsing.one_object import unparsable
from core.parsing.thinking import spoken_text
from core.records import Outcome, Reading

YES, NO = "yes", "no"


def parse_yes_no(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    r"""The verdict that a reply is.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Returns:
        outcome ok with yes or no as `label`; else refused, truncated, empty, or unparsable where
        the verdict is not valid, with a note that says why.

    Example:
        >>> parse_yes_no(" YES.\n").label, parse_yes_no("no").label
        ('yes', 'no')
        >>> parse_yes_no("Not yes").note
        "the verdict is 'Not yes', wanted exactly Yes or No"
    """
    said = spoken_text(text, finish_reason=finish_reason, refusal=refusal)
    if isinstance(said, Reading):
        return said
    whole = said.strip()
    # Not casefold: it would make an s of other letters.
    word = whole.removesuffix(".").lower()
    if word in (YES, NO):
        return Reading(Outcome.OK, label=word)
    return unparsable(f"the verdict is {shown(whole)}, wanted exactly Yes or No")
