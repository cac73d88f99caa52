"""The judges of a report's studies: who they are, what they were asked with, and what they said."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.exchange.html_report import Block, Paragraph
from core.store.store import Store
from core.workflows.judges import chosen_judges, judge_title
from core.workflows.report_curation import table_of
from core.workflows.studies import Study


def judge_blocks(store: Store, studies: Sequence[Study], judge: str = "") -> tuple[Block, ...]:
    """Each judge of answers with the hash of its prompt, its temperature, and its verdicts.

    Without any block where no answer was judged.

    Args:
        judge: whose verdicts count, as in `core.workflows.results.label_counts`.
    """
    rows = store.rows("report_judges", study_ids=[study.study_id for study in studies])
    if not rows:
        return ()
    temperatures = _temperatures(store, studies)
    chosen = chosen_judges(store, studies, judge)
    shown = [
        {
            "study": row["study"],
            "judge": judge_title(row["model"], row["version"]),
            "temperature": temperatures.get((row["study"], row["step"], row["model"]), "not told"),
            "yes": row["n_yes"],
            "no": row["n_no"],
            "invalid": row["n_invalid"],
            "not given yet": row["n_open"],
            "counts here": "yes" if _is_chosen(row, chosen) else "no",
        }
        for row in rows
    ]
    asked_with = {judge_title(row["model"], row["version"]): row for row in rows}
    prompts = [
        {"judge": name, "prompt": row["prompt"], "hash": row["prompt_hash"]}
        for name, row in asked_with.items()
    ]
    n_invalid = sum(row["n_invalid"] for row in rows if _is_chosen(row, chosen))
    n_open = sum(row["n_open"] for row in rows if _is_chosen(row, chosen))
    told = (
        "A verdict is exactly Yes or No. Anything else is invalid: it counts neither as right nor "
        "as wrong, and the answer is unjudged. The judge is never the model that gave the answer. "
        f"Of the verdicts that count here, {n_invalid:,} are invalid and {n_open:,} were not given "
        "yet."
    )
    return (
        Paragraph(told),
        table_of("Judges, with what each said of the answers", shown),
        table_of("What each judge was asked with", prompts),
    )


def _is_chosen(row: Mapping[str, Any], chosen: Mapping[str, str]) -> bool:
    return chosen.get(row["study"]) == judge_title(row["model"], row["version"])


def _temperatures(store: Store, studies: Sequence[Study]) -> dict[tuple[str, str, str], str]:
    """By study, step and model the temperature that was sent, or asked for where that is all."""
    ids = [study.study_id for study in studies]
    return {
        (row["study"], row["step"], row["model"]): row["sent"]
        if row["sent"] not in ("not told", "not sent", "dropped")
        else f"{row['asked']} asked, {row['sent']}"
        for row in store.rows("report_parameters", study_ids=ids)
        if row["parameter"] == "temperature"
    }
