"""How many verdicts a sample takes of each stratum."""

from collections.abc import Mapping
from math import floor

from core.errors import InputError

EQUAL, PROPORTIONAL = "equal", "proportional"
ALLOCATIONS = (EQUAL, PROPORTIONAL)


def allocate(sizes: Mapping[str, int], n: int, allocation: str) -> dict[str, int]:
    """How many of each stratum are drawn, so that they add up to n and none is left out.

    A stratum without a single draw could not be weighed, so each has at least one.

    Args:
        sizes: how many each stratum has, at least 1.
        n: how many are wanted in all, at most what there is.
        allocation: equal gives each as many as the others, where it has them, and what a small one
            lacks goes to the rest; proportional gives each its share.

    Raises:
        InputError: fewer are wanted than there are strata, or the allocation is not known.

    Example:
        >>> allocate({"yes": 900, "no": 100}, 100, "equal")
        {'yes': 50, 'no': 50}
        >>> allocate({"yes": 900, "no": 100}, 50, "proportional")
        {'yes': 45, 'no': 5}
        >>> allocate({"yes": 900, "no": 10}, 100, "equal")
        {'yes': 90, 'no': 10}
    """
    if allocation not in ALLOCATIONS:
        raise InputError(
            f"the allocation {allocation!r} is not known", hint=f"one of {', '.join(ALLOCATIONS)}"
        )
    if n < len(sizes):
        raise InputError(
            f"{n} verdicts cannot stand for {len(sizes)} strata",
            hint=f"ask for at least {len(sizes)}, or make fewer strata",
        )
    return _equal(sizes, n) if allocation == EQUAL else _proportional(sizes, n)


def _equal(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    # Small strata first: what they lack is then shared by all that come after.
    order = sorted(sizes, key=lambda name: (sizes[name], name))
    found, left = {}, n
    for place, name in enumerate(order):
        found[name] = min(sizes[name], left // (len(order) - place))
        left -= found[name]
    return {name: found[name] for name in sizes}


def _proportional(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    total = sum(sizes.values())
    share = {name: n * size / total for name, size in sizes.items()}
    found = {name: max(1, floor(share[name])) for name in sizes}
    while sum(found.values()) > n:
        most = max((name for name in sizes if found[name] > 1), key=lambda o: found[o] - share[o])
        found[most] -= 1
    while sum(found.values()) < n:
        least = max(
            (name for name in sizes if found[name] < sizes[name]),
            key=lambda o: share[o] - found[o],
        )
        found[least] += 1
    return found
