"""The command line: data on standard output, all else on standard error.

Exit 0 is success, 1 a problem said in one sentence with a hint, 2 a wrong way to call it. Each
command opens the store, calls one workflow and prints what it gave.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli_output import (
    print_document,
    print_outcomes,
    print_rows,
    print_studies,
    problem,
    say,
    tell_end,
    watch_run,
)
from core.errors import InputError, SelfboundError
from core.protocols import PROTOCOLS
from core.settings import PROJECT_ROOT, store_path

app = typer.Typer(
    help="Selfbound measures whether a language model knows its own limits.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class ImportFormat(StrEnum):
    """The file layouts that can be imported."""

    LINE_OF_DUTY = "line-of-duty"
    TASKS = "tasks"


class TableFormat(StrEnum):
    """How tables are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"


class ExportFormat(StrEnum):
    """The file formats of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


class Decision(StrEnum):
    """What `review` can decide."""

    KEEP = "keep"
    REMOVE = "remove"


JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
StudyName = Annotated[str, typer.Argument(metavar="STUDY", help="The study's name.")]


@app.callback()
def main_options(
    store: Annotated[
        Path | None,
        typer.Option(help="The store's file (default: $SELFBOUND_STORE or data/selfbound.duckdb)."),
    ] = None,
) -> None:
    """Selfbound measures whether a language model knows its own limits."""
    if store is not None:
        os.environ["SELFBOUND_STORE"] = str(store)


@app.command("app")
def run_app(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8501,
) -> None:
    """Start the app on this machine."""
    _check_port(port)
    say(f"Selfbound is at http://127.0.0.1:{port} - stop it with Ctrl-C")
    os.chdir(PROJECT_ROOT)
    command = ["-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    os.execv(sys.executable, [sys.executable, *command])


@app.command()
def demo(
    tasks_per_cell: Annotated[
        int | None, typer.Option(min=1, max=90, help="Tasks to invent per type and side.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run the whole pipeline on the embedded model and print its tables."""
    from core.workflows.demo import DEMO_PER_CELL, STAND_IN, run_demo
    from core.workflows.results import tables_document

    with _workbench() as bench:
        result = run_demo(bench, per_cell=tasks_per_cell or DEMO_PER_CELL, watch=watch_run)
        document = tables_document(bench.store, [result.study])
        say(f"{STAND_IN} kept {result.n_kept} tasks and removed {result.n_removed}.")
        say("The embedded model is very small: these numbers show the pipeline, not a finding.")
        curation = {"by": STAND_IN, "kept": result.n_kept, "removed": result.n_removed}
        if as_json:
            print_document({"study": result.study.name, "curation": curation} | document)
        else:
            print_rows(*result.study.shape.flat_rows(document), TableFormat.TEXT)


@app.command()
def studies(as_json: JsonFlag = False) -> None:
    """List the studies."""
    from core.workflows.studies import list_studies, overview_document

    with _store() as store:
        documents = [overview_document(one) for one in list_studies(store)]
    if as_json:
        print_document(documents)
    elif documents:
        print_studies(documents)
    else:
        say("There are no studies yet. Make one with: selfbound new, or selfbound demo")


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name no other study has.")],
    protocol: Annotated[str, typer.Option(help=f"One of: {', '.join(PROTOCOLS)}.")],
    subject: Annotated[str, typer.Option(help="The model under test, as provider/model.")],
    prompt_set: Annotated[str | None, typer.Option(help="The prompts to use.")] = None,
    judge: Annotated[str | None, typer.Option(help="The model that judges answers.")] = None,
    per_type: Annotated[int | None, typer.Option(help="Tasks per type and side.")] = None,
    seed: Annotated[int, typer.Option(help="Fixes the draw and the calls' seeds.")] = 0,
    budget: Annotated[float | None, typer.Option(help="Cap in US dollars for each step.")] = None,
) -> None:
    """Make a study."""
    from core.workflows.studies import create_study

    with _store() as store:
        study = create_study(
            store,
            name,
            protocol=protocol,
            subject=subject,
            prompt_set=prompt_set,
            judge=judge,
            per_type=per_type,
            seed=seed,
            budget_usd=budget,
        )
    say(f"{study.name} is made: {study.subject}, prompts {study.prompt_set}.")


@app.command("import")
def import_files(
    format: Annotated[ImportFormat, typer.Argument(metavar="FORMAT", help="The files' layout.")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="The files.")],
    study: Annotated[str | None, typer.Option(help="The study they go into.")] = None,
    skip_bad_rows: Annotated[
        bool, typer.Option(help="Leave out rows that cannot be used.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Import files into a study."""
    from core.workflows.importing import import_line_of_duty, import_tasks

    with _store() as store:
        if format is ImportFormat.LINE_OF_DUTY:
            results = import_line_of_duty(
                store, paths, study_name=study, skip_bad_rows=skip_bad_rows
            )
        elif study is None:
            raise InputError("tasks need a study to go into", hint="name one with --study")
        else:
            results = import_tasks(store, paths, study_name=study, skip_bad_rows=skip_bad_rows)
    for one in results:
        say(f"{one.file}: {one.n_rows:,} rows, {one.n_added:,} added to {one.study}")
        for finding in (*one.findings, *(f"left out: {row!s}" for row in one.bad_rows)):
            say(f"  {finding}")
    if as_json:
        print_document(
            [
                {
                    "file": one.file,
                    "study": one.study,
                    "rows": one.n_rows,
                    "added": one.n_added,
                    "findings": list(one.findings),
                    "left_out": [str(row) for row in one.bad_rows],
                }
                for one in results
            ]
        )


def _run_step(
    step: str,
    study: str,
    *,
    every_task: bool,
    concurrency: int,
    budget: float | None,
    api_base: str | None,
    model: str | None,
    as_json: bool,
) -> None:
    from core.workflows.outcomes import step_document, step_outcomes
    from core.workflows.steps import start_step
    from core.workflows.studies import study_named

    with _workbench() as bench:
        found = study_named(bench.store, study)
        shape = found.shape.step(step)
        run = start_step(
            bench,
            found,
            step,
            model=model,
            concurrency=concurrency,
            budget_usd=budget,
            api_base=api_base,
            every_task=every_task,
        )
        progress = watch_run(shape.title, run) if run is not None else None
        entry: dict[str, Any] = step_document(step_outcomes(bench, found, shape))
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


Concurrency = Annotated[int, typer.Option(min=1, help="The most calls in flight at once.")]
Budget = Annotated[float | None, typer.Option(help="Cap in US dollars for this step.")]
ApiBase = Annotated[str | None, typer.Option(help="Another address for the model's provider.")]
Model = Annotated[str | None, typer.Option(help="Another model than the study's subject.")]


def _step_command(step: str) -> Callable[..., None]:
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
            as_json=as_json,
        )

    return command


for _name, _title in {
    step.name: step.title for p in PROTOCOLS.values() for step in p.steps
}.items():
    app.command(_name, help=f"{_title}: run the step, or resume it.")(_step_command(_name))


@app.command()
def status(study: StudyName, as_json: JsonFlag = False) -> None:
    """Say how each step of a study stands."""
    from core.workflows.outcomes import status_document
    from core.workflows.studies import study_named

    with _workbench() as bench:
        document = status_document(bench, study_named(bench.store, study))
    if as_json:
        print_document(document)
    else:
        for step, entry in document["steps"].items():
            print_outcomes(step, entry)


@app.command()
def review(
    study: StudyName,
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task's id, or its beginning.")],
    decision: Annotated[Decision, typer.Argument(help="What to do with it.")],
    reason: Annotated[str | None, typer.Option(help="Why it goes, as a code.")] = None,
    note: Annotated[str, typer.Option(help="A note to the decision.")] = "",
    person: Annotated[str, typer.Option("--as", help="Who decides.")] = "command line",
) -> None:
    """Decide one task."""
    from core.workflows.curation import decide, person_named, task_from_prefix
    from core.workflows.studies import study_named

    with _store() as store:
        found = study_named(store, study)
        task_id = task_from_prefix(store, found, task)
        who = person_named(store, person)
        decide(store, found, task_id, decision.value, person=who, reason=reason, note=note)
    say(f"{task_id}: {decision.value}")


@app.command()
def draw(
    study: StudyName,
    per_cell: Annotated[int | None, typer.Option(help="Tasks per type and side.")] = None,
    seed: Annotated[int | None, typer.Option(help="Fixes which tasks are drawn.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw the balanced sample."""
    from core.workflows.drawing import draw_tasks, shortfall_sentence
    from core.workflows.studies import study_named

    with _store() as store:
        found = study_named(store, study)
        drawn = draw_tasks(store, found, per_cell=per_cell, seed=seed)
    said = [shortfall_sentence(one) for one in drawn.shortfalls]
    say(f"{drawn.n_tasks:,} tasks are drawn" + ("" if drawn.is_new else ", the same as before"))
    if drawn.n_undecided:
        say(f"  nobody has looked at {drawn.n_undecided:,} of them yet")
    for sentence in said:
        say(f"  {sentence}")
    if as_json:
        print_document(
            {"draw": drawn.draw_id, "tasks": drawn.n_tasks, "new": drawn.is_new}
            | {"undecided": drawn.n_undecided, "shortfalls": said}
        )


@app.command()
def tables(
    studies: Annotated[list[str], typer.Argument(metavar="STUDY...", help="The studies.")],
    format: Annotated[TableFormat, typer.Option(help="How to print them.")] = TableFormat.TEXT,
) -> None:
    """Print the metric tables of one or more studies."""
    from core.workflows.results import tables_document
    from core.workflows.studies import study_named

    with _store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        document = tables_document(store, chosen)
    if format is TableFormat.JSON:
        print_document(document)
    else:
        print_rows(*chosen[0].shape.flat_rows(document), format)


@app.command()
def parse(kind: Annotated[str, typer.Argument(metavar="KIND", help="What to read.")]) -> None:
    """Read replies as JSON lines on standard input, write what was read from each."""
    from core.exchange.reply_lines import read_reply_lines
    from core.parsing.kinds import parse_reply

    parse_reply(kind, "")
    if sys.stdin is None:
        raise InputError("standard input is closed", hint="give the replies on standard input")
    for line in read_reply_lines(sys.stdin.buffer, "standard input"):
        found = parse_reply(kind, line.text, finish_reason=line.finish_reason, refusal=line.refusal)
        fields = ("label", "reason", "answer", "value")
        print_document(
            {"id": line.id, "outcome": found.outcome.value}
            | {name: getattr(found, name) for name in fields},
            indent=None,
        )


@app.command()
def export(
    study: StudyName,
    to: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")],
    format: Annotated[ExportFormat, typer.Option(help="The files' format.")] = ExportFormat.JSONL,
) -> None:
    """Write everything a study holds to files."""
    from core.workflows.exporting import export_study
    from core.workflows.studies import study_named

    with _store() as store:
        counts = export_study(store, study_named(store, study), to, format=format.value)
    for part, n in counts.items():
        say(f"{part}: {n:,} rows")


@app.command()
def verify() -> None:
    """Have the store check itself."""
    from core.store.verify import verify as verify_store

    with _store() as store:
        findings = verify_store(store)
    for finding in findings:
        print(finding)
    if findings:
        raise SelfboundError(
            f"the store has {len(findings)} faults", hint="restore the last good backup"
        )
    say("The store is sound.")


@app.command()
def backup(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to write.")],
) -> None:
    """Copy the store to one file."""
    from core.store.copies import backup as backup_store

    with _store() as store:
        backup_store(store, path)
    say(f"The store is copied to {path}.")


@app.command()
def restore(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file made by backup.")],
) -> None:
    """Put a backup in the store's place; the replaced store is kept beside it."""
    from core.store.copies import restore as restore_store

    kept = restore_store(path, store_path())
    say(f"{path} is in place." + (f" The store before it is kept as {kept}." if kept else ""))


def main() -> None:
    """Run the command line; the console script's entry."""
    if sys.stdout is not None:
        # A terminal that has no sign for a character shows its escape.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except SelfboundError as error:
        problem(error)
        sys.exit(1)
    except OSError as error:
        # A broken pipe means that the reader has gone; there is nobody left to tell.
        if not isinstance(error, BrokenPipeError):
            problem(SelfboundError(f"the system refuses: {error}", hint="make room, or try again"))
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


@contextmanager
def _store() -> Iterator[Any]:
    from core.store.store import Store

    with Store.open(store_path()) as store:
        for notice in store.notices:
            say(notice)
        yield store


@contextmanager
def _workbench() -> Iterator[Any]:
    from core.workflows.workbench import open_workbench

    with open_workbench() as bench:
        for notice in bench.store.notices:
            say(notice)
        yield bench


def _check_port(port: int) -> None:
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as fault:
            raise SelfboundError(
                f"port {port} is taken on this machine",
                hint=f"choose another: selfbound app --port {port + 1 if port < 65535 else 8501}",
            ) from fault
