"""Money set aside before it is spent, so that a cap is never passed.

Before a call is sent, the most it can cost is reserved; when it has ended, the reservation gives
way to its price. The cap holds as long as no call costs more than the client said it could.
"""

import math

_UNITS_PER_USD = 10**9
_SLACK_UNITS = 1e-6
"""What float arithmetic may add to a whole number of units; not rounded up to a unit."""


def _units(cost_usd: float) -> int:
    """Whole billionths of a dollar, rounded up: whole numbers add up without drift."""
    return math.ceil(cost_usd * _UNITS_PER_USD - _SLACK_UNITS)


class Budget:
    """A cap with what is spent and what is set aside; without a cap, everything is affordable.

    Args:
        cap_usd: the most that may be spent; None for no cap.
        spent_usd: what counts against the cap already.

    Example:
        >>> budget = Budget(1.0, spent_usd=0.4)
        >>> budget.reserve(0.5), budget.reserve(0.2)
        (True, False)
        >>> budget.settle(0.5, 0.1)
        >>> budget.reserve(0.2)
        True
    """

    def __init__(self, cap_usd: float | None, spent_usd: float = 0.0) -> None:
        self._cap = None if cap_usd is None else _units(cap_usd)
        self._spent = _units(spent_usd)
        self._reserved = 0

    @property
    def is_capped(self) -> bool:
        """Whether there is a cap at all."""
        return self._cap is not None

    @property
    def spent_usd(self) -> float:
        """What counts as spent: earlier money, prices paid, and reservations never priced."""
        return self._spent / _UNITS_PER_USD

    def reserve(self, worst_usd: float) -> bool:
        """Whether the most a call can cost fits under the cap; when it does, it is set aside."""
        worst = _units(worst_usd)
        if self._cap is not None and self._spent + self._reserved + worst > self._cap:
            return False
        self._reserved += worst
        return True

    def settle(self, worst_usd: float, cost_usd: float | None) -> None:
        """Replace a reservation by what the call cost.

        Args:
            worst_usd: what was reserved for it.
            cost_usd: its price; None when nobody knows, and then all of the reservation counts
                as spent, because it may have been billed.
        """
        worst = _units(worst_usd)
        self._reserved -= worst
        self._spent += worst if cost_usd is None else _units(cost_usd)
