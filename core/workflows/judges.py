"""Whose verdicts count: of several judges of a study's answers, one at a time.

A judge is a model with a version of its prompt, called by both. Unless somebody chooses another, a
study goes by the judge it was set up with, in the newest version of its prompt that has verdicts;
without any of that one by the judge with the most.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.llm.client import same_model
from core.store.store import Store
from core.workflows.studies import Study

if TYPE_CHECKING:
    from pandas import DataFrame

_VERSION = ", prompt v"


def judge_title(model: str, version: int) -> str:
    """What people call a judge.

    Example:
        >>> judge_title("openai/gpt-4o", 2)
        'openai/gpt-4o, prompt v2'
    """
    return f"{model}{_VERSION}{version}"


def standing_of(study: Study, model: str, version: int, n_verdicts: int) -> tuple:
    """What judges of a study are sorted by, so that the one it goes by comes first."""
    is_own = bool(study.judge) and same_model(model, study.judge)
    return (not is_own, n_verdicts == 0, -version if is_own else 0, -n_verdicts, model, version)


def judges_of(store: Store, studies: Sequence[Study]) -> dict[str, list[str]]:
    """By the study's name its judges, the one it goes by first; empty where nothing was judged."""
    rows = store.rows("judges_of_studies", study_ids=[study.study_id for study in studies])
    found = {}
    for study in studies:
        own = [row for row in rows if row["study_id"] == study.study_id]
        own.sort(
            key=lambda row, study=study: standing_of(
                study, row["model"], row["version"], row["n_verdicts"]
            )
        )
        found[study.name] = [row["judge"] for row in own]
    return found


def chosen_judges(store: Store, studies: Sequence[Study], judge: str = "") -> dict[str, str]:
    """By the study's name the judge whose verdicts count; empty where there is none.

    Args:
        judge: the one that was chosen for all of them; empty for the one each goes by.
    """
    if judge:
        return {study.name: judge for study in studies}
    return {name: judges[0] if judges else "" for name, judges in judges_of(store, studies).items()}


def judge_named(store: Store, studies: Sequence[Study], name: str) -> str:
    """The judge that somebody named, as all others call it; empty for an empty name.

    Args:
        name: the model, for the newest version of its prompt with verdicts; or model and version.

    Raises:
        NotFoundError: it has judged nothing in any of the studies.
    """
    if not name:
        return ""
    known = list(dict.fromkeys(one for own in judges_of(store, studies).values() for one in own))
    if name in known:
        return name
    of_model = [one for one in known if one.rpartition(_VERSION)[0] == name]
    if not of_model:
        have = "; ".join(known) or "nobody has"
        raise NotFoundError(f"{name} has judged no answer here", hint=f"who has: {have}")
    return max(of_model, key=lambda one: int(one.rpartition(_VERSION)[2]))


def of_one_judge(counts: "DataFrame", chosen: Mapping[str, str]) -> "DataFrame":
    """The rows of each study's chosen judge; its answers have no verdict where it has no such one.

    Args:
        counts: a counts frame with every judge's rows.
        chosen: by the study's name, its judge.
    """
    import pandas as pd

    if counts.empty:
        return counts
    parts = []
    for study, part in counts.groupby("study", sort=False):
        judge = chosen.get(study, "")
        own = part[part["judge"] == judge]
        if own.empty:
            own = part[part["judge"] == part["judge"].iloc[0]]
            own = own.assign(judge=judge, verdict=None, match=None)
        parts.append(own)
    return pd.concat(parts, ignore_index=True)
