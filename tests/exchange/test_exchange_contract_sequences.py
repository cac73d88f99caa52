"""Files of contract sequences: the published ones, and what is refused in one sentence."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.exchange.contract_sequences import read_contract_tasks, read_sequences
from core.workflows.contract_draw import filled_trials

PUBLISHED = Path(__file__).parents[3] / "shared" / "published" / "in_advance_confidence"


@pytest.fixture
def published() -> Path:
    """The folder of the published files."""
    if not PUBLISHED.is_dir():
        pytest.skip(f"the published files are not there: {PUBLISHED}")
    return PUBLISHED


def test_the_published_trials_are_all_patterns_of_nine(published: Path) -> None:
    trials = read_sequences(published / "contract_sequences.json")
    patterns = Counter(tuple(kind for kind, _ in trial) for trial in trials)
    assert len(trials) == len(patterns) == 512
    assert {len(pattern) for pattern in patterns} == {9}
    texts = read_contract_tasks(published / "contract_tasks.json")
    assert {place for trial in trials for place in trial} <= set(texts)
    assert all("def " in text for text in texts.values())


def test_for_another_subject_only_what_came_out_otherwise_is_replaced(published: Path) -> None:
    trials = read_sequences(published / "contract_sequences.json")
    places = sorted({place for trial in trials for place in trial})
    # Every third task came out as it did for all, and the others the other way round.
    own = {True: [], False: []}
    for at, place in enumerate(places):
        own[place[0] if at % 3 == 0 else not place[0]].append(f"{place}")
    wanted = [[(kind, f"{(kind, number)}") for kind, number in trial] for trial in trials]
    rows = filled_trials(wanted, own, seed=4, is_published=True)
    assert len(rows) == 512 * 9
    assert sum(row["is_solvable"] for row in rows) == 512 * 9 / 2
    assert all(row["task_id"] in own[row["is_solvable"]] for row in rows)
    by_trial = Counter((row["trial"], row["task_id"]) for row in rows)
    assert set(by_trial.values()) == {1}
    named = [task for trial in wanted for _, task in trial]
    for row, task in zip(rows, named, strict=True):
        assert row["is_replaced"] == (task not in own[row["is_solvable"]])
        assert row["is_replaced"] or row["task_id"] == task


@pytest.mark.parametrize(
    ("content", "wording"),
    [
        ([], "holds no list of trials"),
        ({"C": 1}, "holds no list of trials"),
        ([[["C", 1]], []], "trial 2 of .* holds no contracts"),
        ([[["C", 1], ["C", 1]]], "trial 1 of .* has a task twice"),
        ([[["C", 1]], [["C", 1], ["I", 1]]], "have from 1 to 2 contracts"),
        ([[["C", True]]], "has the contract"),
        ([[["C", -1]]], "has the contract"),
        ([[["c", 1]]], "has the contract"),
        ([[[["C"], 1]]], "has the contract"),
        ([[["C"]]], "has the contract"),
    ],
)
def test_trials_that_cannot_be_offered_are_refused(
    tmp_path: Path, content: object, wording: str
) -> None:
    path = tmp_path / "sequences.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=wording):
        read_sequences(path)


def test_a_file_that_is_not_there_or_lacks_a_list_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no file"):
        read_sequences(tmp_path / "none.json")
    path = tmp_path / "tasks.json"
    path.write_text('{"solved_by_every_model": ["a"], "solved_by_no_model": [1]}')
    with pytest.raises(InputError, match="no list of texts named solved_by_no_model"):
        read_contract_tasks(path)
