"""A frame of results as text: CSV for programs, Markdown for pages, LaTeX for papers.

CSV holds the values as they are, in every digit; Markdown and LaTeX show the table as people read
it (see `shown_table`). Text in a cell is written so that nothing in it takes effect.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.exchange.latex_text import latex_escaped, needs_unicode
from core.exchange.shown_table import Best, Cell, Kind, ShownTable, note_mark, shown_table
from core.exchange.spreadsheet_guard import guarded
from core.exchange.visible_text import visible, visible_in_ascii
from core.metric_names import in_words

if TYPE_CHECKING:
    from pandas import DataFrame

NOT_DEFINED = "not defined"
GAP_NOTE = "there is no task that the value could be a share of"
"""What is said below a table of gaps that nothing else explains."""

_BEST_WORDS = {"max": "the highest {}", "min": "the lowest {}", "zero": "the {} nearest to zero"}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~!&$:@^])")
_NEGATIVE = re.compile(r"−(\d+(?:[.,]\d+)*)")
_WEB = re.compile(r"\b(www)\.", re.IGNORECASE)
_LINE_BREAK = re.compile(r"\r\n|[\r\n\v\f\x85\u2028\u2029]")


def csv_text(table: "DataFrame") -> str:
    r"""The table as CSV: every digit, empty where nothing is, and nothing a spreadsheet would run.

    Example:
        >>> import pandas as pd
        >>> csv_text(pd.DataFrame({"study": ["=1+1"], "value": [0.125]}))
        "study,value\r\n'=1+1,0.125\r\n"
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([guarded(str(name)) for name in table.columns])
    columns = [table[name].astype(object).where(table[name].notna(), None) for name in table]
    writer.writerows([_csv_cell(value) for value in row] for row in zip(*columns, strict=True))
    # Half of a surrogate pair has no UTF-8 of its own: it becomes its escape, as in every export.
    return out.getvalue().encode("utf-8", "backslashreplace").decode()


def markdown_table(
    table: "DataFrame",
    *,
    digits: int = 2,
    best: Mapping[str, Best] | None = None,
    best_within: Sequence[str] = (),
    gap_note: str = GAP_NOTE,
) -> str:
    """The table as GitHub's Markdown, the best values bold, with notes below it.

    Args:
        digits, best, best_within: see `shown_table`.
        gap_note: what is said of gaps that nothing else explains; empty for nothing.
    """
    shown = shown_table(table, digits=digits, best=best, best_within=best_within)
    rule = ["---:" if is_number else ":---" for is_number in shown.is_number]
    lines = [[_markdown(name) for name in shown.header], rule]
    lines += [[_markdown_cell(cell) for cell in row] for row in shown.rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    notes = [
        f"<sup>{note_mark(number)}</sup> {_markdown(note)}"
        for number, note in enumerate(shown.notes)
    ]
    if gap_note and shown.has_unexplained_gap:
        notes.append(f"{NOT_DEFINED}: {_markdown(gap_note)}")
    return "\n\n".join([text, "  \n".join(notes)] if notes else [text]) + "\n"


def latex_table(
    table: "DataFrame",
    *,
    caption: str,
    label: str,
    digits: int = 2,
    best: Mapping[str, Best] | None = None,
    best_within: Sequence[str] = (),
    gap_note: str = GAP_NOTE,
    sources: Sequence[str] = (),
) -> str:
    """The table as a floating LaTeX table with booktabs rules, the best values bold.

    A missing value is `--`, and notes below the table say why. Text is left in its own script; a
    comment says what the characters beyond ASCII need.

    Args:
        caption: plain text. label: what `\\ref` calls it; `tab:` is put before it.
        digits, best, best_within: see `shown_table`.
        gap_note: what is said of gaps that nothing else explains; empty for nothing.
        sources: where the numbers come from, one comment each.
    """
    shown = shown_table(table, digits=digits, best=best, best_within=best_within)
    notes = [
        rf"\textsuperscript{{{note_mark(number)}}}~{latex_escaped(note)}"
        for number, note in enumerate(shown.notes)
    ]
    if gap_note and shown.has_unexplained_gap:
        notes.append(f"-- (not defined): {latex_escaped(gap_note)}")
    below = ["", r"\smallskip", rf"{{\footnotesize {'; '.join(notes)}.}}"] if notes else []
    body = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_escaped(caption)}}}",
        rf"\label{{tab:{re.sub(r'[^A-Za-z0-9.-]+', '-', label).strip('-')}}}",
        latex_tabular(shown, gap="--"),
        *below,
        r"\end{table}",
    ]
    comments = [r"In the preamble: \usepackage{booktabs}", *_unicode_comment("\n".join(body))]
    comments += sources
    head = [f"% {_LINE_BREAK.sub(' ', visible_in_ascii(comment))}" for comment in comments]
    return "\n".join([*head, *body]) + "\n"


def latex_tabular(shown: ShownTable, *, gap: str) -> str:
    """The rows between booktabs rules, without a float around them.

    Args:
        gap: what stands in the place of a missing value, as LaTeX.
    """
    columns = "".join("r" if is_number else "l" for is_number in shown.is_number)
    rows = [[_latex_cell(cell, gap) for cell in row] for row in shown.rows]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            _latex_line([latex_escaped(name) for name in shown.header]),
            r"\midrule",
            *map(_latex_line, rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def best_words(best: Mapping[str, Best], best_within: Sequence[str]) -> str:
    """What is bold in a table, in words.

    Example:
        >>> best_words({"accuracy": "max", "confidence_balance": "zero"}, ["type"])
        'bold within the same type: the highest accuracy, the confidence balance nearest to zero'
    """
    said = [_BEST_WORDS[how].format(in_words(name)) for name, how in best.items()]
    within = f" within the same {' and '.join(map(in_words, best_within))}" if best_within else ""
    return f"bold{within}: {', '.join(said)}"


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value


def _markdown(text: str) -> str:
    escaped = _MARKDOWN.sub(r"\\\1", visible(_LINE_BREAK.sub("\n", text)))
    # A web address is a link even without markup; a line break would end the table.
    return _WEB.sub(r"\1\\.", escaped).replace("\n", "<br>")


def _markdown_cell(cell: Cell) -> str:
    if cell.kind is Kind.GAP:
        text = NOT_DEFINED
    else:
        # In a number only the sign of a p-value, "< 0.001", could take effect.
        text = _markdown(cell.text) if cell.kind is Kind.TEXT else cell.text.replace("<", r"\<")
    text = f"**{text}**" if cell.is_best else text
    return text if cell.note is None else f"{text}<sup>{note_mark(cell.note)}</sup>"


def _latex_cell(cell: Cell, gap: str) -> str:
    if cell.kind is Kind.GAP:
        text = gap
    elif cell.kind is Kind.TEXT:
        text = latex_escaped(cell.text)
    else:
        text = _latex_number(cell)
    text = rf"\textbf{{{text}}}" if cell.is_best else text
    return text if cell.note is None else rf"{text}\textsuperscript{{{note_mark(cell.note)}}}"


def _latex_number(cell: Cell) -> str:
    # A minus needs math, whose digits would not turn bold with the rest.
    text = _NEGATIVE.sub(r"$-$\1" if cell.is_best else r"$-\1$", cell.text).replace("<", "$<$")
    if cell.kind is Kind.NUMBER:
        return text
    # Four digits are read at a glance; from five on, thin spaces part the thousands.
    return text.replace(",", r"\," if sum(map(str.isdigit, text)) > 4 else "")


def _latex_line(cells: Sequence[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # The row before ends with \\, which would take a star or a bracket for its own.
    return "{}" + line if line[0] in "[*" else line


def _unicode_comment(text: str) -> list[str]:
    beyond = sorted({char for char in text if not char.isascii()})
    if not beyond:
        return []
    some = " ".join(beyond[:20])
    wanted = (
        "compile with LuaLaTeX or XeLaTeX and a font that has these characters"
        if needs_unicode(text)
        else r"\usepackage[T1]{fontenc}, and \usepackage[utf8]{inputenc} before 2018"
    )
    return [f"For {some}: {wanted}"]
