"""A statistic of agreement is put into words that promise no more than the votes support."""

import pytest

from core.metrics.agreement import agreement, pairwise_agreement
from core.metrics.agreement_words import Statistic, plain_reading

from .votes import statistics, two_people, votes_of


def kappa(value, low, high, **fields):
    return Statistic("Cohen's kappa", value, low, high, 90, 2, **fields)


@pytest.mark.parametrize(
    ("low", "reading"),
    [
        (0.81, "at least almost perfect"),
        (0.8, "at least substantial"),
        (0.61, "at least substantial"),
        (0.41, "at least moderate"),
        (0.21, "at least fair"),
        (0.2, "at least slight"),
        (0.0, "at least slight"),
        (-0.01, "people may agree no more than by chance"),
    ],
)
def test_a_reading_goes_by_the_lower_end(low, reading):
    sentence = plain_reading(kappa(low + 0.19, low, low + 0.19))
    assert reading in sentence
    assert ("Landis and Koch" in sentence) == (low >= 0)


def test_a_reading_tells_agreement_below_chance():
    assert plain_reading(kappa(-0.3, -0.4, -0.2)) == (
        "Cohen's kappa is −0.30 (95 % interval −0.40 to −0.20, 90 items, 2 people): "
        "people agree less than by chance."
    )


@pytest.mark.parametrize(
    "statistic",
    [kappa(0.75, 0.45, 0.96), Statistic("Percent agreement", 0.8, 0.6, 0.91, 20, 2)],
)
def test_a_wide_interval_supports_no_reading(statistic):
    assert "too wide to say how far people agree" in plain_reading(statistic)


def test_a_reading_of_percent_agreement_does_not_forget_chance():
    assert plain_reading(agreement(two_people(90, 5, 5, 0)).percent) == (
        "Percent agreement is 90 % (95 % interval 83 % to 94 %, 100 items, 2 people): "
        "people agree at least 83 % of the time, partly by chance."
    )


def test_readings_say_where_a_dominant_label_parts_kappa_from_ac1():
    found = agreement(two_people(90, 5, 5, 0))
    for one in (found.kappa, found.alpha, found.ac1):
        assert one.dominant_share == pytest.approx(0.95)
        assert "95 % of these votes are one label (prevalence)" in plain_reading(one)
    assert "prevalence" not in plain_reading(found.percent)
    (pair,) = pairwise_agreement(two_people(90, 5, 5, 0))
    assert "prevalence" in plain_reading(pair.kappa)


def test_readings_are_silent_on_prevalence_where_kappa_and_ac1_agree():
    for votes in (two_people(45, 5, 5, 45), two_people(80, 0, 0, 20)):
        assert not any("prevalence" in plain_reading(one) for one in statistics(agreement(votes)))


def test_readings_of_what_is_missing_give_the_reason():
    one_label = agreement(two_people(100, 0, 0, 0))
    assert plain_reading(one_label.kappa) == "Cohen's kappa is not defined: one label used."
    assert "all these votes are one label" in plain_reading(one_label.ac1)
    assert plain_reading(agreement(votes_of(["a"], ["b"])).ac1) == (
        "Gwet's AC1 is −1.00 (1 item, 2 people): there is no interval to judge it by, "
        "for one item does not show how much items differ."
    )
