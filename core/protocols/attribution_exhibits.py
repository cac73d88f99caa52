"""What the results of an uncertainty-attribution study are shown in, in reading order."""

from functools import partial

import pandas as pd

from core.metrics.attribution_frames import (
    glance,
    interval_words,
    metric_intervals,
    removal_effect,
)
from core.metrics.attribution_tables import (
    by_part,
    denominators,
    judges_side_by_side,
    outcome_matrix,
    what_judges_add,
)
from core.protocols.attribution_picks import pick_bar, pick_outcome
from core.protocols.attribution_tables import best_values, flat_rows, tables
from core.protocols.attribution_words import COMPARISON, DATA, WORDS
from core.protocols.shown import Exhibit, Results

_FORMS = (
    "Released divides what was missed by the size of the other set, as the published code does, "
    "and compares with published numbers; balanced divides it by the size of its own."
)
_F1S = {
    "DU": "Does DATA_UNCERTAIN go to the unanswerable questions, and to no other?",
    "MU": "Does MODEL_UNCERTAIN go to answerable questions that were beyond the model?",
}


def attribution_results() -> Results:
    """The tables and charts of studies whose subjects may say who is uncertain."""
    return Results(
        exhibits=_EXHIBITS,
        tables=tables,
        flat_rows=flat_rows,
        flat_best=best_values,
        flat_best_within=("questions",),
        removal=_REMOVAL,
        counts="attribution_counts",
        words=WORDS,
        comparison=COMPARISON,
        behind="answered_questions",
        by_judge=True,
        data=DATA,
        profile=partial(
            metric_intervals,
            by=("model", "prompt_set"),
            metrics=("ACC", "DU-F1 balanced", "MU-F1 balanced"),
        ),
    )


def _f1_words(kind: str) -> str:
    return f"{_F1S[kind]} {_FORMS} It is 0 by design where the prompt does not offer the label."


def _metrics_of(kind: str) -> tuple[str, ...]:
    return ("ACC",) if kind == "ACC" else (f"{kind}-F1 released", f"{kind}-F1 balanced")


def _has_modes(counts: pd.DataFrame) -> bool:
    return len(counts[["model", "prompt_set"]].drop_duplicates()) > 1


def _has_groups(counts: pd.DataFrame) -> bool:
    return counts["group"].nunique() > 1


def _by_mode(kind: str, title: str, reading: str) -> Exhibit:
    return Exhibit(
        key=f"modes_{kind.lower()}",
        title=f"{title} by model and prompt mode",
        reading=f"{reading} Studies of one model and prompt mode count together.",
        table=partial(metric_intervals, by=("model", "prompt_set"), metrics=_metrics_of(kind)),
        chart="mode_bars",
        is_wanted=_has_modes,
        best=best_values,
    )


def _by_group(kind: str, title: str, reading: str) -> Exhibit:
    return Exhibit(
        key=f"groups_{kind.lower()}",
        title=f"{title} by group of questions",
        reading=reading,
        table=partial(metric_intervals, by=("group", "study", "model"), metrics=_metrics_of(kind)),
        chart="group_bars",
        pick=pick_bar,
        is_wanted=_has_groups,
        best=best_values,
        best_within=("group",),
    )


_ACC = "ACC is the share of the answerable questions that were answered correctly."
_EXHIBITS = (
    Exhibit(
        key="summary",
        title="Attribution at a glance",
        reading=(
            f"{_ACC} DU-F1: does DATA_UNCERTAIN go to the unanswerable questions, and to no other? "
            "MU-F1: does MODEL_UNCERTAIN go to answerable questions that were beyond the model? "
            f"{_FORMS} Unjudged are answers without a verdict of yes or no; they and the questions "
            "that brought no reply are in no metric."
        ),
        table=glance,
        best=best_values,
    ),
    Exhibit(
        key="scores",
        title="ACC, DU-F1 and MU-F1 with 95 % intervals",
        reading=interval_words(),
        table=metric_intervals,
        chart="metric_bars",
        pick=pick_bar,
        best=best_values,
    ),
    Exhibit(
        key="matrix",
        title="What became of the questions",
        reading=(
            "Each row is one side of a study's questions, and adds up to all of them that brought "
            "a reply. Outlined is where answers belong: right on what can be answered, "
            "DATA_UNCERTAIN on what cannot."
        ),
        table=outcome_matrix,
        chart="outcomes",
        pick=pick_outcome,
    ),
    Exhibit(
        key="denominators",
        title="What ACC is out of",
        reading=(
            "ACC counts a reply that cannot be read as not right; beside it the share of those "
            "with a usable reply. Unjudged answers are in neither: lowest and highest are what ACC "
            "would be if all of them were wrong, or right. Invalid are those whose verdict was "
            "neither Yes nor No; they can be judged again. No reply counts the answerable "
            "questions that brought none, which are in nothing else."
        ),
        table=denominators,
        best=best_values,
    ),
    _by_mode("ACC", "ACC", _ACC),
    _by_mode("DU", "DU-F1", _f1_words("DU")),
    _by_mode("MU", "MU-F1", _f1_words("MU")),
    _by_group("ACC", "ACC", _ACC),
    _by_group("DU", "DU-F1", _f1_words("DU")),
    _by_group("MU", "MU-F1", _f1_words("MU")),
    Exhibit(
        key="groups",
        title="Metrics by group",
        reading=f"{_FORMS} Shares of a label are out of all questions of the group that count.",
        table=partial(by_part, part="group"),
        is_wanted=_has_groups,
        best=best_values,
        best_within=("group",),
    ),
    Exhibit(
        key="files",
        title="Metrics by file",
        reading=(
            "A file whose questions are all answerable, or all not, has no F1; its shares of "
            f"DATA_UNCERTAIN and MODEL_UNCERTAIN tell of it. {_FORMS}"
        ),
        table=lambda counts: by_part(counts, "type").rename(columns={"type": "file"}),
        best=best_values,
        best_within=("file",),
    ),
    Exhibit(
        key="judges",
        title="Judges side by side",
        reading=f"The same answers with the verdicts of each judge. {_FORMS}",
        table=judges_side_by_side,
        is_wanted=lambda counts: counts.groupby("study")["judge"].nunique().max() > 1,
        of_every_judge=True,
    ),
    Exhibit(
        key="judge_adds",
        title="What the judge adds",
        reading=(
            "Of the answers with a verdict: those that match a reference to the letter or but for "
            "their dress and that the judge confirms, those that are right by the judge alone, and "
            "the wrong ones; these four add up. Rejected matches are wrong ones that match a "
            "reference. The shares say what would be right by exact match, by any match, and as "
            "judged."
        ),
        table=what_judges_add,
        is_wanted=lambda counts: bool(counts["match"].notna().any()),
        of_every_judge=True,
    ),
)

_REMOVAL = Exhibit(
    key="removal",
    title="What curation changed",
    reading=(
        "The same answers counted twice: without the questions that people removed, as everywhere "
        "above, and with them. A difference above 0 means that removing questions raised the "
        "value. Both values share most of their questions, so the difference has no interval. "
        f"{_FORMS}"
    ),
    table=removal_effect,
)
