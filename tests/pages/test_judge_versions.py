"""A second version of a judge's prompt is started on screen, where the first owes nothing."""

from pathlib import Path

from core.llm.scripted import ScriptedClient
from core.records import Reply
from core.workflows.desk import Desk
from core.workflows.planned_rows import used_versions
from core.workflows.steps import ended_run, live_run
from pages.shared import session
from tests.support.curation_screen import labels, press, sound, words
from tests.support.judged import JUDGE, judge


def test_another_version_of_the_prompt_goes_through_all_anew(
    study_desk: Desk, store_path: Path, sit_down
) -> None:
    study, step = study_desk.study, study_desk.study.shape.step("screen")
    judge(study_desk.store, study, verdict=lambda row: "sound", step="screen", version=2)
    page = sit_down(view="rules")
    page = sound(page.selectbox[-1].set_value(JUDGE).run())
    assert "Every planned call has been answered." in words(page)
    versions = page.segmented_control(key=f"judge_version_screen_{JUDGE}")
    assert (versions.options, versions.value) == (["v1", "v2"], 2)
    page = sound(versions.set_value(1).run())
    assert "**4 calls** to make" in words(page) and "Start screening tasks" in labels(page)
    bench = session._workbench(str(store_path))
    bench._client = ScriptedClient(lambda request: Reply(text="sound", model=request.model))
    press(page, "start_run")
    run = live_run(bench, study, "screen") or ended_run(bench, study, "screen", JUDGE)
    assert run.wait(30)
    assert used_versions(bench.store, study, step, JUDGE) == [2, 1]
    page = sound(page.run())
    assert "Every planned call has been answered." in words(page)
