"""Agents for tests: solutions of the small tasks, and a mock model that follows a script."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.agents.needed import AgentLog, AgentRun
from core.parsing.agent_turns import AgentEstimate
from core.records import Outcome, Reading

SOLUTIONS = {
    "count_errors": "awk '$3 == \"ERROR\"' server.log | wc -l > answer.txt",
    "fix_median": r"""cat > stats.py <<'END'
def median(numbers):
    found = sorted(numbers)
    middle = len(found) // 2
    return found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2
END""",
    "flatten_settings": r"""python3 - <<'END'
import json
def walk(value, path):
    if isinstance(value, (dict, list)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for name, one in pairs:
            yield from walk(one, [*path, str(name)])
    else:
        yield ".".join(path) + "=" + json.dumps(value)
lines = sorted(walk(json.load(open("settings.json")), []))
open("settings.txt", "w").write("\n".join(lines) + "\n")
END""",
    "rename_reports": r"""cd reports; for f in report\ *; do set -- $f; d=${3%.txt}
mv "$f" "$(echo $d | tr -d -)_$2_report.txt"; done""",
    "sum_sales": r"""python3 - <<'END'
import csv
from collections import defaultdict
from decimal import Decimal
totals = defaultdict(Decimal)
for row in csv.DictReader(open("sales.csv", newline="", encoding="utf-8")):
    totals[row["name"]] += Decimal(row["amount"])
with open("totals.csv", "w", newline="", encoding="utf-8") as file:
    rows = sorted(totals.items(), key=lambda one: -one[1])
    csv.writer(file).writerows([("name", "total"), *((n, f"{t:.2f}") for n, t in rows)])
END""",
    "unique_addresses": (
        "tr A-Z a-z < addresses.txt | tr -d ' ' | grep . | awk '!seen[$0]++' > unique.txt"
    ),
    "word_of_hash": (
        "d=$(cat digest.txt); while read w; do s=$(printf %s $w | sha256sum); "
        'if test "${s%% *}" = "$d"; '
        "then echo $w > answer.txt; fi; done < words.txt"
    ),
}
"""What solves each small task, but for the one that nobody can solve."""

BEYOND = "code_of_hash"


def task_asked(messages: Sequence[Any], instructions: Mapping[str, str]) -> str:
    """The name of the task that a conversation is about."""
    texts = [message.text for message in messages if message.role == "user"]
    return next(name for name, told in instructions.items() if told in texts)


def scripted_agent(
    instructions: Mapping[str, str],
    commands: Callable[[str], Sequence[str]],
    estimate: Callable[[str, int | None], str],
) -> Callable[..., Any]:
    """The outputs of a mock model that runs its commands one by one and then submits.

    Args:
        instructions: by task, what it says.
        commands: of a task, to run one by one.
        estimate: the reply to a question, from the task and the calls made; None after submission.
    """
    from inspect_ai.model import ModelOutput

    def output(messages: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
        name = task_asked(messages, instructions)
        calls = [one for one in messages if one.role == "tool" and one.function != "submit"]
        last = messages[-1].text
        if re.search(r"LIKELIHOOD OF SUCCESS: X%", last):
            has_ended = any("nothing can be changed" in one.text for one in messages)
            said = estimate(name, None if has_ended else len(calls))
            return ModelOutput.from_content("mockllm/model", said)
        owed = list(commands(name))[len(calls) :]
        if owed:
            return ModelOutput.for_tool_call("mockllm/model", "bash", {"command": owed[0]})
        return ModelOutput.for_tool_call("mockllm/model", "submit", {"answer": "done"})

    return output


def agent_log(
    runs: Mapping[str, tuple[int | None, Sequence[float | None], float | None]],
    *,
    model: str = "openai/agent",
    log_task: str = "t",
    status: str = "success",
) -> AgentLog:
    """A log of agents: by task the outcome, the estimates by step, and the one after submission."""
    told = []
    for name, (outcome, steps, after) in runs.items():
        said = [*enumerate(steps, 1), (None, after)]
        estimates = [
            AgentEstimate(step, step or len(steps), _reading(value), "a reply")
            for step, value in said
        ]
        why = "has no score" if outcome is None else ""
        place = (log_task, name, 1, f"{name}-{outcome}", f"Do {name}.")
        told.append(AgentRun(*place, outcome, why, len(steps), 70, tuple(estimates)))
    return AgentLog("run.eval", "small", model, status, tuple(told), {"sandbox": "local"})


def _reading(value: float | None) -> Reading:
    if value is None:
        return Reading(Outcome.UNPARSABLE, note="no percentage")
    return Reading(Outcome.OK, value=value)
