"""The commands that exchange files: what goes into a study, what comes out, and replies to read."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from core.cli_output import print_document, say
from core.cli_session import JsonFlag, StudyName, open_store, taxonomy_in
from core.errors import InputError


class ImportFormat(StrEnum):
    """The file layouts that can be imported."""

    LINE_OF_DUTY = "line-of-duty"
    TASKS = "tasks"
    QUESTIONS = "questions"
    CODE_TASKS = "code-tasks"
    INSPECT = "inspect"
    LABEL_STUDIO = "label-studio"


class ExportFormat(StrEnum):
    """The file formats of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    LABEL_STUDIO = "label-studio"


def import_files(
    format: Annotated[ImportFormat, typer.Argument(metavar="FORMAT", help="The files' layout.")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="The files.")],
    study: Annotated[str | None, typer.Option(help="The study they go into.")] = None,
    skip_bad_rows: Annotated[
        bool, typer.Option(help="Leave out rows that cannot be used.")
    ] = False,
    scorer: Annotated[
        str | None, typer.Option(help="Of logs of agents with several scores, the deciding one.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Import files into a study.

    `tasks` and `label-studio` bring people's decisions too, where the files hold any; `inspect`
    brings logs of agents.
    """
    from core.workflows.agent_import import import_agent_logs
    from core.workflows.code_task_import import import_code_tasks
    from core.workflows.importing import import_line_of_duty, import_tasks
    from core.workflows.question_import import import_questions

    with open_store() as store:
        if format is ImportFormat.LINE_OF_DUTY:
            results = import_line_of_duty(
                store, paths, study_name=study, skip_bad_rows=skip_bad_rows
            )
        elif study is None:
            what = {
                ImportFormat.QUESTIONS: "questions",
                ImportFormat.CODE_TASKS: "code tasks",
                ImportFormat.INSPECT: "logs of agents",
            }.get(format, "tasks")
            raise InputError(f"{what} need a study to go into", hint="name one with --study")
        elif format is ImportFormat.QUESTIONS:
            results = import_questions(store, paths, study_name=study, skip_bad_rows=skip_bad_rows)
        elif format is ImportFormat.CODE_TASKS:
            results = import_code_tasks(store, paths, study_name=study, skip_bad_rows=skip_bad_rows)
        elif format is ImportFormat.INSPECT:
            results = import_agent_logs(store, paths, study_name=study, scorer=scorer)
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
    words = taxonomy_in(taxonomy)
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
