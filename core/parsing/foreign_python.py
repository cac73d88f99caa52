"""Python source that others wrote, parsed in silence.

What the parser warns of (`1if x`, `"\\d"`) is for who wrote it, and would be printed between a
command's own lines. It is filtered by the name that the source is compiled under, once for the
process: setting filters aside and back for each text is not safe where threads do so at once.
"""

import ast
import re
import warnings
from typing import Literal

_FILE = "<source of others>"
warnings.filterwarnings("ignore", module=re.escape(_FILE))


def syntax_tree(source: str, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """What `ast.parse` makes of a text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it is no Python that can be parsed.

    Example:
        >>> ast.unparse(syntax_tree("1  is 1", "eval"))
        '1 is 1'
    """
    return compile(source, _FILE, mode, ast.PyCF_ONLY_AST, dont_inherit=True)
