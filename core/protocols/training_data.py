"""Training data: problems rewritten so that one of three replies is right.

People bring problems with reference answers. By seed each is one part of the training data: kept
as it is; rewritten to be *insufficient*, so that a needed condition is missing and the problem is
at fault; or rewritten to be *difficult*, so that it has an answer which no model reaches without
tools. The subject rewrites, and a judge, who is never the subject, says of each rewrite whether it
can be solved. A rewrite that is not what it should be is made anew; after five attempts its
problem is dropped.

Source: "UA-Bench", its training data: one rewrite a problem at most, rewriter at temperature 1,
verifier at temperature 0, five attempts, mostly answerable problems. How many of each part it does
not print; the shares here are ours.
"""

from functools import partial
from typing import Any

from core.parsing.boxed import DATA_UNCERTAIN, MODEL_UNCERTAIN
from core.parsing.structured import parse_task
from core.parsing.verdict import NO, YES, parse_yes_no
from core.prompts import Prompt
from core.protocols.base import Context, Protocol, Step, Verdicts, WorksOn
from core.protocols.fence import fence_for
from core.protocols.shown import Results
from core.protocols.uncertainty_attribution import ANSWERABLE, UNANSWERABLE

ORIGINAL, INSUFFICIENT, DIFFICULT = "original", "insufficient", "difficult"
INTENT_OF_PART = {ORIGINAL: ANSWERABLE, INSUFFICIENT: UNANSWERABLE, DIFFICULT: ANSWERABLE}
LABEL_OF_PART = {INSUFFICIENT: DATA_UNCERTAIN, DIFFICULT: MODEL_UNCERTAIN}
"""What a model should say of a rewrite."""

DEFAULT_SHARE = 0.15
"""Of the problems, for each kind of rewrite: seven of ten problems stay answerable."""


def rewriting_variables(context: Context, problem: str) -> dict[str, str]:
    """What can fill a rewriting prompt: the problem with its answers, and a mark neither holds."""
    parts = {"problem": problem, "references": context["references"] or ""}
    return parts | {"fence": fence_for(*parts.values())}


def rewriting_schema(prompt: Prompt) -> dict[str, Any]:
    """The schema of `{"problem": ...}`, as long as the prompt allows."""
    longest = prompt.number("max_length", 0)
    text = {"type": "string", "minLength": 1} | ({"maxLength": longest} if longest else {})
    return {
        "type": "object",
        "properties": {"problem": text},
        "required": ["problem"],
        "additionalProperties": False,
    }


def verifying_variables(_context: Context, problem: str) -> dict[str, str]:
    """What can fill the verifier's prompt: the rewrite alone, not how it is meant."""
    return {"problem": problem, "fence": fence_for(problem)}


def _results() -> Results:
    # Metrics import pandas, which only those who look at results should wait for.
    from core.protocols.training_exhibits import training_results

    return training_results()


REWRITE = Step(
    name="rewrite",
    title="Rewrite",
    doing="rewriting problems",
    works_on=WorksOn.ORIGINALS,
    prompts=("rewrite_insufficient", "rewrite_difficult"),
    prompt_for=lambda context: f"rewrite_{context['type']}",
    variables=rewriting_variables,
    parameters={"temperature": 1.0},
    schema=rewriting_schema,
    read=partial(parse_task, key="problem"),
    purpose="Some problems lose a condition they need, some become too hard; the rest stay.",
)

VERIFY = Step(
    # `verify` is the command by which the store checks itself.
    name="verify-rewrites",
    title="Verify",
    doing="verifying rewrites",
    works_on=WorksOn.REWRITES,
    prompts=(),
    judge_prompts=("verify",),
    prompt_for=lambda context: "verify",
    variables=verifying_variables,
    parameters={"temperature": 0.0},
    read=parse_yes_no,
    verdicts=Verdicts(
        "Does this problem have exactly one answer that can be worked out?", yes=YES, no=NO
    ),
    purpose="Each rewrite is read by another model, which says whether it can be solved.",
)

TRAINING_DATA = Protocol(
    name="training_data",
    title="Training data",
    question="Which problems teach a model to tell a problem's fault from its own limits?",
    steps=(REWRITE, VERIFY),
    cells=(),
    per_type=1,
    per_cell=1,
    results=_results,
    measured=VERIFY.name,
)
