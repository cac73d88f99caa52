"""Logs that other people's agents leave behind, scored in every way that Inspect has."""

import json
import random
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.inspect
pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")

from inspect_ai import Task, eval_retry, task  # noqa: E402
from inspect_ai import eval as inspect_eval  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import (  # noqa: E402
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
)
from inspect_ai.scorer import Score, accuracy, scorer  # noqa: E402
from inspect_ai.solver import solver  # noqa: E402

from core.agents.logs import read_agent_log  # noqa: E402
from core.errors import InputError  # noqa: E402
from core.store.store import Store  # noqa: E402
from core.workflows.agent_import import import_agent_logs  # noqa: E402
from core.workflows.results import label_counts  # noqa: E402
from core.workflows.studies import create_study, study_named  # noqa: E402


def _step(n, said):
    """A call and an estimate in the layout of the published agent."""
    asked = f"STATUS UPDATE: {n} of 70 calls used.\nLIKELIHOOD OF RESOLVING ISSUE: X%."
    return [
        ChatMessageAssistant(content="I look."),
        ChatMessageTool(content="ok", function="bash", tool_call_id=str(n)),
        ChatMessageUser(content=asked),
        ChatMessageAssistant(content=f"LIKELIHOOD OF RESOLVING ISSUE: {said}. Because."),
    ]


def _published(*said, last="90%", listed=None):
    numbers = listed or [float(one.rstrip("%")) for one in said]
    return [
        *(message for n, one in enumerate(said, 1) for message in _step(n, one)),
        ChatMessageUser(content="It is tested now.\nLIKELIHOOD THAT ISSUE IS RESOLVED: X%."),
        ChatMessageAssistant(content=f"LIKELIHOOD THAT ISSUE IS RESOLVED: {last}"),
        ChatMessageUser(content=f"SELF_ASSESS_DATA:\nlikelihood_list: {numbers}"),
    ]


@pytest.fixture
def logged(tmp_path):
    """The log of an evaluation whose samples hold these messages and these scores by name."""

    def write(messages, scores, **settings):
        @solver
        def told():
            async def solve(state, generate):
                said = messages[state.sample_id]
                if isinstance(said, Exception):
                    raise said
                state.messages += said
                return state

            return solve

        def scorer_of(name):
            @scorer(metrics=[accuracy()], name=name)
            def given():
                async def score(state, target):
                    return Score(value=scores[name][state.sample_id])

                return score

            return given()

        samples = [Sample(f"Do {name}.", id=name) for name in messages]
        work = Task(dataset=samples, solver=told(), scorer=[scorer_of(name) for name in scores])
        usual = {"fail_on_error": False, "display": "none", "log_dir": str(tmp_path)}
        [log] = inspect_eval(work, model="mockllm/model", **(usual | settings))
        return tmp_path / log.location.rpartition("/")[2]

    return write


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "store.duckdb") as opened:
        create_study(opened, "a", protocol="in_advance_confidence", subject="mockllm/model")
        yield opened


def test_the_published_layout_comes_in_whole(logged):
    messages = {"x": _published("60%", "72.5%", listed=[60.0, 72.0]), "y": _published("20%")}
    log = read_agent_log(logged(messages, {"tests": {"x": 1.0, "y": 0.0}}))
    x, y = log.runs
    assert [(one.step, one.reading.value) for one in x.estimates] == [
        (1, 0.6),
        (2, 0.725),
        (None, 0.9),
    ]
    assert (x.outcome, y.outcome, x.text) == (1, 0, "Do x.")
    # Their list has cut off the decimals of one estimate.
    assert (x.n_listed_otherwise, y.n_listed_otherwise) == (1, 0)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        *[("C", 1), ("I", 0), ("N", 0), (True, 1), (0, 0), (1.0, 1), ("P", None), (0.5, None)],
        *[("yes", 1), ("False", 0), ("1.0", 1), ("0", 0), ("0.5", None), ("ok", None)],
        *[(float("nan"), None), ("nan", None), ({"a": 1}, None), ([1], None)],
    ],
)
def test_a_score_between_solved_and_not_is_no_outcome(logged, value, outcome):
    [run] = read_agent_log(logged({"x": _published("60%")}, {"tests": {"x": value}})).runs
    assert run.outcome == outcome
    assert bool(run.why) == (outcome is None)


def test_with_several_scores_the_deciding_one_has_to_be_named(logged):
    path = logged({"x": _published("60%")}, {"style": {"x": 0}, "tests": {"x": 1}})
    with pytest.raises(InputError, match="has 2 scores: style, tests") as told:
        read_agent_log(path)
    assert "--scorer" in told.value.hint
    assert read_agent_log(path, scorer="tests").runs[0].outcome == 1
    with pytest.raises(InputError, match="has no score 'speed'"):
        read_agent_log(path, scorer="speed")


def test_a_log_without_any_chance_is_refused(logged):
    path = logged({"x": [ChatMessageAssistant(content="Done.")]}, {"tests": {"x": 1}})
    with pytest.raises(InputError, match=r"none of the 1 samples .* states a likelihood"):
        read_agent_log(path)


def test_what_is_odd_is_told_and_an_error_is_no_failure(logged, store):
    messages = {
        "x": _published("60%"),
        "y": _published("80-90%", listed=[80.0]),
        "z": [ChatMessageAssistant(content="Done.")],
    }
    path = logged(messages, {"tests": {"x": 1, "y": "P", "z": 1}})
    [result] = import_agent_logs(store, [path], study_name="a")
    assert (result.n_rows, result.n_added) == (2, 2)
    assert result.findings == (
        "1 run states no chance at all, and is left out",
        '1 run has no outcome and counts in no curve; the first, y, has the score "P", neither '
        "solved nor not",
        "1 of 4 estimates cannot be read",
        "1 estimate differs from the list in the log; what was replied counts",
    )


def test_each_epoch_is_a_run_of_its_own(logged, store):
    path = logged({"x": _published("60%")}, {"tests": {"x": 1}}, epochs=3)
    [result] = import_agent_logs(store, [path], study_name="a")
    assert result.n_added == 3
    assert [one.epoch for one in read_agent_log(path).runs] == [1, 2, 3]


def test_of_an_evaluation_tried_again_each_task_counts_once(store, tmp_path):
    attempts = iter((False, True))

    @scorer(metrics=[accuracy()])
    def tests():
        async def score(state, target):
            if state.sample_id == "y" and not next(attempts):
                raise RuntimeError("the tests did not start")
            return Score(value=1)

        return score

    @solver
    def told():
        async def solve(state, generate):
            state.messages += _published("60%")
            return state

        return solve

    @task
    def tried_again():
        samples = [Sample("Do x.", id="x"), Sample("Do y.", id="y")]
        return Task(dataset=samples, solver=told(), scorer=tests())

    usual = {"display": "none", "log_dir": str(tmp_path)}
    [first] = inspect_eval(tried_again(), model="mockllm/model", fail_on_error=True, **usual)
    assert first.status == "error"
    [second] = eval_retry(first, **usual)
    paths = [tmp_path / one.location.rpartition("/")[2] for one in (first, second)]
    import_agent_logs(store, paths, study_name="a")
    counted = label_counts(store, [study_named(store, "a")])
    assert sorted(counted.drop_duplicates("run")["sample"]) == ["x", "y"]
    assert set(counted["result"]) == {"solved"}


def test_changed_bytes_are_noticed_or_change_nothing(logged, tmp_path):
    path = logged({"x": _published("60%")}, {"tests": {"x": 1}})
    data, whole = path.read_bytes(), read_agent_log(path)
    chance = random.Random(6)
    damaged = tmp_path / path.name
    n_noticed = 0
    for _ in range(60):
        changed = bytearray(data)
        for at in chance.sample(range(len(data)), 3):
            changed[at] = chance.randrange(256)
        damaged.write_bytes(changed)
        try:
            assert read_agent_log(damaged) == whole
        except InputError as told:
            assert "\n" not in str(told)
            n_noticed += 1
    assert n_noticed > 40


def _rewritten(path, name, changed):
    """The same log under another name, after `changed` had its way with it as JSON."""
    from inspect_ai.log import read_eval_log, write_eval_log

    other = path.with_name(name)
    write_eval_log(read_eval_log(path), other)
    log = json.loads(other.read_text("utf-8"))
    changed(log)
    other.write_text(json.dumps(log), encoding="utf-8")
    return other


def test_a_run_that_was_marked_as_invalid_has_no_outcome(logged):
    path = logged({"x": _published("60%"), "y": _published("20%")}, {"tests": {"x": 1, "y": 0}})

    def mark(log):
        told = {"author": "somebody", "timestamp": "2030-01-01T00:00:00+00:00"}
        log["samples"][0]["invalidation"] = told

    x, y = read_agent_log(_rewritten(path, "marked.json", mark)).runs
    assert (x.outcome, x.why) == (None, "was marked as invalid")
    assert y.outcome == 0


def test_of_older_logs_without_ids_a_run_that_was_tried_again_is_another(logged, store):
    """Before version 0.3.70 Inspect gave runs no id; a retry then had but its evaluation's."""
    path = logged({"x": _published("60%")}, {"tests": {"x": 1}})

    def age(log):
        log["samples"][0]["uuid"] = None

    def fail(log):
        age(log)
        told = {"message": "no engine", "traceback": "", "traceback_ansi": ""}
        log["samples"][0] |= {"error": told, "scores": {}}

    failed, done = _rewritten(path, "1.json", fail), _rewritten(path, "2.json", age)
    results = import_agent_logs(store, [failed, done, done], study_name="a")
    assert [one.n_added for one in results] == [1, 1, 0]
    counted = label_counts(store, [study_named(store, "a")])
    assert counted["result"].unique().tolist() == ["solved"]


def test_a_run_that_a_limit_ended_counts_as_scored_and_is_told(logged, store):
    path = logged({"x": _published("60%")}, {"tests": {"x": 0}}, message_limit=4)
    [run] = read_agent_log(path).runs
    assert (run.limit, run.outcome) == ("message", 0)
    [result] = import_agent_logs(store, [path], study_name="a")
    assert "1 run was ended by a limit (message), and count as scored" in result.findings


def test_a_log_of_a_newer_format_is_refused_rather_than_misread(logged, tmp_path):
    path = logged({"x": _published("60%")}, {"tests": {"x": 1}})
    newer = tmp_path / "newer.eval"
    with ZipFile(path) as old, ZipFile(newer, "w") as new:
        for name in old.namelist():
            part = json.loads(old.read(name))
            new.writestr(name, json.dumps(part | {"version": 99} if "header" in name else part))
    with pytest.raises(InputError, match="has version 99 of Inspect's format") as told:
        read_agent_log(newer)
    assert "2" in str(told.value)
    newer = _rewritten(path, "newer.json", lambda log: log.update(version=99))
    with pytest.raises(InputError, match="Unable to read version 99"):
        read_agent_log(newer)


def test_what_is_missing_in_a_log_is_named(logged, tmp_path):
    path = logged({"x": _published("60%")}, {"tests": {"x": 1}})
    with ZipFile(path) as old, ZipFile(tmp_path / "empty.eval", "w") as new:
        for name in old.namelist():
            if not name.startswith("samples/"):
                new.writestr(name, old.read(name))
    with pytest.raises(InputError, match=r"empty\.eval holds no sample that is done"):
        read_agent_log(tmp_path / "empty.eval")
    with ZipFile(tmp_path / "other.eval", "w") as other:
        other.writestr("notes.txt", "x")
    with pytest.raises(InputError, match=r"other\.eval is no .*: it has no _journal/start\.json"):
        read_agent_log(tmp_path / "other.eval")
    (tmp_path / "list.json").write_text("[1, 2]")
    with pytest.raises(InputError, match=r"list\.json is no readable log of Inspect: Input should"):
        read_agent_log(tmp_path / "list.json")


def test_a_folder_stands_for_the_logs_in_it(logged, store, tmp_path):
    for name in "xy":
        path = logged({name: _published("60%")}, {"tests": {name: 1}})
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "notes.json").write_text("{}")
    results = import_agent_logs(store, [path.parent, path], study_name="a")
    assert [one.n_added for one in results] == [1, 1, 0]
    with pytest.raises(InputError, match=r"no \.eval logs in the folder empty"):
        import_agent_logs(store, [empty], study_name="a")
