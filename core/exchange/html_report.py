"""A report as one HTML file that needs nothing else: no network, no script, no other file.

The document is made of plain parts (`Section`, `Paragraph`, `Points`, `TableBlock`, `Figure`);
`html_report` writes them down. Text in them is data: it is shown letter for letter and nothing in
it takes effect. A policy inside the file forbids the browser to fetch anything, whatever got in.
The same document always gives the same text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

from core.exchange.report_style import STYLE
from core.exchange.shown_table import Cell, Kind, ShownTable, note_mark
from core.exchange.visible_text import visible

NOT_DEFINED = "not defined"

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
_SVG = re.compile(r"<svg\b.*</svg>\s*", re.DOTALL)
_UNBROKEN = re.compile(r"\S{40}")
"""What is so long without a space, as a hash is, may be broken anywhere."""

_SHAPES = {
    *("svg", "g", "path", "line", "rect", "circle", "text", "tspan", "title", "desc"),
    *("defs", "clippath", "lineargradient", "stop"),
}


@dataclass(frozen=True)
class Paragraph:
    """Sentences. A notable one stands out."""

    text: str
    is_notable: bool = False


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    points: tuple[str, ...]


@dataclass(frozen=True)
class TableBlock:
    """A table with its caption.

    Args:
        n_names: how many columns from the left name a row.
        gap_note: what is said of missing values that no note of the table explains.
    """

    caption: str
    table: ShownTable
    n_names: int = 1
    gap_note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture as an SVG element, what it shows in words, and a line below it."""

    svg: str
    alt: str
    caption: str = ""


Block = Paragraph | Points | TableBlock | Figure


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it.

    Args:
        key: names the section in links; letters, digits and hyphens, used once.
        level: 2 or 3.
    """

    key: str
    heading: str
    blocks: tuple[Block, ...]
    level: int = 2


@dataclass(frozen=True)
class Document:
    """A whole report.

    Args:
        title: plain text. lead: sentences under it. sections: in reading order.
        language: of the report's own words, as ISO 639-1.
    """

    title: str
    lead: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    language: str = "en"


def html_report(document: Document) -> str:
    """The report as HTML.

    Raises:
        ValueError: a key is used twice or is none, or a picture is no plain SVG.

    Example:
        >>> section = Section("one", "One", (Paragraph("2 < 3"),))
        >>> "<p>2 &lt; 3</p>" in html_report(Document("A", (), (section,)))
        True
    """
    keys = [section.key for section in document.sections]
    for key in keys:
        if keys.count(key) > 1 or not re.fullmatch(r"[A-Za-z][\w-]*", key, re.ASCII):
            raise ValueError(f"a report cannot have the section key {key!r} here")
    title = escape(visible(document.title), quote=False)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{escape(document.language)}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            # A file opened from disk has no icon; without this some browsers look for one.
            '<link rel="icon" href="data:,">',
            f"<title>{title}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            f"<h1>{_text(document.title)}</h1>",
            *map(_block, document.lead),
            _contents(document),
            *(line for section in document.sections for line in _section(section)),
            "</main>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _contents(document: Document) -> str:
    links = "".join(
        f'<li><a href="#{section.key}">{_text(section.heading)}</a></li>'
        for section in document.sections
    )
    return f'<nav aria-label="Contents"><ul>{links}</ul></nav>'


def _section(section: Section) -> Iterator[str]:
    level = section.level
    yield f'<section aria-labelledby="{section.key}">'
    yield f'<h{level} id="{section.key}">{_text(section.heading)}</h{level}>'
    yield from map(_block, section.blocks)
    yield "</section>"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        kind = ' class="note"' if block.is_notable else ""
        return f"<p{kind}>{_text(block.text)}</p>"
    if isinstance(block, Points):
        return f"<ul>{''.join(f'<li>{_text(point)}</li>' for point in block.points)}</ul>"
    return _figure(block) if isinstance(block, Figure) else _table(block)


def _figure(figure: Figure) -> str:
    _PlainSvg().check(figure.svg)
    # What the picture shows is said once, in its words, and not mark by mark.
    picture = f'<div role="img" aria-label="{_attribute(figure.alt)}">{figure.svg}</div>'
    below = f"<figcaption>{_text(figure.caption)}</figcaption>" if figure.caption else ""
    return f"<figure>{picture}{below}</figure>"


class _PlainSvg(HTMLParser):
    """Refuses a picture that is more than shapes and words."""

    def check(self, svg: str) -> None:
        if not _SVG.fullmatch(svg):
            raise ValueError(f"a picture of the report is no SVG element: {svg[:40]!r}")
        self.feed(svg)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, value in attrs if "url(" not in (value or "").replace("url(#", "")]
        odd = [name for name, _ in attrs if name not in names or name.startswith("on")]
        odd += [name for name in names if name.endswith("href")]
        if tag not in _SHAPES or odd:
            raise ValueError(f"a picture of the report has <{tag}> with {', '.join(odd) or tag}")


def _table(block: TableBlock) -> str:
    shown, caption = block.table, _text(block.caption)
    head = "".join(
        f'<th scope="col"{_class(is_number)}>{_text(name)}</th>'
        for name, is_number in zip(shown.header, shown.is_number, strict=True)
    )
    rows = "\n".join(
        f"<tr>{''.join(_cell(cell, at < block.n_names) for at, cell in enumerate(row))}</tr>"
        for row in shown.rows
    )
    notes = [
        f"<sup>{note_mark(number)}</sup> {_text(note)}" for number, note in enumerate(shown.notes)
    ]
    if block.gap_note and shown.has_unexplained_gap:
        notes.append(f"{NOT_DEFINED.capitalize()}: {_text(block.gap_note)}")
    below = f'\n<p class="notes">{"<br>".join(notes)}</p>' if notes else ""
    # A table may be wider than the window: it scrolls by itself, by keyboard too.
    return (
        f'<div class="wide" role="region" aria-label="{_attribute(block.caption)}" tabindex="0">'
        f"<table>\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table></div>{below}"
    )


def _cell(cell: Cell, is_name: bool) -> str:
    if cell.kind is Kind.GAP:
        inside, kind = NOT_DEFINED, ' class="gap"'
    else:
        inside, kind = _text(cell.text), _class(cell.kind is not Kind.TEXT)
    inside = f"<strong>{inside}</strong>" if cell.is_best else inside
    if cell.note is not None:
        inside += f"<sup>{note_mark(cell.note)}</sup>"
    if cell.kind is Kind.TEXT and not is_name and _UNBROKEN.search(cell.text):
        kind = ' class="long"'
    if is_name and cell.kind is Kind.TEXT:
        return f'<th scope="row"{kind}>{inside}</th>'
    return f"<td{kind}>{inside}</td>"


def _class(is_number: bool) -> str:
    return ' class="n"' if is_number else ""


def _text(text: str) -> str:
    """The text as HTML; what is not ASCII is set apart, so that its direction turns nothing else.

    Quotation marks need no reference here.
    """
    shown = escape(visible(text), quote=False)
    return shown if shown.isascii() else f"<bdi>{shown}</bdi>"


def _attribute(text: str) -> str:
    return escape(visible(text), quote=True).replace("\n", "&#10;")
