"""The conversation in which contracts are offered, made anew from what is stored.

Everything said before stays in it: each offer, each reply as it came, what was handed in where the
model accepted (its own earlier attempt at the task), how that ended, and the total.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from core.prompts import Prompt, fill
from core.protocols.fence import code_block
from core.protocols.in_advance_confidence import contract_variables
from core.records import Message
from core.store.store import Store
from core.workflows.studies import Study

Row = Mapping[str, Any]
History = Mapping[int, Sequence[Row]]
"""By trial what was answered so far, in order: number, ask, outcome, reply, label, task_text,
is_solvable and submission."""


def contract_history(store: Store, study: Study, model: str) -> History:
    """What a model has answered to its contracts so far."""
    rows = store.rows("contract_history", study_id=study.study_id, model=model)
    return {trial: list(own) for trial, own in groupby(rows, key=lambda row: row["trial"])}


def conversation(
    prompts: Mapping[str, Prompt], context: Mapping[str, Any], task_text: str, history: History
) -> tuple[Message, ...]:
    """What is sent for one contract: all that came before it in its trial, and the offer.

    Args:
        prompts: by what they are for, such as contract_passed.
        context: of the planned item: trial, contract, contracts and ask.
        task_text: of the task that the contract is about.
    """
    number, ask = int(context["contract"]), int(context["ask"])
    before = [
        row
        for row in history.get(int(context["trial"]), ())
        if (row["number"], row["ask"]) < (number, ask)
    ]
    said: list[Message] = []
    total, ended = 0, ""
    for row in before:
        if row["ask"] == 0:
            _offer(said, prompts, context, row["number"], row["task_text"], ended, total)
        _say(said, "assistant", row["reply"] or "")
        if row["outcome"] != "ok":
            _ask(said, prompts["contract_again"], {})
            continue
        ended = "contract_declined"
        if row["label"] == "yes":
            _ask(said, prompts["contract_submit"], {"contract": str(row["number"])})
            _say(said, "assistant", code_block(row["submission"] or ""))
            ended = "contract_passed" if row["is_solvable"] else "contract_failed"
            total += 1 if row["is_solvable"] else -1
    if ask == 0:
        _offer(said, prompts, context, number, task_text, ended, total)
    return tuple(said)


def _offer(
    said: list[Message],
    prompts: Mapping[str, Prompt],
    context: Mapping[str, Any],
    number: int,
    task_text: str,
    ended: str,
    total: int,
) -> None:
    about = {"contracts": context["contracts"], "contract": str(number), "total": str(total)}
    _ask(said, prompts[ended or "contract"], contract_variables(about, task_text))


def _ask(said: list[Message], prompt: Prompt, values: Mapping[str, str]) -> None:
    for message in fill(prompt, values):
        _say(said, message.role, message.content)


def _say(said: list[Message], role: str, content: str) -> None:
    """Add a turn; what one side says twice in a row is one turn, and silence is none."""
    if not content.strip():
        return
    if said and said[-1].role == role:
        content = f"{said.pop().content}\n\n{content}"
    said.append(Message(role, content))
