"""Imports on screen: a dialog that asks for files, and a panel that tells what they brought.

The reading happens beside the page, so a large file keeps nobody waiting; the panel appears on the
screen below and says when it is done.
"""

import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

import streamlit as st

from core.errors import InputError, SelfboundError
from core.exchange.rejects import reject_suffix, write_reject_file
from core.exchange.row_file import BadRow
from core.workflows.imported import Imported
from core.workflows.studies import Study
from core.workflows.workbench import Workbench
from pages.shared.import_layouts import LAYOUTS, Layout
from pages.shared.quantities import human_count
from pages.shared.text import plain
from pages.shared.widgets import as_sentence, problem

FILE_TYPES = ["csv", "tsv", "json", "jsonl", "parquet", "xlsx", "gz", "eval"]
REFRESH_S = 0.5
SHOWN_BAD_ROWS = 20
_WORK = "import_under_way"


@st.dialog("Import", width="medium")
def import_dialog(bench: Workbench, studies: Sequence[Study]) -> None:
    """Ask for files and where they go; they are read beside the page."""
    layout = _choose_layout(LAYOUTS)
    into = None if layout.makes_studies else _choose_study(layout, studies)
    _ask_files(bench, layout, into, is_possible=layout.makes_studies or into is not None)


def bring_dialog(bench: Workbench, study: Study) -> None:
    """Ask for files of what one study works on; they are read beside the page."""
    title = f"Import {study.shape.brought.noun}s"
    st.dialog(title, width="medium")(_ask_for_one)(bench, study)


def _ask_for_one(bench: Workbench, study: Study) -> None:
    layout = _choose_layout([one for one in LAYOUTS if one.is_for(study)])
    _ask_files(bench, layout, study.name, is_possible=True)


def _choose_layout(layouts: Sequence[Layout]) -> Layout:
    titles = [one.title for one in layouts]
    title = st.radio("What to import", titles, captions=[one.caption for one in layouts])
    return next(one for one in layouts if one.title == title)


def _choose_study(layout: Layout, studies: Sequence[Study]) -> str | None:
    """One of the studies that take what is imported; None where there is none."""
    names = [study.name for study in studies if layout.is_for(study)]
    if not names:
        st.info(f"No study takes {layout.noun}s yet; make one with New study, whose protocol does.")
        return None
    return st.selectbox("Into the study", names)


def _ask_files(bench: Workbench, layout: Layout, into: str | None, *, is_possible: bool) -> None:
    files, skip = [], False
    if layout.sample is None:
        files = st.file_uploader("Files", FILE_TYPES, accept_multiple_files=True)
        skip = layout.has_rows and st.checkbox("Leave out rows that cannot be used")
    if st.button("Import", type="primary", disabled=not (is_possible and (files or layout.sample))):
        contents = [(Path(file.name).name, file.getvalue()) for file in files]
        st.session_state[_WORK] = bench.aside(
            _import, bench, contents, layout=layout, into=into, skip_bad_rows=skip
        )
        st.rerun()


def import_is_done() -> bool:
    """Whether this session's import has ended; ask before reading what it may have changed."""
    work = st.session_state.get(_WORK)
    return work is not None and work.done()


def import_panel(*, was_done: bool) -> None:
    """What the last import of this session brought, or that it is under way.

    Args:
        was_done: whether it had ended before the page read the studies it shows.
    """
    work = st.session_state.get(_WORK)
    if work is not None:
        st.fragment(_panel, run_every=None if was_done else REFRESH_S)(work, was_done)


def _panel(work: "Future[list[Imported]]", was_done: bool) -> None:
    if not work.done():
        st.info("Reading the files …")
        return
    if not was_done:
        # The studies shown were read before the import ended.
        st.rerun()
    with st.container(border=True, gap="xsmall"):
        try:
            results = work.result()
        except SelfboundError as error:
            problem(error)
            st.caption("Nothing was stored.")
        else:
            _tell_all(results)
        st.button("Close", key="close_import", on_click=st.session_state.pop, args=(_WORK, None))


def _tell_all(results: Sequence[Imported]) -> None:
    n_rows, n_added = sum(one.n_rows for one in results), sum(one.n_added for one in results)
    files = human_count(len(results), "file")
    decided = _decided(sum(one.n_decisions for one in results))
    st.markdown(
        f"**{files} read: {human_count(n_rows, 'row')}, {n_added:,} of them new{decided}.**"
    )
    for one in results:
        odd = [as_sentence(sentence) for sentence in one.findings]
        new = f"{one.n_rows:,} rows, {one.n_added:,} new in {one.study}{_decided(one.n_decisions)}."
        st.caption(plain(" ".join([f"{one.file}: {new}", *odd])))
        if one.bad_rows:
            _tell_bad_rows(one)


def _decided(n: int) -> str:
    return f", and {human_count(n, 'decision')} added" if n else ""


def _tell_bad_rows(one: Imported) -> None:
    with st.expander(plain(f"Rows left out of {one.file}: {len(one.bad_rows):,}")):
        st.download_button(
            "Download them, each with its reason",
            _reject_file(one.bad_rows),
            file_name=f"left-out-of-{one.file}{reject_suffix(one.bad_rows)}",
            key=f"rejects_{one.file}",
        )
        for row in one.bad_rows[:SHOWN_BAD_ROWS]:
            st.caption(plain(as_sentence(str(row))))


def _reject_file(rows: Sequence[BadRow]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rejects"
        write_reject_file(rows, path)
        return path.read_bytes()


def _import(
    bench: Workbench,
    contents: Sequence[tuple[str, bytes]],
    *,
    layout: Layout,
    into: str | None,
    skip_bad_rows: bool,
) -> list[Imported]:
    if len({name for name, _ in contents}) < len(contents):
        raise InputError("two of the files have one name", hint="import them one after the other")
    if layout.makes_studies:
        about = {}
    elif into is None:
        raise InputError("there is no study to import into", hint="make one first")
    else:
        about = {"study_name": into}
    if layout.sample is not None:
        return layout.bring(bench.store, [layout.sample], **about)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name, _ in contents]
        for path, (_, content) in zip(paths, contents, strict=True):
            path.write_bytes(content)
        return layout.bring(bench.store, paths, skip_bad_rows=skip_bad_rows, **about)
