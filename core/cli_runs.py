"""The commands that call models: the demo, every step of a protocol, and how they stand."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from core.cli_output import (
    print_contracts,
    print_document,
    print_outcomes,
    print_rows,
    say,
    tell_end,
    watch_run,
)
from core.cli_session import JsonFlag, StudyName, TableFormat, open_bench, open_store
from core.errors import InputError

Concurrency = Annotated[int, typer.Option(min=1, help="The most calls in flight at once.")]
Budget = Annotated[float | None, typer.Option(help="Cap in US dollars for this step.")]
ApiBase = Annotated[str | None, typer.Option(help="Another address for the model's provider.")]
JudgeVersion = Annotated[
    int | None, typer.Option(min=1, help="Version of the judge's prompt; else the one used first.")
]
Again = Annotated[
    bool, typer.Option("--again", help="Ask a judge again where its verdict was not valid.")
]
Sandbox = Annotated[
    str | None,
    typer.Option(
        metavar="KIND", help="Where programs run: docker, or local, which is this machine."
    ),
]
Model = Annotated[str | None, typer.Option(help="Another model than the study's own.")]


def demo(
    tasks_per_cell: Annotated[
        int | None, typer.Option(min=1, max=90, help="Tasks to invent per type and side.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run the whole pipeline on the embedded model and print its tables."""
    from core.workflows.demo import DEMO_PER_CELL, STAND_IN, run_demo
    from core.workflows.results import tables_document

    with open_bench() as bench:
        result = run_demo(bench, per_cell=tasks_per_cell or DEMO_PER_CELL, watch=watch_run)
        document = tables_document(bench.store, [result.study])
        say(f"{STAND_IN} kept {result.n_kept} tasks and removed {result.n_removed}.")
        say("The embedded model is very small: these numbers show the pipeline, not a finding.")
        curation = {"by": STAND_IN, "kept": result.n_kept, "removed": result.n_removed}
        if as_json:
            print_document({"study": result.study.name, "curation": curation} | document)
        else:
            shown = result.study.shape.results()
            header, rows = shown.flat_rows(document)
            print_rows(header, rows, TableFormat.TEXT, n_names=shown.flat_names)


def status(study: StudyName, as_json: JsonFlag = False) -> None:
    """Say how each step of a study stands, and how far its contracts have come."""
    from core.workflows.outcomes import status_document
    from core.workflows.studies import study_named

    with open_store() as store:
        document = status_document(store, study_named(store, study))
    if as_json:
        print_document(document)
    else:
        for step, entry in document["steps"].items():
            print_outcomes(step, entry)
        for one in document.get("contracts", ()):
            print_contracts(one)


def _run_step(
    step: str,
    study: str,
    *,
    every_task: bool,
    concurrency: int,
    budget: float | None,
    api_base: str | None,
    model: str | None,
    sandbox: str | None,
    judge_version: int | None,
    again: bool,
    as_json: bool,
) -> None:
    from core.workflows.outcomes import step_document, step_outcomes
    from core.workflows.steps import start_step
    from core.workflows.studies import study_named

    with open_bench() as bench:
        found = study_named(bench.store, study)
        shape = found.shape.step(step)
        if sandbox is not None and not shape.by_sandbox:
            raise InputError(f"{step} runs no programs", hint="leave --sandbox out")
        run = start_step(
            bench,
            found,
            step,
            model=sandbox or model,
            concurrency=concurrency,
            budget_usd=budget,
            api_base=api_base,
            every_task=every_task,
            judge_version=judge_version,
            again=again,
        )
        progress = watch_run(shape.title, run) if run is not None else None
        entry: dict[str, Any] = step_document(step_outcomes(bench.store, found, shape))
        if progress is None:
            say(f"{step} of {found.name} owes nothing.")
        entry |= {
            "calls_per_s": progress.calls_per_s if progress else 0.0,
            "peak_in_flight": progress.peak_in_flight if progress else 0,
            "cpu_ms_per_call": progress.cpu_ms_per_call if progress else 0.0,
            "cost_usd": progress.cost_usd if progress else 0.0,
        }
        if as_json:
            # The step stands both by its name, as in `status`, and by itself.
            print_document({"study": found.name, "steps": {step: entry}} | entry)
        else:
            print_outcomes(step, entry)
        if progress is not None:
            tell_end(f"{step} of {found.name}", progress)


def step_command(step: str) -> Callable[..., None]:
    """The command that runs one step; steps of all protocols are commands by their name."""

    def command(
        study: StudyName,
        every_task: Annotated[
            bool,
            typer.Option("--all", help="Take every task not removed, not the draw."),
        ] = False,
        concurrency: Concurrency = 8,
        budget: Budget = None,
        api_base: ApiBase = None,
        model: Model = None,
        sandbox: Sandbox = None,
        judge_version: JudgeVersion = None,
        again: Again = False,
        as_json: JsonFlag = False,
    ) -> None:
        _run_step(
            step,
            study,
            every_task=every_task,
            concurrency=concurrency,
            budget=budget,
            api_base=api_base,
            model=model,
            sandbox=sandbox,
            judge_version=judge_version,
            again=again,
            as_json=as_json,
        )

    return command
