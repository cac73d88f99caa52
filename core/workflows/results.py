"""Results: metric tables over any studies, live while runs go on."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.errors import ConflictError
from core.protocols.base import Protocol
from core.settings import PROJECT_ROOT
from core.store.store import Store
from core.workflows.studies import Study

DATA_DIR = PROJECT_ROOT / "data"


def label_counts(store: Store, studies: Sequence[Study]) -> pd.DataFrame:
    """How often each combination of intended and answered occurs, one row each.

    Columns: study, subject, model, prompt_set, intent, type, reason, label, label_reason,
    label_type, n.
    Tasks removed after the draw are left out.
    """
    return store.frame("label_counts", study_ids=[study.study_id for study in studies])


def coverage(store: Store, studies: Sequence[Study]) -> list[Mapping[str, Any]]:
    """For each study and model: drawn items planned, removed since, read, unread and open."""
    return store.rows("label_coverage", study_ids=[study.study_id for study in studies])


def tables_document(store: Store, studies: Sequence[Study]) -> dict[str, Any]:
    """The metric tables of the studies as `selfbound tables --format json` prints them.

    Raises:
        ConflictError: the studies follow different protocols, or have no results.
    """
    protocol = common_protocol(studies)
    counts = label_counts(store, studies)
    if counts.empty:
        names = ", ".join(study.name for study in studies)
        raise ConflictError(
            f"there are no classified tasks in {names}", hint="draw and classify first"
        )
    return protocol.results().tables(counts)


def common_protocol(studies: Sequence[Study]) -> Protocol:
    """The protocol that all the studies follow.

    Raises:
        ConflictError: they follow more than one.
    """
    protocols = {study.protocol: study.shape for study in studies}
    if len(protocols) != 1:
        raise ConflictError(
            f"the studies follow {len(protocols)} protocols: {', '.join(sorted(protocols))}",
            hint="compare studies of one protocol",
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
