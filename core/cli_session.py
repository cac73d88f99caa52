"""What the commands share: how they open a store or a taxonomy, and options several have."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli_output import say
from core.settings import store_path
from core.taxonomy import LINE_OF_DUTY, Taxonomy


class TableFormat(StrEnum):
    """How tables are printed."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"


JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
StudyName = Annotated[str, typer.Argument(metavar="STUDY", help="The study's name.")]


@contextmanager
def open_store() -> Iterator[Any]:
    """The store for one command; what opening it found is told."""
    from core.store.store import Store

    with Store.open(store_path()) as store:
        for notice in store.notices:
            say(notice)
        yield store


@contextmanager
def open_bench() -> Iterator[Any]:
    """The workbench for one command; what opening its store found is told."""
    from core.workflows.workbench import open_workbench

    with open_workbench() as bench:
        for notice in bench.store.notices:
            say(notice)
        yield bench


def taxonomy_in(path: Path | None) -> Taxonomy:
    """The taxonomy in a file, or the built-in one."""
    if path is None:
        return LINE_OF_DUTY
    from core.exchange.taxonomy_file import read_taxonomy

    return read_taxonomy(path)
