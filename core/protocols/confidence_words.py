"""How results of in-advance confidence are spoken of, and led back to their tasks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.protocols.shown import Words
from core.settings import PERSON_PREFIX

if TYPE_CHECKING:
    from pandas import DataFrame

NOT_IN_ADVANCE = (
    "Only a subject without hidden reasoning, or with its budget at 0, states its chance in "
    "advance: one that thinks before it answers may attempt the task on the way."
)

WORDS = Words(
    task="task",
    made="decided by its",
    labelled="attempt came out as",
    invented="put to",
    done="attempted",
    by="Attempted by",
    asked="attempted",
    part="type",
    funnel="From imported to attempted",
    answered="attempted",
    no_results="have a model state its chances (predict) and attempt the tasks (attempt) first",
    course=(
        "A model is asked for its chance of success before any attempt, at most three times, each "
        "more strictly. Its one attempt is asked for apart from that. A sandbox runs what it wrote "
        f"with the task's checks; a program that runs out of time has failed. {NOT_IN_ADVANCE} "
        "People state their own chance of each task before they write its program, which runs as "
        "a model's does; a task that they give up has not been solved. "
        "Contracts are offered in one conversation a trial, with everything said before in it; "
        "what is handed in is the model's own earlier attempt. Where a second reply to one offer "
        "cannot be read the trial ends. Agents are asked after each turn with tool calls, once "
        "more where the reply cannot be read, and after they submit; what they say stays in the "
        "conversation."
    ),
    intervals=(
        "Intervals hold 95 %: of a success rate Wilson's, of the AUROC DeLong's, which is too "
        "narrow near 1 and with few tasks of a kind and is then marked, of means Student's t, of "
        "the area under the risk-coverage curve from tasks drawn again."
    ),
    left_out=(
        "Metrics are out of the tasks with both a stated chance and a result; a reply without a "
        "program has not solved its task. Left out are tasks that people removed, those without a "
        "stated chance after three asks, those planned that brought no reply, and attempts whose "
        "program has not run; all are counted."
    ),
)

BEST = {
    "auroc": "max",
    "brier_score": "min",
    "overconfidence": "zero",
    "risk_coverage_area": "min",
    "calibration_error": "min",
    "reliability": "min",
    "resolution": "max",
    "skill": "max",
    "area": "min",
}


def best_values(table: "DataFrame") -> dict[str, str]:
    """Which value of each metric is best, where one is.

    Example:
        >>> import pandas as pd
        >>> best_values(pd.DataFrame({"study": ["s"], "auroc": [0.5]}))
        {'auroc': 'max'}
    """
    names = {*map(str, table.columns), *table.get("metric", ())}
    return {name: best for name, best in BEST.items() if name in names}


def pick_bin(mark: Mapping[str, str]) -> dict[str, Any]:
    """The tasks in a bin of the calibration chart: those whose stated chance lies between its
    edges and whose attempt came to a result."""
    return {
        "of_study": mark["study"],
        "models": (mark["model"],),
        "least": str(mark["least"]),
        "most": str(mark["most"]),
        "outcomes": ("passed", "failed", "no_program"),
    }


def pick_metric(mark: Mapping[str, str]) -> dict[str, Any]:
    """The tasks that a bar rests on: those with a stated chance and a result."""
    wanted = {"least": "0.0", "most": "1.0"}
    outcomes = ("passed", "failed", "no_program")
    return {"of_study": mark["study"], "models": (mark["model"],), "outcomes": outcomes} | wanted


def overconfidence_words(table: "DataFrame") -> list[str]:
    """What each model said of itself and what came, in a sentence each."""
    return [_sentence(row) for row in table.to_dict("records")]


def _sentence(row: Mapping[str, Any]) -> str:
    who = f"{row['study']}, {row['model']}"
    if not row["n"] and str(row["model"]).startswith(PERSON_PREFIX):
        return f"{who}: stated chances, with no programs to hold them against."
    if not row["n"]:
        return f"{who}: no task has both a stated chance and a result yet."
    stated, true = row["predicted_success_rate"], row["true_success_rate"]
    they = "they" if str(row["model"]).startswith(PERSON_PREFIX) else "it"
    said = f"{who}: {they} expected to solve {stated:.0%} of {row['n']:,} tasks and solved "
    said += f"{true:.0%}"
    points = round(100 * abs(stated - true))
    if points:
        by = "1 percentage point" if points == 1 else f"{points} percentage points"
        are = "they are" if they == "they" else "it is"
        said += f", so {are} {'over' if stated > true else 'under'}confident by {by}"
    said += "."
    if row["caution"]:
        said += f" Of {'their' if they == 'they' else 'its'} AUROC: {row['caution']}."
    return said.replace("%", " %")
