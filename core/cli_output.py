"""What the command line shows: documents and tables on standard output, the rest on error."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from core.errors import SelfboundError
from core.metric_names import in_words
from core.records import ANSWERED, Outcome
from core.runs.progress import BUDGET, ENDED, FAILED, STOPPED
from core.runs.progress import Progress as RunProgress
from core.runs.run import Run

if TYPE_CHECKING:
    from pandas import DataFrame

    from core.exchange.shown_table import Best

# A file or a pipe has no width to fit into.
_PIPE_WIDTH = None if sys.stdout is not None and sys.stdout.isatty() else 200
_out = Console(width=_PIPE_WIDTH, highlight=False, markup=False, emoji=False)
_err = Console(stderr=True, highlight=False, markup=False, emoji=False)


def say(sentence: str) -> None:
    """Tell the person one thing, on standard error."""
    _err.print(sentence, soft_wrap=True)


def problem(error: SelfboundError) -> None:
    """Tell a problem and its hint, on standard error."""
    _err.print(f"error: {error}", soft_wrap=True)
    if error.hint:
        _err.print(f"hint: {error.hint}", soft_wrap=True)


def print_document(document: Any, *, indent: int | None = 2) -> None:
    """One JSON document on standard output; ASCII, so that any text survives any terminal."""
    print(json.dumps(document, indent=indent, ensure_ascii=True, allow_nan=False))


def watch_run(title: str, run: Run) -> RunProgress:
    """How a run ended, shown as a bar while it goes on. Ctrl-C stops it, twice at once."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rest]}"),
    )
    with Progress(*columns, console=_err, transient=False) as bars:
        bar = bars.add_task(escape(title), total=run.progress().planned, rest="")
        grace_s = 30.0
        while True:
            try:
                progress = run.wait(0.25)
                n_ended = sum(progress.outcomes.values())
                # Where what is asked next depends on the replies, the plan grows with the run.
                bars.update(bar, total=progress.planned, completed=n_ended, rest=_rest(progress))
                if progress.state == ENDED:
                    return progress
            except KeyboardInterrupt:
                say("stopping; the calls in flight may finish (Ctrl-C again to cut them off)")
                run.stop(grace_s=grace_s)
                grace_s = 0.0


def tell_end(what: str, progress: RunProgress) -> None:
    """Say on standard error why a run did not bring all that it was meant to.

    Args:
        what: the step and its study.

    Raises:
        SelfboundError: the run failed, or none of its calls was answered.
    """
    if progress.detail == FAILED:
        raise SelfboundError(f"{what}: {progress.message}", hint=progress.hint)
    counts = progress.outcomes
    n_unanswered = counts[Outcome.PROVIDER_ERROR] + counts[Outcome.TIMED_OUT]
    if n_unanswered:
        told = f"{what}: {n_unanswered:,} calls were not answered; the newest: "
        told += progress.newest_error
        if not any(counts[outcome] for outcome in ANSWERED):
            raise SelfboundError(told, hint="the same command asks them again")
        say(f"{told}; the same command asks them again")
    if progress.detail in _ENDED_EARLY:
        say(f"{what} {_ENDED_EARLY[progress.detail]}")


_ENDED_EARLY = {
    STOPPED: "was stopped; the same command goes on with what is left",
    BUDGET: "has used up its budget; the same command with a higher --budget goes on",
}


def print_outcomes(step: str, entry: Mapping[str, Any]) -> None:
    """The closed sum of a step: planned, and every outcome that occurred."""
    parts = [f"{n:,} {outcome.replace('_', ' ')}" for outcome, n in entry["outcomes"].items() if n]
    _out.print(f"{step}: {entry['planned']:,} planned = {' + '.join(parts) or '0'}", soft_wrap=True)


def print_contracts(entry: Mapping[str, Any]) -> None:
    """How far a model has come with the contracts that are drawn for it."""
    _out.print(
        f"contracts of {entry['model']}: {entry['n_ended']:,} of {entry['n_trials']:,} trials have "
        f"ended, {entry['n_answered']:,} of {entry['n_contracts']:,} contracts are answered, "
        f"{entry['n_left']:,} are left",
        soft_wrap=True,
    )


def print_studies(documents: Sequence[Mapping[str, Any]]) -> None:
    """The studies as a table."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0)
    for name in ("study", "protocol", "subject", "prompts"):
        table.add_column(name, overflow="fold")
    for name in ("tasks", "kept", "drawn", "cost"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in documents:
        words = one["taxonomy"]
        own = "" if words["built_in"] else f" ({words['name']}, version {words['version']})"
        table.add_row(
            one["name"],
            f"{one['protocol']}{own}",
            *(one[key] for key in ("subject", "prompt_set")),
            f"{one['tasks']['n_tasks']:,}",
            f"{one['tasks']['kept']:,}",
            f"{one['drawn']:,}",
            f"${one['cost_usd']:.4f}",
        )
    _out.print(table)


def print_rows(
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
    format: str,
    *,
    n_names: int = 3,
    best: Callable[["DataFrame"], Mapping[str, "Best"]] | None = None,
    best_within: Sequence[str] = (),
) -> None:
    """The metric tables, as text for a terminal, CSV, or LaTeX.

    Args:
        header: column names.
        n_names: how many of the first say whose numbers a row holds; in text, rows of the same
            ones stand together under them.
        best: which value of each column is bold in LaTeX. best_within: columns in whose groups
            values are compared.
    """
    if format in ("csv", "latex"):
        import pandas as pd

        from core.exchange.table_text import csv_text

        frame = pd.DataFrame(rows, columns=list(header), dtype=object)
        if format == "csv":
            print(csv_text(frame), end="")
        else:
            print(_latex(frame, best(frame) if best else {}, best_within))
    else:
        for names, group in groupby(rows, key=lambda row: row[:n_names]):
            table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0)
            for position, name in enumerate(header[n_names:]):
                justify = "right" if position else "left"
                table.add_column(in_words(name), justify=justify, no_wrap=position == 0)
            for row in group:
                table.add_row(*(_shown(value) for value in row[n_names:]))
            # A subject that did a step itself is named once.
            said = [name for name, _ in groupby(names)]
            _out.print(" | ".join(filter(None, said)), style="bold", soft_wrap=True)
            _out.print(table)


def _latex(frame: "DataFrame", best: Mapping[str, "Best"], best_within: Sequence[str]) -> str:
    from core.exchange.shown_table import shown_table
    from core.exchange.table_text import NOT_DEFINED, best_words, latex_tabular, note_mark

    shown = shown_table(frame, digits=3, best=best, best_within=best_within)
    if len(shown.header) == len(frame.columns):
        # Columns keep the names that they have in the other formats; an interval is no column.
        shown = replace(shown, header=tuple(frame.columns))
    lines = [f"% {best_words(best, best_within)}"] if shown.has_best else []
    lines.append(latex_tabular(shown, gap=NOT_DEFINED))
    lines += [f"% {note_mark(at)}: {' '.join(note.split())}" for at, note in enumerate(shown.notes)]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    if value is None:
        return "not defined"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _rest(progress: RunProgress) -> str:
    bad = sum(n for outcome, n in progress.outcomes.items() if outcome != Outcome.OK)
    parts = [f"{progress.calls_per_s:.1f}/s"] if progress.calls_per_s else []
    parts += [f"{bad} not ok"] if bad else []
    return ", ".join([*parts, *([progress.waiting_for] if progress.waiting_for else [])])
