"""The protocol for a taxonomy: the built-in one as ever, another with its own words."""

from dataclasses import replace

import pytest

from core.errors import InputError, NotFoundError
from core.exchange.taxonomy_file import read_taxonomy
from core.identity import content_hash
from core.prompts import load_prompt
from core.protocols import PROTOCOLS, protocol_named
from core.settings import PROJECT_ROOT
from core.taxonomy import LINE_OF_DUTY, taxonomy_from

NAME = "feasibility_boundary"
SUPPORT = read_taxonomy(PROJECT_ROOT / "data" / "taxonomies" / "support_assistant.json")


def test_the_built_in_taxonomy_gives_the_protocol_that_is_listed() -> None:
    assert protocol_named(NAME) is PROTOCOLS[NAME]
    assert protocol_named(NAME, LINE_OF_DUTY) is PROTOCOLS[NAME]


def test_equal_taxonomies_share_one_protocol_and_it_differs_in_words_only() -> None:
    own = protocol_named(NAME, SUPPORT)
    assert protocol_named(NAME, taxonomy_from(SUPPORT.document)) is own
    built_in = PROTOCOLS[NAME]
    assert len(own.cells) == 6 and len(built_in.cells) == 10
    assert [step.name for step in own.steps] == [step.name for step in built_in.steps]
    assert (own.name, own.per_type, own.per_cell) == (NAME, built_in.per_type, built_in.per_cell)


def test_calls_of_the_built_in_taxonomy_are_the_same_calls_as_before_there_were_others() -> None:
    # The hash is a part of what names a planned call: were it another, stored answers would be
    # asked for again.
    prompt = load_prompt(NAME, "vanilla", "classify", version=1)
    schema = PROTOCOLS[NAME].step("classify").schema(prompt)
    assert content_hash(schema)[:16] == "274fd73a80e4b4a6"
    assert schema["properties"]["reason"]["enum"] == ["", *LINE_OF_DUTY.reason_names]


def test_infeasible_tasks_take_the_reasons_of_their_type_in_turn() -> None:
    at = protocol_named(NAME, SUPPORT).step("generate").context_at
    reasons = [at(("Mandate", "infeasible"), number)["reason"] for number in range(3)]
    assert reasons == ["Decision of a Person", "Another Customer's Data", "Decision of a Person"]
    assert at(("Mandate", "feasible"), 0)["reason"] is None


def test_a_protocol_without_types_takes_no_taxonomy(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = replace(PROTOCOLS[NAME], name="plain", title="Plain", for_taxonomy=None)
    monkeypatch.setitem(PROTOCOLS, "plain", plain)
    assert protocol_named("plain") is plain
    with pytest.raises(InputError, match="Plain has no types and reasons, and was given those of"):
        protocol_named("plain", SUPPORT)
    with pytest.raises(NotFoundError, match="there is no protocol named 'tarot'"):
        protocol_named("tarot", SUPPORT)
