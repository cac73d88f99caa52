"""Prompt files: what is refused, what is filled, and that the shipped ones are whole."""

from pathlib import Path

import pytest

from core.errors import NotFoundError, PromptError
from core.identity import content_hash
from core.prompts import fill, load_prompt, parse_prompt, prompt_sets, prompt_versions
from core.protocols import PROTOCOLS
from core.protocols.base import JUDGE_PROMPTS

HEAD = "---\npurpose: greet\nvariables: {variables}\nsource: ours\n---\n"


def _parse(body: str, variables: str = "") -> object:
    return parse_prompt(HEAD.format(variables=variables) + body, name="p/s/greet", version=1)


def test_the_values_are_filled_in_and_never_read_as_placeholders() -> None:
    prompt = _parse("# system\nBe kind.\n\n# user\nSay hi to ${who} for $$5", "who")
    system, user = fill(prompt, {"who": "${who} $x # user"})
    assert (system.role, system.content) == ("system", "Be kind.")
    assert user.content == "Say hi to ${who} $x # user for $5"


def test_the_hash_is_of_the_whole_file_with_plain_line_ends() -> None:
    text = HEAD.format(variables="") + "# user\nhi\n"
    windows = parse_prompt(text.replace("\n", "\r\n"), name="p/s/greet", version=1)
    assert windows.hash == content_hash(text)


@pytest.mark.parametrize(
    ("body", "variables", "wording"),
    [
        ("# user\nhi ${who}", "", r"names the variables none and uses who"),
        ("# user\nhi", "who", r"names the variables who and uses none"),
        ("# user\ncosts $ 5", "", r"has a stray dollar sign under # user"),
        ("hello\n# user\nhi", "", r"has text before the first # system"),
        ("# user\nhi\n# assistant\nhello", "", r"must end with a # user message"),
        ("", "", r"must end with a # user message"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(body: str, variables: str, wording: str) -> None:
    with pytest.raises(PromptError, match=rf"p/s/greet\.v1\.md {wording}"):
        _parse(body, variables)


def test_a_header_without_its_keys_is_refused() -> None:
    with pytest.raises(PromptError, match="does not begin with a header"):
        parse_prompt("# user\nhi", name="p/s/greet", version=1)
    with pytest.raises(PromptError, match="has no source in its header"):
        parse_prompt("---\npurpose: x\nvariables:\n---\n# user\nhi", name="p/s/g", version=1)


def test_filling_takes_what_the_prompt_wants_from_what_is_on_offer() -> None:
    prompt = _parse("# user\nhi ${who}", "who")
    assert fill(prompt, {"who": "a", "what": "b"})[0].content == "hi a"
    with pytest.raises(PromptError, match=r"greet\.v1\.md wants the variables who"):
        fill(prompt, {"what": "b"})


def test_a_prompt_set_is_added_by_adding_files(tmp_path: Path) -> None:
    folder = tmp_path / "proto" / "mine"
    folder.mkdir(parents=True)
    for version in (1, 2):
        text = HEAD.format(variables="") + f"# user\nversion {version}"
        (folder / f"ask.v{version}.md").write_text(text)
    assert prompt_sets("proto", root=tmp_path) == ["mine"]
    assert prompt_versions("proto", "mine", "ask", root=tmp_path) == [1, 2]
    assert load_prompt("proto", "mine", "ask", root=tmp_path).version == 2
    assert "version 1" in load_prompt("proto", "mine", "ask", version=1, root=tmp_path).text
    with pytest.raises(NotFoundError, match=r"prompt set mine has no ask\.v3\.md"):
        load_prompt("proto", "mine", "ask", version=3, root=tmp_path)


def test_the_sets_for_judges_are_no_choice_for_a_subject() -> None:
    assert prompt_sets("feasibility_boundary") == [
        *("challenge_qap", "small_model", "vanilla", "vanilla_german")
    ]
    assert prompt_sets(f"feasibility_boundary/{JUDGE_PROMPTS}") == ["small_model", "vanilla"]


SHIPPED = [
    (protocol.name, prompt_set, what)
    for protocol in PROTOCOLS.values()
    for prompt_set in prompt_sets(protocol.name)
    for step in protocol.steps
    for what in step.prompts
]
SHIPPED_FOR_JUDGES = [
    (protocol.name, f"{JUDGE_PROMPTS}/{prompt_set}", what)
    for protocol in PROTOCOLS.values()
    for prompt_set in prompt_sets(f"{protocol.name}/{JUDGE_PROMPTS}")
    for step in protocol.steps
    for what in step.judge_prompts
]


@pytest.mark.parametrize(("protocol", "prompt_set", "what"), SHIPPED + SHIPPED_FOR_JUDGES)
def test_every_shipped_prompt_can_be_filled_by_its_step(
    protocol: str, prompt_set: str, what: str
) -> None:
    shape = PROTOCOLS[protocol]
    prompt = load_prompt(protocol, prompt_set, what)
    step = next(step for step in shape.steps if what in step.prompts + step.judge_prompts)
    context = {"intent": "infeasible", "type": "Ethical Integrity", "reason": "Offensive Topics"}
    context |= {"answer": "Rome", "references": "Rome"}
    if what.endswith("_feasible"):
        context = {"intent": "feasible", "type": "Ethical Integrity", "reason": None}
    assert fill(prompt, step.variables(context, "Write a haiku."))
