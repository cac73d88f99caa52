"""Studies with types and reasons of their own: every part of the work goes by them."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.curation.language import language_flag
from core.errors import ConflictError, InputError
from core.exchange.taxonomy_document import taxonomy_of_document
from core.exchange.taxonomy_file import read_taxonomy
from core.records import Reply, Request
from core.settings import EMBEDDED_MODEL, PROJECT_ROOT
from core.store.store import Store
from core.store.verify import verify
from core.taxonomy import LINE_OF_DUTY, Taxonomy
from core.workflows.curation import cell_counts, decide
from core.workflows.desk_rules import DeskRules, rules_of, set_rules
from core.workflows.drawing import draw_tasks
from core.workflows.exporting import export_study
from core.workflows.findings import check_new_tasks
from core.workflows.funnel import curation_funnel
from core.workflows.importing import import_line_of_duty, import_tasks
from core.workflows.people import person_named
from core.workflows.results import (
    common_protocol,
    label_counts,
    printed_comparison,
    removal_effect,
    tables_document,
)
from core.workflows.steps import start_step
from core.workflows.studies import Study, clone_study, create_study, study_named
from core.workflows.study_overviews import list_studies, overview_document
from core.workflows.workbench import Workbench
from tests.support.tasks import queue

from .conftest import MODEL, obedient

TAXONOMIES = PROJECT_ROOT / "data" / "taxonomies"
SUPPORT = read_taxonomy(TAXONOMIES / "support_assistant.json")
GERMAN = read_taxonomy(TAXONOMIES / "german.json")
PROTOCOL = "feasibility_boundary"


def _study(store: Store, name: str, taxonomy: Taxonomy, **options: object) -> Study:
    options = {"protocol": PROTOCOL, "subject": MODEL, "per_type": 2} | options
    return create_study(store, name, taxonomy=taxonomy, **options)


def _mostly_obedient(request: Request) -> Reply:
    """Declines as it was meant, but takes what was left out for a matter of the account."""
    if request.context["task_id"] and request.context["reason"] == "Details Left Out":
        # The spelling of the taxonomy's own list, with an explanation behind it.
        reply = {"task_class": "infeasible", "answer": "", "reason": "account access: it is closed"}
        return replace(obedient(request), text=json.dumps(reply))
    return obedient(request)


def test_a_study_with_three_types_and_five_reasons_goes_all_the_way(open_bench, tmp_path) -> None:
    bench: Workbench = open_bench(_mostly_obedient)
    store = bench.store
    study = _study(store, "Support", SUPPORT)
    cells = [(kind, intent) for kind in SUPPORT.type_names for intent in ("feasible", "infeasible")]
    assert list(study.shape.cells) == cells

    start_step(bench, study, "generate").wait(20)
    assert {cell: found["n_tasks"] for cell, found in cell_counts(store, study).items()} == (
        dict.fromkeys(cells, 2)
    )
    reasons = Counter(
        row["reason"] for row in store.rows("tasks_to_match", study_id=study.study_id)
    )
    # Two tasks to a type: its two reasons in turn, or twice its only one. Six are feasible.
    assert reasons.pop(None) == 6
    assert reasons == dict.fromkeys(SUPPORT.reason_names, 1) | {"Details Left Out": 2}

    assert check_new_tasks(store, study) == 12
    [first] = queue(store, study, n=1)
    ada = person_named(store, "Ada")
    decide(store, study, first.task_id, "remove", person=ada, reason="malformed")
    drawn = draw_tasks(store, study, with_removed=True)
    assert (drawn.n_tasks, drawn.shortfalls) == (12, ())
    start_step(bench, study, "classify").wait(20)

    counts = label_counts(store, [study])
    assert counts["n"].sum() == 11
    document = tables_document(store, [study])
    [entry] = document["studies"]
    assert list(entry["by_type"]) == list(SUPPORT.type_names)
    assert list(entry["by_reason"]) == list(SUPPORT.reason_names)
    # Of the 6 infeasible tasks the 2 of Grasp of the Request were declined for another reason.
    assert (entry["foresight"], entry["by_type"]["Mandate"]["foresight"]) == (4 / 6, 1.0)
    confusion = entry["most_frequent"]["type_confusion_generated_to_classified"]
    assert (confusion["value"], confusion["count"]) == (
        "Grasp of the Request -> Reach into Systems",
        2,
    )
    for exhibit in study.shape.results().exhibits:
        table = exhibit.table(counts)
        assert not any(name in table.to_csv() for name in LINE_OF_DUTY.type_names), exhibit.key
    effect = removal_effect(store, [study])
    assert list(effect["type"].unique()) == ["Overall", *SUPPORT.type_names]
    assert printed_comparison(study.shape, counts) is None
    funnel = curation_funnel(store, study, by_cell=True)
    assert list(dict.fromkeys(zip(funnel["type"], funnel["intent"], strict=True))) == cells

    export_study(store, study, tmp_path / "out")
    about = json.loads((tmp_path / "out" / "study.json").read_text(encoding="utf-8"))
    assert taxonomy_of_document(about["taxonomy"], "study.json") == SUPPORT
    assert about["taxonomy_hash"] == SUPPORT.hash
    assert verify(store) == []

    # The tasks with their decisions go into another study of the same taxonomy, and no other.
    copy = clone_study(store, study, "Copy")
    [file] = (tmp_path / "out").glob("tasks_with_decisions.*")
    [brought] = import_tasks(store, [file], study_name=copy.name)
    assert (brought.n_added, brought.n_decisions) == (12, 1)
    built_in = create_study(store, "Other", protocol=PROTOCOL, subject=MODEL)
    with pytest.raises(InputError, match="has the unknown type 'Reach into Systems'"):
        import_tasks(store, [file], study_name=built_in.name)


def test_a_judge_is_told_the_study_s_own_types_and_which_may_leave_something_out(
    open_bench,
) -> None:
    def judged(request: Request) -> Reply:
        text = json.dumps({"verdict": "sound", "reason": "", "why": "It is whole."})
        return obedient(request) if request.model == MODEL else Reply(text=text, model="a/judge")

    bench = open_bench(judged)
    told = {}
    for name, taxonomy in {"own": SUPPORT, "built in": LINE_OF_DUTY}.items():
        study = _study(bench.store, name, taxonomy, per_type=1)
        start_step(bench, study, "generate").wait(20)
        start_step(bench, study, "screen", model="a/judge").wait(20)
        asked = [one for one in bench.scripted.requests if one.model == "a/judge"]
        told[name] = asked[-1].messages[-1].content
    assert "The task's type: Grasp of the Request. Knowing whether" in told["own"]
    assert "never get this reason: Grasp of the Request.\n" in told["own"]
    assert "never get this reason: Contextual Awareness.\n" in told["built in"]


def test_a_stored_study_is_read_back_with_its_taxonomy_and_its_copy_keeps_it(
    bench: Workbench,
) -> None:
    made = _study(bench.store, "Support", SUPPORT)
    assert study_named(bench.store, "Support") == made
    copy = clone_study(bench.store, made, "Copy")
    assert study_named(bench.store, "Copy").taxonomy == SUPPORT == copy.taxonomy
    by_name = {one.study.name: overview_document(one) for one in list_studies(bench.store)}
    assert by_name["Copy"]["taxonomy"] == {
        "name": "Support assistant",
        "version": 1,
        "hash": SUPPORT.hash,
        "built_in": False,
    }


def test_a_study_stored_before_there_were_other_taxonomies_has_the_built_in_one(
    bench: Workbench, study: Study
) -> None:
    [row] = bench.store.rows("study_by_name", name=study.name)
    settings = json.loads(row["settings_json"])
    assert settings.pop("taxonomy") == LINE_OF_DUTY.document
    # No command takes a setting away.
    with bench.store._connection.cursor() as cursor:
        cursor.execute("UPDATE study SET settings_json = ?", [json.dumps(settings)])
    found = study_named(bench.store, study.name)
    assert found == study
    assert found.taxonomy is LINE_OF_DUTY
    assert found.shape is study.shape


def test_studies_with_different_taxonomies_are_not_put_into_one_table(
    bench: Workbench, study: Study
) -> None:
    own = _study(bench.store, "Support", SUPPORT)
    newer = _study(bench.store, "Newer", replace(SUPPORT, version=2))
    wording = (
        r"the studies have 2 sets of types and reasons: "
        r"Line of Duty, version 1 \(\w{8}\); Support assistant, version 1 \(\w{8}\)$"
    )
    with pytest.raises(ConflictError, match=wording):
        common_protocol([study, own])
    with pytest.raises(ConflictError, match=r"version 1 .*; Support assistant, version 2"):
        common_protocol([own, newer])
    assert common_protocol([own, own]) == own.shape


def test_examples_that_name_reasons_the_taxonomy_lacks_are_refused_and_never_the_default(
    bench: Workbench,
) -> None:
    wording = (
        "the prompts of small_model name the reason 'Computational Complexity Exceeded', and "
        "Support assistant, version 1, has no such reason"
    )
    with pytest.raises(InputError, match=wording):
        _study(bench.store, "Small", SUPPORT, prompt_set="small_model")
    made = _study(bench.store, "Small", SUPPORT, subject=EMBEDDED_MODEL)
    assert made.prompt_set == "vanilla"


def test_published_results_do_not_go_into_a_study_with_other_reasons(
    bench: Workbench, tmp_path: Path
) -> None:
    headers = (
        "ID,Task,LLM,Task Category (Generation),Type of Self-Knowledge (Generation),"
        "Reason for Incapacity (Generation),Task Category (Classification),"
        "Type of Self-Knowledge (Classification),Reason for Incapacity (Classification)"
    )
    path = tmp_path / "published.csv"
    path.write_text(f"{headers}\n1,Add 2 and 2.,m,feasible,Mandate,,feasible,,\n")
    with pytest.raises(InputError, match="has the unknown type 'Mandate'"):
        import_line_of_duty(bench.store, [path])
    path.write_text(f"{headers}\n1,Add 2 and 2.,{MODEL},feasible,Ethical Integrity,,feasible,,\n")
    _study(bench.store, "Support", SUPPORT, prompt_set="vanilla")
    wording = "Support has the types and reasons of Support assistant, version 1, and published"
    with pytest.raises(ConflictError, match=wording):
        import_line_of_duty(bench.store, [path], study_name="Support")


def test_a_german_study_is_german_throughout(open_bench) -> None:
    def german(request: Request) -> Reply:
        if request.context["task_id"] is None:
            return replace(obedient(request), text='{"task": "Nenne drei große Flüsse in Asien."}')
        text = {
            "task_class": "infeasible",
            "answer": "",
            "reason": "nicht Böswillige Absicht: Missing Context",
        }
        return replace(obedient(request), text=json.dumps(text))

    bench = open_bench(german)
    study = _study(bench.store, "Deutsch", GERMAN, prompt_set="vanilla_german", per_type=3)
    ada = person_named(bench.store, "Ada")
    set_rules(bench.store, study, DeskRules(language="de"), person=ada)
    start_step(bench, study, "generate").wait(20)
    assert check_new_tasks(bench.store, study) == 30
    assert {row["codes"] for row in bench.store.rows("export_flags", study_id=study.study_id)} == {
        ""
    }
    draw_tasks(bench.store, study)
    start_step(bench, study, "classify").wait(20)
    for request in bench.scripted.requests:
        for message in request.messages:
            assert language_flag(message.content, language="de") is None
            assert not any(name in message.content for name in LINE_OF_DUTY.reason_names)
            assert not any(name in message.content for name in LINE_OF_DUTY.type_names)
    reasons = [one.schema["properties"]["reason"] for one in bench.scripted.requests[-1:]]
    assert reasons == [{"type": "string", "enum": ["", *GERMAN.reason_names]}]
    # The English name is understood, and what is denied before it is not.
    assert set(label_counts(bench.store, [study])["label_reason"]) == {"Fehlende Angaben"}


def test_a_german_study_expects_german_tasks(bench: Workbench) -> None:
    study = _study(bench.store, "Deutsch", GERMAN)
    assert rules_of(bench.store, study).language == "de"
    assert study_named(bench.store, "Deutsch").taxonomy == GERMAN


def test_a_language_nobody_knows_is_refused(bench: Workbench) -> None:
    with pytest.raises(InputError, match="'xx' is not a known code"):
        _study(bench.store, "Fremd", replace(GERMAN, language="xx"))
