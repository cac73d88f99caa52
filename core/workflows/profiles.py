"""One profile of a model: what each protocol says of it, side by side.

The numbers of different protocols, and of different parts of one, rest on different tasks and are
never added up. Studies of one model, protocol and prompt set count together; prompt sets stand
apart, since they ask differently. A model is the same whoever offers it.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from core.errors import NotFoundError
from core.llm.client import same_model
from core.protocols import PROTOCOLS
from core.protocols.shown import NOT_MEASURED
from core.store.store import Store
from core.workflows.people import is_person
from core.workflows.results import label_counts, studies_with_results
from core.workflows.studies import Study, study_named

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("model", "protocol", "part", "prompt_set", "metric", "value", "low", "high", "n", "why")
COLUMNS += ("caution",)


def model_profiles(
    store: Store, *, models: Collection[str] = (), with_unmeasured: bool = False
) -> "DataFrame":
    """What every protocol says of some models, from all their studies.

    Args:
        models: by default all that have results; people have no profile.
        with_unmeasured: whether a protocol that says nothing of a model has a row that says so.

    Returns:
        model (all its names, where studies name it differently), protocol (its title), part (what
        the model was given), prompt_set, metric, value, low, high (95 % interval), n, why (there
        is no value or no interval) and caution, by model and in the protocols' order.

    Raises:
        NotFoundError: one of the models has no results.
        ConflictError: a judge's verdicts cannot be told apart.
    """
    import pandas as pd

    counted = [(studies[0], _of_models(store, studies)) for studies in _alike(store)]
    measured = {name for _, counts in counted for name in counts["model"]}
    if missing := [name for name in models if not _is_among(name, measured)]:
        raise NotFoundError(
            f"there are no results of {', '.join(sorted(missing))}",
            hint="the models with results are those that `selfbound profile` prints without a name",
        )
    known = _known_as(measured | {name for _, counts in counted for name in counts["subject"]})
    chosen = {name for name in measured if not models or _is_among(name, models)}
    frames = [_said(*one, chosen, known) for one in counted]
    if with_unmeasured:
        frames.append(_unmeasured(frames, {known[name] for name in chosen}))
    frames = [frame for frame in frames if len(frame)]
    if not frames:
        return pd.DataFrame(columns=list(COLUMNS))
    found = pd.concat(frames, ignore_index=True).reindex(columns=list(COLUMNS))
    found["metric"] = found["metric"].str.replace("_", " ")
    for name in ("part", "prompt_set", "metric", "why", "caution"):
        found[name] = found[name].astype(object).fillna("")
    return found.sort_values("model", kind="stable").reset_index(drop=True)


def _alike(store: Store) -> list[list[Study]]:
    """The studies with results, those of one protocol and one set of types and reasons together,
    as far as their protocol says anything of a model."""
    groups: dict[tuple[int, str], list[Study]] = {}
    order = list(PROTOCOLS)
    for name in studies_with_results(store):
        study = study_named(store, name)
        if study.shape.results().profile is not None:
            key = (order.index(study.protocol), study.taxonomy.hash)
            groups.setdefault(key, []).append(study)
    return [groups[key] for key in sorted(groups)]


def _of_models(store: Store, studies: list[Study]) -> "DataFrame":
    counts = label_counts(store, studies)
    return counts[[not is_person(name) for name in counts["model"]]]


def _is_among(name: str, names: Iterable[str]) -> bool:
    return any(same_model(name, one) for one in names)


def _known_as(names: Iterable[str]) -> dict[str, str]:
    """By each name of a model, all the names that it has.

    Example:
        >>> _known_as(["openai/gpt-4o", "azure/gpt-4o", "openai/o3"])["openai/gpt-4o"]
        'azure/gpt-4o, openai/gpt-4o'
    """
    alike: list[list[str]] = []
    for name in sorted(set(names)):
        own = next((one for one in alike if same_model(one[0], name)), None)
        if own is None:
            alike.append([name])
        else:
            own.append(name)
    return {name: ", ".join(own) for own in alike for name in own}


def _said(
    study: Study, counts: "DataFrame", chosen: Collection[str], known: Mapping[str, str]
) -> "DataFrame":
    """What the protocol of a study says of the chosen models."""
    own = counts[counts["model"].isin(chosen)]
    if own.empty:
        return own
    shown = study.shape.results()
    named = {name: own[name].map(known) for name in ("model", "subject")}
    found = shown.profile(own.assign(named=own["model"], **named))
    if "part" not in found:
        found["part"] = f"{shown.words.task}s"
    if "why_no_interval" in found:
        found["why"] = found["why_no_interval"]
    return found.assign(protocol=_title(study))


def _unmeasured(frames: list["DataFrame"], models: Collection[str]) -> "DataFrame":
    """A row for each model and protocol with the built-in types that says nothing of it."""
    import pandas as pd

    there = {
        pair
        for one in frames
        if len(one)
        for pair in zip(one["model"], one["protocol"], strict=True)
    }
    titles = [one.title for one in PROTOCOLS.values() if one.results().profile is not None]
    rows = [
        {"model": model, "protocol": title, "n": 0, "why": NOT_MEASURED}
        for model in sorted(models)
        for title in titles
        if (model, title) not in there
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _title(study: Study) -> str:
    own = "" if study.taxonomy.is_built_in else f" ({study.taxonomy.title})"
    return study.shape.title + own
