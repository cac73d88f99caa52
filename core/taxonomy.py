"""The words of a study: its types of self-knowledge, and the reasons that belong to each.

A study may bring a `Taxonomy` of its own; `LINE_OF_DUTY`, with five types and eleven reasons, is
the built-in one, and the names of this module are its own. Models and files spell names in many
ways; `normalise` maps a spelling to the one name used everywhere in Selfbound, and an unknown
spelling to nothing: a name is never guessed.

Source: "Line of Duty" (names and their grouping); the descriptions are ours.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.identity import content_hash

ENGLISH = "en"


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


FEASIBLE, INFEASIBLE = "feasible", "infeasible"
INTENTS: tuple[str, str] = (FEASIBLE, INFEASIBLE)

ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"
QUESTION_INTENTS: tuple[str, str] = (ANSWERABLE, UNANSWERABLE)
"""How questions are meant, which people bring and which have no reasons."""

MISSING_CONTEXT, VAGUE = "Missing Context", "Vague/Open-Ended"
"""Two built-in reasons whose tasks may be what is a fault in others: short of data, or short."""

JOINING_WORDS = frozenset({"or", "of", "and", "the"})
"""Words that do not tell two names apart."""


def fold(text: str) -> str:
    """A spelling reduced to its lower-case words: accents, punctuation and numbering gone.

    Example:
        >>> fold(' 3) "Illogical/ Ill-formed" ')
        'illogical ill formed'
        >>> fold("2. Böswillige Absicht")
        'boswillige absicht'
    """
    if text.isascii():
        return " ".join(re.findall(r"[a-z]+", text.lower()))
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark)).casefold()
    # Vowel signs of Indic scripts are marks, and belong to their word.
    letters = (mark if unicodedata.category(mark)[0] in "LM" else " " for mark in plain)
    return " ".join("".join(letters).split())


def telling_words(text: str) -> str:
    """The words of a spelling that tell it from others, in lower case: those that join are gone.

    Example:
        >>> telling_words("Illogical or Ill-formed")
        'illogical ill formed'
    """
    return " ".join(word for word in fold(text).split() if word not in JOINING_WORDS)


@dataclass(frozen=True)
class Taxonomy:
    """Types of self-knowledge with their reasons, and how else the names are spelt.

    Args:
        name: what people call it. version: rises with every change, from 1.
        types: in the order in which they are shown.
        other_spellings: pairs of a spelling and the name it stands for.
        language: what names and descriptions are written in, as ISO 639-1; tasks are expected in
            it, too.
    """

    name: str
    version: int
    types: tuple[KnowledgeType, ...]
    other_spellings: tuple[tuple[str, str], ...] = ()
    language: str = ENGLISH

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason, in the order of the types."""
        return tuple(reason for kind in self.types for reason in kind.reasons)

    @cached_property
    def type_names(self) -> tuple[str, ...]:
        """The names of the types, in their order."""
        return tuple(kind.name for kind in self.types)

    @cached_property
    def reason_names(self) -> tuple[str, ...]:
        """The names of the reasons, in the order of the types."""
        return tuple(reason.name for reason in self.reasons)

    @cached_property
    def type_of_reason(self) -> dict[str, str]:
        """The name of the type that each reason belongs to, by the reason's name."""
        return {reason.name: kind.name for kind in self.types for reason in kind.reasons}

    @property
    def title(self) -> str:
        """Its name and version in one phrase.

        Example:
            >>> LINE_OF_DUTY.title
            'Line of Duty, version 1'
        """
        return f"{self.name}, version {self.version}"

    @property
    def is_built_in(self) -> bool:
        """Whether it is the one that comes with Selfbound, in every word."""
        return self == LINE_OF_DUTY

    @cached_property
    def document(self) -> dict[str, Any]:
        """All of it as JSON holds it; `taxonomy_from` makes it a taxonomy again."""
        return {
            "name": self.name,
            "version": self.version,
            "types": [
                {
                    "name": kind.name,
                    "description": kind.description,
                    "reasons": [
                        {"name": reason.name, "description": reason.description}
                        for reason in kind.reasons
                    ],
                }
                for kind in self.types
            ],
            "spellings": dict(self.other_spellings),
        } | ({} if self.language == ENGLISH else {"language": self.language})

    @cached_property
    def hash(self) -> str:
        """The content hash of the document; two taxonomies with one hash are the same."""
        return content_hash(self.document)

    def stands_for(self, reason: str | None, built_in: str) -> bool:
        """Whether `reason` is what this taxonomy has in the place of a built-in reason.

        Where the name differs, its spellings tell: one of them is the built-in name.

        Example:
            >>> LINE_OF_DUTY.stands_for("missing context", MISSING_CONTEXT)
            True
        """
        meant = self.normalise_reason(built_in)
        return meant is not None and meant == self.normalise_reason(reason or "")

    @cached_property
    def _spellings(self) -> dict[str, str]:
        others = {fold(spelt): name for spelt, name in self.other_spellings}
        return others | {fold(name): name for name in (*self.type_names, *self.reason_names)}

    def normalise(self, text: str) -> str | None:
        """The one name for a spelling of a type or reason, or None when it is unknown.

        Case, numbering, quotes, hyphens and slashes do not matter; extra words do.
        """
        return self._spellings.get(fold(text))

    def normalise_type(self, text: str) -> str | None:
        """The name of the type that `text` spells, or None when it spells none."""
        name = self.normalise(text)
        return name if name in self.type_names else None

    def normalise_reason(self, text: str) -> str | None:
        """The name of the reason that `text` spells, or None when it spells none."""
        name = self.normalise(text)
        return name if name in self.reason_names else None


_TYPES: tuple[KnowledgeType, ...] = (
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


def taxonomy_from(document: Mapping[str, Any]) -> Taxonomy:
    """The taxonomy whose document this is; what people write is `exchange.taxonomy_file`'s to read.

    Example:
        >>> taxonomy_from(LINE_OF_DUTY.document) is LINE_OF_DUTY
        True
    """
    types = tuple(
        KnowledgeType(
            kind["name"],
            kind["description"],
            tuple(Reason(reason["name"], reason["description"]) for reason in kind["reasons"]),
        )
        for kind in document["types"]
    )
    spellings = tuple(sorted(document["spellings"].items()))
    language = document.get("language", ENGLISH)
    found = Taxonomy(document["name"], document["version"], types, spellings, language)
    return LINE_OF_DUTY if found == LINE_OF_DUTY else found


LINE_OF_DUTY = Taxonomy("Line of Duty", 1, _TYPES, tuple(sorted(_OTHER_SPELLINGS.items())))
"""The built-in taxonomy: five types, eleven reasons."""

TYPES = LINE_OF_DUTY.types
TYPE_NAMES = LINE_OF_DUTY.type_names
REASON_NAMES = LINE_OF_DUTY.reason_names
TYPE_OF_REASON = LINE_OF_DUTY.type_of_reason


def normalise(text: str) -> str | None:
    """The name in the built-in taxonomy for a spelling, or None when it is unknown.

    Example:
        >>> normalise("no scientific consensus"), normalise("4. 'Illogical/ Ill-formed'")
        ('No Scientific Consensus', 'Illogical or Ill-formed')
        >>> normalise("too hard") is None
        True
    """
    return LINE_OF_DUTY.normalise(text)


def normalise_type(text: str) -> str | None:
    """The name of the built-in type that `text` spells, or None when it spells none.

    Example:
        >>> normalise_type("Capability Boundary")
        'Functional Ceiling'
    """
    return LINE_OF_DUTY.normalise_type(text)


def normalise_reason(text: str) -> str | None:
    """The name of the built-in reason that `text` spells, or None when it spells none.

    Example:
        >>> normalise_reason("vague / open ended")
        'Vague/Open-Ended'
        >>> normalise_reason("Ethical Integrity") is None
        True
    """
    return LINE_OF_DUTY.normalise_reason(text)
