import json
from pathlib import Path

import pandas as pd
import pytest

from core.metrics.printed_comparison import compare_with_printed

AS_PRINTED = (
    Path(__file__).parents[2].parent / "shared/published/line_of_duty/tables_as_printed.json"
)
OTHER = "equals the printed value of the other column"
CEILING, COMPLEX = "Functional Ceiling", "Computational Complexity Exceeded"


@pytest.fixture(scope="module")
def comparison(published_counts, printed):
    return compare_with_printed(published_counts, printed)


def _verdicts(frame, table):
    return frame[frame["table"] == table]


def test_the_printed_values_are_those_of_the_paper(printed):
    if not AS_PRINTED.exists():
        pytest.skip(f"the printed tables are not at {AS_PRINTED}")
    wanted = json.loads(AS_PRINTED.read_text())["tables"]
    found = {
        name.replace("Table ", "table"): {row: list(cells.values()) for row, cells in rows.items()}
        for name, rows in printed["tables"].items()
    }
    assert found == {name: table["rows"] for name, table in wanted.items()}


def test_every_printed_value_is_compared(comparison):
    # 5 x 9, 5 x 15, 5 x 2, 6 x 5 and 5 x 8
    assert comparison.groupby("table").size().tolist() == [45, 75, 10, 30, 40]
    assert comparison["agrees"].notna().all()


def test_all_of_table_2_agrees_to_the_printed_digit(comparison):
    assert set(_verdicts(comparison, "Table 2")["verdict"]) == {"agrees to the printed digit"}


def test_table_3_agrees_but_for_one_value(comparison):
    (off,) = _verdicts(comparison, "Table 3").query("not agrees").to_dict("records")
    assert (off["row"], off["column"]) == ("Claude 3.5 Sonnet", "Contextual Awareness accuracy")
    assert (off["ours"], off["printed"]) == ("0.7917", "0.76")
    assert off["verdict"] == "differs by 0.03"


def test_all_strongest_and_weakest_types_agree(comparison):
    assert set(_verdicts(comparison, "Table 4")["verdict"]) == {"agrees"}


def test_table_5_differs_where_1_was_printed_and_in_the_mean_over_those(comparison):
    off = _verdicts(comparison, "Table 5").query("not agrees")
    assert list(zip(off["row"], off["ours"], off["printed"], strict=True)) == [
        ("GPT-4o", "0.9300", "1.00"),
        ("Claude 3.5 Sonnet", "0.9414", "1.00"),
        ("Overall", "0.8777", "0.90"),
    ]


def test_the_swapped_columns_of_table_6_are_told_in_words(comparison):
    table = _verdicts(comparison, "Table 6")
    swapped = table[table["verdict"].str.startswith(OTHER)]
    assert swapped.groupby("column").size().to_dict() == {
        "most conservative reason": 5,
        "most conservative reason: share": 5,
        "most overconfident reason": 5,
        "most overconfident reason: share": 5,
    }
    first = swapped.iloc[0]
    assert first["verdict"] == f"{OTHER}, “most conservative reason”"


def test_the_one_other_name_in_table_6_says_what_was_printed(comparison):
    table = _verdicts(comparison, "Table 6").query("not agrees")
    (off,) = table[~table["verdict"].str.startswith(OTHER)].to_dict("records")
    assert off["row"] == "Gemini 1.5 Flash"
    assert off["verdict"] == "differs: printed is Contextual Awareness -> Temporal Perception"


def test_a_missing_prompt_set_leaves_only_the_other_sets_own_columns(published_counts, printed):
    some = published_counts.query("subject == 'gpt-4o' and prompt_set == 'vanilla'")
    frame = compare_with_printed(some, printed)
    compared = frame[frame["agrees"].notna()]
    assert list(compared["column"]) == ["vanilla accuracy", "vanilla foresight", "vanilla insight"]
    assert set(frame["row"]) == {"GPT-4o", "Overall"}
    assert set(frame[frame["agrees"].isna()]["verdict"]) == {
        "not compared: there is no study under challenge_qap",
        "not compared: it takes all the models under every prompt set",
    }


def test_models_that_were_not_printed_change_nothing(published_counts, printed, comparison):
    mine = published_counts.assign(subject="mine", model="mine", study="mine")
    both = compare_with_printed(pd.concat([mine, published_counts]), printed)
    assert both.equals(comparison)


def test_a_value_that_is_not_defined_is_not_compared(make_counts):
    printed = {
        "models": {"m": "M"},
        "prompt_sets": ["vanilla"],
        "tables": {"Table 5": {"M": {CEILING: 0.5}}},
    }
    counts = make_counts(("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 1))
    (line,) = compare_with_printed(counts, printed).to_dict("records")
    assert (line["ours"], line["verdict"]) == ("not defined", "not compared: not defined here")


def test_without_counts_there_is_nothing_to_compare(make_counts, printed):
    assert compare_with_printed(make_counts(), printed).empty
