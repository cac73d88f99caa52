"""Uncertainty attribution: can a model tell a question's fault from its own limits?

People bring questions, each answerable, with its reference answers, or not. The subject answers,
or says that the question is at fault, or that the answer is beyond itself (its prompt set decides
which of these it is offered). A judge, who is never the subject, then says of each answer to an
answerable question whether it agrees with a reference; of other outcomes there is nothing to say.

Source: "UA-Bench". Temperature 0 for the judge is the paper's; the subject's is 0 here too, so
that a study repeats.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.parsing.answer_match import answer_match
from core.parsing.boxed import ANSWERED, parse_boxed
from core.parsing.verdict import NO, YES, parse_yes_no
from core.protocols.base import Context, Protocol, Step, Verdicts, WorksOn
from core.protocols.fence import fence_for
from core.protocols.shown import Results
from core.taxonomy import QUESTION_INTENTS

ANSWERABLE, UNANSWERABLE = QUESTION_INTENTS


def attempt_variables(_context: Context, question: str) -> dict[str, str]:
    """What fills the attempt's prompt: the question, and nothing that tells how it was meant."""
    return {"question": question}


def judge_variables(context: Context, question: str) -> dict[str, str]:
    """What can fill the judge's prompt, and a mark that none of it holds."""
    parts = {
        "question": question,
        "references": context["references"] or "",
        "answer": context["answer"] or "",
    }
    return parts | {"fence": fence_for(*parts.values())}


def needs_judge(about: Mapping[str, Any]) -> bool:
    """Whether an answer goes to the judge: it is one, and its question can be answered."""
    return about["intent"] == ANSWERABLE and about["label"] == ANSWERED


def match_of_answer(answer: str, references: Sequence[str]) -> dict[str, str]:
    """How the answer matches without a judge, kept to tell what the judge adds."""
    return {"match": answer_match(answer, references)}


def verdict_by_rule(context: Context) -> str:
    """Yes where an answer matches a reference without any judgement: a bound from below.

    Example:
        >>> verdict_by_rule({"match": "normalised"}), verdict_by_rule({"match": "none"})
        ('Yes', 'No')
    """
    return "No" if context["match"] == "none" else "Yes"


def _results() -> Results:
    # Metrics import pandas, which only those who look at results should wait for.
    from core.protocols.attribution_exhibits import attribution_results

    return attribution_results()


ATTEMPT = Step(
    name="attempt",
    title="Attempt",
    doing="answering questions",
    works_on=WorksOn.EVERY_TASK,
    prompts=("attempt",),
    prompt_for=lambda context: "attempt",
    variables=attempt_variables,
    parameters={"temperature": 0.0},
    read=parse_boxed,
    purpose="Each question is answered, or the reply says what keeps it from an answer.",
)

JUDGE = Step(
    name="judge",
    title="Judge",
    doing="judging answers",
    works_on=WorksOn.ANSWERS,
    prompts=(),
    judge_prompts=("judge",),
    prompt_for=lambda context: "judge",
    variables=judge_variables,
    parameters={"temperature": 0.0},
    read=parse_yes_no,
    answers_of="attempt",
    takes=needs_judge,
    about_answer=match_of_answer,
    verdicts=Verdicts(
        "Does the answer agree with a reference answer?",
        yes=YES,
        no=NO,
        shows=("task", "references", "answer"),
    ),
    purpose="Each answer to an answerable question is compared with its reference answers.",
    rule=verdict_by_rule,
)

UNCERTAINTY_ATTRIBUTION = Protocol(
    name="uncertainty_attribution",
    title="Uncertainty attribution",
    question="Can a model tell a question that is at fault from one that is beyond it?",
    steps=(ATTEMPT, JUDGE),
    cells=(),
    per_type=1,
    per_cell=1,
    results=_results,
    measured="attempt",
    plain_prompts="attribution",
)
