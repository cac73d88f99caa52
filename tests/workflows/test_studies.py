"""Studies: one name is one study, and what cannot be used is refused in words."""

import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.settings import EMBEDDED_MODEL
from core.workflows.drawing import draw_tasks
from core.workflows.steps import start_step
from core.workflows.studies import (
    Study,
    clone_study,
    create_study,
    find_study,
    free_name,
    study_named,
)
from core.workflows.study_overviews import TASK_COUNTS, list_studies, overview_document
from core.workflows.workbench import Workbench

from .conftest import MODEL

PROTOCOL = "feasibility_boundary"


@pytest.mark.parametrize(
    ("changes", "wording"),
    [
        ({"name": "  "}, "the study has no name"),
        ({"name": "n" * 121}, "the study's name 'n+' has 121 characters"),
        ({"name": "two\nlines"}, r"the study's name 'two\\nlines' has unprintable characters"),
        ({"subject": ""}, "the subject is named '', which is no model id"),
        ({"subject": "gpt 4"}, "the subject is named 'gpt 4', which is no model id"),
        ({"subject": "a/\x1b[31m"}, "which is no model id"),
        ({"judge": "a judge"}, "the judge is named 'a judge', which is no model id"),
        ({"judge": MODEL}, f"the judge {MODEL} is the subject itself"),
        ({"per_type": 0}, "tasks per type is 0"),
        ({"per_type": 100_001}, "tasks per type is 100001"),
        ({"per_cell": 0}, "tasks per cell is 0"),
        ({"seed": 2**63}, "the seed is 9223372036854775808"),
        ({"budget_usd": 0.0}, "the budget is 0.0 US dollars"),
        ({"budget_usd": float("nan")}, "the budget is nan US dollars"),
        ({"protocol": "tarot"}, "there is no protocol named 'tarot'"),
        ({"prompt_set": "rude"}, "there is no prompt set named 'rude'"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_hint_and_stores_nothing(
    bench: Workbench, changes: dict, wording: str
) -> None:
    options = {"name": "New", "protocol": PROTOCOL, "subject": MODEL} | changes
    with pytest.raises((InputError, NotFoundError), match=wording) as caught:
        create_study(bench.store, options.pop("name"), **options)
    assert caught.value.hint
    assert list_studies(bench.store) == []


def test_names_that_differ_by_case_only_are_one_name(bench: Workbench, study: Study) -> None:
    for name in ("Small", "SMALL", " small "):
        with pytest.raises(ConflictError, match=r"there is a study named '.*' already"):
            create_study(bench.store, name, protocol=PROTOCOL, subject=MODEL)
    assert study_named(bench.store, "sMALL") == study
    assert find_study(bench.store, "Other") is None


def test_a_study_that_is_not_there_is_missed_by_name_and_the_hint_lists_what_is(
    bench: Workbench, study: Study
) -> None:
    with pytest.raises(NotFoundError, match="there is no study named 'Smal'") as caught:
        study_named(bench.store, "Smal")
    assert caught.value.hint == "there are: Small"


def test_a_stored_study_is_read_back_as_it_was_made(bench: Workbench) -> None:
    made = create_study(
        bench.store,
        "A [b]bold[/b] $5 :smile: café",
        protocol=PROTOCOL,
        subject=MODEL,
        judge="a/judge",
        prompt_set="challenge_qap",
        per_type=7,
        seed=-3,
        budget_usd=1.5,
    )
    assert study_named(bench.store, made.name) == made
    assert made.per_cell == 7  # no more can be drawn than are invented
    assert set(made.prompt_versions) == {"generate_feasible", "generate_infeasible", "classify"}


def test_small_local_models_get_the_prompts_with_examples_unless_others_are_named(
    bench: Workbench,
) -> None:
    def prompts_of(name: str, subject: str, **options: object) -> str:
        return create_study(
            bench.store, name, protocol=PROTOCOL, subject=subject, **options
        ).prompt_set

    assert prompts_of("a", EMBEDDED_MODEL) == "small_model"
    assert prompts_of("b", "local/x.gguf") == "small_model"
    assert prompts_of("c", "openai/gpt-4o") == "vanilla"
    assert prompts_of("d", EMBEDDED_MODEL, prompt_set="vanilla") == "vanilla"


def test_a_clone_has_the_set_up_and_nothing_of_the_work(bench: Workbench, study: Study) -> None:
    start_step(bench, study, "generate").wait(20)
    copy = clone_study(bench.store, study, "Copy")
    assert copy.study_id != study.study_id
    for name in ("protocol", "subject", "prompt_set", "per_type", "per_cell", "seed"):
        assert getattr(copy, name) == getattr(study, name)
    assert study_named(bench.store, "copy") == copy
    assert bench.store.rows("tasks_short", study_id=copy.study_id) == []
    with pytest.raises(ConflictError, match="there is a study named 'small' already"):
        clone_study(bench.store, study, "small")


def test_a_clone_of_a_demo_or_an_import_is_a_study_made_here(bench: Workbench) -> None:
    source = create_study(
        bench.store, "In", protocol=PROTOCOL, subject=MODEL, source="imported", is_demo=True
    )
    copy = clone_study(bench.store, source, "Out")
    assert (copy.source, copy.is_demo) == ("made", False)


def test_the_first_free_name_is_the_one_wanted_or_has_the_next_number(
    bench: Workbench, study: Study
) -> None:
    assert free_name(bench.store, "Other") == "Other"
    assert free_name(bench.store, "SMALL") == "SMALL 2"
    create_study(bench.store, "small 2", protocol=PROTOCOL, subject=MODEL)
    assert free_name(bench.store, "Small") == "Small 3"


def test_the_overview_counts_what_there_is_at_every_stage(bench: Workbench, study: Study) -> None:
    [fresh] = list_studies(bench.store)
    assert (fresh.tasks["n_tasks"], fresh.steps, fresh.n_drawn, fresh.cost_usd) == (0, {}, 0, 0.0)
    start_step(bench, study, "generate").wait(20)
    draw_tasks(bench.store, study, per_cell=1)
    start_step(bench, study, "classify").wait(20)
    [done] = list_studies(bench.store)
    assert done.tasks == dict.fromkeys(TASK_COUNTS, 0) | {"n_tasks": 20, "pending": 20}
    assert done.steps == {
        "generate": {"planned": 20, "ended": 20, "ok": 20},
        "classify": {"planned": 10, "ended": 10, "ok": 10},
    }
    # 30 calls at a tenth of a cent.
    assert (done.n_drawn, done.n_unpriced) == (10, 0)
    assert done.cost_usd == pytest.approx(0.03)
    document = overview_document(done)
    assert (document["name"], document["drawn"]) == ("Small", 10)
    assert document["steps"]["classify"]["ok"] == 10


def test_the_newest_study_is_listed_first(bench: Workbench, study: Study) -> None:
    create_study(bench.store, "Newer", protocol=PROTOCOL, subject=MODEL)
    assert [one.study.name for one in list_studies(bench.store)] == ["Newer", "Small"]
