"""An Inspect agent that is asked for its chance of success after each tool call and at the end.

The loop, its tools and the handing in are Inspect's own (`react`). Questions and replies stay in
the conversation, so that the agent knows what it said, and each carries a mark from which its log
is read again. A turn without a tool call is no step, nor is one in which handing in failed; after a
few in a row the agent is done. It is also done when its conversation is too long for the model.
"""

from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai.agent import Agent, AgentPrompt, AgentState, AgentSubmit, agent, react
from inspect_ai.model import (
    ChatMessage,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.tool import Tool, bash, python
from inspect_ai.util import store

from core.agents.needed import BUDGET
from core.agents.progress import agent_is_done
from core.parsing.agent_turns import ASKS_AFTER, ASKS_STEP, SUBMIT
from core.parsing.likelihood import parse_likelihood
from core.prompts import Prompt, fill, load_prompt
from core.records import Outcome

ASKS, REPLIES = "selfbound_asks", "selfbound_replies"
"""Marks in the metadata of a message: that it asks for a chance, or replies to that."""

ENDED = "selfbound_ended"
"""Mark of a reply: why the model stopped, in Inspect's words."""

TOO_LONG = "model_length"
"""Inspect's word for a conversation that a model does not take, whose reply is the provider's."""

KEPT = "selfbound:elicitation"
"""Where a run keeps its settings in the sample's store."""

MOST_ASKS = 2
MOST_IDLE = 3
"""Turns in a row without a tool call, after which an agent is done."""

TOOL_TIMEOUT_S = 180

_PROMPTS = ("rules", "step", "step_again", "carry_on", "submitted", "go_on")


@agent
def eliciting_agent(
    budget: int = BUDGET,
    prompt_set: str = "vanilla",
    tools: Sequence[Tool] | None = None,
    chance_form: dict[str, Any] | None = None,
) -> Agent:
    """An agent that states its chance at every step.

    Args:
        budget: tool calls that it may make; a turn that begins within it is carried out whole.
        prompt_set: of prompts/in_advance_confidence/agent.
        tools: what it may call; a shell and Python in the sandbox by default.
        chance_form: what a request for its chance holds beside the rest, see `core.agents.forms`.
    """
    prompts = {
        what: load_prompt("in_advance_confidence", f"agent/{prompt_set}", what) for what in _PROMPTS
    }
    offered = list(tools) if tools is not None else [bash(TOOL_TIMEOUT_S), python(TOOL_TIMEOUT_S)]
    ask = partial(_ask, prompts=prompts, tools=offered, form=chance_form, budget=budget)
    rules = _filled(prompts["rules"], budget=budget, submit=SUBMIT)

    async def after_turn(state: AgentState) -> bool | str:
        n_calls = _n_calls(state)
        returned = _returned(state)
        if any(map(_is_call, returned)):
            await ask(state, "step", ASKS_STEP, used=n_calls)
            # Not without a word of ours: to some providers a reply that stands last is one to be
            # finished.
            return n_calls < budget and _filled(prompts["carry_on"], submit=SUBMIT)
        if _n_idle(state) >= MOST_IDLE:
            return False
        # What came back from handing in says why it failed.
        return bool(returned) or _filled(prompts["go_on"], submit=SUBMIT)

    work = react(
        prompt=AgentPrompt(rules, None, None, None),
        tools=offered,
        submit=AgentSubmit(name=SUBMIT, keep_in_messages=True),
        on_continue=after_turn,
    )

    async def execute(state: AgentState) -> AgentState:
        hashes = {one.name: one.hash for one in prompts.values()}
        store().set(KEPT, {"budget": budget, "prompts": hashes})
        state = await work(state)
        await ask(state, "submitted", ASKS_AFTER, used=_n_calls(state))
        agent_is_done(_n_calls(state))
        return state

    return execute


def with_elicitation(
    task: Task, *, budget: int = BUDGET, tools: Sequence[Tool] | None = None
) -> Task:
    """Any Inspect task, worked on by the agent that states its chance at every step.

    Its data, sandbox, set-up and scorer stay; its solver is replaced. The task itself is changed
    and given back, as by Inspect's `task_with`.

    Args:
        tools: what the agent may call; a shell and Python in the task's sandbox by default.
    """
    return task_with(task, solver=eliciting_agent(budget=budget, tools=tools))


async def _ask(
    state: AgentState,
    what: str,
    asks: str,
    *,
    prompts: dict[str, Prompt],
    tools: Sequence[Tool],
    form: dict[str, Any] | None,
    **values: Any,
) -> None:
    """Puts the question, and once more where the reply cannot be read."""
    for prompt in (prompts[what], prompts["step_again"])[:MOST_ASKS]:
        question = _filled(prompt, **values)
        state.messages.append(ChatMessageUser(content=question, metadata={ASKS: asks}))
        output = await get_model().generate(
            state.messages,
            tools=tools,
            tool_choice="none",
            config=GenerateConfig(max_tokens=prompt.number("max_tokens", 2048), extra_body=form),
        )
        ended = output.stop_reason
        # A call made all the same is not carried out: the message may not go on without its result.
        told = {"tool_calls": None, "metadata": {REPLIES: asks, ENDED: ended}}
        told |= {"content": ""} if ended == TOO_LONG else {}
        state.messages.append(output.message.model_copy(update=told))
        read = parse_likelihood(output.completion, finish_reason=ended)
        if read.outcome is Outcome.OK or ended == TOO_LONG:
            return


def _filled(prompt: Prompt, **values: Any) -> str:
    return fill(prompt, {name: str(value) for name, value in values.items()})[-1].content


def _n_calls(state: AgentState) -> int:
    return sum(map(_is_call, state.messages))


def _is_call(message: ChatMessage) -> bool:
    return isinstance(message, ChatMessageTool) and message.function != SUBMIT


def _returned(state: AgentState) -> list[ChatMessageTool]:
    """What came back from the calls of the newest turn."""
    newest = takewhile(lambda one: one.role != "assistant", reversed(state.messages))
    return [one for one in newest if isinstance(one, ChatMessageTool)]


def _n_idle(state: AgentState) -> int:
    """Turns since the last call; handing in that failed is none."""
    n = 0
    for message in reversed(state.messages):
        if _is_call(message):
            break
        n += message.role == "assistant" and REPLIES not in (message.metadata or {})
    return n
