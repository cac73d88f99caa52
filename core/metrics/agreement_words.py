"""One statistic of agreement, and what it says in words."""

from dataclasses import dataclass

PERCENT = "Percent agreement"
KAPPA = "Cohen's kappa"
ALPHA = "Krippendorff's alpha"
AC1 = "Gwet's AC1"

_TOO_WIDE_PERCENT, _TOO_WIDE = 0.3, 0.5
_BANDS = (
    (0.8, "almost perfect"),
    (0.6, "substantial"),
    (0.4, "moderate"),
    (0.2, "fair"),
)


@dataclass(frozen=True)
class Statistic:
    """One statistic of agreement with its 95 % interval.

    Args:
        name: what is measured, as shown to people.
        value: in [0, 1] for percent agreement, in [-1, 1] for the others; None if not defined.
        low: lower end of the interval, None where there is none.
        high: upper end.
        n_items: items that two people or more judged.
        n_people: people who voted.
        why_undefined: a sentence, empty where there is a value.
        why_no_interval: a sentence, empty where there is an interval, or no value.
        dominant_share: share of the most used label among the votes on these items, given only
            where it parts kappa or alpha from AC1; None elsewhere.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    n_items: int
    n_people: int
    why_undefined: str = ""
    why_no_interval: str = ""
    dominant_share: float | None = None


def plain_reading(statistic: Statistic) -> str:
    """One cautious sentence for a reader who knows no statistics.

    It goes by the interval's lower end, for that much agreement the votes do support: in the words
    of Landis and Koch where chance is taken off, which are a convention and no law. An interval
    wider than 0.3 (percent agreement) or 0.5 (the others) supports no reading.

    Source: J. R. Landis and G. G. Koch, 1977, doi:10.2307/2529310, for the words and their bands.

    Example:
        >>> print(plain_reading(Statistic("Cohen's kappa", 0.7, 0.55, 0.85, 90, 2)))
        Cohen's kappa is 0.70 (95 % interval 0.55 to 0.85, 90 items, 2 people): agreement beyond \
chance is at least moderate, by the convention of Landis and Koch (1977).
    """
    if statistic.value is None:
        return f"{statistic.name} is {statistic.why_undefined}."
    percent = statistic.name == PERCENT
    items = f"{statistic.n_items:,} item{'s' if statistic.n_items != 1 else ''}"
    told = f"{items}, {statistic.n_people} people"
    if statistic.low is None:
        meaning = f"there is no interval to judge it by, for {statistic.why_no_interval}"
    else:
        low, high = (_shown(end, percent=percent) for end in (statistic.low, statistic.high))
        told = f"95 % interval {low} to {high}, {told}"
        meaning = _meaning(statistic)
    if statistic.dominant_share == 1:
        meaning += "; all these votes are one label, so kappa and alpha say nothing here"
    elif statistic.dominant_share is not None:
        meaning += (
            f"; {_shown(statistic.dominant_share, percent=True)} of these votes are one label "
            "(prevalence), which keeps kappa and alpha far below AC1, so read them side by side"
        )
    value = _shown(statistic.value, percent=percent)
    return f"{statistic.name} is {value} ({told}): {meaning}."


def _meaning(statistic: Statistic) -> str:
    percent, low, high = statistic.name == PERCENT, statistic.low, statistic.high
    if high - low > (_TOO_WIDE_PERCENT if percent else _TOO_WIDE):
        return "the interval is too wide to say how far people agree"
    if percent:
        return f"people agree at least {_shown(low, percent=True)} of the time, partly by chance"
    if high < 0:
        return "people agree less than by chance"
    if low < 0:
        return "people may agree no more than by chance"
    band = next((name for above, name in _BANDS if low > above), "slight")
    return (
        f"agreement beyond chance is at least {band}, by the convention of Landis and Koch (1977)"
    )


def _shown(number: float, *, percent: bool) -> str:
    if percent:
        return f"{100 * number:.0f} %"
    return f"{round(number, 2) + 0.0:.2f}".replace("-", "−")
