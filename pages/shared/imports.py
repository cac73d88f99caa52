"""Imports on screen: a dialog that asks for files, and a panel that tells what they brought.

The reading happens beside the page, so a large file keeps nobody waiting; the panel appears on the
screen below and says when it is done.
"""

import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

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
_WORK, _FILES, _CHOICE = "import_under_way", "import_files", "import_choice"


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
        about = {"layout": layout, "into": into, "skip_bad_rows": skip}
        _begin(bench, contents, about)
        st.rerun()


def _begin(
    bench: Workbench,
    contents: Sequence[tuple[str, bytes]],
    about: Mapping[str, Any],
    *,
    choice: str = "",
) -> None:
    """Read the files beside the page; they are kept, should something be left open in them."""
    st.session_state[_FILES] = (bench, contents, about)
    st.session_state[_WORK] = bench.aside(_import, bench, contents, choice=choice, **about)


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
            _tell_problem(error)
        else:
            _tell_all(results, _layout().unit)
        if st.button("Close", key="close_import"):
            for key in (_WORK, _FILES):
                st.session_state.pop(key, None)
            st.rerun()


def _tell_problem(error: SelfboundError) -> None:
    """What is wrong; where one of a few is to be named, the choice and the import with it."""
    choices = error.choices if isinstance(error, InputError) else ()
    if not choices:
        problem(error)
        st.caption("Nothing was stored.")
        return
    problem(InputError(str(error), hint="choose the one that decides; nothing was stored"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(_layout().choice, choices, key=_CHOICE, width=320)
        if st.button("Import with it", type="primary", key="import_again"):
            _begin(*st.session_state[_FILES], choice=st.session_state[_CHOICE])
            # The whole page: this panel alone would go on telling of the import before.
            st.rerun()


def _layout() -> Layout:
    """What the import under way is of."""
    *_, about = st.session_state[_FILES]
    return about["layout"]


def _tell_all(results: Sequence[Imported], unit: str) -> None:
    n_rows, n_added = sum(one.n_rows for one in results), sum(one.n_added for one in results)
    files = human_count(len(results), "file")
    decided = _decided(sum(one.n_decisions for one in results))
    st.markdown(f"**{files} read: {human_count(n_rows, unit)}, {n_added:,} of them new{decided}.**")
    for one in results:
        new = f"{human_count(one.n_rows, unit)}, {one.n_added:,} new in {one.study}"
        st.caption(plain(f"{one.file}: {new}{_decided(one.n_decisions)}."))
        if one.findings:
            st.markdown("\n".join(f"- {plain(as_sentence(odd))}" for odd in one.findings))
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
    choice: str = "",
) -> list[Imported]:
    if len({name for name, _ in contents}) < len(contents):
        raise InputError("two of the files have one name", hint="import them one after the other")
    if layout.makes_studies:
        about = {}
    elif into is None:
        raise InputError("there is no study to import into", hint="make one first")
    else:
        about = {"study_name": into}
    if choice:
        about["choice"] = choice
    if layout.sample is not None:
        return layout.bring(bench.store, [layout.sample], **about)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name, _ in contents]
        for path, (_, content) in zip(paths, contents, strict=True):
            path.write_bytes(content)
        return layout.bring(bench.store, paths, skip_bad_rows=skip_bad_rows, **about)
