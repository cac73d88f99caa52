"""Charts as pictures: SVG and PNG, drawn on this machine and never with the help of another.

Two looks. A picture of its own is dark ink on white, because nobody knows what it will be put on.
A picture inside a page takes the page's own ink (`currentColor`) and has no backdrop, so that it
is readable wherever the page's text is, light or dark.

Letters are set in Liberation Sans, which comes with the drawing library, or in fonts of the same
widths. Characters that it lacks (Arabic, Chinese, Japanese, Korean) stay text in an SVG, for its
reader's fonts to show; in a PNG they need a font on this machine that has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from core.charts.drawing import exhibit_chart

FONTS = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, PAPER = "#1F2933", "#FFFFFF"
PAGE_INK, NO_PAPER = "currentColor", "transparent"
GRID_OPACITY = 0.14
SCALE = 2.0
"""Pixels of a PNG for each of the chart's: sharp on dense screens and in print."""

_VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


@dataclass(frozen=True)
class Picture:
    """A chart as an SVG element, and what it shows in words."""

    svg: str
    alt: str


def exhibit_picture(kind: str, table: pd.DataFrame) -> Picture:
    """The chart of an exhibit, for the inside of a page.

    Args:
        kind, table: as `core.charts.drawing.exhibit_chart` takes them.
    """
    chart = exhibit_chart(kind, table)
    return Picture(chart_svg(chart, ink=PAGE_INK, paper=NO_PAPER), chart.description)


def chart_svg(chart: alt.Chart | alt.LayerChart, *, ink: str = INK, paper: str = PAPER) -> str:
    """The chart as one SVG element; the same chart gives the same text.

    Args:
        ink: colour of axes and titles. paper: colour of the backdrop, or `transparent`.
    """
    import vl_convert

    return vl_convert.vegalite_to_svg(
        _spec(chart, ink, paper), vl_version=_VEGA_LITE, allowed_base_urls=[]
    )


def chart_png(chart: alt.Chart | alt.LayerChart, *, scale: float = SCALE) -> bytes:
    """The chart as a PNG on white.

    Args:
        scale: pixels of the picture for each of the chart's.
    """
    import vl_convert

    return vl_convert.vegalite_to_png(
        _spec(chart, INK, PAPER), vl_version=_VEGA_LITE, scale=scale, allowed_base_urls=[]
    )


def _spec(chart: alt.Chart | alt.LayerChart, ink: str, paper: str) -> dict[str, Any]:
    spec = chart.to_dict()
    return spec | {
        "background": paper,
        "padding": 10,
        "config": _merged(_config(ink), spec.get("config", {})),
    }


def _config(ink: str) -> dict[str, Any]:
    words = {"labelColor": ink, "titleColor": ink, "titleFontWeight": "normal"}
    sizes = {"labelFontSize": 12, "titleFontSize": 12, "labelPadding": 6}
    lines = {"gridColor": ink, "gridOpacity": GRID_OPACITY, "tickColor": ink, "domainColor": ink}
    return {
        "font": FONTS,
        "axis": words | sizes | lines,
        "legend": words | {"labelFontSize": 12},
        "title": {"color": ink, "fontSize": 14},
    }


def _merged(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    """Both, part by part; where they differ, what the chart itself says counts."""
    parts = {**low}
    for name, value in high.items():
        both = isinstance(value, Mapping) and isinstance(low.get(name), Mapping)
        parts[name] = _merged(low[name], value) if both else value
    return parts
