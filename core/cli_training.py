"""The commands that make training data: rewrite and verify in turns, and write the files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli_output import print_document, say, tell_end, watch_run
from core.cli_runs import ApiBase, Budget, Concurrency
from core.cli_session import JsonFlag, StudyName, open_bench, open_store
from core.runs.progress import Progress
from core.runs.run import Run

Share = Annotated[
    float | None, typer.Option(help="Share of the problems, from 0 to 1; by default as before.")
]


def synthesize(
    study: StudyName,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of rewriting and verifying.")] = 5,
    judge: Annotated[str | None, typer.Option(help="The model that verifies.")] = None,
    insufficient: Share = None,
    difficult: Share = None,
    concurrency: Concurrency = 8,
    budget: Budget = None,
    api_base: ApiBase = None,
    as_json: JsonFlag = False,
) -> None:
    """Rewrite problems for training and have the rewrites verified, or go on with it."""
    from core.workflows.rewrite_plans import Shares, shares_used
    from core.workflows.studies import study_named
    from core.workflows.synthesis import synthesis_document
    from core.workflows.synthesis import synthesize as run_synthesis

    def watch(title: str, run: Run) -> Progress:
        progress = watch_run(title, run)
        tell_end(f"{title} of {study}", progress)
        return progress

    with open_bench() as bench:
        found = study_named(bench.store, study)
        shares = None
        if insufficient is not None or difficult is not None:
            used = shares_used(bench.store, found)
            shares = Shares(
                used.insufficient if insufficient is None else insufficient,
                used.difficult if difficult is None else difficult,
            )
        is_settled = run_synthesis(
            bench,
            found,
            watch=watch,
            rounds=rounds,
            judge=judge,
            shares=shares,
            concurrency=concurrency,
            budget_usd=budget,
            api_base=api_base,
        )
        document = synthesis_document(bench.store, found)
    if as_json:
        print_document(document)
    else:
        for line in synthesis_lines(document):
            print(line)
    if not is_settled:
        say("Not every problem is settled; the same command goes on.")


def training_set(
    study: StudyName,
    to: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")],
    validation: Annotated[
        float, typer.Option(metavar="N|SHARE", help="Problems set apart: a number or a share.")
    ] = 500,
    seed: Annotated[int, typer.Option(help="Fixes which problems are set apart.")] = 0,
) -> None:
    """Write a study's problems as Parquet files that trainers read, with their reward."""
    from core.workflows.studies import study_named
    from core.workflows.training_set import export_training_set

    with open_store() as store:
        found = study_named(store, study)
        written = export_training_set(store, found, to, validation=validation, seed=seed)
    for split, parts in written.counts.items():
        say(f"{split}: {sum(parts.values()):,} problems = {_sum_of(parts)}")
    if written.n_unsettled:
        say(f"{written.n_unsettled:,} problems are left out, for they are not settled yet")


def synthesis_lines(document: dict[str, Any]) -> list[str]:
    """The closed sums of a synthesis, a line each.

    Example:
        >>> part = {"n": 3, "accepted": 2, "dropped": 1, "dropped_why": {"unchanged": 1}}
        >>> document = {"problems": {"n": 3, "difficult": part}, "attempts": {}, "not_usable": 0}
        >>> print(*synthesis_lines(document), sep="\\n")
        difficult: 3 problems = 2 accepted + 1 dropped (1 unchanged)
    """
    lines = []
    for part, counts in document["problems"].items():
        if part == "n":
            continue
        why = _sum_of(counts["dropped_why"])
        sums = _sum_of({k: n for k, n in counts.items() if k not in ("n", "dropped_why")})
        lines.append(f"{part}: {counts['n']:,} problems = {sums}" + (f" ({why})" if why else ""))
    for part, counts in document["attempts"].items():
        sums = _sum_of({key: n for key, n in counts.items() if key != "n"})
        lines.append(f"{part}: {counts['n']:,} attempts = {sums or 0}")
    if document["not_usable"]:
        lines.append(f"not used: {document['not_usable']:,} without a reference answer")
    return lines


def _sum_of(counts: dict[str, int]) -> str:
    return " + ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in counts.items() if n)
