"""How every chart looks: colours that colour-blind people can tell apart, on light and dark.

Backgrounds are transparent and fonts come from the page. Marks that carry text bring their own
fill, and text beside marks is a grey that reads on white and on near-black, so that no chart needs
to know which theme it is shown in.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import altair as alt

from core.errors import InputError

MIN_N = 5
"""With fewer tasks than this a chart says so instead of drawing."""

MODEL_COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#8A7FD1",
    "#8C564B",
    "#0F9AA3",
    "#9DA31B",
    "#D6456B",
    "#5B6BD6",
)
"""Okabe and Ito's palette, without the two that vanish on white or black, and one violet; then five
more, which are easier to mix up and are used last."""

OVERCONFIDENT = "#D55E00"
CONSERVATIVE = "#0072B2"
NEUTRAL = "#7C818A"
"""Grey with a contrast of about 4 to 1 on white and on near-black."""

BAR_HEIGHT = alt.RelativeBandSize(band=1)
"""A bar fills its band; Streamlit's theme would make it thinner and set it off its label."""

_LIGHT, _DARK = "#FFFFFF", "#10243A"
_RAMP = ((0.0, (238, 243, 248)), (0.5, (107, 163, 209)), (1.0, (8, 64, 120)))


def model_colours(models: Iterable[str]) -> dict[str, str]:
    """A colour for each model, the same whatever the order; give all models the screens know.

    More models than colours share them in turn; labels tell them apart everywhere.

    Example:
        >>> model_colours(["b", "a"]) == model_colours(["a", "b"])
        True
    """
    names = sorted(set(models))
    return {name: MODEL_COLOURS[at % len(MODEL_COLOURS)] for at, name in enumerate(names)}


def heat_colour(share: float) -> str:
    """The fill for a share in [0, 1]: near white at 0, deep blue at 1.

    Raises:
        InputError: the share is outside [0, 1].

    Example:
        >>> heat_colour(0.0), heat_colour(1.0)
        ('#eef3f8', '#084078')
    """
    if not 0 <= share <= 1:
        raise InputError(f"{share} is not a share; wanted 0 to 1", hint="divide by the row's total")
    (low, start), (high, end) = next(pair for pair in pairwise(_RAMP) if share <= pair[1][0])
    at = (share - low) / (high - low)
    mixed = [round(a + (b - a) * at) for a, b in zip(start, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def text_colour_on(fill: str) -> str:
    """Light or dark text, whichever has the higher contrast on the fill (WCAG 2 luminance).

    Example:
        >>> text_colour_on("#eef3f8"), text_colour_on("#084078")
        ('#10243A', '#FFFFFF')
    """
    on_light = _contrast(fill, _LIGHT)
    return _LIGHT if on_light >= _contrast(fill, _DARK) else _DARK


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def picked(chart: alt.Chart, fields: Iterable[str]) -> alt.Chart:
    """The chart with its marks to be clicked: the selection `pick` names their fields."""
    return chart.add_params(alt.selection_point(name="pick", fields=list(fields), empty=False))


def axis_options() -> dict[str, Any]:
    """Options of an axis that shows whole names: no overlap hiding, no early cut.

    Streamlit's theme cuts labels at 100 pixels; a name cut there could be any of several.
    """
    return {
        "labelLimit": 260,
        "labelOverlap": False,
        "ticks": False,
        "domain": False,
        "grid": False,
    }


def finish(chart: alt.LayerChart | alt.Chart, *, title: str, description: str) -> alt.LayerChart:
    """The chart with its title, its description for people who do not see it, and no backdrop."""
    named = {"title": alt.TitleParams(title, anchor="start")} if title else {}
    return chart.properties(
        description=description, background="transparent", **named
    ).configure_view(stroke=None)


def message_chart(sentence: str, *, title: str = "") -> alt.Chart:
    """A chart that says in words why there is nothing to draw."""
    chart = (
        alt.Chart(alt.Data(values=[{"sentence": sentence}]), height=80)
        .mark_text(color=NEUTRAL, fontSize=14, align="left", limit=640)
        .encode(x=alt.value(0), text=alt.Text(field="sentence", type="nominal"))
    )
    return finish(chart, title=title, description=sentence)


def percent(share: float) -> str:
    """A share as people read it; what is not quite 0 or 100 % does not say so.

    Example:
        >>> percent(0.314), percent(0.001), percent(0.999), percent(1.0)
        ('31 %', '<1 %', '>99 %', '100 %')
    """
    rounded = round(share * 100)
    if rounded == 0 and share > 0:
        return "<1 %"
    if rounded == 100 and share < 1:
        return ">99 %"
    return f"{rounded} %"


def compact(n: int) -> str:
    """A count in at most five characters; tooltips have it in full.

    Example:
        >>> compact(9_999), compact(12_345), compact(2_500_000)
        ('9,999', '12k', '2.5M')
    """
    if n < 10_000:
        return f"{n:,}"
    return f"{n // 1000}k" if n < 1_000_000 else f"{n / 1e6:.1f}M"
