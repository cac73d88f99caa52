"""The protocols there are, by name."""

from core.errors import NotFoundError
from core.protocols.base import Protocol
from core.protocols.feasibility_boundary import FEASIBILITY_BOUNDARY

PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in (FEASIBILITY_BOUNDARY,)}


def protocol_named(name: str) -> Protocol:
    """The protocol of that name.

    Raises:
        NotFoundError: there is none; the hint lists what there is.
    """
    if name not in PROTOCOLS:
        raise NotFoundError(
            f"there is no protocol named {name!r}", hint=f"there are: {', '.join(PROTOCOLS)}"
        )
    return PROTOCOLS[name]
