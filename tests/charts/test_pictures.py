"""Charts as pictures: drawn without the network, whole, readable, and the same every time."""

import re
import struct
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

import altair as alt
import pandas as pd
import pytest

from core.charts.drawing import exhibit_chart
from core.charts.pictures import INK, chart_png, chart_svg, exhibit_picture

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def balance():
    """The table of a chart with two bars, one of each direction, by names of types."""

    def table(name="Ethical Integrity"):
        return pd.DataFrame(
            {
                "type": [name, "Temporal Perception"],
                "confidence_balance": [0.5, -0.25],
                "overconfidence": [0.6, 0.1],
                "conservatism": [0.1, 0.35],
                "n_feasible": [10, 20],
                "n_infeasible": [10, 20],
            }
        )

    return table


def words(svg):
    return [element.text for element in ET.fromstring(svg).iter(f"{SVG}text") if element.text]


def test_a_picture_has_every_word_and_number_of_its_chart(balance):
    shown = words(chart_svg(exhibit_chart("balance", balance())))
    assert {"Ethical Integrity", "Temporal Perception", "+0.50", "−0.25"} <= set(shown)
    assert any("conservative" in text for text in shown)


def test_text_that_looks_like_markup_stays_text(balance, hostile):
    picture = exhibit_picture("balance", balance(hostile))
    root = ET.fromstring(picture.svg)
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "g", "path", "line", "text")
    }
    assert not [name for element in root.iter() for name in element.attrib if "href" in name]
    # A label that is too long for its place is cut with a sign of it, never inside an escape.
    assert any(text.startswith("Costs $5 to $10, keep __init__") for text in words(picture.svg))
    assert hostile in picture.alt


def test_a_picture_of_its_own_is_dark_on_white(balance):
    svg = chart_svg(exhibit_chart("balance", balance()))
    assert ET.fromstring(svg).find(f"{SVG}rect").get("fill").upper() == "#FFFFFF"
    assert INK in svg
    assert "currentColor" not in svg


def test_a_picture_inside_a_page_takes_the_ink_of_the_page_and_has_no_backdrop(balance):
    svg = exhibit_picture("balance", balance()).svg
    assert "currentColor" in svg
    assert INK not in svg
    assert ET.fromstring(svg).find(f"{SVG}rect") is None
    assert "#000" not in svg
    assert 'fill="black"' not in svg


def test_the_same_table_gives_the_same_picture(balance):
    assert exhibit_picture("balance", balance()) == exhibit_picture("balance", balance())
    chart = exhibit_chart("balance", balance())
    assert chart_png(chart) == chart_png(chart)


def test_pictures_can_be_made_in_several_threads_at_once(balance):
    tables = [balance(f"Type {number}") for number in range(4)]
    one_by_one = [exhibit_picture("balance", table).svg for table in tables]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lambda table: exhibit_picture("balance", table).svg, tables))
    assert at_once == one_by_one


def test_a_png_has_twice_the_pixels_of_the_svg_or_as_many_as_asked(balance):
    chart = exhibit_chart("balance", balance())
    size = re.search(r'width="(\d+)" height="(\d+)"', chart_svg(chart)).groups()
    width, height = map(int, size)
    for scale, png in ((2, chart_png(chart)), (1, chart_png(chart, scale=1))):
        assert png.startswith(b"\x89PNG\r\n")
        assert struct.unpack(">II", png[16:24]) == (scale * width, scale * height)


def test_a_chart_that_wants_data_from_elsewhere_gets_none(tmp_path):
    (tmp_path / "data.csv").write_text("x\n1\n")
    for url in ("http://127.0.0.1:9/data.csv", (tmp_path / "data.csv").as_uri()):
        chart = alt.Chart(url, description="none").mark_point().encode(x="x:Q")
        try:
            drawn = chart_svg(chart)
        except ValueError:
            continue
        assert "x: 1" not in drawn


def test_what_the_chart_says_of_itself_counts_more_than_the_look_of_pictures():
    frame = pd.DataFrame({"x": [1, 2]})
    chart = alt.Chart(frame, description="d").mark_point().encode(x="x:Q")
    svg = chart_svg(chart.configure_axis(labelColor="#123456"))
    assert "#123456" in svg
    assert f'fill="{INK}"' in svg  # the title of the axis keeps the ink
