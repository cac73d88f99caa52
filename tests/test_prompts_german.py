"""The German prompt set, filled from the German taxonomy: nothing in it is in another language."""

import json
import re

import pytest

from core.curation.language import language_flag
from core.exchange.taxonomy_file import read_taxonomy
from core.prompts import fill, load_prompt
from core.protocols import protocol_named
from core.settings import PROJECT_ROOT
from core.taxonomy import FEASIBLE, INFEASIBLE, LINE_OF_DUTY

GERMAN = read_taxonomy(PROJECT_ROOT / "data" / "taxonomies" / "german.json")
SHAPE = protocol_named("feasibility_boundary", GERMAN)
CONTEXTS = {
    "generate_feasible": {"intent": FEASIBLE, "type": "Gefühl für die Zeit", "reason": None},
    "generate_infeasible": {
        "intent": INFEASIBLE,
        "type": "Gefühl für die Zeit",
        "reason": "Unbestimmbare Zeit",
    },
    "classify": {
        "intent": INFEASIBLE,
        "type": "Gefühl für die Zeit",
        "reason": "Unbestimmbare Zeit",
    },
}
TASK = "Schreibe ein Haiku über den Regen."
GOLDEN = PROJECT_ROOT / "tests" / "golden" / "vanilla_german"
# Words of the object that a model returns, the same in every language.
OF_THE_OBJECT = re.compile(r"\b(?:JSON|task_class|task|answer|reason|feasible|infeasible)\b")
ENGLISH = re.compile(
    r"\b(?:the|and|you|your|of|to|is|are|not|can|for|with|type|reason|task|reply|list|model)\b",
    re.IGNORECASE,
)


def _messages(what: str, context: dict) -> str:
    step = next(step for step in SHAPE.steps if what in step.prompts)
    prompt = load_prompt("feasibility_boundary", "vanilla_german", what)
    filled = fill(prompt, step.variables(context, TASK))
    return "".join(f"# {message.role}\n{message.content}\n\n" for message in filled)


def _every_context(what: str) -> list[dict]:
    if what == "generate_feasible":
        return [CONTEXTS[what] | {"type": name} for name in GERMAN.type_names]
    return [
        CONTEXTS[what] | {"type": GERMAN.type_of_reason[name], "reason": name}
        for name in GERMAN.reason_names
    ]


@pytest.mark.parametrize("what", CONTEXTS)
def test_the_filled_prompt_is_letter_for_letter_the_one_kept(what: str) -> None:
    kept = (GOLDEN / f"{what}.txt").read_text(encoding="utf-8")
    assert _messages(what, CONTEXTS[what]) == kept


@pytest.mark.parametrize("what", CONTEXTS)
def test_every_filled_prompt_is_german_and_names_german_types_and_reasons_only(what: str) -> None:
    for context in _every_context(what):
        text = _messages(what, context)
        assert language_flag(text, language="de") is None
        assert not any(
            name in text for name in (*LINE_OF_DUTY.type_names, *LINE_OF_DUTY.reason_names)
        )
        body = OF_THE_OBJECT.sub("", re.sub(r"(?m)^# (?:system|user)$", "", text))
        assert ENGLISH.findall(body) == []


def test_the_reasons_on_offer_are_all_eleven_by_their_german_names() -> None:
    text = _messages("classify", CONTEXTS["classify"])
    for reason in GERMAN.reasons:
        assert f"- {reason.name}: {reason.description}\n" in text


def test_the_objects_that_the_prompt_shows_are_read_as_they_are_meant() -> None:
    text = _messages("classify", CONTEXTS["classify"])
    shown = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert [one["task_class"] for one in shown] == [FEASIBLE, INFEASIBLE]
    assert all(list(one) == ["task_class", "answer", "reason"] for one in shown)
    declined = shown[1] | {"reason": "Unbestimmbare Zeit"}
    reading = SHAPE.step("classify").read(json.dumps(declined))
    assert (reading.label, reading.reason) == (INFEASIBLE, "Unbestimmbare Zeit")


def test_the_set_has_the_same_prompts_with_the_same_variables_as_the_english_one() -> None:
    for what in CONTEXTS:
        german = load_prompt("feasibility_boundary", "vanilla_german", what)
        english = load_prompt("feasibility_boundary", "vanilla", what)
        assert german.variables == english.variables
        assert [one.role for one in german.messages] == [one.role for one in english.messages]
        assert german.number("max_tokens", 0) == english.number("max_tokens", 0)
