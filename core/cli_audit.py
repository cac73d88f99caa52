"""The command about audits: draw a sample of a judge's verdicts for people to vote on."""

from enum import StrEnum
from typing import Annotated

import typer

from core.cli_output import print_document, say
from core.cli_session import JsonFlag, StudyName, open_store


class Method(StrEnum):
    """The ways of drawing; the last is the check of 100 answers of three models."""

    RANDOM = "random"
    STRATIFIED = "stratified"
    DISAGREEMENT = "disagreement"
    THREE_MODELS = "three-models"


def audit(
    study: StudyName,
    step: Annotated[str, typer.Option(help="The step whose verdicts are drawn.")] = "judge",
    n: Annotated[int, typer.Option("--n", help="How many verdicts.")] = 100,
    method: Annotated[Method, typer.Option(help="How they are drawn.")] = Method.RANDOM,
    seed: Annotated[int, typer.Option(help="Fixes which verdicts are drawn.")] = 0,
    judge: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="The judge, where there are several; else the study's."),
    ] = None,
    judge_version: Annotated[int | None, typer.Option(help="Of the judge's prompt.")] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(help="What strata are made by: verdict, type, group or subject; repeatable."),
    ] = None,
    allocation: Annotated[str, typer.Option(help="equal or proportional.")] = "equal",
    name: Annotated[str | None, typer.Option(help="What to call the sample.")] = None,
    person: Annotated[str, typer.Option("--as", help="Who draws it.")] = "command line",
    as_json: JsonFlag = False,
) -> None:
    """Draw a sample of a judge's verdicts; people vote on it on the Audit screen."""
    from core.workflows.audit_samples import draw_audit, hundred_of_three
    from core.workflows.audits import auditable_judges, find_audit, find_judge
    from core.workflows.people import person_named
    from core.workflows.studies import study_named

    with open_store() as store:
        found = study_named(store, study)
        of = find_judge(store, found, step, judge=judge, version=judge_version)
        others = [
            one.title
            for one in auditable_judges(store, found)
            if one.step == step and one.n_valid and one != of
        ]
        if others and judge is None and judge_version is None:
            say(f"{found.name} goes by {of.title}; --judge takes another: {'; '.join(others)}.")
        who = person_named(store, person)
        if method is Method.THREE_MODELS:
            drawn = hundred_of_three(store, found, of, seed=seed, person=who)
        else:
            drawn = draw_audit(
                store,
                found,
                step,
                judge=of.judge,
                prompt_hash=of.prompt_hash,
                method=method.value,
                n=n,
                seed=seed,
                person=who,
                name=name,
                by=by or ("verdict",),
                allocation=allocation,
            )
        settings = find_audit(store, found, drawn.audit_id).settings
    again = "" if drawn.is_new else ", the same as before"
    say(f"{drawn.name}: {drawn.n_items:,} verdicts of {of.title} are drawn{again}.")
    for stratum, counts in settings.get("strata", {}).items():
        say(f"  {stratum}: {counts['drawn']:,} of {counts['size']:,}")
    if not settings["representative"]:
        say("  It does not speak for all verdicts of the judge.")
    if as_json:
        about = {"audit": drawn.audit_id, "name": drawn.name, "verdicts": drawn.n_items}
        print_document(about | {"new": drawn.is_new, "judge": of.title, "settings": settings})
