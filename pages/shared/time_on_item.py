"""How long a person has had the item of a desk before their eyes."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st


@dataclass
class _Look:
    item_id: str
    since: float
    spent: float
    away: float = 0.0
    left_at: float | None = None


class TimeOnItem:
    """The time a person has spent on the item that is on screen, kept for their session.

    Args:
        desk: the desk's name; two desks can show the same item and count for themselves.
        clock: tells the time in seconds, and only ever goes forward.
    """

    def __init__(self, desk: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._key, self._clock = f"time_on_item_{desk}", clock

    @property
    def item_id(self) -> str | None:
        """The item on screen; None when there is none."""
        look = self._look()
        return look.item_id if look else None

    def begin(self, item_id: str, *, spent: float = 0.0) -> bool:
        """Whether the item has just come on screen; one that is there already is left alone.

        Args:
            spent: seconds spent on it before.
        """
        if self.item_id == item_id:
            return False
        st.session_state[self._key] = _Look(item_id, self._clock(), spent)
        return True

    def note_away(self, item_id: str, seconds: float | None) -> None:
        """Nothing; the time in which the page is out of sight does not count.

        Args:
            seconds: how long it was so; None when it has only just gone out of sight.
        """
        look = self._look(item_id)
        if look is None:
            return
        now = self._clock()
        if seconds is None:
            look.left_at = now if look.left_at is None else look.left_at
        else:
            look.away += seconds if look.left_at is None else now - look.left_at
            look.left_at = None

    def seconds_on(self, item_id: str) -> float | None:
        """Seconds spent on the item; None when it is not on screen."""
        look = self._look(item_id)
        if look is None:
            return None
        until = self._clock() if look.left_at is None else look.left_at
        return round(look.spent + max(until - look.since - look.away, 0.0), 2)

    def forget(self) -> None:
        """Nothing; the item comes on screen anew, whatever it is."""
        st.session_state.pop(self._key, None)

    def _look(self, item_id: str | None = None) -> _Look | None:
        look = st.session_state.get(self._key)
        return look if look is None or item_id in (None, look.item_id) else None
