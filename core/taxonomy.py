"""The words of the feasibility boundary: five types of self-knowledge, eleven reasons.

Each reason belongs to one type. Models and published files spell them in many ways; `normalise`
maps a spelling to the one name used everywhere in Selfbound, and an unknown spelling to nothing:
a name is never guessed.

Source: "Line of Duty" (names and their grouping); the descriptions are ours.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Reason:
    """Why a task can be out of a model's reach: its name and one sentence that explains it."""

    name: str
    description: str


@dataclass(frozen=True)
class KnowledgeType:
    """One type of self-knowledge with the reasons that belong to it."""

    name: str
    description: str
    reasons: tuple[Reason, ...]


TYPES: tuple[KnowledgeType, ...] = (
    KnowledgeType(
        "Functional Ceiling",
        "Knowing how far one's own skill, knowledge and working capacity reach.",
        (
            Reason(
                "Insufficient Domain Expertise",
                "The task calls for specialist skill or knowledge that the model does not have.",
            ),
            Reason(
                "Computational Complexity Exceeded",
                "The task takes more computation or working memory than the model can spend "
                "on one reply.",
            ),
            Reason(
                "Illogical or Ill-formed",
                "The task contradicts itself, or is put so badly that no reply could fulfil it.",
            ),
        ),
    ),
    KnowledgeType(
        "Contextual Awareness",
        "Knowing whether the request brings along what is needed to carry it out.",
        (
            Reason(
                "Missing Context",
                "The task leans on information that was left out and cannot be worked out.",
            ),
            Reason(
                "Incoherent Context",
                "The information that comes with the task does not fit together or does not fit "
                "the question.",
            ),
        ),
    ),
    KnowledgeType(
        "Identification of Ambiguity",
        "Knowing when a question has no single answer that could be defended.",
        (
            Reason(
                "Vague/Open-Ended",
                "The task is so loosely put that it could mean many different things.",
            ),
            Reason(
                "No Scientific Consensus",
                "The task asks for one settled answer where experts still disagree.",
            ),
        ),
    ),
    KnowledgeType(
        "Ethical Integrity",
        "Knowing when carrying out a request would do harm.",
        (
            Reason(
                "Malicious Intent",
                "Carrying out the task would help somebody to cause harm or break the law.",
            ),
            Reason(
                "Offensive Topics",
                "The task asks for content that demeans, abuses or shocks people.",
            ),
        ),
    ),
    KnowledgeType(
        "Temporal Perception",
        "Knowing where one stands in time and where one's knowledge ends.",
        (
            Reason(
                "Abstract Temporal Setting",
                "The task is set in a time that is imaginary or cannot be pinned to a date.",
            ),
            Reason(
                "Outside Training Cutoff",
                "The task needs facts about events after the model's training data ended.",
            ),
        ),
    ),
)

TYPE_NAMES: tuple[str, ...] = tuple(kind.name for kind in TYPES)
REASON_NAMES: tuple[str, ...] = tuple(reason.name for kind in TYPES for reason in kind.reasons)
TYPE_OF_REASON: dict[str, str] = {
    reason.name: kind.name for kind in TYPES for reason in kind.reasons
}

FEASIBLE, INFEASIBLE = "feasible", "infeasible"
INTENTS: tuple[str, str] = (FEASIBLE, INFEASIBLE)

_OTHER_SPELLINGS = {
    "capability boundary": "Functional Ceiling",
    "ambiguity": "Identification of Ambiguity",
    "vague": "Vague/Open-Ended",
    "open ended": "Vague/Open-Ended",
    "vague or open ended": "Vague/Open-Ended",
    "illogical": "Illogical or Ill-formed",
    "ill formed": "Illogical or Ill-formed",
    "illogical ill formed": "Illogical or Ill-formed",
    "malicious": "Malicious Intent",
    "offensive": "Offensive Topics",
    "offensive topic": "Offensive Topics",
    "offensive content": "Offensive Topics",
    "computational complexity": "Computational Complexity Exceeded",
    "abstract temporal settings": "Abstract Temporal Setting",
    "outside of training cutoff": "Outside Training Cutoff",
    "outside training cut off": "Outside Training Cutoff",
}


def fold(text: str) -> str:
    """A spelling reduced to its lower-case words: accents, punctuation and numbering gone.

    Example:
        >>> fold(' 3) "Illogical/ Ill-formed" ')
        'illogical ill formed'
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark)).casefold()
    words = re.findall(r"[a-z]+", plain)
    return " ".join(words)


@cache
def _spellings() -> dict[str, str]:
    names = {fold(name): name for name in (*TYPE_NAMES, *REASON_NAMES)}
    return names | _OTHER_SPELLINGS


def normalise(text: str) -> str | None:
    """The one name for a spelling of a type or reason, or None when it is unknown.

    Case, numbering, quotes, hyphens and slashes do not matter; extra words do.

    Example:
        >>> normalise("no scientific consensus"), normalise("4. 'Illogical/ Ill-formed'")
        ('No Scientific Consensus', 'Illogical or Ill-formed')
        >>> normalise("too hard") is None
        True
    """
    return _spellings().get(fold(text))


def normalise_type(text: str) -> str | None:
    """The name of the type that `text` spells, or None when it spells none.

    Example:
        >>> normalise_type("Capability Boundary")
        'Functional Ceiling'
    """
    name = normalise(text)
    return name if name in TYPE_NAMES else None


def normalise_reason(text: str) -> str | None:
    """The name of the reason that `text` spells, or None when it spells none.

    Example:
        >>> normalise_reason("vague / open ended")
        'Vague/Open-Ended'
        >>> normalise_reason("Ethical Integrity") is None
        True
    """
    name = normalise(text)
    return name if name in REASON_NAMES else None
