"""Tasks and decisions in the JSON of Label Studio, as its import takes it and its exports give it.

What we write: every standing decision is an annotation; the whole history is in the task's data,
where Label Studio keeps it, so that it comes back unchanged. `completed_by` is left out, because
Label Studio refuses a file that names somebody who is no member there; the person's name is in
`created_username`, which it passes over.

What we read: exports as JSON (also the old `completions`), JSON-MIN and CSV, and task lists
without annotations. Annotations made in Label Studio come after the history that a task brought
along. JSON-MIN and CSV have a row for each annotation; rows with one `id` are one task.
"""

from collections.abc import Iterable, Mapping, Sequence
from json import JSONEncoder
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from core.exchange.decision_cells import decision_of_cells, history_items, history_of
from core.exchange.decisions import (
    DecidedTask,
    DecidedTaskFile,
    DecidedTaskRow,
    Decision,
    decided_file,
    decided_row,
    joined,
    standing,
)
from core.exchange.label_studio_annotations import annotated_decisions, person_of, words_of
from core.exchange.named_cells import RowFault, is_blank
from core.exchange.removal_reasons import Reasons, removal_labels
from core.exchange.row_file import RowFile, Value
from core.exchange.tasks import TASK_SPELLINGS, Spellings, matched_columns, task_findings
from core.exchange.times import moment_text, seconds_or_none
from core.exchange.wording import counted, shown
from core.exchange.writers import replacing
from core.taxonomy import LINE_OF_DUTY, Taxonomy

_HISTORY = "selfbound_decisions"
_TASK_SPELLINGS: Spellings = {
    **TASK_SPELLINGS,
    "task_id": ("selfbound task id", "task id"),
    _HISTORY: ("selfbound decisions",),
}
_MIN_SPELLINGS: Spellings = {
    **_TASK_SPELLINGS,
    "decision": ("decision",),
    "removal_reason": ("removal reason",),
    "note": ("note",),
    "decided_by": ("annotator",),
    "decided_at": ("updated at", "created at"),
    "seconds_active": ("lead time",),
}
_MIN_METADATA = ("id", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")

_encoded = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def labeling_config(reasons: Reasons) -> str:
    """The labeling configuration of a Label Studio project in which such a file can be annotated.

    To skip a task there is Label Studio's own button.

    Example:
        >>> print(labeling_config({"wrong_type": "Wrong type"}))
        <View>
          <Text name="text" value="$text"/>
          <Choices name="decision" toName="text" choice="single" showInline="true" required="true">
            <Choice value="keep"/>
            <Choice value="remove"/>
          </Choices>
          <Choices name="removal_reason" toName="text" choice="single" required="true"
                   visibleWhen="choice-selected" whenTagName="decision" whenChoiceValue="remove">
            <Choice value="Wrong type" alias="wrong_type"/>
          </Choices>
          <TextArea name="note" toName="text" maxSubmissions="1" editable="true"
                    placeholder="Note"/>
        </View>
    """
    choices = "\n".join(
        f"    <Choice value={quoteattr(label)} alias={quoteattr(code)}/>"
        for code, label in removal_labels(reasons).items()
    )
    return f"""<View>
  <Text name="text" value="$text"/>
  <Choices name="decision" toName="text" choice="single" showInline="true" required="true">
    <Choice value="keep"/>
    <Choice value="remove"/>
  </Choices>
  <Choices name="removal_reason" toName="text" choice="single" required="true"
           visibleWhen="choice-selected" whenTagName="decision" whenChoiceValue="remove">
{choices}
  </Choices>
  <TextArea name="note" toName="text" maxSubmissions="1" editable="true"
            placeholder="Note"/>
</View>"""


def write_label_studio(tasks: Iterable[DecidedTask], path: Path | str) -> int:
    """The number of tasks written to `path` as one JSON list, a line each."""
    n = n_annotations = 0
    with replacing(Path(path)) as part, part.open("wb") as file:
        for n, task in enumerate(tasks, start=1):
            item = _item(task, n, n_annotations + 1)
            n_annotations += len(item["annotations"])
            # A lone surrogate's Python escape is its JSON escape too.
            line = _encoded(item).encode("utf-8", "backslashreplace")
            file.write((b",\n" if n > 1 else b"[\n") + line)
        file.write(b"\n]\n" if n else b"[]\n")
    return n


def is_label_studio(file: RowFile) -> bool:
    """Whether rows come from Label Studio: tasks with data, or an export as JSON-MIN or CSV."""
    return _is_min(file) or any(isinstance(cells.get("data"), dict) for _, cells in file.rows)


def read_label_studio(
    file: RowFile, spellings: Mapping[str, str], taxonomy: Taxonomy = LINE_OF_DUTY
) -> DecidedTaskFile:
    """The tasks of a Label Studio file with their decisions, good and bad rows apart.

    Args:
        file: rows of which `is_label_studio` holds.
        spellings: of removal reasons (see `reason_spellings`).
        taxonomy: the types and reasons that a task can have.

    Raises:
        InputError: there is no text in the tasks' data, or no row is good.
    """
    return (_read_min if _is_min(file) else _read_tasks)(file, spellings, taxonomy)


def _item(task: DecidedTask, number: int, first_annotation: int) -> dict[str, Any]:
    about = {
        "text": task.text,
        "selfbound_task_id": task.task_id,
        "intent": task.intent,
        "type": task.type,
        "reason": task.reason,
    }
    data = {name: value for name, value in about.items() if value is not None}
    votes = enumerate(standing(task.decisions), start=first_annotation)
    return {
        "id": number,
        "data": data | {_HISTORY: history_items(task.decisions)},
        "annotations": [_annotation(one, annotation) for annotation, one in votes],
    }


def _annotation(one: Decision, number: int) -> dict[str, Any]:
    moment = moment_text(one.decided_at)
    result = []
    if one.action != "skip":
        result.append(_result("decision", "choices", {"choices": [one.action]}))
    if one.reason is not None:
        result.append(_result("removal_reason", "choices", {"choices": [one.reason]}))
    if one.note:
        result.append(_result("note", "textarea", {"text": [one.note]}))
    return {
        "id": number,
        "created_username": one.person,
        "was_cancelled": one.action == "skip",
        "ground_truth": bool(one.is_final),
        "created_at": moment,
        "updated_at": moment,
        "lead_time": seconds_or_none(one.seconds_active),
        "result": result,
    }


def _result(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"from_name": name, "to_name": "text", "type": kind, "value": value}


def _is_min(file: RowFile) -> bool:
    return {"annotator", "annotation_id"} <= set(file.columns)


def _read_tasks(file: RowFile, spellings: Mapping[str, str], taxonomy: Taxonomy) -> DecidedTaskFile:
    data = [cells.get("data") for _, cells in file.rows]
    names = dict.fromkeys(name for one in data if isinstance(one, dict) for name in one)
    tasks = RowFile(file.name, file.format, tuple(names), file.rows)
    columns = matched_columns(tasks, _TASK_SPELLINGS, needed=("text",))

    def read_row(line: int, cells: Mapping[str, Value]) -> DecidedTaskRow:
        if not isinstance(data := cells["data"], dict):
            raise RowFault(f"has {shown(data)} where the task's data belong", '{"text": …}')
        named = {name: _plain(data.get(met)) for name, met in columns.items()}
        history = history_of(named.get(_HISTORY), spellings)
        decisions = joined(history, annotated_decisions(cells, spellings))
        return decided_row(line, named, decisions, taxonomy)

    def findings(rows: Sequence[DecidedTaskRow]) -> list[str]:
        texts = [row.text for row in rows]
        return [*task_findings(tasks, columns.values(), texts), *_unread(file)]

    return decided_file(file, read_row, findings)


def _unread(file: RowFile) -> list[str]:
    return [
        counted(n, "task has", "tasks have") + f" {what}, which are not used"
        for what in ("predictions", "drafts")
        if (n := sum(bool(cells.get(what)) for _, cells in file.rows))
    ]


def _read_min(file: RowFile, spellings: Mapping[str, str], taxonomy: Taxonomy) -> DecidedTaskFile:
    columns = matched_columns(file, _MIN_SPELLINGS, needed=("text",))

    def read_row(line: int, cells: Mapping[str, Value]) -> DecidedTaskRow:
        named = {name: cells[met] for name, met in columns.items()}
        plain = {
            **named,
            "note": words_of(named.get("note"), "note"),
            "decided_by": person_of({"completed_by": named.get("decided_by")}),
        }
        if is_blank(named.get("task_id")) and not is_blank(cells.get("id")):
            plain["task_id"] = f"Label Studio task {cells['id']}"
        met = decision_of_cells(plain, spellings)
        history = history_of(named.get(_HISTORY), spellings)
        found = () if met is None else (met,)
        return decided_row(line, plain, joined(history, found, with_final=False), taxonomy)

    def findings(rows: Sequence[DecidedTaskRow]) -> list[str]:
        used = (*columns.values(), *_MIN_METADATA)
        return task_findings(file, used, [row.text for row in rows])

    return decided_file(file, read_row, findings)


def _plain(value: Any) -> Value:
    return str(value).lower() if isinstance(value, bool) else value
