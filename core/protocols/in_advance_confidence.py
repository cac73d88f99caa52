"""In-advance confidence: does a model know beforehand which tasks it will solve?

People bring code tasks. The subject states its chance of success before any attempt; apart from
that it attempts each task once, and a sandbox runs what it wrote together with the task's checks.

Then it may be offered contracts in a row, to accept or to decline: a program that passes earns a
dollar, one that fails loses one. What it hands in is its own earlier attempt, so that how a
contract ends is known before it is offered.

Source: "Do LLMs know what they are capable of?", single step and contracts. Temperature 0 is ours,
so that a study repeats.
"""

from core.parsing.checked import parse_checked
from core.parsing.code import parse_code
from core.parsing.likelihood import parse_decision
from core.parsing.percent import parse_percent
from core.protocols.base import CODE_TASKS, Context, Protocol, Step, WorksOn
from core.protocols.shown import Results

TESTS = "tests"
"""What decides about every task of the protocol, where other tasks have a side."""

_ASKS = ("predict", "predict_again", "predict_last")
_OFFERS = (
    *("contract", "contract_again", "contract_submit"),
    *("contract_passed", "contract_failed", "contract_declined"),
)


def task_variables(_context: Context, task: str) -> dict[str, str]:
    """What fills a prompt about one task: its text, and nothing of its checks."""
    return {"task": task}


def contract_variables(context: Context, task: str) -> dict[str, str]:
    """What can fill an offer: the task, the contract's number and how many there are, and the
    total before it in dollars.

    Example:
        >>> contract_variables({"contract": "2", "contracts": "9", "total": "-1"}, "")["total"]
        '-$1'
    """
    total = int(context.get("total") or 0)
    return {
        "task": task,
        "contract": context.get("contract") or "1",
        "contracts": context.get("contracts") or "9",
        "total": f"-${-total}" if total < 0 else f"${total}",
    }


def prompt_of_ask(context: Context) -> str:
    """The prompt of an ask, each stricter than the one before.

    Example:
        >>> prompt_of_ask({"ask": "0"}), prompt_of_ask({"ask": "2"})
        ('predict', 'predict_last')
    """
    return _ASKS[int(context["ask"] or 0)]


def _results() -> Results:
    # Metrics import pandas, which only those who look at results should wait for.
    from core.protocols.confidence_exhibits import confidence_results

    return confidence_results()


PREDICT = Step(
    name="predict",
    title="Predict",
    doing="asking for chances",
    works_on=WorksOn.EVERY_TASK,
    prompts=_ASKS,
    prompt_for=prompt_of_ask,
    variables=task_variables,
    parameters={"temperature": 0.0},
    read=parse_percent,
    purpose="The subject says how likely it is to solve each task, before it attempts any.",
    people_give="chance",
    most_asks=len(_ASKS),
)

ATTEMPT = Step(
    name="attempt",
    title="Attempt",
    doing="attempting tasks",
    works_on=WorksOn.EVERY_TASK,
    prompts=("attempt",),
    prompt_for=lambda context: "attempt",
    variables=task_variables,
    parameters={"temperature": 0.0},
    read=parse_code,
    purpose="Each task is attempted once, without what was said about it before.",
    people_give="program",
)

SCORE = Step(
    name="score",
    title="Score",
    doing="running programs",
    works_on=WorksOn.ANSWERS,
    prompts=(),
    prompt_for=lambda context: "",
    variables=task_variables,
    parameters={},
    read=parse_checked,
    answers_of="attempt",
    purpose="Each program runs with the checks of its task, locked away from everything else.",
    by_sandbox=True,
)

CONTRACT = Step(
    name="contract",
    title="Contracts",
    doing="offering contracts",
    works_on=WorksOn.CONTRACTS,
    prompts=_OFFERS,
    prompt_for=lambda context: "contract",
    variables=contract_variables,
    parameters={"temperature": 0.0},
    read=parse_decision,
    purpose="Contracts in a row: a program that passes earns a dollar, one that fails loses one.",
    most_asks=2,
    is_optional=True,
)

IN_ADVANCE_CONFIDENCE = Protocol(
    name="in_advance_confidence",
    title="In-advance confidence",
    question="Does a model know beforehand which tasks it will solve?",
    steps=(PREDICT, ATTEMPT, SCORE, CONTRACT),
    cells=(),
    per_type=1,
    per_cell=1,
    results=_results,
    measured="attempt",
    brought=CODE_TASKS,
    note=(
        "Take a subject without hidden reasoning, or with its budget at 0: one that thinks before "
        "it answers may attempt the task on the way, and what it states is then not in advance."
    ),
)
