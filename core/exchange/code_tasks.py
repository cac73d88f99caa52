"""Code tasks in the layouts of HumanEval and BigCodeBench, also packed with gzip.

A row with `complete_prompt` is BigCodeBench's: its checks are unittest's test cases and share the
solution's process. Any other is HumanEval's: its checks are a function `check(candidate)`. Only an
empty cell is empty.
"""

import ast
import gzip
import textwrap
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.exchange.json_rows import read_json_array, read_json_lines
from core.exchange.named_cells import RowFault, is_blank, read_each, task_text
from core.exchange.row_file import BadRow, RowFile, Value, raise_for_bad_rows
from core.exchange.rows import read_rows
from core.exchange.text_files import decoded
from core.exchange.wording import shown
from core.records import CheckedProgram

LARGEST_BYTES = 512 << 20
"""Of an unpacked file; the published ones have 0.2 and 6 million."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
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
        if source is not None and _function(_opened(source), name) is None:
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


def program_for(task: CodeTask, answer: str) -> CheckedProgram:
    """The program that an answer makes, with the checks that decide whether it is right.

    The written rule. An answer that gives the function its name on the top level, by a definition,
    an assignment or an import, and returns nothing there, is whole; an answer all of whose lines
    are set in may be so when they are set out. It follows what the task has before the function,
    its imports and helpers, which in turn follow the answer's imports from `__future__`. Any other
    answer is a completion and follows the task's start, as it is. Where its first line is not set
    in, as when a reply lost its first spaces, all its lines are set in by four, or only the first,
    whichever is Python first. Nothing else is changed.

    Example:
        >>> task = CodeTask(1, "t/1", "def f(x):\\n", None, "def f(x):\\n", "f", "", None, (), True)
        >>> program_for(task, "return x").solution
        'def f(x):\\n    return x\\n'
    """
    forms = (answer, textwrap.dedent(answer))
    whole = next((form for form in forms if _is_whole(form, task.entry_point)), None)
    if whole is not None:
        lines, at = whole.split("\n"), _end_of_future_imports(whole)
        before = _before(task.start, task.entry_point)
        solution = "\n".join([*lines[:at], before, *lines[at:]])
    else:
        start = task.start if task.start.endswith("\n") else task.start + "\n"
        solution = start + answer
        if not answer.lstrip("\n").startswith((" ", "\t")):
            forms = (start + textwrap.indent(answer, "    "), f"{start}    {answer.lstrip()}")
            solution = next((form for form in forms if _parsed(form) is not None), solution)
    return CheckedProgram(
        solution=solution if solution.endswith("\n") else solution + "\n",
        checks=task.checks,
        entry_point=task.entry_point,
        support=_opened(task.prompt),
        apart=task.apart,
        needs=needed_modules(task),
    )


def needed_modules(task: CodeTask) -> tuple[str, ...]:
    """The modules that a task itself imports: those its file lists, and those of its checks and
    its prompt, but for what they try to import only.

    Example:
        >>> checks = "import unittest\\ntry:\\n    import rich\\nexcept ImportError:\\n    pass\\n"
        >>> needed_modules(CodeTask(1, "t", "", None, "", "f", checks, None, ("numpy",), False))
        ('numpy', 'unittest')
    """
    names = dict.fromkeys(task.libraries)
    for source in (task.prompt, task.checks):
        look: list[ast.AST] = [module] if (module := _parsed(_opened(source))) else []
        while look:
            node = look.pop()
            if isinstance(node, ast.Import):
                names |= dict.fromkeys(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names[node.module.partition(".")[0]] = None
            elif not isinstance(node, ast.Try):
                look.extend(ast.iter_child_nodes(node))
    return tuple(names)


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


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _opened(start: str) -> str:
    """The beginning of a program as a whole one: a signature without a body gets an empty one."""
    return start if _parsed(start) is not None else f"{start.rstrip()}\n    pass\n"


def _function(source: str, name: str) -> ast.stmt | None:
    """The last definition of a name on the top level; None when there is none, or no Python."""
    module = _parsed(source)
    nodes = module.body if module else []
    found = [node for node in nodes if isinstance(node, _DEFINITIONS) and node.name == name]
    return found[-1] if found else None


def _is_whole(source: str, name: str) -> bool:
    """Whether a program names something on its top level, and returns nothing there."""
    look: list[ast.AST] = [module] if (module := _parsed(source)) else []
    found = False
    while look:
        node = look.pop()
        if isinstance(node, ast.Return):
            return False
        if isinstance(node, _DEFINITIONS):
            found |= node.name == name
        else:
            found |= isinstance(node, ast.Name) and (node.id, type(node.ctx)) == (name, ast.Store)
            found |= isinstance(node, ast.alias) and (node.asname or node.name) == name
            look.extend(ast.iter_child_nodes(node))
    return found


def _end_of_future_imports(source: str) -> int:
    """How many lines must stay the first ones, since Python takes such imports nowhere else."""
    nodes = _parsed(source).body
    future = [node for node in nodes if getattr(node, "module", None) == "__future__"]
    return future[-1].end_lineno if future else 0


def _before(start: str, name: str) -> str:
    node = _function(_opened(start), name)
    decorators = getattr(node, "decorator_list", [])
    first = min([one.lineno for one in decorators] + [node.lineno if node else 1])
    return "\n".join(start.split("\n")[: first - 1])


def _defines_checks(checks: str, is_unittest: bool) -> bool:
    if not is_unittest:
        return isinstance(_function(checks, "check"), ast.FunctionDef)
    module = _parsed(checks)
    return module is not None and any(isinstance(node, ast.ClassDef) for node in module.body)
