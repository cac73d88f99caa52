"""The reasons for which a task is removed, as files spell them: by code, or by label.

The codes are the caller's to name; what a file spells is understood whatever its case.
"""

from collections.abc import Collection, Mapping

from core.exchange.named_cells import RowFault, is_blank
from core.exchange.row_file import Value
from core.exchange.wording import listed, shown
from core.taxonomy import fold

Reasons = Mapping[str, str] | Collection[str]
"""The codes of removal reasons that are known, alone or each with the label people see."""


def removal_labels(reasons: Reasons) -> dict[str, str]:
    """The label of each known code, which is the code itself where no label is given.

    Example:
        >>> removal_labels({"wrong_type": "Wrong type"}), removal_labels(["unsafe"])
        ({'wrong_type': 'Wrong type'}, {'unsafe': 'unsafe'})
    """
    labels = reasons if isinstance(reasons, Mapping) else {}
    return {code: label if isinstance(label := labels.get(code), str) else code for code in reasons}


def reason_spellings(reasons: Reasons) -> dict[str, str]:
    """Every spelling that is understood for a removal reason, with its code: codes and labels."""
    labels = removal_labels(reasons)
    folded = {fold(spelt): code for code in labels for spelt in (labels[code], code)}
    folded.pop("", None)
    exact = {label: code for code, label in labels.items()}
    return folded | exact | {code: code for code in labels}


def removal_code(cell: Value, spellings: Mapping[str, str]) -> str | None:
    """The code that a cell spells, None when it is blank; an unknown one is a fault."""
    if is_blank(cell):
        return None
    code = spellings.get(cell) or spellings.get(fold(cell)) if isinstance(cell, str) else None
    if code is None:
        raise RowFault(f"has the unknown removal reason {shown(cell)}", known_reasons(spellings))
    return code


def known_reasons(spellings: Mapping[str, str]) -> str:
    """The known codes in words, for the hint of a fault."""
    return f"known reasons: {listed(dict.fromkeys(spellings.values()))}"
