"""The report: studies, how they were made, and every exhibit of their results, as one HTML file.

It is made from the store alone and holds no time, path or address, so that the same studies give
the same report, byte for byte, wherever it is made with the same software.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.errors import InputError
from core.exchange.html_report import (
    Block,
    Document,
    Figure,
    Paragraph,
    Section,
    TableBlock,
    html_report,
)
from core.exchange.shown_table import Best, number_text, shown_table
from core.exchange.table_text import GAP_NOTE
from core.exchange.writers import replacing
from core.protocols.shown import Exhibit
from core.store.store import Store
from core.workflows.funnel import curation_funnels, funnel_reading
from core.workflows.report_corrected import corrected_section
from core.workflows.report_methods import method_sections, software_section, studies_table
from core.workflows.results import (
    common_protocol,
    label_counts,
    no_results,
    printed_comparison,
    removal_effect,
)
from core.workflows.studies import Study

if TYPE_CHECKING:
    from pandas import DataFrame

DIGITS = 3
SHORT_TITLE = 3
"""With more studies than this the title counts them; the table below it names them."""


class Picture(Protocol):
    """A chart as an SVG element, and what it shows in words."""

    @property
    def svg(self) -> str:
        """The element."""

    @property
    def alt(self) -> str:
        """The words."""


Draw = Callable[[str, "DataFrame"], Picture]
"""Draws the chart of that kind from an exhibit's table."""


@dataclass(frozen=True)
class ReportExhibit:
    """One exhibit as a report shows it.

    Args:
        key: names it in links; used once in a report.
        title: what it shows. reading: how to read it.
        table: its numbers. chart: the kind of chart drawn from it; None for none.
        gap_note: what is said of missing values that the column `why` does not explain.
        words: sentences above the table. best, best_within: what is marked, see
            `core.exchange.shown_table`.
    """

    key: str
    title: str
    reading: str
    table: "DataFrame"
    chart: str | None = None
    gap_note: str = GAP_NOTE
    words: Sequence[str] = ()
    best: Mapping[str, Best] = field(default_factory=dict)
    best_within: Sequence[str] = ()


def report(
    store: Store,
    studies: Sequence[Study],
    *,
    draw: Draw,
    extra: Sequence[ReportExhibit] = (),
    judge: str = "",
) -> str:
    """The report of studies of one protocol as a self-contained HTML file.

    Args:
        studies: in any order; the report has them by name.
        draw: draws the charts, as `core.charts.pictures.exhibit_picture` does.
        extra: exhibits beside the protocol's own, shown after them.
        judge: whose verdicts count, as in `core.workflows.results.label_counts`.

    Raises:
        ConflictError: the studies follow more than one protocol, or have no results.
    """
    return html_report(report_document(store, studies, draw=draw, extra=extra, judge=judge))


def save_report(
    store: Store,
    studies: Sequence[Study],
    path: Path,
    *,
    draw: Draw,
    extra: Sequence[ReportExhibit] = (),
    judge: str = "",
) -> int:
    """The number of bytes of the report, written to a file that is replaced only when it is whole.

    Raises:
        ConflictError: as `report`.
        InputError: the file cannot be written.
    """
    content = report(store, studies, draw=draw, extra=extra, judge=judge).encode()
    try:
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise InputError(
            f"the report cannot be written to {path}: {error.strerror}",
            hint="name a file in a folder that is there, or make room",
        ) from error
    return len(content)


def sources(studies: Sequence[Study]) -> list[str]:
    """Where the numbers of studies come from, for the comments of an exported table."""
    from importlib.metadata import version

    named = [
        f"{study.name}: {study.subject}, prompts {study.prompt_set}, seed {study.seed}"
        for study in _in_order(studies)
    ]
    return [f"Made with Selfbound {version('selfbound')} from the studies", *named]


def report_document(
    store: Store,
    studies: Sequence[Study],
    *,
    draw: Draw,
    extra: Sequence[ReportExhibit] = (),
    judge: str = "",
) -> Document:
    """The report before it is written down; see `report`."""
    studies = _in_order(studies)
    protocol = common_protocol(studies)
    shown = protocol.results()
    counts = label_counts(store, studies, judge=judge)
    if counts.empty:
        raise no_results(studies)
    every = label_counts(store, studies, judge=None) if shown.by_judge else counts
    of_exhibit = [(one, every if one.of_every_judge else counts) for one in shown.exhibits]
    exhibits = [_of_protocol(one, rows) for one, rows in of_exhibit if one.is_wanted(rows)]
    return Document(
        title=_title(protocol.title, studies),
        lead=tuple(_lead(protocol.question, studies)),
        sections=(
            Section("studies", "Studies", (studies_table(studies),)),
            *method_sections(store, studies, judge=judge),
            _funnel(store, studies, draw),
            Section("results", "Results", ()),
            *(_exhibit(one, draw) for one in (*exhibits, *extra)),
            *corrected_section(store, studies, judge),
            *_removal(store, studies, judge),
            *_printed(protocol, counts),
            software_section(),
        ),
    )


def _in_order(studies: Sequence[Study]) -> list[Study]:
    by_id = {study.study_id: study for study in studies}
    return sorted(by_id.values(), key=lambda study: (study.name.casefold(), study.name))


def _title(protocol: str, studies: Sequence[Study]) -> str:
    names = ", ".join(study.name for study in studies)
    return f"{protocol}: {names if len(studies) <= SHORT_TITLE else f'{len(studies)} studies'}"


def _lead(question: str, studies: Sequence[Study]) -> Iterator[Paragraph]:
    yield Paragraph(question)
    demos = [study.name for study in studies if study.is_demo]
    if demos:
        yield Paragraph(
            f"{', '.join(demos)}: a demo on a very small model. Its numbers show the way, they "
            "are no findings.",
            is_notable=True,
        )


def _of_protocol(exhibit: Exhibit, counts: "DataFrame") -> ReportExhibit:
    table = exhibit.table(counts)
    return ReportExhibit(
        exhibit.key,
        exhibit.title,
        exhibit.reading,
        table,
        exhibit.chart,
        words=exhibit.words(table) if exhibit.words else (),
        best=exhibit.best(table) if exhibit.best else {},
        best_within=exhibit.best_within,
    )


def _exhibit(exhibit: ReportExhibit, draw: Draw) -> Section:
    blocks: list[Block] = [Paragraph(exhibit.reading)] if exhibit.reading else []
    blocks += map(Paragraph, exhibit.words)
    table = exhibit.table
    if exhibit.chart:
        picture = draw(exhibit.chart, table)
        blocks.append(Figure(picture.svg, picture.alt))
    if exhibit.chart == "confusion":
        table = _square(table)
    shown = shown_table(table, digits=DIGITS, best=exhibit.best, best_within=exhibit.best_within)
    blocks.append(TableBlock(exhibit.title, shown, gap_note=exhibit.gap_note))
    return Section(f"exhibit-{exhibit.key}", exhibit.title, tuple(blocks), level=3)


def _square(confusion: "DataFrame") -> "DataFrame":
    """The counts of a confusion frame with a column for each name, and the rows' totals."""
    if confusion.empty:
        return confusion
    wide = confusion.pivot(index="generated", columns="classified", values="n")
    wide = wide.loc[confusion["generated"].unique(), confusion["classified"].unique()]
    return wide.assign(all=wide.sum(axis="columns")).reset_index()


def _funnel(store: Store, studies: Sequence[Study], draw: Draw) -> Section:
    words = common_protocol(studies).results().words
    table = curation_funnels(store, studies)
    blocks: list[Block] = [Paragraph(funnel_reading(words.task))]
    for study in studies:
        own = table[table["study"] == study.name]
        picture = draw("funnel", own)
        numbers = own[["label", "n", "share_of_tasks"]].rename(columns={"label": "stage"})
        shown = shown_table(numbers, digits=DIGITS)
        note = "there are no tasks to be a share of"
        blocks += [
            Figure(picture.svg, f"{study.name}: {picture.alt}", study.name),
            TableBlock(
                f"{words.task.capitalize()}s of {study.name} at each stage", shown, gap_note=note
            ),
        ]
    return Section("funnel", words.funnel, tuple(blocks))


def _removal(store: Store, studies: Sequence[Study], judge: str) -> Iterator[Section]:
    shown = common_protocol(studies).results()
    exhibit = shown.removal
    if exhibit is None:
        return
    effect = removal_effect(store, studies, judge=judge)
    if effect is None:
        words = shown.words
        text = f"No removed {words.task} has been {words.done}, so there is nothing to compare."
        blocks: tuple[Block, ...] = (Paragraph(text),)
    else:
        shown = shown_table(effect, digits=DIGITS)
        blocks = (Paragraph(exhibit.reading), TableBlock(exhibit.title, shown, gap_note=GAP_NOTE))
    yield Section(f"exhibit-{exhibit.key}", exhibit.title, blocks, level=3)


def _printed(protocol: Any, counts: "DataFrame") -> Iterator[Section]:
    compared = printed_comparison(protocol, counts)
    if compared is None or compared.empty:
        return
    known = compared.dropna(subset="agrees")
    n_missing = len(compared) - len(known)
    text = (
        f"{int(known['agrees'].sum()):,} of {len(known):,} printed values agree with ours within "
        "0.01 or by name; what does not is said in words."
    )
    text += f" {n_missing:,} more need studies that are not in this report." if n_missing else ""
    blocks: list[Block] = [Paragraph(text)]
    for name, part in known.groupby("table", sort=False):
        shown = part.drop(columns=["table", "agrees"])
        # Names are compared, not subtracted: that is no value that is missing.
        difference = [
            "" if gap else number_text(value, DIGITS)
            for value, gap in zip(shown["difference"], shown["difference"].isna(), strict=True)
        ]
        shown["difference"] = difference
        blocks.append(TableBlock(str(name), shown_table(shown, digits=DIGITS)))
    yield Section("paper", "Published and recomputed", tuple(blocks))
