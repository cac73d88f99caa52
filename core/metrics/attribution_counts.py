"""What became of the questions put to a model that may answer, or say who is uncertain.

A question is answerable or not. The subject answers, says DATA_UNCERTAIN (the question is at
fault) or MODEL_UNCERTAIN (it is beyond the subject), or its reply cannot be read.
"""

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from core.errors import InputError

if TYPE_CHECKING:
    from pandas import DataFrame

ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"
DATA_UNCERTAIN, MODEL_UNCERTAIN = "DATA_UNCERTAIN", "MODEL_UNCERTAIN"
ANSWERED, UNPARSABLE = "ANSWERED", "unparsable"


@dataclass(frozen=True)
class AttributionCounts:
    """How many questions came to each outcome; counts of disjoint questions add.

    Args:
        correct: answerable, answered, and judged to match a reference.
        wrong: answerable, answered, and judged not to.
        answerable_data: answerable, labelled DATA_UNCERTAIN.
        answerable_model: answerable, labelled MODEL_UNCERTAIN.
        answerable_unparsable: answerable, the reply could not be read.
        unanswerable_answered: unanswerable, answered all the same.
        unanswerable_data: unanswerable, labelled DATA_UNCERTAIN.
        unanswerable_model: unanswerable, labelled MODEL_UNCERTAIN.
        unanswerable_unparsable: unanswerable, the reply could not be read.
        unjudged: answerable and answered, without a valid verdict; in no metric.

    Raises:
        InputError: a count is below 0.

    Example:
        >>> counts = AttributionCounts(correct=6, wrong=2, answerable_model=2, unanswerable_data=5)
        >>> counts.n_answerable, counts.n_not_correct, counts.n_unanswerable
        (10, 4, 5)
    """

    correct: int = 0
    wrong: int = 0
    answerable_data: int = 0
    answerable_model: int = 0
    answerable_unparsable: int = 0
    unanswerable_answered: int = 0
    unanswerable_data: int = 0
    unanswerable_model: int = 0
    unanswerable_unparsable: int = 0
    unjudged: int = 0

    def __post_init__(self) -> None:
        for name, n in vars(self).items():
            if n < 0:
                raise InputError(
                    f"the count {name} is {n}, below 0", hint="count each question once"
                )

    def __add__(self, other: "AttributionCounts") -> "AttributionCounts":
        pairs = zip(astuple(self), astuple(other), strict=True)
        return AttributionCounts(*(one + another for one, another in pairs))

    @property
    def n_answerable(self) -> int:
        """Answerable questions with an outcome; those without a verdict are not among them."""
        return self.correct + self.n_not_correct

    @property
    def n_not_correct(self) -> int:
        """M: answerable questions answered wrongly, left open, or with an unreadable reply."""
        return (
            self.wrong + self.answerable_data + self.answerable_model + self.answerable_unparsable
        )

    @property
    def n_unanswerable(self) -> int:
        """N: unanswerable questions."""
        return (
            self.unanswerable_answered
            + self.unanswerable_data
            + self.unanswerable_model
            + self.unanswerable_unparsable
        )


def attribution_matrix(counts: AttributionCounts) -> "DataFrame":
    """What became of the answerable and the unanswerable questions, one row per outcome.

    Returns:
        question, label, outcome, n, row_total and share (n / row_total, NaN for a side without
        questions). Outcomes split the label ANSWERED of answerable questions into correct, wrong
        and, where a verdict is missing, unjudged, so that every question is in one row.

    Example:
        >>> frame = attribution_matrix(AttributionCounts(correct=3, wrong=1, unanswerable_data=2))
        >>> frame.loc[frame.n > 0, ["question", "outcome", "n", "share"]].values.tolist()
        [['answerable', 'correct', 3, 0.75], ['answerable', 'wrong', 1, 0.25], \
['unanswerable', 'DATA_UNCERTAIN', 2, 1.0]]
    """
    import pandas as pd

    cells = [
        (ANSWERABLE, ANSWERED, "correct", counts.correct),
        (ANSWERABLE, ANSWERED, "wrong", counts.wrong),
        (ANSWERABLE, ANSWERED, "unjudged", counts.unjudged),
        (ANSWERABLE, DATA_UNCERTAIN, DATA_UNCERTAIN, counts.answerable_data),
        (ANSWERABLE, MODEL_UNCERTAIN, MODEL_UNCERTAIN, counts.answerable_model),
        (ANSWERABLE, UNPARSABLE, UNPARSABLE, counts.answerable_unparsable),
        (UNANSWERABLE, ANSWERED, ANSWERED, counts.unanswerable_answered),
        (UNANSWERABLE, DATA_UNCERTAIN, DATA_UNCERTAIN, counts.unanswerable_data),
        (UNANSWERABLE, MODEL_UNCERTAIN, MODEL_UNCERTAIN, counts.unanswerable_model),
        (UNANSWERABLE, UNPARSABLE, UNPARSABLE, counts.unanswerable_unparsable),
    ]
    if not counts.unjudged:
        del cells[2]
    frame = pd.DataFrame(cells, columns=["question", "label", "outcome", "n"])
    frame["row_total"] = frame.groupby("question")["n"].transform("sum")
    frame["share"] = frame["n"] / frame["row_total"].where(frame["row_total"] > 0)
    return frame
