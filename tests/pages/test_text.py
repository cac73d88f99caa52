"""What makes foreign text fit for the screen; that the screen agrees is held in tests/browser."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.exchange.visible_text import visible
from pages.shared.text import exact_html, plain

LINE_BREAKS = "\n\r\v\f\x85\u2028\u2029"
ANY_TEXT = st.text(st.characters(codec=None, exclude_characters=LINE_BREAKS + "\t"), max_size=60)


@given(ANY_TEXT)
def test_exact_html_holds_no_tag_and_reads_back_as_the_text(text):
    source = exact_html(text)
    assert "<" not in source
    assert html.unescape(source) == visible(text)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_every_kind_of_line_break_is_one_line_break(line_break):
    assert exact_html(f"a{line_break}b") == "a&#10;b"
    assert plain(f"a{line_break}b") == "a ↵ b"


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("$5 to $10", r"\$5 to \$10"),
        (":smile: :red[x]", r"\:smile\: \:red\[x\]"),
        ("<img src=x>", r"\<img src=x\>"),
        ("1. one", r"1\. one"),
        ("7) seven", r"7\) seven"),
        ("version 1.2 (b)", "version 1.2 (b)"),
        # A sign that stands alone would become an arrow; in a span of its own it does not.
        ("a -> b", r"a :color[\-]\> b"),
        # The last letter before such a span is a reference, or ":me:" would name an emoji.
        ("me@z.org", r"m&#101;:color[\@]z.org"),
        ("", ""),
    ],
)
def test_plain_escapes_what_markdown_would_read(text, markdown):
    assert plain(text) == markdown


def test_plain_keeps_the_width_of_leading_and_repeated_spaces():
    assert plain("  a  b") == "\N{NO-BREAK SPACE} a\N{NO-BREAK SPACE} b"


def test_right_to_left_combining_and_wide_letters_pass_unchanged():
    text = "שלום e\u0301 漢字 👩\u200d🔬 مرحبا"
    assert visible(text) == text
    assert html.unescape(exact_html(text)) == text
