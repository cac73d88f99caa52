"""The pieces every screen is made of.

Foreign text reaches the screen through `show_text`, or through `text.plain` inside a label.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import streamlit as st

from core.errors import SelfboundError
from core.records import PENDING, Outcome
from pages.shared.quantities import human_cost, human_count, human_duration
from pages.shared.text import exact_html, plain

LONG_TEXT = 4_000
"""Characters from which a text gets a scrolling box when no height was asked for."""

LONG_TEXT_HEIGHT = 420
"""The height of that box, in pixels."""

_LOOK = Path(__file__).with_name("look.css")


def use_look() -> None:
    """Apply the style sheet; app.py calls it once in every run, before the page."""
    st.html(_LOOK)


def show_text(
    text: str,
    *,
    key: str,
    height: int | None = None,
    size: Literal["large", "normal", "small"] = "normal",
    item_id: str = "",
    marks: Sequence[tuple[int, int]] = (),
    is_code: bool = False,
) -> None:
    """Show text exactly: no markup takes effect, white space and line breaks stay.

    The text is escaped and put into a block of its own. `st.text` would be simpler but trims and
    re-indents, and lays right-to-left text out from the left; `st.code` is slow for long text.
    Every paragraph finds its own direction; a long text scrolls inside its box.

    Args:
        text: what to show; an empty text is shown as the word "empty".
        key: names the block; its element has the class `st-key-<key>`.
        height: the height of a scrolling box in pixels; None lets the text take the room it
            needs, up to `LONG_TEXT` characters.
        size: large for the one text a person judges, small for asides.
        item_id: the id of the item this text belongs to, for `keys.watch_keys`.
        marks: places to highlight, as (start, end) in characters; they may overlap.
        is_code: whether it is a program, whose letters are all of one width.
    """
    if height is None and len(text) > LONG_TEXT:
        height = LONG_TEXT_HEIGHT
    classes = f"sb-text sb-text-{size}" + (" sb-text-scroll" if height else "")
    classes += " sb-text-code" if is_code else ""
    scroll = f' tabindex="0" style="max-height:{height}px"' if height else ""
    mark = f' data-item="{exact_html(item_id)}"' if item_id else ""
    body = marked_html(text, marks) if text else '<span class="sb-none">empty</span>'
    with st.container(key=key):
        st.html(f'<div class="{classes}" dir="auto"{scroll}{mark}>{body}</div>')


def marked_html(text: str, marks: Sequence[tuple[int, int]]) -> str:
    """The text as `exact_html` shows it, with the places in `marks` highlighted.

    Example:
        >>> marked_html("a < b, c", [(2, 5), (4, 6)])
        'a <mark>&lt; b,</mark> c'
    """
    pieces, at = [], 0
    for start, end in sorted(marks):
        start, end = max(start, at), min(end, len(text))
        if start >= end:
            continue
        if start > at or not pieces:
            pieces.append([exact_html(text[at:start]), ""])
        pieces[-1][1] += exact_html(text[start:end])
        at = end
    before = "".join(f"{plain}<mark>{marked}</mark>" for plain, marked in pieces)
    return before + exact_html(text[at:])


def as_sentence(message: str) -> str:
    """The message with a capital and a full stop; a file's name at its start stays as it is.

    Example:
        >>> as_sentence("row 3 has no text"), as_sentence("my_types.json has no version")
        ('Row 3 has no text.', 'my_types.json has no version.')
    """
    first = message.partition(" ")[0]
    return (message[:1].upper() + message[1:] if first.isalpha() else message) + "."


def problem(error: SelfboundError) -> None:
    """Tell a person what is wrong and what to do next; the words are shown exactly."""
    lines = [plain(as_sentence(str(error)))]
    if error.hint:
        lines.append("**What to do:** " + plain(error.hint) + ".")
    st.error("\n\n".join(lines))


def empty_state(title: str, text: str, action_label: str = "", *, key: str) -> bool:
    """True when the person pressed the one button of a screen that has nothing to show yet.

    Args:
        title: what is not there, in a few words.
        text: why, and what the button does.
        action_label: the button's words; without them there is no button.
        key: names the button.
    """
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.space("small")
        st.subheader(plain(title), anchor=False, text_alignment="center")
        st.markdown(plain(text), text_alignment="center")
        pressed = bool(action_label) and st.button(plain(action_label), key=key, type="primary")
        st.space("small")
    return pressed


def outcome_bar(outcomes: Mapping[str, int], planned: int) -> None:
    """Show how the planned calls ended, as a bar and as a sum that adds up to `planned`.

    Args:
        outcomes: counts by the values of `Outcome`; what is missing counts as 0. The rest up to
            `planned` is shown as pending.
        planned: how many calls the step has.

    Raises:
        ValueError: the outcomes add up to more than was planned.
    """
    st.html(outcome_html(outcomes, planned))


def outcome_html(outcomes: Mapping[str, int], planned: int) -> str:
    """The HTML of `outcome_bar`.

    Raises:
        ValueError: the outcomes add up to more than was planned.

    Example:
        >>> "8 ok" in outcome_html({"ok": 8, "timed_out": 1}, 10)
        True
        >>> outcome_html({"ok": 3}, 2)
        Traceback (most recent call last):
        ValueError: 3 calls ended, and only 2 were planned
    """
    counts = {str(outcome): outcomes.get(outcome, 0) for outcome in Outcome}
    ended = sum(counts.values())
    if ended > planned:
        raise ValueError(f"{ended} calls ended, and only {planned} were planned")
    counts[PENDING] = planned - ended
    shown = {name: n for name, n in counts.items() if n}
    bar = "".join(f'<span class="sb-{name}" style="flex:{n}"></span>' for name, n in shown.items())
    words = [
        f'<li><i class="sb-{name}"></i>{human_count(n)} {name.replace("_", " ")}</li>'
        for name, n in shown.items()
    ]
    total = f'<li class="sb-sum-total">= {human_count(planned)} planned</li>'
    return (
        f'<div class="sb-sum"><div class="sb-sum-bar" aria-hidden="true">{bar}</div>'
        f'<ul class="sb-sum-words">{"".join(words)}{total}</ul></div>'
    )


def progress_words(
    done: int,
    planned: int,
    *,
    calls_per_s: float | None = None,
    eta_s: float | None = None,
    cost_usd: float | None = None,
    budget_usd: float | None = None,
) -> str:
    """How far a step is and what is known of speed, rest and cost; what is None is left out.

    Example:
        >>> progress_words(812, 900, calls_per_s=0.74, eta_s=119, cost_usd=0, budget_usd=5)
        '812 of 900 (90 %) · 0.74 calls/s · about 1 min 59 s left · $0 of $5.00'
    """
    share = f" ({100 * done // planned} %)" if planned else ""
    parts = [f"{human_count(done)} of {human_count(planned)}{share}"]
    if calls_per_s is not None:
        parts.append(f"{calls_per_s:.2f} calls/s")
    if eta_s is not None:
        parts.append(f"about {human_duration(eta_s)} left")
    if cost_usd is not None:
        cap = "" if budget_usd is None else f" of {human_cost(budget_usd)}"
        parts.append(human_cost(cost_usd) + cap)
    return " · ".join(parts)


def step_badges(steps: Sequence[tuple[str, int, int]]) -> None:
    """Show where a study stands: one badge per step.

    Args:
        steps: (the step's name, how many are done, how many there are), in order.
    """
    st.html(steps_html(steps))


def steps_html(steps: Sequence[tuple[str, int, int]]) -> str:
    """The HTML of `step_badges`.

    Example:
        >>> steps_html([("Generate", 9, 9), ("Curate", 0, 9)]).count("<li")
        2
    """
    badges = []
    for name, done, planned in steps:
        state = "done" if 0 < planned <= done else "begun" if done else "ahead"
        count = f"{human_count(done)}/{human_count(planned)}" if planned else "not begun"
        sign = "✓ " if state == "done" else ""
        badges.append(f'<li class="sb-step-{state}">{sign}{exact_html(name)} {count}</li>')
    return f'<ul class="sb-steps">{"".join(badges)}</ul>'
