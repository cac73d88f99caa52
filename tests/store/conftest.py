"""A fresh store, and rows for it: each builder gives a whole row, with what a test cares about."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from core.identity import content_hash
from core.store import Store
from core.store.keys import derive_item_id

NOON = datetime(2026, 5, 4, 12, 0, 0, 250_000, tzinfo=UTC)
PROMPT_TEXT = "Do the task."


def person(person_id="ada", name="Ada", **given):
    return {"person_id": person_id, "name": name, "created_at": NOON} | given


def study(study_id="s1", **given):
    return {
        "study_id": study_id,
        "name": f"study {study_id}",
        "protocol": "feasibility_boundary",
        "subject": "scripted/one",
        "prompt_set": "vanilla",
        "settings_json": "{}",
        "source": "made here",
        "is_demo": False,
        "created_at": NOON,
    } | given


def prompt(text=PROMPT_TEXT, **given):
    return {
        "prompt_hash": content_hash(text),
        "name": "classification",
        "version": 1,
        "text": text,
        "stored_at": NOON,
    } | given


def task(task_id="t1", **given):
    return {
        "task_id": task_id,
        "study_id": "s1",
        "position": 0,
        "text": f"text of {task_id}",
        "source": "generated",
        "source_ref": "",
        "note": "",
        "created_at": NOON,
    } | given


def planned(task_id="t1", **given):
    row = {
        "study_id": "s1",
        "step": "classify",
        "draw_id": None,
        "position": 0,
        "task_id": task_id,
        "draw_number": 0,
        "model": "scripted/one",
        "prompt_hash": content_hash(PROMPT_TEXT),
        "parameters_json": '{"temperature":0}',
        "context_json": "{}",
        "planned_at": NOON,
    } | given
    return {"item_id": derive_item_id(row)} | row


def run(run_id="r1", **given):
    return {
        "run_id": run_id,
        "study_id": "s1",
        "step": "classify",
        "model": "scripted/one",
        "n_owed": 1,
        "settings_json": "{}",
        "started_at": NOON,
    } | given


def call(call_id, item_id, seq, outcome="ok", **given):
    return {
        "call_id": call_id,
        "run_id": "r1",
        "study_id": "s1",
        "step": "classify",
        "item_id": item_id,
        "seq": seq,
        "attempt": 1,
        "final": True,
        "outcome": outcome,
        "sent_at": NOON,
        "latency_s": 0.5,
        "model_asked": "scripted/one",
        "asked_json": "{}",
        "honoured_json": "{}",
        "text": "yes",
        "raw_json": "{}",
        "error": "",
    } | given


def label(item_id, seq, call_id=None, **given):
    return {
        "study_id": "s1",
        "step": "classify",
        "item_id": item_id,
        "call_id": call_id,
        "task_id": "t1",
        "model": "scripted/one",
        "seq": seq,
        "label": "feasible",
        "note": "",
        "labelled_at": NOON,
    } | given


def review(review_id, seq, action="keep", **given):
    return {
        "review_id": review_id,
        "study_id": "s1",
        "task_id": "t1",
        "person_id": "ada",
        "seq": seq,
        "action": action,
        "note": "",
        "decided_at": NOON,
    } | given


@pytest.fixture
def rows():
    """The builders of rows, by table."""
    return SimpleNamespace(
        NOON=NOON,
        person=person,
        study=study,
        prompt=prompt,
        task=task,
        planned=planned,
        run=run,
        call=call,
        label=label,
        review=review,
    )


@pytest.fixture
def store(tmp_path, new_store_file):
    """An open store in a fresh folder."""
    path = tmp_path / "data" / "study.duckdb"
    path.parent.mkdir()
    path.write_bytes(new_store_file)
    with Store.open(path) as opened:
        yield opened


@pytest.fixture
def sound(store, rows):
    """A store with one of everything, in which nothing is wrong."""
    item = rows.planned()
    store.write(
        [
            ("person", [rows.person()]),
            ("study", [rows.study()]),
            ("prompt", [rows.prompt()]),
            ("task", [rows.task()]),
            ("planned", [item]),
            ("run", [rows.run()]),
            ("call", [rows.call("c1", item["item_id"], 10)]),
            ("label", [rows.label(item["item_id"], 11, "c1")]),
            ("review", [rows.review("v1", 12), rows.review("v2", 13, "undo", undoes="v1")]),
        ]
    )
    return store
