import pandas as pd
import pytest

from core.metrics.boundary import by_reason, by_type, cells, most_frequent, tables
from core.metrics.cells import METRIC_NAMES, Cells
from core.taxonomy import REASON_NAMES, TYPE_NAMES, normalise_reason

CEILING, CONTEXT = "Functional Ceiling", "Contextual Awareness"
COMPLEX, ILL, MISSING = (
    "Computational Complexity Exceeded",
    "Illogical or Ill-formed",
    "Missing Context",
)


@pytest.fixture
def ten_tasks(make_counts):
    # ff 2, fr 1 (+ 1 that names no reason), rf 1, rr 2, rr_other: 1 other reason of the same
    # type, 1 of another type, 1 with no reason.
    return make_counts(
        ("feasible", CEILING, None, "feasible", None, 2),
        ("feasible", CEILING, None, "infeasible", MISSING, 1),
        ("feasible", CONTEXT, None, "infeasible", None, 1),
        ("infeasible", CEILING, COMPLEX, "feasible", None, 1),
        ("infeasible", CEILING, COMPLEX, "infeasible", COMPLEX, 2),
        ("infeasible", CEILING, COMPLEX, "infeasible", ILL, 1),
        ("infeasible", CONTEXT, MISSING, "infeasible", ILL, 1),
        ("infeasible", CONTEXT, MISSING, "infeasible", None, 1),
    )


def test_every_row_falls_in_one_cell(ten_tasks):
    assert cells(ten_tasks) == Cells(ff=2, fr=2, rf=1, rr=2, rr_other=3)


def test_a_reason_beside_feasible_is_ignored(make_counts):
    frame = make_counts(
        ("feasible", CEILING, COMPLEX, "feasible", None, 1),
        ("feasible", CEILING, COMPLEX, "infeasible", COMPLEX, 1),
        ("infeasible", CEILING, COMPLEX, "feasible", COMPLEX, 1),
    )
    assert cells(frame) == Cells(ff=1, fr=1, rf=1)
    found = by_reason(frame)[COMPLEX]["cells"]
    assert found == {"fr": 1, "rf": 1, "rr": 0, "rr_other": 0, "other_r": 0}


def test_two_missing_reasons_are_not_an_agreement(make_counts):
    frame = make_counts(("infeasible", CEILING, None, "infeasible", None, 1))
    assert cells(frame) == Cells(rr_other=1)


def test_types_split_the_tasks_by_what_they_were_generated_for(ten_tasks):
    found = by_type(ten_tasks)
    assert list(found) == list(TYPE_NAMES)
    assert found[CEILING]["cells"] == {"ff": 2, "fr": 1, "rf": 1, "rr": 2, "rr_other": 1}
    assert found[CONTEXT]["cells"] == {"ff": 0, "fr": 1, "rf": 0, "rr": 0, "rr_other": 2}
    assert found["Ethical Integrity"]["accuracy"] is None


def test_a_type_of_the_studys_own_comes_after_the_five(make_counts):
    frame = make_counts(("feasible", "Own type", None, "feasible", None, 1))
    assert list(by_type(frame)) == [*TYPE_NAMES, "Own type"]


def test_reasons_count_who_was_generated_for_them_and_who_was_declined_for_them(ten_tasks):
    found = by_reason(ten_tasks)
    assert list(found) == list(REASON_NAMES)
    # Generated for it: 1 done, 2 same reason, 1 other. Declined for it: only those 2.
    assert found[COMPLEX] == {
        "cells": {"fr": 0, "rf": 1, "rr": 2, "rr_other": 1, "other_r": 0},
        "foresight": 0.5,
        "insight": 1.0,
    }
    # Nothing generated for it; two others were declined for it.
    assert found[ILL] == {
        "cells": {"fr": 0, "rf": 0, "rr": 0, "rr_other": 0, "other_r": 2},
        "foresight": None,
        "insight": 0.0,
    }


def test_most_frequent_leaves_out_rows_that_name_no_reason(ten_tasks):
    found = most_frequent(ten_tasks)
    assert found["classified_reason_among_overconfident"] == {
        "value": MISSING,
        "count": 1,
        "of": 1,
        "share": 1.0,
    }
    assert found["type_confusion_generated_to_classified"] == {
        "value": f"{CONTEXT} -> {CEILING}",
        "count": 1,
        "of": 1,
        "share": 1.0,
    }


def test_of_equally_frequent_ones_the_first_in_the_alphabet_is_named(ten_tasks):
    # Complex -> Ill and Missing -> Ill, one task each.
    found = most_frequent(ten_tasks)["reason_confusion_generated_to_classified"]
    assert found == {"value": f"{COMPLEX} -> {ILL}", "count": 1, "of": 2, "share": 0.5}


def test_a_type_named_without_a_reason_counts_as_a_type_confusion_only(ten_tasks):
    ten_tasks["label_type"] = None
    ten_tasks.loc[7, "label_type"] = CEILING
    found = most_frequent(ten_tasks)
    assert found["type_confusion_generated_to_classified"]["count"] == 2
    assert found["reason_confusion_generated_to_classified"]["of"] == 2


def test_without_mistakes_nothing_is_most_frequent(make_counts):
    nothing = {"value": None, "count": 0, "of": 0, "share": None}
    frame = make_counts(("feasible", CEILING, None, "feasible", None, 3))
    assert all(found == nothing for found in most_frequent(frame).values())


def test_an_empty_frame_gives_empty_tables(make_counts):
    assert tables(make_counts()) == {"studies": [], "pooled": []}


def test_one_row_makes_one_study_and_one_pool(make_counts):
    frame = make_counts(("feasible", CEILING, None, "feasible", None, 1))
    found = tables(frame)
    (study,), (pool,) = found["studies"], found["pooled"]
    assert (study["study"], study["subject"], study["prompt_set"]) == ("demo", "m", "vanilla")
    assert (study["accuracy"], study["foresight"]) == (1.0, None)
    assert pool["studies"] == ["demo"]


def test_another_models_classifications_are_an_entry_of_their_own(ten_tasks):
    other = ten_tasks.assign(model="a model")
    found = tables(pd.concat([ten_tasks, other]))
    assert [(entry["subject"], entry["model"]) for entry in found["studies"]] == [
        ("m", "m"),
        ("m", "a model"),
    ]
    assert [entry["cells"]["ff"] for entry in found["pooled"]] == [2, 2]


def test_the_order_of_rows_does_not_matter(published_counts):
    shuffled = published_counts.sample(frac=1, random_state=1)
    assert tables(shuffled) == tables(published_counts)


def test_counting_the_tasks_one_by_one_gives_the_same_tables(published_rows, published_counts):
    assert tables(published_rows.assign(n=1)) == tables(published_counts)


def test_pooled_cells_and_types_are_the_sums_of_the_studies(published_counts):
    found = tables(published_counts)
    for pool in found["pooled"]:
        parts = [entry for entry in found["studies"] if entry["study"] in pool["studies"]]
        whole = sum((Cells(**part["cells"]) for part in parts), Cells())
        assert Cells(**pool["cells"]) == whole
        kinds = [Cells(**kind["cells"]) for kind in pool["by_type"].values()]
        assert sum(kinds, Cells()) == whole


def _assert_same(found, wanted):
    assert found["cells"] == wanted["cells"]
    for name in METRIC_NAMES:
        assert found[name] == pytest.approx(wanted[name], abs=1e-9), name


@pytest.mark.parametrize("prompt_set", ["vanilla", "challenge_qap"])
def test_each_published_study_gives_the_recomputed_values(
    published_counts, oracle, printed, prompt_set
):
    entries = {
        (entry["subject"], entry["prompt_set"]): entry
        for entry in tables(published_counts)["studies"]
    }
    for subject, name in printed["models"].items():
        found, wanted = entries[subject, prompt_set], oracle[name][prompt_set]
        _assert_same(found, wanted)
        for kind, of_kind in wanted["by_type"].items():
            _assert_same(found["by_type"][kind], of_kind)


def test_each_subjects_pooled_studies_give_the_recomputed_values(published_counts, oracle, printed):
    for found in tables(published_counts)["pooled"]:
        wanted = oracle[printed["models"][found["subject"]]]
        _assert_same(found, wanted["both"])
        for kind, of_kind in wanted["both"]["by_type"].items():
            _assert_same(found["by_type"][kind], of_kind)
            means = wanted["by_type_mean_of_prompts"][kind]
            assert found["by_type_mean_of_prompts"][kind] == pytest.approx(means, abs=1e-9)
        _assert_same_mistakes(found["most_frequent"], wanted["most_frequent"])


def _assert_same_mistakes(found, wanted):
    assert found.keys() == wanted.keys()
    for key, of_key in wanted.items():
        # The recomputed tables keep the files' own spellings.
        names = [normalise_reason(part) or part for part in of_key["value"].split(" -> ")]
        assert found[key]["value"] == " -> ".join(names)
        assert (found[key]["count"], found[key]["of"]) == (of_key["count"], of_key["of"])
        assert found[key]["share"] == pytest.approx(of_key["share"], abs=1e-9)


def test_without_the_named_types_only_rows_with_a_reason_make_a_type_confusion(published_counts):
    # GPT-4o mini names a type and no reason 19 times, 9 of them another type than generated:
    # 40 of 108 with them, 31 of 99 without (the paper prints 0.31).
    counts = published_counts.drop(columns="label_type")
    found = tables(counts[counts["subject"] == "gpt-4o-mini"])["pooled"][0]["most_frequent"]
    confusion = found["type_confusion_generated_to_classified"]
    assert (confusion["count"], confusion["of"]) == (31, 99)


def test_the_published_rows_that_name_no_reason_agree_with_nothing(published_rows):
    blank = published_rows["label_reason"].isna() & (published_rows["label"] == "infeasible")
    assert cells(published_rows[blank].assign(n=1)) == Cells(rr_other=19)
