"""Comparisons of studies and models: what both classified, and every two of them side by side."""

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from core.errors import ConflictError
from core.metrics.many_comparisons import correct_for_many
from core.metrics.redrawing import REPLICATES
from core.protocols.shown import Comparison
from core.store.store import Store
from core.workflows.judges import chosen_judges
from core.workflows.results import common_protocol
from core.workflows.studies import Study

Member = tuple[Study, str]
"""A study and a model that classified it: its subject, another model or a person."""


def joint_counts(store: Store, one: Member, other: Member, *, judge: str = "") -> pd.DataFrame:
    """How often each combination of what became of a task occurs, over the tasks of both.

    Within a study these are the same tasks; across studies, tasks that are the same in all that
    was given with them, where the n-th copy of a task is taken for the n-th copy of the other
    study. Without the tasks that people removed from either.

    Args:
        judge: whose verdicts count, as in `core.workflows.results.label_counts`.
    """
    found = _joint(store, _comparison([one, other]), [one, other], judge)
    return found.drop(columns=["member_a", "member_b"])


def member_counts(
    store: Store, members: Sequence[Member], *, judge: str = ""
) -> list[pd.DataFrame]:
    """For each member, a counts frame of its own; no label where a reply could not be used."""
    how = _comparison(members)
    found = store.frame(how.own, **_named(store, how, members, judge))
    return [
        found[found["member"] == number].drop(columns="member").reset_index(drop=True)
        for number in range(1, len(members) + 1)
    ]


def compare_all(
    store: Store,
    members: Sequence[Member],
    *,
    metrics: Sequence[str] = (),
    by_type: bool = False,
    method: str = "holm",
    replicates: int = REPLICATES,
    seed: int = 0,
    judge: str = "",
) -> pd.DataFrame:
    """Every two of the members compared, in their order, p-values corrected over all of it.

    Args:
        metrics: some of those that the studies' protocol compares; by default all of them.
        judge: whose verdicts count, as in `core.workflows.results.label_counts`.

    Returns:
        name_a, name_b (what the two are called, also in `comparison_sentence`), study_a, model_a,
        study_b, model_b, then the columns of `core.metrics.comparison.compare`.

    Raises:
        ConflictError: fewer than two members, one of them twice, or studies that do not follow
            one protocol with one set of types and reasons, or one that compares nothing.
        InputError: an unknown metric or correction, or fewer than one replicate.
    """
    _check(members)
    how = _comparison(members)
    own, names = member_counts(store, members, judge=judge), member_names(members)
    joint = _joint(store, how, members, judge)
    frames = []
    for one, other in combinations(range(len(members)), 2):
        is_theirs = (joint["member_a"] == one + 1) & (joint["member_b"] == other + 1)
        frame = how.compare(
            own[one],
            own[other],
            joint[is_theirs],
            metrics=metrics or how.metrics,
            by_type=by_type,
            replicates=replicates,
            seed=seed,
        )
        (study_a, model_a), (study_b, model_b) = members[one], members[other]
        heads = (names[one], names[other], study_a.name, model_a, study_b.name, model_b)
        for place, (column, value) in enumerate(zip(_HEADS, heads, strict=True)):
            frame.insert(place, column, value)
        frames.append(frame)
    found = pd.concat(frames, ignore_index=True)
    return found.assign(p_adjusted=correct_for_many(found["p"], method))


def member_names(members: Sequence[Member]) -> list[str]:
    """The shortest names that tell the members apart: the study, the model, or both."""
    studies, models = [study.name for study, _ in members], [model for _, model in members]
    for names in (studies, models):
        if len(set(names)) == len(names):
            return names
    return [f"{model} on {study}" for study, model in zip(studies, models, strict=True)]


_HEADS = ("name_a", "name_b", "study_a", "model_a", "study_b", "model_b")


def _check(members: Sequence[Member]) -> None:
    if len(members) < 2:
        raise ConflictError(
            f"a comparison takes two studies or models, and has {len(members)}",
            hint="choose another one",
        )
    seen: set[tuple[str, str]] = set()
    for study, model in members:
        if (study.study_id, model) in seen:
            raise ConflictError(
                f"{model} on {study.name} is there twice", hint="choose each study and model once"
            )
        seen.add((study.study_id, model))


def _comparison(members: Sequence[Member]) -> Comparison:
    protocol = common_protocol([study for study, _ in members])
    how = protocol.results().comparison
    if how is None:
        raise ConflictError(
            f"studies of {protocol.title} are not compared", hint="look at them one by one"
        )
    return how


def _joint(store: Store, how: Comparison, members: Sequence[Member], judge: str) -> pd.DataFrame:
    return store.frame(how.joint, **_named(store, how, members, judge))


def _named(
    store: Store, how: Comparison, members: Sequence[Member], judge: str
) -> dict[str, list[str]]:
    named = {
        "study_ids": [study.study_id for study, _ in members],
        "models": [model for _, model in members],
    }
    if not how.by_judge:
        return named
    studies = list({study.study_id: study for study, _ in members}.values())
    judges = chosen_judges(store, studies, judge)
    return named | {"judges": [judges[study.name] for study, _ in members]}
