"""Hostile text through every kind of widget, each in a container of its own."""

import random

import pandas as pd
import streamlit as st

from core.errors import InputError
from pages.shared import widgets
from pages.shared.text import plain

HOSTILE = (
    "Costs $5 to $10, keep __init__ and *args* :smile: at 10:30 "
    "<img src=x onerror=alert(1)> :red[x] [a](http://x)"
)
REWRITTEN = (
    "a -> b <- c <-> d -- e >= f <= g ~= h http://x.org https://y.org/a_b www.z.org me@z.org "
    ":material/home: :material_home: :streamlit: `code` ![i](http://x/i.png) &amp; &#36; \\$ \\"
)
STARTS = (
    "# head",
    "1. one",
    "2) two",
    "- item",
    "+ item",
    "> quote",
    "    code",
    "---",
    "| a | b |",
)
LINES = "one\r\n\ttwo  three \n\n:blue[four]\x00\ud835 end "


def fuzz(n: int) -> list[str]:
    """Lines of markup scraps in random order, the same ones every time."""
    draw = random.Random(7)
    scraps = [*"$*_`~:[]()<>#+-!|&\\@^{}=\"'./", " ", " ", "a", "b1", "red", "->", "<-", "--", ">="]
    scraps += [
        "$x$",
        ":red[",
        "smile",
        ":+1:",
        "http://",
        "www.",
        "x.org",
        ":material/",
        "[^1]",
        "  ",
    ]
    return ["".join(draw.choices(scraps, k=draw.randint(3, 25))) for _ in range(n)]


def show(kind: str, text: str) -> None:
    escaped = plain(text)
    drawers = {
        "button": lambda: st.button(escaped),
        "radio": lambda: st.radio("choose", [escaped, "other"], label_visibility="collapsed"),
        "radio label": lambda: st.radio(escaped, ["other"]),
        "pills": lambda: st.pills("choose", [escaped, "other"], label_visibility="collapsed"),
        "segmented": lambda: st.segmented_control(
            "choose", [escaped], label_visibility="collapsed"
        ),
        "checkbox": lambda: st.checkbox(escaped),
        "text_input label": lambda: st.text_input(escaped),
        "selectbox": lambda: st.selectbox("choose", [text, "x"], label_visibility="collapsed"),
        "multiselect": lambda: st.multiselect(
            "choose", [text], default=[text], label_visibility="collapsed"
        ),
        "expander": lambda: st.expander(escaped).text("inside"),
        "popover": lambda: st.popover(escaped).text("inside"),
        "tabs": lambda: st.tabs([escaped])[0].text("inside"),
        "metric": lambda: st.metric(escaped, 1),
        "metric value": lambda: st.metric("n", escaped),
        "error": lambda: st.error(escaped),
        "warning": lambda: st.warning(escaped),
        "info": lambda: st.info(escaped),
        "success": lambda: st.success(escaped),
        "caption": lambda: st.caption(escaped),
        "markdown": lambda: st.markdown(escaped),
        "subheader": lambda: st.subheader(escaped, anchor=False),
        "progress": lambda: st.progress(0.5, text=escaped),
        "status": lambda: st.status(escaped),
        "show_text": lambda: widgets.show_text(text, key="hostile"),
        "problem": lambda: widgets.problem(InputError(text, hint="no")),
        "download": lambda: st.download_button(escaped, "x"),
        "page link": lambda: st.link_button(escaped, "http://127.0.0.1"),
    }
    drawers[kind]()


KINDS = [
    "button", "radio", "radio label", "pills", "segmented", "checkbox", "text_input label",
    "selectbox", "multiselect", "expander", "popover", "tabs", "metric", "metric value", "error",
    "warning", "info", "success", "caption", "markdown", "subheader", "progress", "status",
    "show_text", "problem", "download", "page link",
]  # fmt: skip


def main() -> None:
    st.set_page_config(page_title="Exact text")
    widgets.use_look()
    part = st.query_params.get("part", "kinds")
    if part == "kinds":
        for number, kind in enumerate(KINDS):
            with st.container(key=f"kind-{number}"):
                show(kind, HOSTILE)
    if part == "floating":
        st.button("hover", key="hover", help=plain(HOSTILE))
        st.toast(plain(HOSTILE), duration="infinite")
        st.dataframe(pd.DataFrame({"text": [HOSTILE]}))
    if part == "lines":
        texts = [REWRITTEN, *STARTS, *fuzz(150)]
        for number, text in enumerate(texts):
            with st.container(key=f"caption-{number}"):
                st.caption(plain(text))
            with st.container(key=f"error-{number}"):
                st.checkbox(plain(text), key=f"box-{number}")
    if part == "block":
        widgets.show_text(LINES, key="lines")
        widgets.show_text("שלום עולם\nhello\nمرحبا", key="directions")
        widgets.show_text("", key="nothing")
    if part == "long" and st.button("open", key="open"):
        widgets.show_text("word <b>$x$ " * 8_334, key="long")


if __name__ == "__main__":
    main()
