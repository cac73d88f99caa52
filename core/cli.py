"""The command line: data on standard output, all else on standard error.

Exit 0 is success, 1 a problem said in one sentence with a hint, 2 a wrong way to call it. Each
command opens the store, calls one workflow and prints what it gave. Here are those about the app,
the studies and the store itself; the others stand in the modules beside this one.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from core.cli_agents import agents
from core.cli_audit import audit
from core.cli_contracts import contracts
from core.cli_files import export, import_files, parse
from core.cli_judges import judge_card
from core.cli_output import print_document, print_studies, problem, say
from core.cli_results import compare, profile, report, tables
from core.cli_runs import demo, status, step_command
from core.cli_session import JsonFlag, open_store, taxonomy_in
from core.cli_tasks import draw, review
from core.cli_training import synthesize, training_set
from core.errors import SelfboundError
from core.protocols import PROTOCOLS
from core.settings import PROJECT_ROOT, store_path

app = typer.Typer(
    help="Selfbound measures whether a language model knows its own limits.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def studies(as_json: JsonFlag = False) -> None:
    """List the studies."""
    from core.workflows.study_overviews import list_studies, overview_document

    with open_store() as store:
        documents = [overview_document(one) for one in list_studies(store)]
    if as_json:
        print_document(documents)
    elif documents:
        print_studies(documents)
    else:
        say("There are no studies yet. Make one with: selfbound new, or selfbound demo")


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

    words = taxonomy_in(taxonomy)
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


def backup(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file to write.")],
) -> None:
    """Copy the store to one file."""
    from core.store.copies import backup as backup_store

    with open_store() as store:
        backup_store(store, path)
    say(f"The store is copied to {path}.")


def restore(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file made by backup.")],
) -> None:
    """Put a backup in the store's place; the replaced store is kept beside it."""
    from core.store.copies import restore as restore_store

    kept = restore_store(path, store_path())
    say(f"{path} is in place." + (f" The store before it is kept as {kept}." if kept else ""))


# In the order in which --help lists them.
app.command("app")(run_app)
app.command()(studies)
app.command()(new)
app.command("import")(import_files)
app.command()(review)
app.command()(draw)
app.command()(contracts)
app.command()(agents)
app.command()(audit)
app.command()(tables)
app.command()(profile)
app.command()(report)
app.command()(compare)
app.command("judge-card")(judge_card)
app.command()(parse)
app.command()(export)
app.command()(synthesize)
app.command()(training_set)
app.command()(verify)
app.command()(backup)
app.command()(restore)
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
