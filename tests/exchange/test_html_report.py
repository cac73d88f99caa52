"""A report as one file: exact text, readable without help, and no way to the outside."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.exchange.html_report import (
    Document,
    Figure,
    Paragraph,
    Points,
    Section,
    TableBlock,
    html_report,
)
from core.exchange.shown_table import shown_table

HOSTILE = (
    "Costs $5 to $10, keep __init__ and *args* :smile: at 10:30 <img src=x onerror=alert(1)> "
    "a.b[0] 'x' \"y\" &amp; </style></title><script>alert(1)</script>"
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9"><g fill="none"><text>a</text></g></svg>'


class Reader(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def page_of(*blocks, title="Report", heading="One", lead=()):
    return html_report(Document(title, tuple(lead), (Section("one", heading, tuple(blocks)),)))


def table(text="x", **options):
    frame = pd.DataFrame({"name": pd.Series([text], dtype=object), "value": [0.5]})
    return TableBlock(text, shown_table(frame), **options)


def everywhere(text):
    return page_of(
        Paragraph(text, is_notable=True),
        Points((text,)),
        Figure(SVG, text, text),
        table(text),
        title=text,
        heading=text,
        lead=[Paragraph(text)],
    )


@pytest.mark.parametrize("text", [HOSTILE, "שלום <b>", "a & b"])
def test_hostile_text_is_shown_letter_for_letter_wherever_it_stands(text):
    read = Reader(everywhere(text))
    # Title, h1, lead, contents, h2, paragraph, point, caption of the picture, caption of the
    # table and its cell.
    assert read.text.count(text) == 10
    labels = [attrs["aria-label"] for _, attrs in read.tags if "aria-label" in attrs]
    assert labels.count(text) == 2
    allowed = {"html", "head", "meta", "link", "title", "style", "body", "main", "h1", "h2", "nav"}
    allowed |= {"ul", "li", "a", "p", "bdi", "section", "figure", "figcaption", "div", "table"}
    allowed |= {"caption", "thead", "tbody", "tr", "th", "td", "svg", "g", "text"}
    assert {tag for tag, _ in read.tags} <= allowed


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00"), min_size=1))
@example(HOSTILE)
def test_no_text_adds_an_element(text):
    assert [tag for tag, _ in Reader(everywhere(text)).tags if tag != "bdi"] == [
        tag for tag, _ in Reader(everywhere("plain")).tags
    ]


def test_characters_without_a_shape_are_made_visible():
    assert "nul ␀ half ⟨U+D835⟩" in page_of(Paragraph("nul \x00 half \ud835"))
    page_of(Paragraph("\ud835")).encode()


def test_the_page_forbids_to_fetch_anything_and_names_nothing_to_fetch():
    read = Reader(everywhere("x"))
    [policy] = [one["content"] for one in read.all("meta") if "http-equiv" in one]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "script-src" not in policy
    addresses = [
        attrs[name] for _, attrs in read.tags for name in ("href", "src", "action") if name in attrs
    ]
    assert addresses == ["data:,", "#one"]
    assert "@import" not in everywhere("x")
    assert "url(" not in everywhere("x")


def test_the_page_names_its_language_and_its_headings_are_in_order():
    sections = (Section("a", "First", ()), Section("b", "Second", (), level=3))
    read = Reader(html_report(Document("Whole", (), sections, language="de")))
    assert read.all("html") == [{"lang": "de"}]
    assert [tag for tag, _ in read.tags if re.fullmatch(r"h\d", tag)] == ["h1", "h2", "h3"]
    assert [one["aria-labelledby"] for one in read.all("section")] == ["a", "b"]
    assert [one["href"] for one in read.all("a")] == ["#a", "#b"]


def test_a_table_has_a_caption_and_names_for_columns_and_rows():
    frame = pd.DataFrame({"name": ["x", "y"], "value": [0.5, None], "why": ["", "no task"]})
    page = page_of(TableBlock("Numbers", shown_table(frame)))
    read = Reader(page)
    assert "<caption>Numbers</caption>" in page
    assert [one["scope"] for one in read.all("th")] == ["col", "col", "row", "row"]
    assert '<td class="gap">not defined<sup>a</sup></td>' in page
    assert '<p class="notes"><sup>a</sup> no task</p>' in page


def test_a_gap_without_a_reason_of_its_own_is_explained_once_below_the_table():
    shown = shown_table(pd.DataFrame({"value": [None, None]}, dtype=float))
    page = page_of(TableBlock("Numbers", shown, gap_note="too few tasks"))
    assert page.count("Not defined: too few tasks") == 1
    assert "Not defined:" not in page_of(table(gap_note="too few tasks"))


def test_the_best_value_is_marked_in_a_way_that_needs_no_colour():
    shown = shown_table(pd.DataFrame({"value": [0.25, 0.75]}), best={"value": "max"})
    assert '<td class="n"><strong>0.75</strong></td>' in page_of(TableBlock("Numbers", shown))


def test_a_picture_is_said_in_words():
    read = Reader(page_of(Figure(SVG, "Three bars.")))
    assert {"role": "img", "aria-label": "Three bars."} in read.all("div")


@pytest.mark.parametrize(
    "svg",
    [
        "<p>no picture</p>",
        "<svg><script>alert(1)</script></svg>",
        '<svg><a href="http://a.example"><text>x</text></a></svg>',
        '<svg><g onclick="alert(1)"></g></svg>',
        '<svg><g xlink:href="#x"></g></svg>',
        '<svg><image src="http://a.example/x.png"></image></svg>',
        '<svg><rect fill="url(http://a.example/x)"></rect></svg>',
        "<svg><foreignObject></foreignObject></svg>",
        "<svg></svg><svg><style>x</style></svg>",
    ],
)
def test_a_picture_that_is_more_than_shapes_is_refused(svg):
    with pytest.raises(ValueError, match="a picture of the report"):
        page_of(Figure(svg, "x"))


def test_a_picture_may_use_its_own_parts_and_words_like_markup():
    svg = '<svg><rect fill="url(#a)"></rect><text>&lt;img src=x onerror=alert(1)&gt;</text></svg>'
    assert svg in page_of(Figure(svg, "x"))


@pytest.mark.parametrize("key", ["", "a b", "1a", 'a"b', "é"])
def test_a_key_that_could_be_no_link_is_refused(key):
    with pytest.raises(ValueError, match="section key"):
        html_report(Document("x", (), (Section(key, "One", ()),)))


def test_a_key_is_used_once():
    with pytest.raises(ValueError, match="section key 'a'"):
        html_report(Document("x", (), (Section("a", "One", ()), Section("a", "Two", ()))))
