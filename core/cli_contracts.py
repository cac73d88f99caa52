"""The command that says which contracts a model is offered."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli_output import print_document, say
from core.cli_session import JsonFlag, StudyName, open_store


def contracts(
    study: StudyName,
    number: Annotated[
        int | None, typer.Option(help="Contracts in each trial, of all patterns; by default 9.")
    ] = None,
    sequences: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Published trials, in place of drawn ones.")
    ] = None,
    tasks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Which tasks these trials name.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="By default the study's.")] = None,
    model: Annotated[str | None, typer.Option(help="Another model than the subject.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw the contracts that the subject is offered, from the tasks it solved and failed."""
    from dataclasses import asdict

    from core.workflows.contract_draw import draw_contracts
    from core.workflows.studies import study_named

    with open_store() as store:
        found = draw_contracts(
            store,
            study_named(store, study),
            model=model,
            n_contracts=number,
            sequences=sequences,
            tasks=tasks,
            seed=seed,
        )
    told = f"{found.n_trials:,} trials of {found.n_contracts} contracts"
    replaced = f", {found.n_replaced:,} of them with another task" if sequences else ""
    say(f"{told}{replaced}; {found.n_added:,} contracts are new.")
    if as_json:
        print_document(asdict(found))
