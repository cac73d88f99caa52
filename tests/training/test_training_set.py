"""The exported training set: its columns, its split, and what is left out of it."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from core.errors import ConflictError, InputError
from core.prompts import load_prompt
from core.workflows.curation import decide
from core.workflows.people import person_named
from core.workflows.studies import Study, create_study
from core.workflows.training_set import export_training_set
from core.workflows.workbench import Workbench
from tests.support.questions import add_questions

COLUMNS = ["data_source", "prompt", "ability", "reward_model", "extra_info"]
SPLITS = ("train", "validation")


def read(folder: Path) -> dict[str, pd.DataFrame]:
    return {split: pd.read_parquet(folder / f"{split}.parquet") for split in SPLITS}


def parts(frame: pd.DataFrame) -> Counter:
    return Counter((one["group"], one["part"]) for one in frame["extra_info"])


def test_the_files_have_the_columns_that_verl_reads(bench: Workbench, study: Study, tmp_path):
    export_training_set(bench.store, study, tmp_path / "out", validation=10)
    prompt = load_prompt("uncertainty_attribution", "attribution", "attempt").messages[0].content
    for split, frame in read(tmp_path / "out").items():
        assert list(frame.columns) == COLUMNS
        assert [one["index"] for one in frame["extra_info"]] == list(range(len(frame)))
        for row in frame.itertuples():
            info, (message,) = row.extra_info, row.prompt
            assert info["split"] == split
            assert row.data_source == f"selfbound/{info['part']}"
            assert row.ability == info["group"] and info["file"] == f"{info['group']}_file"
            assert row.reward_model["style"] == "rule"
            assert message["role"] == "user"
            text = message["content"].removeprefix(prompt.split("${question}")[0])
            truth = list(row.reward_model["ground_truth"])
            if info["part"] == "original":
                number = text.split()[1].rstrip("?")
                assert truth == [number, f"no. {number}"]
                assert info["made_from"] is None
            else:
                assert text == f"{info['part']} version of {info['made_from']}"
                mark = {"insufficient": "DATA", "difficult": "MODEL"}[info["part"]]
                assert truth == [f"<{mark}_UNCERTAIN>"]
                assert info["task_id"] != info["made_from"]


def test_both_files_have_the_parts_and_groups_in_equal_shares_and_no_problem_twice(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    written = export_training_set(bench.store, study, tmp_path, validation=20)
    frames = read(tmp_path)
    # Of 60 a third: of each group 21 kept, 6 insufficient and 3 difficult.
    expected = {"original": 7, "insufficient": 2, "difficult": 1}
    for group in ("sums", "words"):
        for part, n in expected.items():
            assert parts(frames["validation"])[group, part] == n
            assert parts(frames["train"])[group, part] == 2 * n
    origins = {
        split: {one["made_from"] or one["task_id"] for one in frame["extra_info"]}
        for split, frame in frames.items()
    }
    assert origins["train"].isdisjoint(origins["validation"])
    assert len(origins["train"] | origins["validation"]) == 60
    assert written.counts["validation"] == {"difficult": 2, "insufficient": 4, "original": 14}
    about = json.loads((tmp_path / "training_set.json").read_text())
    assert about["rows"] == {split: dict(n) for split, n in written.counts.items()}
    assert about["synthesis"]["problems"]["n"] == 60


def test_a_share_and_a_seed_fix_what_is_set_apart(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    def apart(name: str, **options: object) -> list[str]:
        export_training_set(bench.store, study, tmp_path / name, **options)
        frame = read(tmp_path / name)["validation"]
        return [one["task_id"] for one in frame["extra_info"]]

    first = apart("a", validation=0.1, seed=1)
    assert len(first) == 6
    assert apart("b", validation=6, seed=1) == first != apart("c", validation=6, seed=2)


def test_files_without_a_group_are_in_equal_shares_as_groups_are(
    bench: Workbench, tmp_path: Path
) -> None:
    study = create_study(bench.store, "Two", protocol="training_data", subject="scripted/m")
    for file, n in (("few", 20), ("many", 80)):
        add_questions(bench.store, study, [(f"{file} {i}?", ["1"]) for i in range(n)], file=file)
    for seed in range(8):
        export_training_set(bench.store, study, tmp_path, validation=10, seed=seed)
        shares = {split: Counter(frame["ability"]) for split, frame in read(tmp_path).items()}
        assert shares == {"train": {"few": 18, "many": 72}, "validation": {"few": 2, "many": 8}}


def test_problems_of_one_text_stay_on_one_side(bench: Workbench, tmp_path: Path) -> None:
    study = create_study(bench.store, "Twice", protocol="training_data", subject="scripted/m")
    for file in ("a", "b", "c"):
        texts = [(f"What{' ' * (1 + (file == 'b'))}is {i}?", [str(i)]) for i in range(20)]
        add_questions(bench.store, study, texts, file=file, group=file)
    export_training_set(bench.store, study, tmp_path, validation=0.3)
    frames = read(tmp_path)
    sides = {
        split: {" ".join(prompt[0]["content"].split()) for prompt in frame["prompt"]}
        for split, frame in frames.items()
    }
    assert sides["train"].isdisjoint(sides["validation"])
    assert [len(frames[split]) for split in SPLITS] == [42, 18]
    assert [len(sides[split]) for split in SPLITS] == [14, 6]


def test_what_people_removed_is_left_out(bench: Workbench, study: Study, tmp_path: Path) -> None:
    rows = bench.store.rows("training_rows", study_id=study.study_id)
    gone = [next(row for row in rows if row["part"] == part) for part in ("original", "difficult")]
    ada = person_named(bench.store, "Ada")
    for row in gone:
        decide(bench.store, study, row["task_id"], "remove", person=ada, reason="malformed")
    export_training_set(bench.store, study, tmp_path, validation=0.1)
    kept = [info for frame in read(tmp_path).values() for info in frame["extra_info"]]
    assert len(kept) == 58
    ids = {info["task_id"] for info in kept} | {info["made_from"] for info in kept}
    assert ids.isdisjoint({one for row in gone for one in (row["task_id"], row["original_id"])})


@pytest.mark.parametrize("validation", [60, 0, 2.5, 0.001, 0.999, -1])
def test_a_split_that_leaves_nothing_on_one_side_is_refused(
    bench: Workbench, study: Study, tmp_path: Path, validation: float
) -> None:
    with pytest.raises(InputError, match="of 60 different problems"):
        export_training_set(bench.store, study, tmp_path / "out", validation=validation)
    assert not (tmp_path / "out").exists()


def test_a_study_without_problems_is_refused(bench: Workbench, tmp_path: Path) -> None:
    empty = create_study(bench.store, "Empty", protocol="training_data", subject="scripted/m")
    with pytest.raises(ConflictError, match="no problem that is ready"):
        export_training_set(bench.store, empty, tmp_path)
    other = create_study(bench.store, "O", protocol="feasibility_boundary", subject="scripted/m")
    with pytest.raises(ConflictError, match="rewrites"):
        export_training_set(bench.store, other, tmp_path)


def test_the_reward_beside_the_files_pays_for_what_they_hold(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    export_training_set(bench.store, study, tmp_path, validation=10)
    script = (
        "import pandas as pd, reward\n"
        "for row in pd.read_parquet('train.parquet').itertuples():\n"
        "    truth = row.reward_model['ground_truth']\n"
        "    said = '\\\\boxed{' + truth[0] + '}'\n"
        "    print(reward.compute_score(row.data_source, said, truth, row.extra_info))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["1.0"] * 50
