"""Reads what an agent said of its chance of success from its conversation.

The written rule. A step is a turn with tool calls and what the tools returned, numbered from 1;
handing in an answer is none, and who calls on after that has not handed in. What the agent says
until the next calls is about that step:

* where it was asked, the next thing it says; asked once more because that could not be read, the
  next thing again. The first reply that can be read counts;
* unasked, what stands behind the label `LIKELIHOOD OF SUCCESS:`;
* asked about the outcome, or again although its reply could be read, or after it handed in: that is
  the estimate after submission, which has no step number.

A question is known by the form of a reply in it, `LIKELIHOOD OF SUCCESS: X%`, or by a mark on the
message. The labels of the published experiment (`… OF RESOLVING ISSUE`, `… THAT ISSUE IS RESOLVED`)
mean the same, the second one after submission.

Source: "Do LLMs know what they are capable of?", its multi-step experiment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.parsing.likelihood import parse_likelihood
from core.records import Outcome, Reading

SUBMIT = "submit"
"""The tool by which an agent hands in."""

ASKS_STEP, ASKS_AFTER = "step", "after"

_OUTCOME_LABEL = re.compile(r"(?i)likelihood\s+that\s+(?:the\s+)?issue\s+is\s+resolved")
_OTHER_LABELS = re.compile(
    rf"(?i)likelihood\s+of\s+resolving\s+(?:the\s+)?issue|{_OUTCOME_LABEL.pattern[4:]}"
)
_LABEL = re.compile(r"(?i)likelihood\s+of\s+success[\s*_`\"']*:")
_FORM = re.compile(rf"{_LABEL.pattern}[\s*_`\"'(\[]*X\s?%")
_BLOCKED = "Tool call blocked"
"""How the published agent answers calls that it does not make, before it asks again."""

_LISTED = re.compile(r"SELF_ASSESS_DATA:.*?likelihood_list: \[(.*?)\]", re.DOTALL)


@dataclass(frozen=True)
class Turn:
    """One message of an agent's conversation.

    Args:
        role: system, user, assistant or tool.
        function: of a tool's message, the tool.
        asks: of a question, `step` or `after` where it is marked; empty where it is not.
        ended: of a reply, why the model stopped, as the provider put it; empty where unknown.
    """

    role: str
    text: str
    function: str = ""
    asks: str = ""
    ended: str = ""


@dataclass(frozen=True)
class AgentEstimate:
    """What an agent said of its chance at one point.

    Args:
        step: from 1; None after submission.
        n_calls: tool calls made so far.
        reading: its value in [0, 1], or why it has none.
        reply: the text that was read.
    """

    step: int | None
    n_calls: int
    reading: Reading
    reply: str


@dataclass
class _Point:
    step: int | None
    n_calls: int
    is_asked: bool = False
    replies: list[Turn] = field(default_factory=list)

    @property
    def is_read(self) -> bool:
        return any(_read(one).outcome is Outcome.OK for one in self.replies)


def agent_estimates(turns: Sequence[Turn]) -> tuple[AgentEstimate, ...]:
    """The estimates of a conversation in its order, those that could not be read included.

    Points at which the agent was not asked and said nothing are left out.

    Example:
        >>> turns = [Turn("tool", "ok", "bash"), Turn("assistant", "LIKELIHOOD OF SUCCESS: 40%")]
        >>> [(one.step, one.reading.value) for one in agent_estimates(turns)]
        [(1, 0.4)]
    """
    found = []
    for point in _points(turns):
        if not point.replies:
            continue
        readings = [_read(one) for one in point.replies]
        good = [at for at, one in enumerate(readings) if one.outcome is Outcome.OK]
        at = good[0] if good else -1
        reply = point.replies[at].text
        found.append(AgentEstimate(point.step, point.n_calls, readings[at], reply))
    return tuple(found)


def n_tool_calls(turns: Sequence[Turn]) -> int:
    """How many tool calls were made, handing in not counted."""
    return sum(_is_call(turn) for turn in turns)


def listed_estimates(turns: Sequence[Turn]) -> tuple[float | None, ...] | None:
    """The estimates by step that a log of the published layout lists at its end, in [0, 1].

    None where it lists none; a value is None where the list has none, or no number.
    """
    if not turns or not (match := _LISTED.match(turns[-1].text)):
        return None
    return tuple(_listed_value(one) for one in match[1].split(",") if one.strip())


def _points(turns: Sequence[Turn]) -> Iterator[_Point]:
    point, after, is_awaited = None, None, False
    step = n_calls = 0
    before = ""
    for turn in turns:
        if _is_call(turn):
            n_calls += 1
            after = after if before == "tool" else None
            if before == "tool" and point is not None:
                point.n_calls = n_calls
            else:
                if point is not None:
                    yield point
                step += 1
                point, is_awaited = _Point(step, n_calls), False
        elif turn.role == "tool" and turn.function == SUBMIT:
            after = _Point(None, n_calls)
        elif turn.role == "user" and (asks := _asks(turn)):
            is_awaited = True
            if asks == ASKS_AFTER or (point is not None and point.is_asked and point.is_read):
                after = after or _Point(None, n_calls)
            about = after or point
            if about is not None:
                about.is_asked = True
        elif turn.role == "assistant":
            about = after or point
            if about is not None and (is_awaited or _LABEL.search(_same_label(turn.text))):
                about.replies.append(turn)
            is_awaited = False
        before = turn.role
    yield from (one for one in (point, after) if one is not None)


def _is_call(turn: Turn) -> bool:
    return turn.role == "tool" and turn.function != SUBMIT and not turn.text.startswith(_BLOCKED)


def _asks(turn: Turn) -> str:
    if turn.asks or not _FORM.search(_same_label(turn.text)):
        return turn.asks
    return ASKS_AFTER if _OUTCOME_LABEL.search(turn.text) else ASKS_STEP


def _same_label(text: str) -> str:
    return _OTHER_LABELS.sub("LIKELIHOOD OF SUCCESS", text)


def _read(reply: Turn) -> Reading:
    return parse_likelihood(_same_label(reply.text), finish_reason=reply.ended or None)


def _listed_value(text: str) -> float | None:
    try:
        value = float(text) / 100
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
