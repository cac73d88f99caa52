"""What people's audits make of a report's numbers: how far the judges are right, and the metrics
as corrected by that."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from core.exchange.html_report import Block, Paragraph, Section, TableBlock
from core.exchange.shown_table import shown_table
from core.metrics.corrected_rate import rate_by_truth
from core.metrics.true_rates import Judged
from core.store.store import Store
from core.workflows.audit_statistics import FEW_VOTES, corrected_subjects
from core.workflows.audit_tables import (
    CORRECTED,
    FORMULAS,
    counted,
    judge_table,
    metric_table,
    rate_table,
)
from core.workflows.audited_pairs import pairs_of
from core.workflows.audits import AuditableJudge, auditable_judges
from core.workflows.judge_pool import JudgePool, judge_pool
from core.workflows.judges import chosen_judges
from core.workflows.studies import Study

if TYPE_CHECKING:
    from pandas import DataFrame

_DIGITS = 3
_TOLD = (
    "What people say of the verdicts they audited is taken as the truth. Corrected: "
    f"{FORMULAS[CORRECTED]} Each subject is corrected by the audited verdicts on its own answers. "
    "Verdicts of all samples that speak for a judge count together, each by how many it stands for."
)


def corrected_section(store: Store, studies: Sequence[Study], judge: str = "") -> Iterator[Section]:
    """The section about the judges whose verdicts count; none where nothing was judged.

    Args:
        judge: whose verdicts count, as in `core.workflows.results.label_counts`.
    """
    found = [
        (study, one)
        for study in studies
        if study.shape.results().by_judge
        for title in [chosen_judges(store, [study], judge)[study.name]]
        for one in auditable_judges(store, study)
        if one.title == title and study.shape.step(one.step).answers_of == study.shape.measured
    ]
    if not found:
        return
    blocks: list[Block] = [Paragraph(_TOLD)]
    tables: dict[str, list[DataFrame]] = {}
    for study, one in found:
        pool = judge_pool(store, study, one)
        blocks.append(Paragraph(_basis(study, one, pool)))
        if len(pool.representative) >= FEW_VOTES:
            for caption, table in _tables(store, study, one, pool).items():
                table.insert(0, "study", study.name)
                tables.setdefault(caption, []).append(table)
    blocks += [_together(caption, parts) for caption, parts in tables.items()]
    yield Section("exhibit-corrected", "As corrected by audits", tuple(blocks), level=3)


def _basis(study: Study, judge: AuditableJudge, pool: JudgePool) -> str:
    n = len(pool.representative)
    said = f"{study.name}: of {counted(judge.n_valid, 'verdict')} of {judge.title}"
    if not n:
        return f"{said} people decided none in a sample that speaks for all: nothing is corrected."
    one = counted(pool.n_representative, "sample that speaks", "samples that speak")
    said += f" people decided {n:,} in {one} for all of them"
    return f"{said}, too few to correct anything by." if n < FEW_VOTES else f"{said}."


def _tables(
    store: Store, study: Study, judge: AuditableJudge, pool: JudgePool
) -> dict[str, "DataFrame"]:
    pairs = pairs_of(pool.representative)
    return {
        "How far the judge is right": judge_table(pool.measured()),
        "The rate of yes": rate_table(rate_by_truth(Judged(judge.n_yes, judge.n_no), pairs)),
        "Metrics as judged and as corrected": metric_table(
            corrected_subjects(store, study, judge, pool.representative)
        ),
    }


def _together(caption: str, parts: Sequence["DataFrame"]) -> TableBlock:
    import pandas as pd

    table = pd.concat(parts, ignore_index=True).drop(columns="method", errors="ignore")
    table = table.rename(columns=lambda name: name.replace("rogan_gladen", "by_Rogan_and_Gladen"))
    # Columns of words that say nothing of a study are left out of its table.
    words = [name for name in ("clipped", "why") if name in table]
    table[words] = table[words].fillna("")
    return TableBlock(caption, shown_table(table, digits=_DIGITS), n_names=2)
