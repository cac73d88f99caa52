"""How the studies of a report were curated: in numbers, and without anybody's name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.exchange.html_report import Block, Paragraph, Points, TableBlock
from core.exchange.shown_table import shown_table
from core.store.store import Store
from core.workflows.demo import STAND_IN
from core.workflows.desk_rules import rules_of
from core.workflows.studies import Study


def curation_blocks(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    """The rules of each study's desk, who decided by number, and how far they agreed."""
    return tuple(_curation(store, studies))


def table_of(caption: str, rows: Sequence[Mapping[str, Any]]) -> TableBlock:
    """Rows with the same names as a table of the report."""
    import pandas as pd

    # Whole numbers and texts stay what they are, whatever stands beside them.
    return TableBlock(caption, shown_table(pd.DataFrame(rows, dtype=object)))


def _curation(store: Store, studies: Sequence[Study]) -> Iterator[Block]:
    found = {
        row["study_id"]: row
        for row in store.rows(
            "report_deciders",
            study_ids=[study.study_id for study in studies],
            stand_in=STAND_IN,
        )
    }
    rows, readings = [], []
    for study in studies:
        rules = rules_of(store, study)
        decided: Mapping[str, int] = found.get(study.study_id, {})
        rows.append(
            {
                "study": study.name,
                "people to decide each task": rules.overlap,
                "blind": "yes" if rules.is_blind else "no",
                "language": rules.language,
                "gold task every": f"{rules.gold_every} decisions" if rules.gold_every else "never",
                "people who decided": decided.get("n_people", 0),
                "tasks decided": decided.get("n_decided", 0),
                "of them by automatic checks": decided.get("n_stood_in", 0),
            }
        )
        readings += [f"{study.name}: {one}" for one in _agreement(store, study)]
    yield table_of("Rules of curation, and who decided", rows)
    if any(row["of them by automatic checks"] for row in rows):
        text = "Automatic checks stood in for people where the last column says so."
        yield Paragraph(text, is_notable=True)
    if readings:
        yield Paragraph("How far people agreed on the tasks that two or more decided:")
        yield Points(tuple(readings))
    else:
        yield Paragraph("No task was decided by two people, so nothing is said on agreement.")


def _agreement(store: Store, study: Study) -> list[str]:
    votes = store.frame("votes_of_study", study_id=study.study_id)
    if votes.empty:
        return []
    from core.metrics.agreement import agreement, plain_reading

    measured = agreement(votes[["item", "person", "label"]])
    return [
        plain_reading(one)
        for one in (measured.percent, measured.kappa, measured.alpha, measured.ac1)
    ]
