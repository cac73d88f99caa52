"""Questions from a person's own file: question, reference_answers, should_abstain and group.

Nothing is guessed. Every row says whether one should abstain; a question that can be answered has
the answers that count as right, one that cannot has none. Only an empty cell is empty: `None` and
`null` as text are answers.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.exchange.cell_text import cell_text
from core.exchange.named_cells import RowFault, is_blank, read_each, task_text
from core.exchange.row_file import BadRow, Value, raise_for_bad_rows
from core.exchange.rows import read_rows
from core.exchange.tasks import Spellings, matched_columns, task_findings
from core.exchange.wording import shown

QUESTION_SPELLINGS: Spellings = {
    "question": ("question", "question text", "text", "prompt", "problem"),
    "reference_answers": (
        *("reference answers", "reference answer", "references", "reference"),
        *("answers", "answer", "correct answers", "correct answer", "gold answers", "gold answer"),
    ),
    "should_abstain": ("should abstain", "abstain", "unanswerable", "is unanswerable"),
    "group": ("group", "group name"),
}
"""Headers that are understood for each column (see `tasks`)."""

ABSTAINS = dict.fromkeys(("true", "t", "yes", "y", "1", "1.0"), True) | dict.fromkeys(
    ("false", "f", "no", "n", "0", "0.0"), False
)
"""What should_abstain says in each spelling; case does not matter."""

_NEEDED = ("question", "reference_answers", "should_abstain")
_WANTED_LIST = 'a list of texts, ["4", "four"], or one answer as plain text'


@dataclass(frozen=True)
class QuestionRow:
    """A question as its author means it.

    Args:
        line: the row number (see `row_file`).
        text: exactly as in the file.
        reference_answers: the answers that count as right; none where it cannot be answered.
        should_abstain: whether it cannot be answered.
        group: what it has in common with questions of other files; None when the row names none.
    """

    line: int
    text: str
    reference_answers: tuple[str, ...]
    should_abstain: bool
    group: str | None


@dataclass(frozen=True)
class QuestionFile:
    """A file of questions: the good rows, the bad ones, and what was odd, in sentences."""

    name: str
    format: str
    rows: tuple[QuestionRow, ...]
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


def read_questions(path: Path | str) -> QuestionFile:
    """The questions of a file in any format of `read_rows`, good and bad rows apart.

    Headers are matched whatever their case. Other columns are not used, and a finding says so.
    Bad rows do not raise: see `raise_for_bad_rows`.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file cannot be read, lacks a column that is needed, or has no good row.
    """
    file = read_rows(path)
    spellings = QUESTION_SPELLINGS
    columns = {}
    if file.rows:
        columns = matched_columns(file, spellings, needed=_NEEDED, named=spellings)
    good, bad = read_each(
        file,
        lambda line, cells: question_row(line, {name: cells[met] for name, met in columns.items()}),
    )
    texts = [question.text for question in good]
    findings = (*file.findings, *task_findings(file, columns.values(), texts))
    questions = QuestionFile(file.name, file.format, good, bad, findings)
    if not good:
        raise_for_bad_rows(questions)
    return questions


def question_row(line: int, cells: Mapping[str, Value]) -> QuestionRow:
    """The question that a row's cells say, keyed by our names; raises `RowFault` where not."""
    text = task_text(cells["question"], "question")
    should_abstain = _should_abstain(cells["should_abstain"])
    references = _reference_answers(cells["reference_answers"])
    if should_abstain and references:
        raise RowFault(
            f"is not to be answered and yet has the reference answer {shown(references[0])}",
            "leave its reference_answers empty, or set should_abstain to false",
        )
    if not should_abstain and not references:
        raise RowFault(
            "is to be answered and has no reference answer",
            "add one, or set should_abstain to true",
        )
    return QuestionRow(line, text, references, should_abstain, _group(cells.get("group")))


def _should_abstain(cell: Value) -> bool:
    if is_blank(cell):
        raise RowFault("does not say whether to abstain", "should_abstain is true or false")
    spelt = cell.strip().casefold() if isinstance(cell, str) else ""
    if spelt not in ABSTAINS:
        raise RowFault(f"has {shown(cell)} for should_abstain", "true or false")
    return ABSTAINS[spelt]


def _reference_answers(cell: Value) -> tuple[str, ...]:
    if is_blank(cell):
        return ()
    if isinstance(cell, list):
        return tuple(_answer(part) for part in cell)
    if isinstance(cell, dict):
        raise RowFault(f"has {shown(cell)} for reference_answers", _WANTED_LIST)
    items = _list_in(cell)
    if items is None:
        return (cell,)
    if not all(isinstance(item, str) for item in items):
        # [0, 1] may be a list of two numbers and may be an interval.
        fault = f"has {shown(cell)} for reference_answers, a list of other things than texts"
        raise RowFault(fault, _WANTED_LIST)
    return tuple(_answer(item) for item in items)


def _list_in(text: str) -> list[Any] | None:
    """The JSON list that a text is, None when it is one answer; a broken list is a fault."""
    start = text.strip()
    if not start.startswith("["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if start[1:].lstrip()[:1] in ("'", '"'):
            raise RowFault(
                f"has {shown(text)} for reference_answers, a list that is not JSON", _WANTED_LIST
            ) from None
        return None


def _answer(part: Any) -> str:
    text = None if isinstance(part, bool) else cell_text(part)
    if not isinstance(text, str):
        raise RowFault(f"has {shown(part)} among its reference answers", _WANTED_LIST)
    if is_blank(text):
        raise RowFault("has an empty text among its reference answers", "leave it out")
    return text


def _group(cell: Value) -> str | None:
    if is_blank(cell):
        return None
    if not isinstance(cell, str):
        raise RowFault(f"has {shown(cell)} for group where text was wanted")
    return cell.strip()
