"""The command that runs agents, which state their chance of success at every step."""

from pathlib import Path
from typing import Annotated

import typer

from core.agents.needed import BUDGET, LOCAL, LOCAL_WARNING
from core.cli_output import print_document, say
from core.cli_runs import ApiBase, Model
from core.cli_session import JsonFlag, StudyName, open_store
from core.exchange.wording import counted


def agents(
    study: StudyName,
    sandbox: Annotated[
        str,
        typer.Option(metavar="NAME", help="Where agents work: docker, or local, which is no wall."),
    ],
    model: Model = None,
    task: Annotated[
        str | None,
        typer.Option(metavar="TASK", help="A task of Inspect; else the small tasks of our own."),
    ] = None,
    calls: Annotated[
        int | None,
        typer.Option(
            min=1, help=f"Tool calls an agent may make (default: {BUDGET}; few for the demo model)."
        ),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="How often each task is worked on (default: 1).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many tasks.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="The most tasks at once.")] = 4,
    api_base: ApiBase = None,
    logs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="For the logs (default: beside the store).")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="LOG", help="Go on with what this log has not finished."),
    ] = None,
    scorer: Annotated[
        str | None, typer.Option(help="Of a task with several scores, the deciding one.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Have agents work on tasks, stating their chance at every step; Inspect AI runs them.

    Their log is kept and imported into the study.
    """
    from core.workflows.agent_import import check_takes_agents, import_agent_logs
    from core.workflows.agent_runs import agent_logs_dir, resume_agents_of, run_agents_of
    from core.workflows.studies import study_named

    own = {"model": model, "task": task, "calls": calls, "epochs": epochs, "limit": limit}
    own["api-base"] = api_base
    given = [f"--{name}" for name, value in own.items() if value is not None]
    if resume is not None and given:
        raise typer.BadParameter(
            f"a log is gone on with as it was begun; leave out {', '.join(given)}",
            param_hint="'--resume'",
        )
    with open_store() as store:
        found = study_named(store, study)
        check_takes_agents(found)
    if sandbox == LOCAL:
        say(LOCAL_WARNING)
    how = {"sandbox": sandbox, "logs": logs or agent_logs_dir(), "concurrency": concurrency}
    how["tell"] = say
    if resume is not None:
        log = resume_agents_of(resume, **how)
    else:
        log = run_agents_of(
            model or found.subject,
            task=task,
            budget=calls or BUDGET,
            epochs=epochs or 1,
            limit=limit,
            api_base=api_base,
            **how,
        )
    say(f"The log is {log}.")
    # Not before: the store is the app's meanwhile.
    with open_store() as store:
        [result] = import_agent_logs(store, [log], study_name=study, scorer=scorer)
    n_runs = counted(result.n_rows, "run", "runs")
    say(f"{n_runs}, {result.n_added:,} added to {result.study}")
    for finding in result.findings:
        say(f"  {finding}")
    if as_json:
        document = {"study": result.study, "log": str(log), "runs": result.n_rows}
        print_document(document | {"added": result.n_added, "findings": list(result.findings)})
