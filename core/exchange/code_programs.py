"""The program that an answer to a code task makes."""

import ast
import textwrap

from core.exchange.code_tasks import CodeTask
from core.exchange.python_source import DEFINITIONS, definition, opened, parsed
from core.records import CheckedProgram


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
            solution = next((form for form in forms if parsed(form) is not None), solution)
    return CheckedProgram(
        solution=solution if solution.endswith("\n") else solution + "\n",
        checks=task.checks,
        entry_point=task.entry_point,
        support=opened(task.prompt),
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
        look: list[ast.AST] = [module] if (module := parsed(opened(source))) else []
        while look:
            node = look.pop()
            if isinstance(node, ast.Import):
                names |= dict.fromkeys(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names[node.module.partition(".")[0]] = None
            elif not isinstance(node, ast.Try):
                look.extend(ast.iter_child_nodes(node))
    return tuple(names)


def _is_whole(source: str, name: str) -> bool:
    """Whether a program names something on its top level, and returns nothing there."""
    look: list[ast.AST] = [module] if (module := parsed(source)) else []
    found = False
    while look:
        node = look.pop()
        if isinstance(node, ast.Return):
            return False
        if isinstance(node, DEFINITIONS):
            found |= node.name == name
        else:
            found |= isinstance(node, ast.Name) and (node.id, type(node.ctx)) == (name, ast.Store)
            found |= isinstance(node, ast.alias) and (node.asname or node.name) == name
            look.extend(ast.iter_child_nodes(node))
    return found


def _end_of_future_imports(source: str) -> int:
    """How many lines must stay the first ones, since Python takes such imports nowhere else."""
    nodes = parsed(source).body
    future = [node for node in nodes if getattr(node, "module", None) == "__future__"]
    return future[-1].end_lineno if future else 0


def _before(start: str, name: str) -> str:
    node = definition(opened(start), name)
    decorators = getattr(node, "decorator_list", [])
    first = min([one.lineno for one in decorators] + [node.lineno if node else 1])
    return "\n".join(start.split("\n")[: first - 1])
