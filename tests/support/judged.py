"""Answers and what judges said of them, stored as a run would store them and without one."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

from core.identity import new_id
from core.parsing.screening import MALFORMED
from core.records import Outcome
from core.store.store import Store
from core.workflows.audits import AuditableJudge, find_judge
from core.workflows.plans import plan_step
from core.workflows.studies import Study, create_study

from .questions import add_questions

SUBJECT, JUDGE = "scripted/subject", "scripted/judge"


def asked_study(store: Store, n: int, *, name: str = "Asked", group: str = "") -> Study:
    """A study of so many questions with one reference answer each, from two files in turn."""
    study = create_study(
        store, name, protocol="uncertainty_attribution", subject=SUBJECT, judge=JUDGE
    )
    for file, first in (("odd", 1), ("even", 0)):
        questions = [(f"How much is {k} and {k}?", [str(2 * k)]) for k in range(first, n, 2)]
        add_questions(store, study, questions, file=file, group=group)
    return study


def answer(
    store: Store,
    study: Study,
    model: str = SUBJECT,
    *,
    said: Callable[[int], str] = str,
    label: Callable[[int], str] = lambda _: "ANSWERED",
) -> None:
    """Nothing; the model has answered every question it had not, by the question's position."""
    step = study.shape.step("attempt")
    plan_step(store, study, step, model)
    rows = [
        row
        for row in _planned(store, study, "attempt")
        if row["model"] == model and row["outcome"] == "pending"
    ]
    found = [(row, label(row["position"]), said(row["position"])) for row in rows]
    _finish(store, study, "attempt", model, found)


def judge(
    store: Store,
    study: Study,
    model: str = JUDGE,
    *,
    verdict: Callable[[dict], str | None],
    words: Callable[[dict], str] = lambda row: "",
    step: str = "judge",
    version: int | None = None,
) -> AuditableJudge:
    """The judge, who has judged all there is to judge.

    Args:
        verdict: from a planned item, with its `position` and `context`, to the label; None where
            the judge's reply cannot be read. words: what else it said of each.
    """
    plan_step(store, study, study.shape.step(step), model, judge_version=version)
    known = {
        row["item_id"]
        for row in store.rows("export_items", study_id=study.study_id)
        if row["outcome"] != "pending"
    }
    found = []
    for row in _planned(store, study, step):
        if row["model"] == model and row["item_id"] not in known:
            label = verdict(row | {"context": json.loads(row["context_json"])})
            found.append((row, label, f"{REPLY} {label}{words(row)}"))
    _finish(store, study, step, model, found)
    return find_judge(store, study, step, judge=model, version=version)


def twelve_right_of_twenty(store: Store) -> Study:
    """Twenty answers, of which the judge calls the first twelve right."""
    study = asked_study(store, 20)
    answer(store, study)
    judge(store, study, verdict=lambda item: "yes" if item["position"] < 12 else "no")
    return study


def _planned(store: Store, study: Study, step: str) -> list[dict]:
    rows = store.rows("export_items", study_id=study.study_id)
    return [row for row in rows if row["step"] == step]


def _finish(store: Store, study: Study, step: str, model: str, found: list[tuple]) -> None:
    now, run_id = datetime.now(UTC), new_id()
    keys = {"study_id": study.study_id, "step": step}
    run = {"run_id": run_id, "model": model, "n_owed": len(found), "settings_json": "{}"}
    store.append("run", [keys | run | {"started_at": now}])
    calls, labels = [], []
    for row, label, text in found:
        call_id = new_id()
        outcome = Outcome.OK if label else Outcome.UNPARSABLE
        about = keys | {"item_id": row["item_id"], "call_id": call_id}
        calls.append(
            about
            | {
                "run_id": run_id,
                "seq": store.next_seq(),
                "attempt": 1,
                "final": True,
                "outcome": outcome.value,
                "sent_at": now,
                "latency_s": 0.1,
                "model_asked": model,
                "asked_json": "{}",
                "honoured_json": "{}",
                "text": text,
                "raw_json": "{}",
                "error": "",
            }
        )
        if label:
            labels.append(
                about
                | {
                    "task_id": row["task_id"],
                    "model": model,
                    "seq": store.next_seq(),
                    "label": label,
                    # A screening judge that finds fault names one.
                    "reason": "malformed" if label == MALFORMED else None,
                    "answer": text if step == "attempt" else None,
                    "note": "",
                    "labelled_at": now,
                }
            )
    store.write([("call", calls), ("label", labels)])


REPLY = "So I say:"
"""How a judge's reply begins; after it comes the label."""
