import pytest

from core.charts.theme import (
    MODEL_COLOURS,
    finish,
    heat_colour,
    message_chart,
    model_colours,
    percent,
    text_colour_on,
)
from core.errors import InputError

FULL, EMPTY = heat_colour(1.0), heat_colour(0.0)


def test_a_model_keeps_its_colour_whatever_the_order():
    assert model_colours(["b", "c", "a", "a"]) == model_colours(["a", "b", "c"])


def test_ten_models_and_more_have_colours_of_their_own():
    assert len(MODEL_COLOURS) >= 10
    found = model_colours(str(at) for at in range(len(MODEL_COLOURS)))
    assert len(set(found.values())) == len(MODEL_COLOURS)


def test_text_is_dark_on_a_light_fill_and_light_on_a_dark_one():
    assert text_colour_on(EMPTY) != text_colour_on(FULL)
    assert text_colour_on("#ffffff") == text_colour_on(EMPTY)


def _contrast(one, other):
    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_is_readable_on_every_fill():
    # WCAG 2 asks for 3 : 1 of large or bold text.
    for at in range(101):
        fill = heat_colour(at / 100)
        assert _contrast(fill, text_colour_on(fill)) >= 3


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_what_is_no_share_has_no_colour(share):
    with pytest.raises(InputError, match=f"{share} is not a share; wanted 0 to 1"):
        heat_colour(share)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (0.004, "<1 %"),
        (0.005, "<1 %"),
        (0.006, "1 %"),
        (0.5, "50 %"),
        (0.996, ">99 %"),
        (1, "100 %"),
    ],
)
def test_only_nothing_reads_zero_and_only_all_reads_hundred(share, text):
    assert percent(share) == text


def test_a_message_says_its_sentence_in_the_picture_and_in_the_description():
    chart = message_chart("Nothing here.").to_dict()
    assert chart["description"] == "Nothing here."
    assert chart["data"]["values"] == [{"sentence": "Nothing here."}]


def test_no_chart_brings_a_backdrop():
    assert finish(message_chart("x"), title="", description="y").to_dict()["background"] == (
        "transparent"
    )
