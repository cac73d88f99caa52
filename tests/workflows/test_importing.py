"""Imports: all of a file or nothing, never the same thing twice, and the published numbers."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import ConflictError, InputError, NotFoundError
from core.exchange.line_of_duty import COLUMNS
from core.store.store import Store
from core.store.verify import verify
from core.taxonomy import normalise_reason
from core.workflows.drawing import draw_tasks
from core.workflows.importing import Imported, import_line_of_duty, import_tasks
from core.workflows.results import tables_document
from core.workflows.steps import start_step
from core.workflows.studies import Study, study_named
from core.workflows.study_overviews import list_studies
from core.workflows.workbench import Workbench

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"
PRINTED = Path(__file__).parents[2] / "data" / "line_of_duty_printed.json"
METRICS = ("accuracy", "foresight", "insight", "harmonic_mean", "overconfidence", "conservatism")


# The ten published files


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[Imported]]]:
    """A store with the ten published files, and what each of them brought."""
    files = sorted(PUBLISHED.glob("*.xlsx"))
    if len(files) != 10:
        pytest.skip(f"the ten published files are not at {PUBLISHED}")
    with Store.open(tmp_path_factory.mktemp("published") / "s.duckdb") as store:
        yield store, import_line_of_duty(store, files)


@pytest.fixture(scope="module")
def document(published: tuple[Store, list[Imported]]) -> dict:
    """The tables of all ten published studies."""
    store, _ = published
    return tables_document(store, [one.study for one in list_studies(store)])


@pytest.fixture(scope="module")
def oracle() -> dict[str, dict]:
    """What the published files give, worked out independently, by the subject in the files."""
    path = PUBLISHED / "tables_recomputed.json"
    if not path.exists():
        pytest.skip(f"the recomputed tables are not at {path}")
    models = json.loads(path.read_text(encoding="utf-8"))["models"]
    names = json.loads(PRINTED.read_text(encoding="utf-8"))["models"]
    return {subject: models[name] for subject, name in names.items()}


def test_the_ten_published_files_bring_8000_tasks_into_ten_sound_studies(
    published: tuple[Store, list[Imported]],
) -> None:
    store, results = published
    assert [one.n_added for one in results] == [800] * 10
    overviews = list_studies(store)
    assert {one.study.name for one in overviews} == {Path(one.file).stem for one in results}
    assert sum(one.tasks["n_tasks"] for one in overviews) == 8_000
    assert all(one.n_drawn == 800 and one.study.source == "imported" for one in overviews)
    assert verify(store) == []


def test_importing_the_published_files_again_adds_nothing(
    published: tuple[Store, list[Imported]],
) -> None:
    store, _ = published
    again = import_line_of_duty(store, sorted(PUBLISHED.glob("*.xlsx")))
    assert [one.n_added for one in again] == [0] * 10
    assert len(list_studies(store)) == 10


def test_the_findings_name_the_19_rows_without_a_reason_and_the_212_repeats(
    published: tuple[Store, list[Imported]],
) -> None:
    _, results = published
    findings = [finding for one in results for finding in one.findings]

    def rows_with(words: str) -> int:
        return sum(int(one.split()[0]) for one in findings if words in one)

    assert rows_with("classified infeasible with no reason") == 19
    assert rows_with("the task of an earlier row exactly") == 212


def _assert_same(found: dict, wanted: dict) -> None:
    assert found["cells"] == wanted["cells"]
    for name in (*METRICS, "confidence_balance"):
        assert found[name] == pytest.approx(wanted[name], abs=1e-9), name


def test_each_published_study_has_the_recomputed_cells_and_values(
    document: dict, oracle: dict[str, dict]
) -> None:
    assert len(document["studies"]) == 10
    for found in document["studies"]:
        wanted = oracle[found["subject"]][found["prompt_set"]]
        _assert_same(found, wanted)
        assert found["by_type"].keys() == wanted["by_type"].keys()
        for kind, of_kind in wanted["by_type"].items():
            _assert_same(found["by_type"][kind], of_kind)


def test_each_subject_pooled_has_the_recomputed_cells_and_values(
    document: dict, oracle: dict[str, dict]
) -> None:
    assert {found["subject"] for found in document["pooled"]} == oracle.keys()
    for found in document["pooled"]:
        wanted = oracle[found["subject"]]
        assert len(found["studies"]) == 2
        _assert_same(found, wanted["both"])
        for kind, of_kind in wanted["both"]["by_type"].items():
            _assert_same(found["by_type"][kind], of_kind)
        for kind, means in wanted["by_type_mean_of_prompts"].items():
            assert found["by_type_mean_of_prompts"][kind] == pytest.approx(means, abs=1e-9)
        for key, mistake in wanted["most_frequent"].items():
            # The recomputed tables keep the files' own spellings.
            names = [normalise_reason(part) or part for part in mistake["value"].split(" -> ")]
            assert found["most_frequent"][key]["value"] == " -> ".join(names)
            assert found["most_frequent"][key]["count"] == mistake["count"]
            assert found["most_frequent"][key]["of"] == mistake["of"]


# Result files made by hand

FEASIBLE_ROW = ("Feasible", "Ethical Integrity", None, "Feasible", None, None)
INFEASIBLE_ROW = (
    *("Infeasible", "Ethical Integrity", "Malicious Intent"),
    *("Infeasible", "Ethical Integrity", "Malicious Intent"),
)


def _results(path: Path, *rows: tuple, subject: str = "some-model") -> Path:
    """A result file in the published layout; a row is (id, text, *the six columns after LLM)."""
    book = openpyxl.Workbook()
    book.active.append(list(COLUMNS.values()))
    for number, text, *rest in rows:
        book.active.append([number, text, subject, *rest])
    book.save(path)
    return path


def _tally(store: Store, name: str) -> dict[str, int]:
    [entry] = tables_document(store, [study_named(store, name)])["studies"]
    return entry["cells"]


def test_a_study_named_gathers_several_files_of_one_subject(
    bench: Workbench, tmp_path: Path
) -> None:
    one = _results(tmp_path / "one.xlsx", (1, "A", *FEASIBLE_ROW), (2, "B", *INFEASIBLE_ROW))
    two = _results(tmp_path / "two.xlsx", (1, "C", *INFEASIBLE_ROW))
    results = import_line_of_duty(bench.store, [one, two], study_name="Both")
    assert [(found.study, found.n_added) for found in results] == [("Both", 2), ("Both", 1)]
    assert _tally(bench.store, "Both") == {"ff": 1, "fr": 0, "rf": 0, "rr": 2, "rr_other": 0}
    again = import_line_of_duty(bench.store, [two, one], study_name="both")
    assert [found.n_added for found in again] == [0, 0]
    assert verify(bench.store) == []


def test_one_study_does_not_take_files_of_two_subjects(bench: Workbench, tmp_path: Path) -> None:
    one = _results(tmp_path / "one.xlsx", (1, "A", *FEASIBLE_ROW), subject="model-a")
    two = _results(tmp_path / "two.xlsx", (1, "B", *FEASIBLE_ROW), subject="model-b")
    with pytest.raises(
        ConflictError, match=r"Both cannot hold both model-a \(vanilla\) and model-b \(vanilla\)"
    ):
        import_line_of_duty(bench.store, [one, two], study_name="Both")
    assert list_studies(bench.store) == []
    import_line_of_duty(bench.store, [one], study_name="Both")
    with pytest.raises(ConflictError, match="Both cannot hold both"):
        import_line_of_duty(bench.store, [two], study_name="Both")
    assert list_studies(bench.store)[0].tasks["n_tasks"] == 1


def _damage(path: Path) -> Path:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


def test_a_damaged_file_changes_nothing_even_as_the_last_of_several(
    bench: Workbench, tmp_path: Path
) -> None:
    good = _results(tmp_path / "good.xlsx", (1, "A", *FEASIBLE_ROW))
    bad = _damage(_results(tmp_path / "bad.xlsx", (1, "B", *FEASIBLE_ROW)))
    for files in ([bad], [good, bad], [good, tmp_path / "absent.xlsx"]):
        with pytest.raises((InputError, NotFoundError), match=r"bad\.xlsx|absent\.xlsx"):
            import_line_of_duty(bench.store, files)
        assert list_studies(bench.store) == []


@pytest.mark.parametrize(
    ("stem", "subject", "wording"),
    [
        ("n" * 130, "some-model", "the study's name .* has 130 characters"),
        ("good too", "some model", r"the subject of good too\.xlsx is named 'some model'"),
    ],
)
def test_a_last_file_that_makes_no_study_keeps_the_first_from_being_stored(
    bench: Workbench, tmp_path: Path, stem: str, subject: str, wording: str
) -> None:
    good = _results(tmp_path / "good.xlsx", (1, "A", *FEASIBLE_ROW))
    other = _results(tmp_path / f"{stem}.xlsx", (1, "B", *FEASIBLE_ROW), subject=subject)
    with pytest.raises(InputError, match=wording):
        import_line_of_duty(bench.store, [good, other])
    assert list_studies(bench.store) == []


def test_a_row_with_an_unknown_word_stops_the_file_unless_bad_rows_are_skipped(
    bench: Workbench, tmp_path: Path
) -> None:
    unknown = ("Perhaps", *FEASIBLE_ROW[1:])
    file = _results(tmp_path / "odd.xlsx", (1, "A", *FEASIBLE_ROW), (2, "B", *unknown))
    with pytest.raises(InputError, match=r"row 3 of odd\.xlsx .*'Perhaps'; 1 other row is fine"):
        import_line_of_duty(bench.store, [file])
    assert list_studies(bench.store) == []
    [found] = import_line_of_duty(bench.store, [file], skip_bad_rows=True)
    assert (found.n_rows, found.n_added, len(found.bad_rows)) == (2, 1, 1)


def test_a_row_that_stands_twice_with_one_id_is_two_tasks_and_counted_twice(
    bench: Workbench, tmp_path: Path
) -> None:
    row = (7, "Same", *INFEASIBLE_ROW)
    file = _results(tmp_path / "twice.xlsx", row, row)
    [found] = import_line_of_duty(bench.store, [file])
    assert found.n_added == 2
    assert _tally(bench.store, "twice")["rr"] == 2
    assert verify(bench.store) == []
    assert import_line_of_duty(bench.store, [file])[0].n_added == 0


# A person's own tasks

TASKS = [
    {"text": "Name a prime.", "intent": "feasible", "type": "Functional Ceiling", "reason": ""},
    {
        "text": '=1+1, "quoted"\nand a second line <b>*é*</b>',
        "intent": "infeasible",
        "type": "Temporal Perception",
        "reason": "Outside Training Cutoff",
    },
    {"text": "NA", "intent": "feasible", "type": "Ethical Integrity", "reason": ""},
]


def _delimited(delimiter: str) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, TASKS[0].keys(), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(TASKS)
    return out.getvalue().encode()


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(list(TASKS[0]))
    for row in TASKS:
        book.active.append([value or None for value in row.values()])
        for cell in book.active[book.active.max_row]:
            cell.data_type = "s" if cell.value else cell.data_type  # text, not a formula
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _parquet() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(TASKS), out)
    return out.getvalue()


FORMATS: dict[str, Callable[[], bytes]] = {
    "csv": lambda: _delimited(","),
    "tsv": lambda: _delimited("\t"),
    "json": lambda: json.dumps(TASKS).encode(),
    "jsonl": lambda: "\n".join(map(json.dumps, TASKS)).encode(),
    "parquet": _parquet,
    "xlsx": _workbook,
}


def _texts(bench: Workbench, study: Study) -> list[str]:
    return [row["text"] for row in bench.store.rows("tasks_short", study_id=study.study_id)]


@pytest.mark.parametrize("kind", FORMATS)
def test_tasks_come_in_from_every_format_to_the_letter_and_only_once(
    bench: Workbench, study: Study, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / f"tasks.{kind}"
    path.write_bytes(FORMATS[kind]())
    assert import_tasks(bench.store, [path], study_name="Small")[0].n_added == 3
    assert _texts(bench, study) == [row["text"] for row in TASKS]
    assert import_tasks(bench.store, [path], study_name="small")[0].n_added == 0
    assert verify(bench.store) == []


def test_the_same_tasks_in_another_format_are_the_same_tasks(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    for kind, make in FORMATS.items():
        (tmp_path / f"tasks.{kind}").write_bytes(make())
    files = [tmp_path / f"tasks.{kind}" for kind in FORMATS]
    found = import_tasks(bench.store, files, study_name="Small")
    assert [one.n_added for one in found] == [3, 0, 0, 0, 0, 0]


def test_a_file_that_holds_a_task_twice_keeps_both_on_every_import(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    path = tmp_path / "twice.json"
    path.write_text(json.dumps([TASKS[0], TASKS[1], TASKS[0]]), encoding="utf-8")
    [found] = import_tasks(bench.store, [path], study_name="Small")
    assert found.n_added == 3
    assert found.findings == ("1 row repeats the text of an earlier row exactly",)
    assert import_tasks(bench.store, [path], study_name="Small")[0].n_added == 0
    assert len(_texts(bench, study)) == 3


def test_a_bad_row_stops_the_whole_import_unless_bad_rows_are_skipped(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(TASKS[:1]), encoding="utf-8")
    bad.write_text(json.dumps([TASKS[1], TASKS[2] | {"text": ""}]), encoding="utf-8")
    with pytest.raises(InputError, match=r"row 2 of bad\.json has no task text; 1 other row"):
        import_tasks(bench.store, [good, bad], study_name="Small")
    assert _texts(bench, study) == []
    first, second = import_tasks(bench.store, [good, bad], study_name="Small", skip_bad_rows=True)
    assert (first.n_added, second.n_added) == (1, 1)
    assert [str(row) for row in second.bad_rows] == ["row 2 of bad.json has no task text"]
    assert _texts(bench, study) == [TASKS[0]["text"], TASKS[1]["text"]]


def test_tasks_for_a_study_that_is_not_there_are_refused(bench: Workbench, tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(TASKS), encoding="utf-8")
    with pytest.raises(NotFoundError, match="there is no study named 'Nowhere'"):
        import_tasks(bench.store, [path], study_name="Nowhere")


def test_imported_tasks_are_drawn_and_classified_beside_generated_ones(
    bench: Workbench, study: Study, tmp_path: Path
) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(TASKS), encoding="utf-8")
    import_tasks(bench.store, [path], study_name="Small")
    start_step(bench, study, "generate").wait(20)
    assert len(_texts(bench, study)) == 23
    assert draw_tasks(bench.store, study, per_cell=3).n_tasks == 23
    start_step(bench, study, "classify").wait(20)
    # 10 of each side were invented; 2 feasible tasks and 1 infeasible one came in.
    assert _tally(bench.store, "Small") == {"ff": 12, "fr": 0, "rf": 0, "rr": 11, "rr_other": 0}
    asked = "".join(one.messages[-1].content for one in bench.scripted.requests)
    assert TASKS[1]["text"] in asked
    assert verify(bench.store) == []
