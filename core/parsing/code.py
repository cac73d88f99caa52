"""The program in a reply.

The written rule. What counts is what the reply says outside its thinking. The program is a fenced
block that is marked as Python or not marked at all; blocks marked as something else (a shell, an
output) are passed over. Of several it is the last one that defines a function or class, since
examples of use follow a program, and the last one where none does. A fence is a line of three or
more backticks or tildes and ends with a line of at least as many of the same, set in by at most
three spaces more; its first word marks it. A block's text is not altered, but for the spaces before
the opening fence, which are taken off every line. Where the last fence is never closed there is no
program. A reply without any fence is the program itself where all of it is Python, as a whole or
as the body of a function, and more than bare expressions, as prose can be. Anything else is
unparsable.
"""

import ast
import re
import textwrap

from core.parsing.endings import is_blank, note, shown_end
from core.parsing.foreign_python import syntax_tree
from core.parsing.thinking import spoken_parts
from core.records import Outcome, Reading

_FENCE = re.compile(r"^( *)(`{3,}|~{3,})[ \t]*([^\n`]*?)[ \t\r]*$", re.MULTILINE)
_PYTHON = frozenset({"", "python", "python3", "py", "py3"})
_MARK = re.compile(r"\{?\.?(\w*)")  # the word of `python`, `Python 3`, `{.python}`
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+def|def|class)[ \t]", re.MULTILINE)


def parse_code(
    text: str | None, *, finish_reason: str | None = "stop", refusal: str | None = None
) -> Reading:
    r"""The program that a reply holds.

    Args:
        text: the reply's text; None when there was none.
        finish_reason: why the model stopped, as the provider put it; None when unknown.
        refusal: the provider's refusal field.

    Returns:
        outcome ok with the program as `answer`; else refused, truncated, empty or unparsable, with
        a note that says why.

    Example:
        >>> parse_code("Here:\n```python\ndef one():\n    return 1\n```").answer
        'def one():\n    return 1\n'
        >>> print(parse_code("I would count them.").note)
        no fenced block, and the reply is not a program; the reply ends: 'I would count them.'
    """
    said = spoken_parts(text, finish_reason=finish_reason, refusal=refusal)
    if isinstance(said, Reading):
        return said
    whole = "\n".join(said)
    blocks, is_open = _blocks(whole)
    if is_open:
        return _none("the last fence is never closed", whole)
    if blocks:
        wanted = [content for mark, content in blocks if mark in _PYTHON]
        if not wanted:
            return _none("no fenced block is Python", whole)
        defining = [content for content in wanted if _DEFINITION.search(content)]
        program = (defining or wanted)[-1]
        if is_blank(program):
            return _none("the last fenced block is empty", whole)
        return Reading(Outcome.OK, answer=program, note=_kept(wanted, defining))
    program = whole.strip("\n")
    if _is_program(program):
        return Reading(Outcome.OK, answer=program + "\n")
    return _none("no fenced block, and the reply is not a program", whole)


def _blocks(text: str) -> tuple[list[tuple[str, str]], bool]:
    """Mark and content of each closed block, and whether one stays open."""
    found, opened, deepest = [], None, 0
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened, deepest = fence, len(fence[1]) + 3
        elif fence[2].startswith(opened[2]) and not fence[3] and len(fence[1]) <= deepest:
            content = text[opened.end() + 1 : fence.start()]
            mark = _MARK.match(opened[3].strip())[1].casefold()
            found.append((mark, _set_out(content, len(opened[1]))))
            opened = None
    return found, opened is not None


def _set_out(content: str, n_spaces: int) -> str:
    return re.sub(rf"^ {{1,{n_spaces}}}", "", content, flags=re.MULTILINE) if n_spaces else content


def _is_program(text: str) -> bool:
    for source in (text, f"def body():\n{textwrap.indent(textwrap.dedent(text), '    ')}"):
        try:
            nodes = syntax_tree(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if source is not text:
            nodes = nodes[0].body
        if any(not isinstance(node, ast.Expr) for node in nodes):
            return True
    return False


def _kept(wanted: list[str], defining: list[str]) -> str:
    if len(wanted) == 1:
        return ""
    which = "the last that defines something" if defining else "the last"
    return note(f"{which} of {len(wanted)} blocks of Python")


def _none(why: str, whole: str) -> Reading:
    return Reading(Outcome.UNPARSABLE, note=note(f"{why}; the reply ends: {shown_end(whole)}"))
