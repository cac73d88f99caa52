"""Results: metric tables over any studies, live while runs go on."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from core.errors import ConflictError
from core.protocols import PROTOCOLS
from core.protocols.base import Protocol
from core.settings import PROJECT_ROOT
from core.store.store import Store
from core.workflows.funnel import funnel_document
from core.workflows.judges import chosen_judges, of_one_judge
from core.workflows.studies import Study

DATA_DIR = PROJECT_ROOT / "data"


def label_counts(
    store: Store,
    studies: Sequence[Study],
    *,
    with_removed: bool = False,
    judge: str | None = "",
) -> pd.DataFrame:
    """How often each combination of intended and answered occurs, one row each.

    Columns: study, subject, model, prompt_set, intent, type, label, n and what else the query that
    the studies' protocol names gives.

    Args:
        with_removed: whether tasks that people removed are counted; by default they are left out,
            however they came into the draw.
        judge: whose verdicts count, where they do; empty for the judge that each study goes by
            (`core.workflows.judges`), None for every judge, with the tasks once for each.

    Raises:
        ConflictError: the studies follow more than one protocol.
    """
    ids = [study.study_id for study in studies]
    shown = common_protocol(studies).results()
    counts = store.frame(shown.counts, study_ids=ids, with_removed=with_removed)
    if not shown.by_judge or judge is None:
        return counts
    return of_one_judge(counts, chosen_judges(store, studies, judge))


def removal_effect(
    store: Store, studies: Sequence[Study], *, models: Collection[str] = (), judge: str = ""
) -> pd.DataFrame | None:
    """Each metric without and with the removed tasks, as the studies' protocol tells it.

    None when no removed task has a usable reply, or the protocol does not tell it.

    Args:
        models: whose classifications count; by default everybody's.
        judge: whose verdicts count, as in `label_counts`.

    Raises:
        ConflictError: the studies follow more than one protocol.
    """
    exhibit = common_protocol(studies).results().removal
    if exhibit is None:
        return None
    without, with_removed = (
        found[found["model"].isin(models)] if models else found
        for found in (
            label_counts(store, studies, judge=judge),
            label_counts(store, studies, with_removed=True, judge=judge),
        )
    )
    if with_removed["n"].sum() == without["n"].sum():
        return None
    return exhibit.table(without, with_removed)


def coverage(store: Store, studies: Sequence[Study]) -> list[Mapping[str, Any]]:
    """For each study and model: items of the measured step planned, removed, read, unread, open."""
    ids = [study.study_id for study in studies]
    return store.rows("label_coverage", study_ids=ids, steps=_measured())


def coverage_document(store: Store, studies: Sequence[Study]) -> list[dict[str, Any]]:
    """The rows of `coverage`, each with `unread_by_outcome`: how what was not read ended, and
    `parts`: of each group and type the tasks asked, answered, and answered in a way that is read.

    Both denominators can be told by it, for a call without a reply is in no metric.
    """
    about = {"study_ids": [study.study_id for study in studies], "steps": _measured()}
    ended: dict[tuple[str, str], dict[str, int]] = {}
    for row in store.rows("report_unread", **about):
        ended.setdefault((row["study"], row["model"]), {})[row["outcome"]] = row["n"]
    parts: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in store.rows("label_coverage_parts", **about):
        parts.setdefault((row.pop("study"), row.pop("model")), []).append(row)
    return [
        dict(row)
        | {
            "unread_by_outcome": ended.get((row["study"], row["model"]), {}),
            "parts": parts.get((row["study"], row["model"]), []),
        }
        for row in coverage(store, studies)
    ]


def studies_with_results(store: Store) -> list[str]:
    """The names of the studies with any reply to measure, usable or not, newest first."""
    return [row["name"] for row in store.rows("studies_with_answers", steps=_measured())]


def has_results(store: Store, study: Study) -> bool:
    """Whether a study has anything to measure."""
    keys = {"study_id": study.study_id, "step": study.shape.measured}
    return store.value("labels_of_step", **keys) > 0


def _measured() -> list[str]:
    return [protocol.measured for protocol in PROTOCOLS.values()]


def tables_document(store: Store, studies: Sequence[Study], *, judge: str = "") -> dict[str, Any]:
    """The metric tables of the studies as `selfbound tables --format json` prints them.

    Beside what the protocol measures: `coverage`, as `coverage_document` has it; `funnel`, how many
    tasks of each study reached each stage; and `removal_effect`, one entry a row of the frame of
    that name, empty without removed tasks.

    Args:
        judge: whose verdicts count, as in `label_counts`.

    Raises:
        ConflictError: the studies follow different protocols, or have no results.
    """
    protocol = common_protocol(studies)
    counts = label_counts(store, studies, judge=judge)
    if counts.empty:
        raise no_results(studies)
    effect = removal_effect(store, studies, judge=judge)
    return protocol.results().tables(counts) | {
        "coverage": coverage_document(store, studies),
        "funnel": funnel_document(store, studies),
        "removal_effect": [] if effect is None else _plain_rows(effect),
    }


def values_comparison(studies: Sequence[Study]) -> Callable[..., pd.DataFrame]:
    """What puts printed values of any source beside those of the studies.

    Raises:
        ConflictError: the studies follow more than one protocol, or one that cannot do so.
    """
    protocol = common_protocol(studies)
    found = protocol.results().compare_values
    if found is None:
        raise ConflictError(
            f"printed values cannot be put beside those of {protocol.title}",
            hint="compare studies of the feasibility boundary, or read them off `selfbound tables`",
        )
    return found


def no_results(studies: Sequence[Study]) -> ConflictError:
    """What is said where studies of one protocol have nothing to show."""
    words = common_protocol(studies).results().words
    names = ", ".join(study.name for study in studies)
    return ConflictError(
        f"there are no {words.done} {words.task}s in {names}", hint=words.no_results
    )


def _plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame as JSON holds them: None for a missing number."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def common_protocol(studies: Sequence[Study]) -> Protocol:
    """The protocol that all the studies follow, with the types and reasons that all have.

    Raises:
        ConflictError: they follow more than one, or have different types and reasons.
    """
    protocols = {study.protocol: study.shape for study in studies}
    if len(protocols) != 1:
        raise ConflictError(
            f"the studies follow {len(protocols)} protocols: {', '.join(sorted(protocols))}",
            hint="compare studies of one protocol",
        )
    taxonomies = {study.taxonomy.hash: study.taxonomy for study in studies}
    if len(taxonomies) != 1:
        titles = sorted(f"{one.title} ({key[:8]})" for key, one in taxonomies.items())
        raise ConflictError(
            f"the studies have {len(taxonomies)} sets of types and reasons: {'; '.join(titles)}",
            hint="compare studies with the same types and reasons",
        )
    return next(iter(protocols.values()))


def printed_comparison(protocol: Protocol, counts: pd.DataFrame) -> pd.DataFrame | None:
    """Every printed value of the protocol's paper beside ours; None when none are at hand.

    The printed values are facts that ship with the program.
    """
    results = protocol.results()
    if results.printed_file is None or results.compare_with_printed is None:
        return None
    printed = json.loads((DATA_DIR / results.printed_file).read_text(encoding="utf-8"))
    return results.compare_with_printed(counts, printed)
