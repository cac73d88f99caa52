"""Tables of uncertainty attribution beside its metrics: denominators, outcomes, files and judges.

All take a counts frame (`core.metrics.attribution_rows`), of one judge per study unless they say
otherwise. NaN stands for "not defined".
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.metrics.attribution import accuracy_bounds
from core.metrics.attribution_counts import (
    ANSWERABLE,
    ANSWERED,
    DATA_UNCERTAIN,
    MODEL_UNCERTAIN,
    UNPARSABLE,
    AttributionCounts,
    attribution_matrix,
)
from core.metrics.attribution_frames import named_metrics
from core.metrics.attribution_replicates import METRICS
from core.metrics.attribution_rows import INVALID, NO, YES, counts_by, no_reply_by, plain_columns

CORRECT, WRONG, UNJUDGED = "answered right", "answered wrong", "unjudged"
ANSWERED_ALL_THE_SAME = "answered"
OUTCOME_NAMES = {
    "correct": CORRECT,
    "wrong": WRONG,
    "unjudged": UNJUDGED,
    ANSWERED: ANSWERED_ALL_THE_SAME,
    DATA_UNCERTAIN: DATA_UNCERTAIN,
    MODEL_UNCERTAIN: MODEL_UNCERTAIN,
    UNPARSABLE: UNPARSABLE,
}
"""What the outcomes of `attribution_matrix` are called on screen, in the order they stand in."""


def outcome_matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """What became of the answerable and the unanswerable questions of each study and model.

    Returns:
        study, model, question (answerable or unanswerable), outcome (of `OUTCOME_NAMES`), n,
        row_total, share (of the row; NaN for a side without questions). Outcomes that occur
        nowhere in the frame, such as unjudged, have no rows, but for the three labels.
    """
    parts = []
    for (study, model), counts in counts_by(frame, ("study", "model")).items():
        own = attribution_matrix(counts).drop(columns="label")
        parts.append(own.assign(study=study, model=model))
    columns = ["study", "model", "question", "outcome", "n", "row_total", "share"]
    if not parts:
        return pd.DataFrame(columns=columns)
    return pd.concat(parts, ignore_index=True).replace({"outcome": OUTCOME_NAMES})[columns]


def denominators(frame: pd.DataFrame) -> pd.DataFrame:
    """Which questions ACC is out of, and what is in no metric.

    Returns:
        study, model, answerable, unparsable (answerable questions whose reply cannot be read),
        correct, ACC_of_all (correct out of all answerable questions that have a verdict or need
        none), usable (those with a reply that can be read), ACC_of_usable, unjudged (answers
        without a verdict), invalid (those of them whose verdict cannot be read), no_reply
        (answerable questions without a reply, beside all of these), ACC_lowest and ACC_highest (if
        all unjudged answers were wrong, or right).
    """
    by = ("study", "model")
    unread = frame[(frame["verdict"] == INVALID) & (frame["intent"] == ANSWERABLE)]
    invalid = unread.groupby(list(by))["n"].sum().to_dict()
    silent = no_reply_by(frame[frame["intent"] == ANSWERABLE], by)
    rows = []
    for key, counts in counts_by(frame, by).items():
        usable = counts.n_answerable - counts.answerable_unparsable
        lowest, highest = accuracy_bounds(counts) or (None, None)
        rows.append(
            (
                *key,
                counts.n_answerable + counts.unjudged,
                counts.answerable_unparsable,
                counts.correct,
                _share(counts.correct, counts.n_answerable),
                usable,
                _share(counts.correct, usable),
                counts.unjudged,
                invalid.get(key, 0),
                silent.get(key, 0),
                lowest,
                highest,
            )
        )
    shares = ["ACC_of_all", "ACC_of_usable", "ACC_lowest", "ACC_highest"]
    columns = [*by, "answerable", "unparsable", "correct", "ACC_of_all", "usable"]
    columns += ["ACC_of_usable", "unjudged", "invalid", "no_reply", "ACC_lowest", "ACC_highest"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(shares, float))


def by_part(frame: pd.DataFrame, part: str) -> pd.DataFrame:
    """Metrics and the shares of each label by a part of the questions, one row a study and model.

    Args:
        part: the column that names the parts: type (the file) or group.

    Returns:
        The part, study, model, answerable, unanswerable, unjudged, no_reply, the metrics,
        DATA_share and MODEL_share (of all questions of the part with a reply), and why.
    """
    by = (part, "study", "model")
    silent = no_reply_by(frame, by)
    rows = []
    for key, counts in counts_by(frame, by).items():
        found = named_metrics(counts)
        n = counts.n_answerable + counts.n_unanswerable
        data = counts.answerable_data + counts.unanswerable_data
        model = counts.answerable_model + counts.unanswerable_model
        whys = dict.fromkeys(one.why for one in found.values() if one.why)
        sizes = (counts.n_answerable, counts.n_unanswerable, counts.unjudged, silent.get(key, 0))
        shares = (_share(data, n), _share(model, n))
        values = (found[name].value for name in METRICS)
        rows.append((*key, *sizes, *values, *shares, "; ".join(whys)))
    numbers = [*METRICS, "DATA_share", "MODEL_share"]
    columns = [*by, "answerable", "unanswerable", "unjudged", "no_reply", *numbers, "why"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, float))


def judges_side_by_side(frame: pd.DataFrame) -> pd.DataFrame:
    """What each judge said and makes of the metrics; takes the rows of every judge.

    Returns:
        study, model, judge, yes, no, invalid, open (answers without a verdict yet), the metrics,
        and why.
    """
    by = ("study", "model", "judge")
    said = _verdicts(frame, by)
    rows = []
    for key, counts in counts_by(frame[frame["judge"] != ""], by).items():
        found = named_metrics(counts)
        whys = dict.fromkeys(one.why for one in found.values() if one.why)
        own = said.get(key, {})
        verdicts = (own.get(name, 0) for name in (YES, NO, INVALID, None))
        rows.append((*key, *verdicts, *(found[name].value for name in METRICS), "; ".join(whys)))
    columns = [*by, YES, NO, INVALID, "open", *METRICS, "why"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(METRICS, float))


def what_judges_add(frame: pd.DataFrame) -> pd.DataFrame:
    """How the judged answers match a reference without any judge; takes the rows of every judge.

    Returns:
        study, model, judge, judged (answers with a verdict of yes or no), then four counts that
        add up to them: exact and normalised (matches that the judge confirms), judge_only (right
        by the judge alone), wrong; then matches_rejected (of wrong: those that match a reference),
        and the share of the judged answers that is right: share_exact, share_matched (exact or
        normalised; what no judge is needed for), share_judged.
    """
    by = ("study", "model", "judge")
    tallies: dict[tuple, dict[tuple, int]] = {}
    names = (*by, "intent", "label", "verdict", "match", "n")
    for *key, intent, label, verdict, match, n in zip(*plain_columns(frame, names), strict=True):
        if intent == ANSWERABLE and label == ANSWERED and verdict in (YES, NO):
            tally = tallies.setdefault(tuple(key), {})
            tally[verdict, match] = tally.get((verdict, match), 0) + int(n)
    rows = []
    for key in sorted(tallies):
        found = tallies[key]
        judged, wrong = sum(found.values()), sum(n for (said, _), n in found.items() if said == NO)
        exact, normalised = (found.get((YES, match), 0) for match in ("exact", "normalised"))
        rejected = sum(found.get((NO, match), 0) for match in ("exact", "normalised"))
        all_exact = exact + found.get((NO, "exact"), 0)
        matched = exact + normalised + rejected
        right = judged - wrong
        counted = (judged, exact, normalised, right - exact - normalised, wrong, rejected)
        shares = (one / judged for one in (all_exact, matched, right))
        rows.append((*key, *counted, *shares))
    shares = ["share_exact", "share_matched", "share_judged"]
    columns = [*by, "judged", "exact", "normalised", "judge_only", "wrong", "matches_rejected"]
    return pd.DataFrame(rows, columns=[*columns, *shares]).astype(dict.fromkeys(shares, float))


def _verdicts(frame: pd.DataFrame, by: Sequence[str]) -> dict[tuple, dict[Any, int]]:
    """The answers to answerable questions by what was said of them, None where nothing was."""
    found: dict[tuple, dict[Any, int]] = {}
    names = (*by, "intent", "label", "verdict", "n")
    for *key, intent, label, verdict, n in zip(*plain_columns(frame, names), strict=True):
        if intent == ANSWERABLE and label == ANSWERED:
            own = found.setdefault(tuple(key), {})
            own[verdict] = own.get(verdict, 0) + int(n)
    return found


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def counts_document(counts: AttributionCounts) -> dict[str, Any]:
    """Counts and metrics as JSON holds them, None for what is not defined."""
    found = named_metrics(counts)
    return {
        "outcomes": dict(vars(counts)),
        "n_answerable": counts.n_answerable,
        "n_not_correct": counts.n_not_correct,
        "n_unanswerable": counts.n_unanswerable,
        "unjudged": counts.unjudged,
        "accuracy": found["ACC"].value,
        "accuracy_bounds": accuracy_bounds(counts),
        "released": {
            "du_f1": found["DU-F1 released"].value,
            "mu_f1": found["MU-F1 released"].value,
        },
        "balanced": {
            "du_f1": found["DU-F1 balanced"].value,
            "mu_f1": found["MU-F1 balanced"].value,
        },
        "not_defined": {name: one.why for name, one in found.items() if one.why},
    }
