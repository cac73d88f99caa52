"""One profile of a model: what each protocol says of it, side by side.

The numbers of different protocols rest on different tasks and are never added up. Studies of one
model, protocol and prompt set count together; prompt sets stand apart, since they ask differently.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.store.store import Store
from core.workflows.people import is_person
from core.workflows.results import label_counts, studies_with_results
from core.workflows.studies import Study, study_named

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("model", "protocol", "prompt_set", "metric", "value", "low", "high", "n", "why")


def model_profiles(store: Store, *, models: Collection[str] = ()) -> "DataFrame":
    """What every protocol says of some models, from all their studies.

    Args:
        models: by default all that have results; people have no profile.

    Returns:
        model, protocol (its title), prompt_set, metric, value, low, high (95 % interval, where
        there is one), n and why (where there is no value), by model and in the protocols' order.

    Raises:
        NotFoundError: one of the models has no results.
        ConflictError: a judge's verdicts cannot be told apart.
    """
    import pandas as pd

    frames = []
    for studies in _alike(store):
        shown = studies[0].shape.results()
        if shown.profile is None:
            continue
        counts = label_counts(store, studies)
        wanted = [one for one in counts["model"].unique() if not models or one in models]
        counts = counts[counts["model"].isin([one for one in wanted if not is_person(one)])]
        if not counts.empty:
            frames.append(shown.profile(counts).assign(protocol=_title(studies[0])))
    known = {model for frame in frames for model in frame["model"]}
    if missing := sorted(set(models) - known):
        raise NotFoundError(
            f"there are no results of {', '.join(missing)}",
            hint="the models with results are those that `selfbound profile` prints without a name",
        )
    if not frames:
        return pd.DataFrame(columns=list(COLUMNS))
    found = pd.concat(frames, ignore_index=True).reindex(columns=list(COLUMNS))
    found["metric"] = found["metric"].str.replace("_", " ")
    return found.sort_values("model", kind="stable").reset_index(drop=True)


def _alike(store: Store) -> list[list[Study]]:
    """The studies with results, those of one protocol and one set of types and reasons together."""
    groups: dict[tuple[str, str], list[Study]] = {}
    for name in studies_with_results(store):
        study = study_named(store, name)
        groups.setdefault((study.protocol, study.taxonomy.hash), []).append(study)
    return [groups[key] for key in sorted(groups)]


def _title(study: Study) -> str:
    own = "" if study.taxonomy.is_built_in else f" ({study.taxonomy.title})"
    return study.shape.title + own
