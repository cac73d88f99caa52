"""The command line: data on standard output, all else on standard error.

Exit 0 is success, 1 a problem said in one sentence with a hint, 2 a wrong way to call it. Each
command opens the store, calls one workflow and prints what it gave.
"""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli_output import (
    print_document,
    print_rows,
    print_studies,
    problem,
    say,
)
from core.cli_runs import demo, status, step_command
from core.cli_session import JsonFlag, StudyName, TableFormat, open_store
from core.errors import InputError, SelfboundError
from core.protocols import PROTOCOLS
from core.settings import PROJECT_ROOT, store_path
from core.taxonomy import LINE_OF_DUTY, Taxonomy

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
    LABEL_STUDIO = "label-studio"


class ExportFormat(StrEnum):
    """The file formats of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    LABEL_STUDIO = "label-studio"


class Decision(StrEnum):
    """What `review` can decide."""

    KEEP = "keep"
    REMOVE = "remove"


@app.callback()
def main_options(
    store: Annotated[
        Path | None,
        typer.Option(help="The store's file (default: $SELFBOUND_STORE or data/selfbound.duckdb)."),
    ] = None,
) -> None:
    """Selfbound measures whether a language model knows its own limits."""
    if store is not None:
        os.environ["SELFBOUND_STORE"] = str(store.expanduser().resolve())


@app.command("app")
def run_app(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8501,
) -> None:
    """Start the app on this machine."""
    _check_port(port)
    say(f"Selfbound is at http://127.0.0.1:{port} - stop it with Ctrl-C")
    # The app runs in the project's folder; a relative path means the caller's.
    os.environ["SELFBOUND_STORE"] = str(store_path().resolve())
    os.chdir(PROJECT_ROOT)
    # A person at a terminal gets the page opened; a service does not.
    headless = "false" if sys.stdout.isatty() else "true"
    command = ["-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.headless", headless]
    os.execv(sys.executable, [sys.executable, *command])


@app.command()
def studies(as_json: JsonFlag = False) -> None:
    """List the studies."""
    from core.workflows.studies import list_studies, overview_document

    with open_store() as store:
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
    taxonomy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON file with types and reasons of its own."),
    ] = None,
) -> None:
    """Make a study."""
    from core.workflows.studies import create_study

    words = _taxonomy(taxonomy)
    with open_store() as store:
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
            taxonomy=words,
        )
    own = "" if words.is_built_in else f", types and reasons of {words.title}"
    say(f"{study.name} is made: {study.subject}, prompts {study.prompt_set}{own}.")


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
    """Import files into a study.

    `tasks` and `label-studio` bring people's decisions too, where the files hold any.
    """
    from core.workflows.importing import import_line_of_duty, import_tasks

    with open_store() as store:
        if format is ImportFormat.LINE_OF_DUTY:
            results = import_line_of_duty(
                store, paths, study_name=study, skip_bad_rows=skip_bad_rows
            )
        elif study is None:
            raise InputError("tasks need a study to go into", hint="name one with --study")
        else:
            results = import_tasks(store, paths, study_name=study, skip_bad_rows=skip_bad_rows)
    for one in results:
        decided = f", and {one.n_decisions:,} decisions" if one.n_decisions else ""
        say(f"{one.file}: {one.n_rows:,} rows, {one.n_added:,} added to {one.study}{decided}")
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
                    "decisions": one.n_decisions,
                    "findings": list(one.findings),
                    "left_out": [str(row) for row in one.bad_rows],
                }
                for one in results
            ]
        )


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
    from core.workflows.curation import decide, task_from_prefix
    from core.workflows.people import person_named
    from core.workflows.studies import study_named

    with open_store() as store:
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
    with_removed: Annotated[
        bool,
        typer.Option(
            "--with-removed",
            help="Draw removed tasks too, to tell the results with and without them.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Draw the balanced sample."""
    from core.workflows.drawing import draw_tasks, shortfall_sentence
    from core.workflows.studies import study_named

    with open_store() as store:
        found = study_named(store, study)
        drawn = draw_tasks(store, found, per_cell=per_cell, seed=seed, with_removed=with_removed)
    said = [shortfall_sentence(one) for one in drawn.shortfalls]
    say(f"{drawn.n_tasks:,} tasks are drawn" + ("" if drawn.is_new else ", the same as before"))
    if drawn.n_undecided:
        say(f"  nobody has looked at {drawn.n_undecided:,} of them yet")
    if drawn.n_removed:
        say(f"  people removed {drawn.n_removed:,} of them; the tables leave those out")
    for sentence in said:
        say(f"  {sentence}")
    if as_json:
        print_document(
            {"draw": drawn.draw_id, "tasks": drawn.n_tasks, "new": drawn.is_new}
            | {"undecided": drawn.n_undecided, "removed": drawn.n_removed, "shortfalls": said}
        )


@app.command()
def tables(
    studies: Annotated[list[str], typer.Argument(metavar="STUDY...", help="The studies.")],
    format: Annotated[TableFormat, typer.Option(help="How to print them.")] = TableFormat.TEXT,
) -> None:
    """Print the metric tables of one or more studies."""
    from core.workflows.results import tables_document
    from core.workflows.studies import study_named

    with open_store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        document = tables_document(store, chosen)
    if format is TableFormat.JSON:
        print_document(document)
    else:
        print_rows(*chosen[0].shape.results().flat_rows(document), format)


@app.command()
def report(
    studies: Annotated[list[str], typer.Argument(metavar="STUDY...", help="The studies.")],
    to: Annotated[Path, typer.Option(metavar="FILE.html", help="The file to write.")],
) -> None:
    """Write a report of one or more studies as one HTML file that needs nothing else."""
    from core.charts.pictures import exhibit_picture
    from core.workflows.reporting import save_report
    from core.workflows.studies import study_named

    with open_store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        n_bytes = save_report(store, chosen, to, draw=exhibit_picture)
    say(f"The report is in {to} ({n_bytes:,} bytes).")


@app.command()
def compare(
    studies: Annotated[list[str], typer.Argument(metavar="STUDY...", help="The studies.")],
    printed: Annotated[Path, typer.Option(metavar="FILE", help="Printed values, as JSON.")],
    as_json: JsonFlag = False,
) -> None:
    """Put printed values of any source beside ours, with a verdict for each."""
    from core.exchange.printed_file import read_printed_file
    from core.metrics.printed_values import compare_values
    from core.workflows.results import common_protocol, label_counts
    from core.workflows.studies import study_named

    file = read_printed_file(printed)
    with open_store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        common_protocol(chosen)
        counts = label_counts(store, chosen)
    found = compare_values(counts, file.values)
    rows = found.astype(object).where(found.notna(), None)
    agree, known = int(found["agrees"].sum()), int(found["agrees"].notna().sum())
    if as_json:
        print_document({"source": file.source, "values": rows.to_dict("records")})
    else:
        print_rows(list(rows.columns), rows.to_numpy().tolist(), TableFormat.CSV)
    say(f"{file.source}: {agree} of {known} values that can be compared agree")


@app.command()
def parse(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What to read.")],
    taxonomy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON file with the types and reasons on offer."),
    ] = None,
) -> None:
    """Read replies as JSON lines on standard input, write what was read from each."""
    from core.exchange.reply_lines import read_reply_lines
    from core.parsing.kinds import parse_reply

    parse_reply(kind, "")
    words = _taxonomy(taxonomy)
    if sys.stdin is None:
        raise InputError("standard input is closed", hint="give the replies on standard input")
    for line in read_reply_lines(sys.stdin.buffer, "standard input"):
        found = parse_reply(
            kind,
            line.text,
            finish_reason=line.finish_reason,
            refusal=line.refusal,
            taxonomy=words,
        )
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
    """Write everything a study holds to files.

    `label-studio` writes the tasks with their decisions only, in one file for its import, and
    beside it the labeling configuration of a project for them.
    """
    from core.workflows.exporting import LABEL_STUDIO_TASKS, export_label_studio, export_study
    from core.workflows.studies import study_named

    with open_store() as store:
        found = study_named(store, study)
        if format is ExportFormat.LABEL_STUDIO:
            counts = {LABEL_STUDIO_TASKS: export_label_studio(store, found, to)}
        else:
            counts = export_study(store, found, to, format=format.value)
    for part, n in counts.items():
        say(f"{part}: {n:,} rows")


@app.command()
def verify() -> None:
    """Have the store check itself."""
    from core.store.verify import verify as verify_store

    with open_store() as store:
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

    with open_store() as store:
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


app.command()(demo)
app.command()(status)
for _name, _title in {
    step.name: step.title for p in PROTOCOLS.values() for step in p.steps
}.items():
    app.command(_name, help=f"{_title}: run the step, or resume it.")(step_command(_name))


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


def _taxonomy(path: Path | None) -> Taxonomy:
    """The taxonomy in a file, or the built-in one."""
    if path is None:
        return LINE_OF_DUTY
    from core.exchange.taxonomy_file import read_taxonomy

    return read_taxonomy(path)


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
