"""The protocols there are, by name, with the built-in types and reasons; or with others."""

from core.errors import InputError, NotFoundError
from core.protocols.base import Protocol
from core.protocols.feasibility_boundary import FEASIBILITY_BOUNDARY
from core.protocols.in_advance_confidence import IN_ADVANCE_CONFIDENCE
from core.protocols.training_data import TRAINING_DATA
from core.protocols.uncertainty_attribution import UNCERTAINTY_ATTRIBUTION
from core.taxonomy import LINE_OF_DUTY, Taxonomy

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        FEASIBILITY_BOUNDARY,
        UNCERTAINTY_ATTRIBUTION,
        TRAINING_DATA,
        IN_ADVANCE_CONFIDENCE,
    )
}


def protocol_named(name: str, taxonomy: Taxonomy = LINE_OF_DUTY) -> Protocol:
    """The protocol of that name, for studies with the types and reasons of a taxonomy.

    Raises:
        NotFoundError: there is none; the hint lists what there is.
        InputError: the protocol knows no types and reasons, so that none can be chosen.
    """
    if name not in PROTOCOLS:
        raise NotFoundError(
            f"there is no protocol named {name!r}", hint=f"there are: {', '.join(PROTOCOLS)}"
        )
    found = PROTOCOLS[name]
    if taxonomy is LINE_OF_DUTY:
        return found
    if found.for_taxonomy is None:
        raise InputError(
            f"{found.title} has no types and reasons, and was given those of {taxonomy.name}",
            hint="leave the taxonomy out",
        )
    return found.for_taxonomy(taxonomy)
