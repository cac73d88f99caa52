"""Looking into Python source without running it."""

import ast

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parsed(source: str) -> ast.Module | None:
    """What a text is as Python; None when it is none."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def opened(start: str) -> str:
    """The beginning of a program as a whole one: a signature without a body gets an empty one."""
    return start if parsed(start) is not None else f"{start.rstrip()}\n    pass\n"


def definition(source: str, name: str) -> ast.stmt | None:
    """The last definition of a name on the top level; None when there is none, or no Python."""
    module = parsed(source)
    nodes = module.body if module else []
    found = [node for node in nodes if isinstance(node, DEFINITIONS) and node.name == name]
    return found[-1] if found else None
