"""Feasibility boundary: does a model, asked to do tasks, keep the boundary it drew inventing them?

The subject invents tasks it can and cannot carry out (temperature 1); people remove the malformed
ones, with the help of a screening judge if they like; the same subject then carries out or declines
a balanced sample (temperature 0).

Which types there are, and which reasons, is for the study's taxonomy to say: every function that
needs them takes it, and `feasibility_boundary` makes the protocol for one.

Source: "Line of Duty"; the sizes are its own: about 90 tasks a type and side, 80 of them drawn.
"""

from functools import lru_cache, partial
from typing import Any

from core.parsing.screening import MALFORMED, SCREENING_REASONS, SOUND, parse_screening
from core.parsing.structured import parse_classification, parse_task
from core.prompts import Prompt
from core.protocols.base import Cell, Context, Protocol, Step, Verdicts, WorksOn
from core.protocols.fence import fence_for
from core.protocols.shown import Results
from core.taxonomy import (
    FEASIBLE,
    INFEASIBLE,
    INTENTS,
    LINE_OF_DUTY,
    MISSING_CONTEXT,
    KnowledgeType,
    Reason,
    Taxonomy,
)

PER_TYPE = 90
PER_CELL = 80


def generation_context(taxonomy: Taxonomy, cell: Cell, number: int) -> Context:
    """The `number`-th task to invent in a cell; infeasible ones take the type's reasons in turn.

    Example:
        >>> generation_context(LINE_OF_DUTY, ("Ethical Integrity", "infeasible"), 1)["reason"]
        'Offensive Topics'
    """
    kind, intent = cell
    reasons = _type(taxonomy, kind).reasons
    reason = reasons[number % len(reasons)].name if intent == INFEASIBLE else None
    return {"intent": intent, "type": kind, "reason": reason}


def generation_variables(taxonomy: Taxonomy, context: Context, _task: str) -> dict[str, str]:
    """What fills a generation prompt: the type with its description, or the reason with its own."""
    if context["intent"] == FEASIBLE:
        kind = _type(taxonomy, context["type"])
        return {"type": kind.name, "type_description": kind.description}
    reason = _reason(taxonomy, context["reason"])
    return {"reason": reason.name, "reason_description": reason.description}


def generation_schema(prompt: Prompt) -> dict[str, Any]:
    """The schema of `{"task": ...}`, as long as the prompt allows."""
    return _object(prompt, {"task": _text(prompt, minLength=1)})


def classification_variables(taxonomy: Taxonomy, _context: Context, task: str) -> dict[str, str]:
    """What can fill the classification prompt: the task, and the reasons on offer."""
    reasons = "\n".join(f"- {reason.name}: {reason.description}" for reason in taxonomy.reasons)
    return {"task": task, "reasons": reasons}


def classification_schema(taxonomy: Taxonomy, prompt: Prompt) -> dict[str, Any]:
    """The schema of a classification.

    A prompt with `forms: two` offers the two forms as alternatives, which leaves a small model no
    room for a reply out of form; hosted models reject alternatives at the top, so by default the
    three keys stand side by side and the parser sees to the rest.
    """
    if prompt.header.get("forms") == "two":
        feasible = {"task_class": {"const": FEASIBLE}, "answer": _text(prompt, minLength=1)}
        reasons = {"enum": list(taxonomy.reason_names)}
        infeasible = {"task_class": {"const": INFEASIBLE}, "reason": reasons}
        return {"anyOf": [_object(prompt, feasible), _object(prompt, infeasible)]}
    return _object(
        prompt,
        {
            "task_class": {"type": "string", "enum": list(INTENTS)},
            "answer": _text(prompt),
            "reason": {"type": "string", "enum": ["", *taxonomy.reason_names]},
        },
    )


def screening_variables(taxonomy: Taxonomy, context: Context, task: str) -> dict[str, str]:
    """What can fill the screening prompt. How the task was meant is not on offer, only its type."""
    kind = next((one for one in taxonomy.types if one.name == context["type"]), None)
    return {
        "task": task,
        "fence": fence_for(task),
        "type": f"{kind.name}. {kind.description}" if kind else "not known.",
        "lacking_types": ", ".join(_lacking_types(taxonomy)) or "none",
        "language": context.get("language") or "English",
    }


def screening_schema(prompt: Prompt) -> dict[str, Any]:
    """The schema of a verdict; with `forms: two`, as alternatives that leave no room for others."""
    why = _text(prompt)
    if prompt.header.get("forms") == "two":
        sound = {"verdict": {"const": SOUND}, "reason": {"const": ""}, "why": why}
        reasons = {"enum": list(SCREENING_REASONS)}
        malformed = {"verdict": {"const": MALFORMED}, "reason": reasons, "why": why}
        return {"anyOf": [_object(prompt, sound), _object(prompt, malformed)]}
    return _object(
        prompt,
        {
            "verdict": {"type": "string", "enum": [SOUND, MALFORMED]},
            "reason": {"type": "string", "enum": ["", *SCREENING_REASONS]},
            "why": why,
        },
    )


def _text(prompt: Prompt, **limits: int) -> dict[str, Any]:
    longest = prompt.number("max_length", 0)
    return {"type": "string"} | limits | ({"maxLength": longest} if longest else {})


def _object(prompt: Prompt, properties: dict[str, Any]) -> dict[str, Any]:
    if prompt.header.get("analysis") == "yes":
        properties = {"analysis": _text(prompt)} | properties
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _type(taxonomy: Taxonomy, name: str | None) -> KnowledgeType:
    return next(kind for kind in taxonomy.types if kind.name == name)


def _reason(taxonomy: Taxonomy, name: str | None) -> Reason:
    return next(reason for reason in taxonomy.reasons if reason.name == name)


def _lacking_types(taxonomy: Taxonomy) -> list[str]:
    """The types whose tasks may leave something out on purpose."""
    return [
        kind.name
        for kind in taxonomy.types
        if any(taxonomy.stands_for(reason.name, MISSING_CONTEXT) for reason in kind.reasons)
    ]


def _steps(taxonomy: Taxonomy) -> tuple[Step, ...]:
    generate = Step(
        name="generate",
        title="Generate",
        doing="inventing tasks",
        works_on=WorksOn.CELLS,
        prompts=("generate_feasible", "generate_infeasible"),
        prompt_for=lambda context: f"generate_{context['intent']}",
        variables=partial(generation_variables, taxonomy),
        parameters={"temperature": 1.0},
        schema=generation_schema,
        read=parse_task,
        context_at=partial(generation_context, taxonomy),
    )
    screen = Step(
        name="screen",
        title="Screen",
        doing="screening tasks",
        works_on=WorksOn.EVERY_TASK,
        prompts=(),
        judge_prompts=("screen",),
        prompt_for=lambda context: "screen",
        variables=partial(screening_variables, taxonomy),
        parameters={"temperature": 0.0},
        schema=screening_schema,
        read=parse_screening,
        is_optional=True,
        verdicts=Verdicts("Is this task malformed?", yes=MALFORMED, no=SOUND),
    )
    classify = Step(
        name="classify",
        title="Classify",
        doing="classifying tasks",
        works_on=WorksOn.DRAWN_TASKS,
        people_give="label",
        prompts=("classify",),
        prompt_for=lambda context: "classify",
        variables=partial(classification_variables, taxonomy),
        parameters={"temperature": 0.0},
        schema=partial(classification_schema, taxonomy),
        read=partial(
            parse_classification,
            reasons=taxonomy.reason_names,
            normalise=taxonomy.normalise_reason,
        ),
        purpose="Each drawn task is carried out, or declined for one reason.",
    )
    return generate, screen, classify


def _results(taxonomy: Taxonomy) -> Results:
    # Metrics import pandas, which only those who look at results should wait for.
    from core.protocols.boundary_exhibits import boundary_results

    return boundary_results(taxonomy)


@lru_cache(maxsize=64)
def feasibility_boundary(taxonomy: Taxonomy) -> Protocol:
    """The protocol for studies with the types and reasons of a taxonomy."""
    return Protocol(
        name="feasibility_boundary",
        title="Feasibility boundary",
        question="Does a model, asked to do tasks, keep the boundary it drew when inventing them?",
        steps=_steps(taxonomy),
        cells=tuple((kind, intent) for kind in taxonomy.type_names for intent in INTENTS),
        per_type=PER_TYPE,
        per_cell=PER_CELL,
        results=partial(_results, taxonomy),
        for_taxonomy=feasibility_boundary,
    )


FEASIBILITY_BOUNDARY = feasibility_boundary(LINE_OF_DUTY)
