"""How the studies of a report were made, in sections that are read from the store alone.

Nothing here depends on when or where the report is made, but for the versions of the software that
makes it: no time, no path, no address. Of those who curated it says only how many they were; people
who attempted tasks beside the models stand where the models do.
"""

import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.exchange.html_report import Block, Paragraph, Points, Section, TableBlock
from core.protocols.base import Step
from core.records import PENDING, Outcome
from core.sampling import Shortfall
from core.store.store import Store
from core.workflows.drawing import shortfall_sentence
from core.workflows.outcomes import step_outcomes
from core.workflows.people import is_person
from core.workflows.report_curation import curation_blocks, table_of
from core.workflows.report_judges import judge_blocks
from core.workflows.results import coverage
from core.workflows.studies import Study

SOFTWARE = (
    *("selfbound", "streamlit", "duckdb", "litellm", "xllamacpp", "altair", "vl-convert-python"),
    *("pandas", "numpy", "scipy", "statsmodels", "scikit-learn", "krippendorff", "pyarrow"),
)
HASH_LETTERS = 16
"""As many as tell any two sets of types and reasons apart; prompts have theirs in full."""

ENDINGS = (
    "Every planned call ends in exactly one way, so that the columns after the first add up to it."
)


def studies_table(studies: Sequence[Study]) -> TableBlock:
    """What each study was set up to be."""
    return table_of(
        "The studies as they were set up",
        [
            {
                "study": study.name,
                "subject": study.subject,
                "prompt set": study.prompt_set,
                "judge": study.judge or "none",
                "origin": ("demo, " if study.is_demo else "")
                + ("imported" if study.source == "imported" else "made here"),
                **_of_invented(study),
                # A seed is a name, not an amount.
                "seed": str(study.seed),
                **_of_types(study),
            }
            for study in studies
        ],
    )


def _of_invented(study: Study) -> dict[str, Any]:
    if not study.shape.makes_tasks:
        return {}
    return {"tasks wanted per type and side": study.per_type, "of them drawn": study.per_cell}


def _of_types(study: Study) -> dict[str, Any]:
    if study.shape.for_taxonomy is None:
        return {}
    taxonomy = study.taxonomy
    return {"types and reasons": taxonomy.title, "their hash": taxonomy.hash[:HASH_LETTERS]}


def method_sections(store: Store, studies: Sequence[Study], *, judge: str = "") -> list[Section]:
    """How it was done: models, prompts, parameters, draws, judges, curation, how calls ended.

    Args:
        judge: whose verdicts count, as in `core.workflows.results.label_counts`.
    """
    words = studies[0].shape.results().words
    told = (_overview(studies), words.intervals)
    overview = tuple(Paragraph(text) for text in told if text)
    draws = _draws(store, studies) if any(map(_has_draw, studies)) else ()
    judges = judge_blocks(store, studies, judge)
    found = [
        Section("methods", "How it was done", overview),
        Section("models", "Models as asked and as answered", _models(store, studies), level=3),
        Section("prompts", "Prompts", _prompts(store, studies), level=3),
        Section("parameters", "Parameters as sent", _parameters(store, studies), level=3),
        Section("draws", "Draws and seeds", draws, level=3),
        Section("judges", "Judges of answers", judges, level=3),
        Section("curation", "Curation", curation_blocks(store, studies), level=3),
        Section("calls", "How every call ended", _calls(store, studies), level=3),
        Section(
            "denominators",
            f"{words.task.capitalize()}s that count",
            _denominators(store, studies),
            level=3,
        ),
    ]
    return [section for section in found if section.blocks]


def _has_draw(study: Study) -> bool:
    return any(step.works_on_draw for step in study.shape.steps)


def software_section() -> Section:
    """The versions of the software that made the report."""
    found = {"python": platform.python_version()}
    for name in SOFTWARE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    rows = [{"software": name, "version": number} for name, number in found.items()]
    return Section("software", "Software", (table_of("Versions that made this report", rows),))


def _overview(studies: Sequence[Study]) -> str:
    steps = [step for step in studies[0].shape.steps if not step.is_optional]
    told = ", then ".join(f"{step.title.lower()} ({_about(step)})" for step in steps)
    course = studies[0].shape.results().words.course
    return f"Each study goes through the steps {told}. {course}".strip()


def _about(step: Step) -> str:
    if step.makes_tasks:
        return "each call makes a task"
    if step.answers_of:
        return "each call is about an answer"
    return "each call is about a drawn task" if step.works_on_draw else "each call is about a task"


def _by_step(store: Store, query: str, studies: Sequence[Study]) -> list[dict[str, Any]]:
    """The rows of a query in the order of the studies and of the protocol's steps."""
    place = {study.name: at for at, study in enumerate(studies)}
    steps = [step.name for step in studies[0].shape.steps]
    rows = store.rows(query, study_ids=[study.study_id for study in studies])
    return sorted(rows, key=lambda row: (place[row["study"]], steps.index(row["step"])))


def _models(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    rows = [
        {
            "study": row["study"],
            "step": row["step"],
            "asked": row["model"],
            "answered": _answered(row),
            "answers": row["n"],
        }
        for row in _by_step(store, "report_models", studies)
    ]
    return (table_of("Models, with how many answers each gave", rows),)


def _answered(row: Mapping[str, Any]) -> str:
    if is_person(row["model"]):
        return "a person, here"
    if row["is_without_call"]:
        return "told by the imported file"
    return row["model_answered"] or "did not say"


def _prompts(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    rows = _by_step(store, "report_prompts", studies)
    blocks: list[Block] = []
    if rows:
        shown = [
            {
                "study": row["study"],
                "step": row["step"],
                "prompt": row["prompt"],
                "version": str(row["version"]),
                "hash": row["prompt_hash"],
                "calls": row["n"],
            }
            for row in rows
        ]
        blocks.append(table_of("Prompts, by the hash of the whole file", shown))
    without = [one.name for one in studies if one.name not in {row["study"] for row in rows}]
    if without:
        blocks.append(
            Paragraph(f"Without any prompt, because no model was asked here: {', '.join(without)}.")
        )
    return tuple(blocks)


def _parameters(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    rows = _by_step(store, "report_parameters", studies)
    if not rows:
        return (Paragraph("No model was asked here, so no parameter is known."),)
    return (
        Paragraph(
            "Sent is what the provider was given. A parameter that a provider does not take is "
            "dropped; not told means that the client did not say what it sent."
        ),
        table_of(
            "Parameters of the answered calls",
            [
                {key: row[key] for key in ("study", "step", "model", "parameter", "asked", "sent")}
                | {"calls": row["n"]}
                for row in rows
            ],
        ),
    )


def _draws(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    rows, short = [], []
    for study in studies:
        for draw in store.rows("draw_now", study_id=study.study_id):
            cells = store.rows("drawn_cells", study_id=study.study_id)
            rows.append(
                {
                    "study": study.name,
                    "seed of the study": str(study.seed),
                    "draw": draw["kind"].replace("_", " "),
                    "seed of the draw": "none" if draw["seed"] is None else str(draw["seed"]),
                    "wanted per type and side": "all"
                    if draw["per_cell"] is None
                    else f"{draw['per_cell']:,}",
                    "drawn": draw["n_tasks"],
                    "of them removed": sum(cell["removed_since"] for cell in cells),
                }
            )
            short += [
                f"{study.name}: {shortfall_sentence(Shortfall((cell[0], cell[1]), *numbers))}"
                for cell, *numbers in json.loads(draw["shortfalls_json"])
            ]
    if not rows:
        return (Paragraph("Nothing is drawn."),)
    blocks: list[Block] = [table_of("The draw that each study works with", rows)]
    if short:
        blocks += [Paragraph("Not enough tasks were there to draw from in:"), Points(tuple(short))]
    return tuple(blocks)


def _calls(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    rows = []
    for study in studies:
        for step in study.shape.steps:
            counts = step_outcomes(store, study, step)
            if counts["planned"]:
                names = [outcome.value for outcome in Outcome] + [PENDING]
                sums = {name.replace("_", " "): counts[name] for name in names}
                rows.append(
                    {"study": study.name, "step": step.name, "planned": counts["planned"]} | sums
                )
    told = f"{ENDINGS} {studies[0].shape.results().words.left_out}".strip()
    return (Paragraph(told), table_of("Planned calls, and how they ended", rows))


def _denominators(store: Store, studies: Sequence[Study]) -> tuple[Block, ...]:
    words = studies[0].shape.results().words
    rows = [
        {
            "study": row["study"],
            "model": row["model"],
            words.asked: row["planned"],
            "removed by people": row["removed_since"],
            "with a usable reply": row["read"],
            "ended without one": row["unread"],
            "not ended": row["open"],
        }
        for row in coverage(store, studies)
    ]
    title = f"{words.task.capitalize()}s {words.asked}, by study and model"
    blocks: list[Block] = [table_of(title, rows)]
    measured = sorted({study.shape.measured for study in studies})
    ids = [study.study_id for study in studies]
    unread = store.rows("report_unread", study_ids=ids, steps=measured)
    if unread:
        shown = [row | {"outcome": row["outcome"].replace("_", " ")} for row in unread]
        title = f"{words.task.capitalize()}s {words.asked} without a usable reply, by outcome"
        blocks.append(table_of(title, shown))
    return tuple(blocks)
