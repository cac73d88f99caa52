"""Foreign text made fit for the screen without changing what it says.

Whatever a model, a file or a person wrote is data. Two kinds of place show it:

* a block of its own: `exact_html` (used by `widgets.show_text`);
* inside something that reads Markdown: `plain`.

Characters that have no shape of their own and could hide something (controls, lone halves of a
surrogate pair) are shown as a visible stand-in by both (`core.exchange.visible_text`).
"""

import html
import re

from core.exchange.visible_text import visible

_LINE_BREAK = re.compile(r"\r\n|[\r\n\v\f\x85\u2028\u2029]")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#+\-!|~$:&@^])")
_NUMBERED = re.compile(r"^(\s*\d+)([.)])")
_COLLAPSING_SPACE = re.compile(r"^[ \t]|[ \t](?=[ \t])|[ \t]$|\t")
# What Streamlit rewrites after it has parsed the Markdown, when escaping is already undone:
# arrows and signs that stand alone, web and mail addresses, two kinds of icon. Each alternative
# is the one character to set apart; what it is set apart from then stands alone as well, hence
# @ and : beside the white space.
_REWRITTEN = re.compile(
    r"""(?:(?<=[\s@.])|^)[<>~-](?=(?:(?<=-)>|(?<=<)-|(?<=-)-|(?<=[<>~])=)(?:[\s@:]|$))
      | (?:(?<=[\s@.]<)|(?<=^<))-(?=>(?:[\s@:]|$))
      | (?:(?<=http)|(?<=https)):(?=//)
      | (?<=www)\.
      | @
      | :(?=material[_/]|streamlit:)""",
    re.VERBOSE | re.IGNORECASE,
)


def exact_html(text: str) -> str:
    r"""HTML that shows the text letter for letter in a block that keeps white space.

    Line breaks are written as references, so that nothing between here and the screen can trim
    or re-indent the text. It is safe inside an element, not inside an attribute's bare value.

    Example:
        >>> exact_html('if a<b:\r\n\tprint("$x$")')
        'if a&lt;b:&#10;&#9;print(&quot;$x$&quot;)'
    """
    lines = _LINE_BREAK.sub("\n", text)
    escaped = html.escape(visible(lines), quote=True)
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;")


def plain(text: str) -> str:
    r"""Markdown that shows the text as it is, on one line, wherever Streamlit reads Markdown.

    Needed for: labels of every widget, options of radio, pills and segmented_control, tab and
    expander names, headings, captions, error, warning, info and success, labels and values of
    metric, toasts, progress text and every `help=`.

    Must **not** be used for what is shown untouched anyway: options of selectbox and multiselect,
    cells of st.dataframe, typed text, placeholders, `st.text`, `st.code`, page titles and names
    of downloads.

    Line breaks become ↵; a run of spaces keeps its width.

    Example:
        >>> print(plain("Costs $5, keep __init__ and :red[x]"))
        Costs \$5, keep \_\_init\_\_ and \:red\[x\]
    """
    line = _LINE_BREAK.sub(" ↵ ", text)
    line = visible(line)
    pieces, start = [], 0
    for match in _REWRITTEN.finditer(line):
        pieces += [_set_apart(_escape(line[start : match.start()])), f":color[\\{match.group()}]"]
        start = match.end()
    pieces.append(_escape(line[start:]))
    line = _NUMBERED.sub(r"\1\\\2", "".join(pieces))
    return _COLLAPSING_SPACE.sub("\N{NO-BREAK SPACE}", line)


def _set_apart(escaped: str) -> str:
    """The text with its last letter written as a reference.

    With the colon of the directive that follows, it could spell the name of an emoji.
    """
    last = escaped[-1:]
    return f"{escaped[:-1]}&#{ord(last)};" if last.isascii() and last.isalnum() else escaped


def _escape(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
