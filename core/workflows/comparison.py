"""Comparisons of studies and models: what both classified, and every two of them side by side."""

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from core.errors import ConflictError
from core.metrics.comparison import COMPARED_METRICS, compare_tallies
from core.metrics.joint_cells import JOINT_COLUMNS, joint_tallies, tallies
from core.metrics.many_comparisons import correct_for_many
from core.metrics.redrawing import REPLICATES
from core.store.store import Store
from core.workflows.results import common_protocol
from core.workflows.studies import Study

Member = tuple[Study, str]
"""A study and a model that classified it: its subject, another model or a person."""


def joint_counts(
    store: Store, one: Member, other: Member, *, with_no_reply: bool = False
) -> pd.DataFrame:
    """How often each combination of two labels occurs over the tasks that both classified.

    Within a study these are the same tasks; across studies, tasks with the same text, type, intent
    and reason, where the n-th copy of a task is taken for the n-th copy of the other study. Over
    the current draws, without the tasks that people removed from either.

    Columns: type, intent, reason, label_a, label_reason_a, label_b, label_reason_b, n.

    Args:
        with_no_reply: whether tasks are there too that got no usable reply (refused, truncated,
            empty, unparsable) from one or both; the label is then missing.
    """
    found = _joint(store, [one, other], with_no_reply=with_no_reply)
    return found[list(JOINT_COLUMNS)]


def member_counts(store: Store, members: Sequence[Member]) -> list[pd.DataFrame]:
    """For each member, a counts frame of its own; no label where a reply could not be used."""
    found = store.frame("member_label_counts", **_named(members))
    return [
        found[found["member"] == number].drop(columns="member").reset_index(drop=True)
        for number in range(1, len(members) + 1)
    ]


def compare_all(
    store: Store,
    members: Sequence[Member],
    *,
    metrics: Sequence[str] = COMPARED_METRICS,
    by_type: bool = False,
    method: str = "holm",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> pd.DataFrame:
    """Every two of the members compared, in their order, p-values corrected over all of it.

    Returns:
        name_a, name_b (what the two are called, also in `comparison_sentence`), study_a, model_a,
        study_b, model_b, then the columns of `core.metrics.comparison.compare`.

    Raises:
        ConflictError: fewer than two members, one of them twice, or studies that do not follow
            one protocol with one set of types and reasons.
        InputError: an unknown metric or correction, or fewer than one replicate.
    """
    _check(members)
    common_protocol([study for study, _ in members])
    own, names = [tallies(one) for one in member_counts(store, members)], member_names(members)
    joint = _joint(store, members, with_no_reply=True).groupby(["member_a", "member_b"])
    shared = {pair: joint_tallies(part) for pair, part in joint}
    frames = []
    for one, other in combinations(range(len(members)), 2):
        frame = compare_tallies(
            own[one],
            own[other],
            shared.get((one + 1, other + 1), {}),
            metrics=metrics,
            by_type=by_type,
            replicates=replicates,
            seed=seed,
            taxonomy=members[0][0].taxonomy,
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


def _joint(store: Store, members: Sequence[Member], *, with_no_reply: bool) -> pd.DataFrame:
    return store.frame("joint_label_counts", **_named(members), with_no_reply=with_no_reply)


def _named(members: Sequence[Member]) -> dict[str, list[str]]:
    return {
        "study_ids": [study.study_id for study, _ in members],
        "models": [model for _, model in members],
    }
