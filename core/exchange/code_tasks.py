"""Code tasks in the layouts of HumanEval and BigCodeBench, also packed with gzip.

A row with `complete_prompt` is BigCodeBench's: its checks are unittest's test cases and share the
solution's process. Any other is HumanEval's: its checks are a function `check(candidate)`. Only an
empty cell is empty.
"""

import ast
import gzip
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.exchange.json_rows import read_json_array, read_json_lines
from core.exchange.named_cells import RowFault, is_blank, read_each, task_text
from core.exchange.python_source import definition, opened, parsed
from core.exchange.row_file import BadRow, RowFile, Value, raise_for_bad_rows
from core.exchange.rows import read_rows
from core.exchange.text_files import decoded
from core.exchange.wording import shown

LARGEST_BYTES = 512 << 20
"""Of an unpacked file; the published ones have 0.2 and 6 million."""

_GZIP = b"\x1f\x8b"
_LIST_WANTED = 'a list of names as they are imported, such as ["pandas", "sklearn"]'


@dataclass(frozen=True)
class CodeTask:
    """A function to write, and the checks that decide whether it is right.

    Args:
        line: the row number (see `row_file`).
        task_id: its name in the file, such as HumanEval/0.
        prompt: the beginning of the program, to be completed: imports, signature, docstring.
        instruct_prompt: the same in words, where the file has it.
        start: what a completion follows: the prompt, or BigCodeBench's code without docstring.
        entry_point: the function's name.
        checks: source of the checks.
        canonical_solution: kept to check the checks; never shown to a subject. None when missing.
        libraries: modules that the program needs, by the names they are imported by.
        apart: whether the checks hand over plain data only (see `CheckedProgram`).
    """

    line: int
    task_id: str
    prompt: str
    instruct_prompt: str | None
    start: str
    entry_point: str
    checks: str
    canonical_solution: str | None
    libraries: tuple[str, ...]
    apart: bool


@dataclass(frozen=True)
class CodeTaskFile:
    """A file of code tasks: the good rows, the bad ones, and what was odd, in sentences."""

    name: str
    format: str
    rows: tuple[CodeTask, ...]
    bad_rows: tuple[BadRow, ...]
    findings: tuple[str, ...]


def read_code_tasks(path: Path | str) -> CodeTaskFile:
    """The code tasks of a file, good and bad rows apart.

    Args:
        path: JSON Lines or a JSON array, also packed with gzip; or Parquet. A task id that was
            met before is a bad row.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file cannot be read, or has no good row.
    """
    path = Path(path)
    file = _unpacked(path) if _is_packed(path) else read_rows(path)
    seen: dict[str, int] = {}
    good, bad = read_each(file, lambda line, cells: _once(code_task(line, cells), seen))
    tasks = CodeTaskFile(file.name, file.format, good, bad, file.findings)
    if not good:
        raise_for_bad_rows(tasks)
    return tasks


def code_task(line: int, cells: Mapping[str, Value]) -> CodeTask:
    """The task that a row's cells say; raises `RowFault` where they cannot be used."""
    is_unittest = not is_blank(cells.get("complete_prompt"))
    column = "complete_prompt" if is_unittest else "prompt"
    prompt, code_prompt = _text(cells, column), _optional(cells, "code_prompt")
    name, checks = _text(cells, "entry_point"), _text(cells, "test")
    for what, source in ((column, prompt), ("code_prompt", code_prompt)):
        if source is not None and definition(opened(source), name) is None:
            raise RowFault(f"has a {what} that does not begin the function {shown(name)}")
    if not _defines_checks(checks, is_unittest):
        wanted = "a class with test cases" if is_unittest else "a function check(candidate)"
        raise RowFault("has a test without checks", wanted)
    return CodeTask(
        line=line,
        task_id=_text(cells, "task_id").strip(),
        prompt=prompt,
        instruct_prompt=_optional(cells, "instruct_prompt"),
        start=code_prompt or prompt,
        entry_point=name,
        checks=checks,
        canonical_solution=_optional(cells, "canonical_solution"),
        libraries=_libraries(cells.get("libs")),
        apart=not is_unittest,
    )


def _is_packed(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(2) == _GZIP


def _unpacked(path: Path) -> RowFile:
    name = path.name.removesuffix(".gz")
    try:
        with gzip.open(path) as packed:
            data = packed.read(LARGEST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(
            f"{path.name} is a damaged gzip archive", hint="get the file again"
        ) from None
    if len(data) > LARGEST_BYTES:
        raise InputError(f"{path.name} unpacks to more than {LARGEST_BYTES >> 20} MiB")
    text = decoded(data, name)
    read = read_json_array if text.lstrip().startswith("[") else read_json_lines
    file = read(text, name)
    if not file.rows and not file.bad_rows:
        raise InputError(f"{path.name} holds no rows", hint="check that it is the file you meant")
    return file


def _once(task: CodeTask, seen: dict[str, int]) -> CodeTask:
    before = seen.setdefault(task.task_id, task.line)
    if before != task.line:
        raise RowFault(f"has the task id {shown(task.task_id)} of row {before} again")
    return task


def _text(cells: Mapping[str, Value], column: str) -> str:
    return task_text(cells.get(column), column)


def _optional(cells: Mapping[str, Value], column: str) -> str | None:
    return None if is_blank(cells.get(column)) else _text(cells, column)


def _libraries(cell: Value) -> tuple[str, ...]:
    if is_blank(cell):
        return ()
    try:
        # The published file holds the list as Python writes it, inside a text.
        names = ast.literal_eval(cell) if isinstance(cell, str) else cell
    except (ValueError, SyntaxError):
        names = None
    if not isinstance(names, list) or not all(map(_is_module, names)):
        raise RowFault(f"has {shown(cell)} for libs", _LIST_WANTED)
    return tuple(names)


def _is_module(name: Value) -> bool:
    return isinstance(name, str) and all(part.isidentifier() for part in name.split("."))


def _defines_checks(checks: str, is_unittest: bool) -> bool:
    if not is_unittest:
        return isinstance(definition(checks, "check"), ast.FunctionDef)
    module = parsed(checks)
    return module is not None and any(isinstance(node, ast.ClassDef) for node in module.body)
