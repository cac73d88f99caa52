"""The theme: read from the file the app is served with."""

import tomllib
from pathlib import Path

import pytest

CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())


def _luminance(colour):
    """Relative luminance of #rrggbb. Source: WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one, other):
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white_is_21():
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
@pytest.mark.parametrize(
    ("ink", "wanted"), [("textColor", 7), ("linkColor", 4.5), ("primaryColor", 4.5)]
)
def test_words_and_accents_stand_out_from_every_ground(scheme, ground, ink, wanted):
    theme = CONFIG["theme"][scheme]
    assert _contrast(theme[ink], theme[ground]) >= wanted


@pytest.mark.parametrize(("scheme", "ink"), [("light", "#ffffff"), ("dark", "#06211d")])
def test_the_words_of_a_main_button_stand_out(scheme, ink):
    assert _contrast(CONFIG["theme"][scheme]["primaryColor"], ink) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_gradients_have_the_ten_colours_streamlit_wants(scheme):
    theme = CONFIG["theme"][scheme]
    assert len(theme["chartSequentialColors"]) == len(theme["chartDivergingColors"]) == 10


def test_nothing_is_fetched_from_outside_or_told_to_outside():
    assert "http" not in (Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text()
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["server"]["address"] == "127.0.0.1"
