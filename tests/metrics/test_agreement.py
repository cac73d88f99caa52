import json
from dataclasses import astuple
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics.agreement import agreement, pairwise_agreement, plain_reading
from core.metrics.intervals import wilson_interval

from .votes import statistics, two_people, votes_of

REFERENCE = Path(__file__).parents[2].parent / "shared/reference/agreement.json"
Z = 1.959963984540054


@pytest.fixture
def reference():
    if not REFERENCE.exists():
        pytest.skip(f"the reference values are not at {REFERENCE}")
    cases = json.loads(REFERENCE.read_text())
    for case in cases:
        case["votes"] = votes_of(
            *[
                [None if one is None else str(one) for one in row]
                for row in case["ratings_by_annotator"]
            ]
        )
    return cases


def test_one_dominant_label_leaves_kappa_below_zero_and_ac1_high():
    # 90 items both keep, 5 and 5 split, none both remove; each person keeps 95 of 100.
    #   observed 90 / 100 = 0.9
    #   kappa    chance .95² + .05² = 0.905, (0.9 - 0.905) / 0.095 = -0.0526
    #   AC1      chance 2 · .95 · .05 = 0.095, (0.9 - 0.095) / 0.905 = 0.8895
    #   alpha    200 votes, 190 and 10: chance of two that differ 2 · 190 · 10 / (200 · 199) =
    #            3800 / 39800, seen in 0.1 of the items: 1 - 0.1 / 0.095477 = -0.0474
    found = agreement(two_people(90, 5, 5, 0))
    assert found.percent.value == pytest.approx(0.9, abs=1e-12)
    assert found.kappa.value == pytest.approx(-0.005 / 0.095, abs=1e-12)
    assert found.ac1.value == pytest.approx(0.805 / 0.905, abs=1e-12)
    assert found.alpha.value == pytest.approx(1 - 0.1 / (3800 / 39800), abs=1e-12)
    assert {one.n_items for one in statistics(found)} == {100}
    assert {one.n_people for one in statistics(found)} == {2}


def test_the_interval_of_kappa_worked_by_hand():
    # 20, 5, 10, 15 of 50: kappa (0.7 - 0.5) / 0.5 = 0.4. Variance of Fleiss, Cohen and Everitt:
    #   A = .4 (1 - 1.1 · .6)² + .3 (1 - .9 · .6)² = 0.10972
    #   B = .6² (.1 · (.6 + .5)² + .2 · (.4 + .5)²) = 0.10188     C = (.4 - .5 · .6)² = 0.01
    #   (A + B - C) / (.5² · 50) = 0.016128
    kappa = agreement(two_people(20, 5, 10, 15)).kappa
    half = Z * 0.016128**0.5
    assert kappa.value == pytest.approx(0.4, abs=1e-12)
    assert (kappa.low, kappa.high) == pytest.approx((0.4 - half, 0.4 + half), abs=1e-9)


def test_the_interval_of_ac1_equals_the_one_of_another_implementation(reference):
    # irrCAC 0.4.4 on ratings without gaps.
    dominant = agreement(two_people(90, 5, 5, 0)).ac1
    assert (dominant.low, dominant.high) == pytest.approx((0.8168221237, 0.9621834012), abs=1e-9)
    four_people = agreement(reference[0]["votes"]).ac1
    assert (four_people.low, four_people.high) == pytest.approx((0.34090901, 0.53874939), abs=1e-8)


def test_values_equal_the_reference(reference):
    checked = 0
    for case in reference:
        found = agreement(case["votes"])
        for name, statistic, tolerance in (
            ("krippendorff_alpha_nominal", found.alpha, 1e-10),
            ("gwet_ac1", found.ac1, 5e-6),
            ("cohen_kappa_on_items_both_rated", found.kappa, 1e-10),
            ("percent_agreement", found.percent, 1e-10),
        ):
            if name in case:
                assert statistic.value == pytest.approx(case[name], abs=tolerance)
                checked += 1
    assert checked == 21


def test_two_people_have_the_wilson_interval_of_the_items_they_agree_on():
    percent = agreement(two_people(20, 5, 10, 15)).percent
    assert (percent.low, percent.high) == pytest.approx(wilson_interval(35, 50), abs=1e-12)


def test_more_people_on_an_item_narrow_the_interval_of_percent_agreement():
    # Every item is split two against one, so each has a third of its pairs in agreement; items
    # do not vary at all, and yet the interval has a width, that shrinks with their number.
    def width(n):
        percent = agreement(votes_of(["a"] * n, ["a"] * n, ["b"] * n)).percent
        assert percent.value == pytest.approx(1 / 3)
        assert percent.low < 1 / 3 < percent.high
        return percent.high - percent.low

    as_shares_of_items = wilson_interval(10, 30)
    assert 0 < width(300) < width(30) < as_shares_of_items[1] - as_shares_of_items[0]


def test_alphas_interval_equals_a_plain_redraw_of_items_by_the_library():
    rng = np.random.default_rng(4)
    truth = rng.random(60) < 0.5
    ratings = np.where(rng.random((3, 60)) < 0.85, truth, ~truth).astype(float)
    ratings[0, :10] = np.nan
    redrawn = [
        krippendorff.alpha(ratings[:, rng.integers(0, 60, 60)], level_of_measurement="nominal")
        for _ in range(1000)
    ]
    labels = [[None if np.isnan(one) else str(one) for one in row] for row in ratings]
    alpha = agreement(votes_of(*labels)).alpha
    assert (alpha.low, alpha.high) == pytest.approx(np.quantile(redrawn, [0.025, 0.975]), abs=0.03)


def test_the_seed_decides_alphas_interval():
    votes = two_people(20, 5, 10, 15)
    one, same, other = (agreement(votes, seed=seed).alpha for seed in (1, 1, 2))
    assert one == same
    assert (one.low, one.high) != (other.low, other.high)
    assert one.value == other.value


def test_items_with_one_vote_move_only_the_chance_part_of_ac1():
    # 4 items judged by both, 3 agreed: observed 0.75. Of 8 items, used shares of keep are
    # 1, 0.5, 1, 0 and 0, 0, 0, 0: 2.5 / 8 = 0.3125; chance 2 · .3125 · .6875 = 0.4296875.
    both = votes_of(["k", "k", "k", "r"], ["k", "r", "k", "r"])
    alone = pd.DataFrame({"item": list("wxyz"), "person": "person 0", "label": "r"})
    found, without = agreement(pd.concat([both, alone])), agreement(both)
    assert found.ac1.value == pytest.approx((0.75 - 0.4296875) / (1 - 0.4296875))
    assert statistics(found)[:3] == statistics(without)[:3]
    assert found.ac1.value != without.ac1.value
    assert found.ac1.n_items == 4


def test_items_with_one_vote_do_not_widen_the_interval_of_ac1():
    # Both labels are used alike, so the chance part is 0.5 for every item and adds no error:
    # AC1 is (0.8 - 0.5) / 0.5, its variance 0.8 · 0.2 / (20 - 1) / 0.5², t of 19 is 2.093024.
    both = two_people(8, 2, 2, 8)
    alone = pd.DataFrame(
        {"item": range(100), "person": "person 0", "label": ["keep", "remove"] * 50}
    )
    half = 2.093024 * (0.16 / 19 / 0.25) ** 0.5
    for votes in (both, pd.concat([both, alone])):
        ac1 = agreement(votes).ac1
        assert (ac1.low, ac1.value, ac1.high) == pytest.approx((0.6 - half, 0.6, 0.6 + half))


def test_items_with_one_vote_are_no_evidence_of_disagreement():
    both = two_people(10, 0, 0, 10)
    alone = pd.DataFrame(
        {"item": range(100), "person": "person 0", "label": ["keep", "remove"] * 50}
    )
    ac1 = agreement(pd.concat([both, alone])).ac1
    assert ac1.value == 1
    low = wilson_interval(20, 20)[0]
    assert (ac1.low, ac1.high) == (pytest.approx((low - 0.5) / 0.5), 1)


def test_full_agreement_is_one_with_an_interval_below_it():
    # Chance agreement is 0.5 for kappa and AC1; Wilson's low for 100 of 100 is 0.963007.
    found = agreement(two_people(50, 0, 0, 50))
    assert [one.value for one in statistics(found)] == [1, 1, 1, 1]
    assert found.kappa.low == found.ac1.low == pytest.approx((0.963007 - 0.5) / 0.5, abs=1e-5)
    assert all(0.9 < one.low < one.high == 1 for one in statistics(found))


def test_full_disagreement_has_an_interval_above_its_value():
    found = agreement(two_people(0, 5, 5, 0))
    assert found.kappa.value == found.ac1.value == -1
    for one in statistics(found):
        assert one.low == pytest.approx(one.value)
        assert one.low < one.high


def test_with_one_label_only_kappa_and_alpha_are_not_defined():
    found = agreement(two_people(100, 0, 0, 0))
    assert found.kappa.why_undefined == found.alpha.why_undefined == "not defined: one label used"
    assert found.kappa.value is found.alpha.value is found.kappa.low is found.alpha.high is None
    # AC1's chance agreement is 0 with two labels on offer and one used, or any greater number.
    assert found.percent.value == found.ac1.value == 1
    assert found.percent.low == found.ac1.low == pytest.approx(wilson_interval(100, 100)[0])


@pytest.mark.parametrize("cells", [(90, 10, 0, 0), (90, 0, 10, 0), (0, 0, 3, 7)])
def test_where_one_person_uses_one_label_kappa_is_not_defined(cells):
    # 90 + 10: observed 0.9, by chance 1 × 0.9, so kappa is 0 whichever tasks the ten are.
    found = agreement(two_people(*cells))
    assert (found.kappa.value, found.kappa.low, found.kappa.high) == (None, None, None)
    assert found.kappa.why_undefined == (
        "not defined: one person used one label only, so kappa would be 0 whatever the other chose"
    )
    assert found.ac1.low < found.ac1.value < found.ac1.high


def test_a_label_that_redraws_often_lack_leaves_alpha_without_an_interval():
    # Two items of a hundred hold the rare label: a redraw lacks both 13 % of the time.
    alpha = agreement(two_people(98, 1, 1, 0)).alpha
    assert alpha.value == pytest.approx(-1 / 198)
    assert (alpha.low, alpha.high) == (None, None)
    assert "so rare" in alpha.why_no_interval


@pytest.mark.parametrize(
    ("votes", "why"),
    [
        (votes_of(), "there are no votes"),
        (votes_of(["keep", "remove"]), "only one person voted"),
        (votes_of(["keep", None], [None, "remove"]), "no item was rated by two people"),
    ],
)
def test_without_two_votes_on_an_item_nothing_is_defined(votes, why):
    found = agreement(votes)
    for one in (found.percent, found.alpha, found.ac1):
        assert (one.value, one.low, one.high, one.n_items) == (None, None, None, 0)
        assert one.why_undefined == f"not defined: {why}"
    assert found.kappa.value is None


@pytest.mark.parametrize("ratings", [[["a", "b"]], [["a", "b"], ["a", "b"], ["a", "b"]]])
def test_kappa_needs_exactly_two_people(ratings):
    kappa = agreement(votes_of(*ratings)).kappa
    assert kappa.value is None
    assert kappa.why_undefined == "not defined: needs exactly two people"


def test_one_item_has_values_and_an_interval_of_percent_agreement_only():
    found = agreement(votes_of(["a"], ["b"], ["a"]))
    assert found.percent.value == pytest.approx(1 / 3)
    assert found.percent.high - found.percent.low > 0.7
    # 2 votes a, 1 b: alpha 1 - (2/3) / (4/6) = 0; AC1 chance 2 · 2/9 = 4/9, (1/3 - 4/9) / (5/9).
    assert found.alpha.value == pytest.approx(0)
    assert found.ac1.value == pytest.approx(-0.2)
    for one in (found.alpha, found.ac1):
        assert one.low is one.high is None
        assert one.why_no_interval == "one item does not show how much items differ"


def test_texts_that_look_like_missing_values_are_labels():
    found = agreement(votes_of(["NA", "None", "nan"], ["NA", "None", "remove: other, “x”\n"]))
    assert found.percent.value == pytest.approx(2 / 3)


def test_pairs_are_measured_on_what_both_judged():
    votes = votes_of(
        ["k", "k", "r", "r", None],
        ["k", "r", "r", "r", "k"],
        [None, None, None, None, "k"],
    )
    first, second, third = pairwise_agreement(votes)
    assert [(one.first, one.second, one.n_items) for one in (first, second, third)] == [
        ("person 0", "person 1", 4),
        ("person 0", "person 2", 0),
        ("person 1", "person 2", 1),
    ]
    # 3 of 4 agree; chance .5 · .25 + .5 · .75 = 0.5.
    assert (first.percent.value, first.kappa.value) == (0.75, pytest.approx(0.5))
    assert second.kappa.why_undefined == "not defined: no item was rated by two people"
    assert third.kappa.why_undefined == "not defined: one label used"


@pytest.mark.parametrize("votes", [votes_of(), votes_of(["a", "b"])])
def test_fewer_than_two_people_make_no_pair(votes):
    assert pairwise_agreement(votes) == []


def test_two_votes_of_one_person_on_an_item_are_refused():
    votes = pd.concat([two_people(2, 0, 0, 1), two_people(1, 0, 0, 0)])
    message = "person 'person 0' has more than one vote on item 't0'"
    with pytest.raises(InputError, match=message) as caught:
        agreement(votes)
    assert "one vote per item and person" in caught.value.hint
    with pytest.raises(InputError, match=message):
        pairwise_agreement(votes)


@pytest.mark.parametrize("column", ["item", "person", "label"])
def test_a_missing_column_or_an_empty_cell_is_refused(column):
    votes = two_people(1, 0, 0, 1)
    with pytest.raises(InputError, match=f"the votes have no column '{column}'"):
        agreement(votes.drop(columns=column))
    votes.loc[2, column] = None
    with pytest.raises(InputError, match=f"row 3 of 4 votes has no {column}"):
        agreement(votes)


some_ratings = st.integers(1, 8).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from(["a", "b", "c", None]), min_size=n, max_size=n),
        min_size=2,
        max_size=4,
    )
)


@settings(max_examples=60, deadline=None)
@given(some_ratings)
def test_values_and_ends_stay_in_range_and_what_is_missing_is_explained(ratings):
    votes = votes_of(*ratings)
    pairs = pairwise_agreement(votes)
    pair_statistics = [one for pair in pairs for one in (pair.percent, pair.kappa, pair.ac1)]
    for one in (*statistics(agreement(votes)), *pair_statistics):
        assert (one.value is None) == bool(one.why_undefined)
        assert (
            (one.low is None)
            == (one.high is None)
            == bool(one.why_undefined or one.why_no_interval)
        )
        least = 0 if one.name == "Percent agreement" else -1
        if one.value is not None:
            assert least <= one.value <= 1
        if one.low is not None:
            assert least <= one.low < one.high <= 1
            assert one.low - 1e-12 <= one.value <= one.high + 1e-12
        assert plain_reading(one).endswith(".")
        assert "nan" not in plain_reading(one)


@settings(max_examples=60, deadline=None)
@given(some_ratings, st.randoms(use_true_random=False))
def test_order_of_rows_and_people_and_names_of_labels_do_not_matter(ratings, chance):
    found = agreement(votes_of(*ratings))
    votes = votes_of(*chance.sample(ratings, len(ratings)))
    rows = chance.sample(range(len(votes)), len(votes))
    shuffled = agreement(votes.iloc[rows])
    for one, other in zip(statistics(found), statistics(shuffled), strict=True):
        assert astuple(other) == pytest.approx(astuple(one), abs=1e-9)

    names = dict(zip("abc", chance.sample(["a", "keep", "remove: “other”, x"], 3), strict=True))
    renamed = agreement(votes.assign(label=votes["label"].map(names)))
    assert renamed.alpha.value == pytest.approx(found.alpha.value, abs=1e-9)
    for one, other in zip(statistics(found), statistics(renamed), strict=True):
        if one is not found.alpha:
            assert astuple(other) == pytest.approx(astuple(one), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(some_ratings)
def test_alpha_is_the_librarys_wherever_two_labels_are_compared(ratings):
    found = agreement(votes_of(*ratings)).alpha
    if found.value is not None:
        numbers = [[np.nan if one is None else "abc".index(one) for one in row] for row in ratings]
        expected = krippendorff.alpha(numbers, level_of_measurement="nominal")
        assert found.value == pytest.approx(expected, abs=1e-10)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 5))
def test_full_agreement_with_two_labels_is_one(n_a, n_b, n_people):
    found = agreement(votes_of(*[["a"] * n_a + ["b"] * n_b] * n_people))
    values = [found.percent.value, found.alpha.value, found.ac1.value]
    assert values == pytest.approx([1, 1, 1])
    assert found.kappa.value == (pytest.approx(1) if n_people == 2 else None)


@settings(max_examples=30, deadline=None)
@given(*[st.integers(0, 20)] * 4)
def test_a_pair_is_measured_as_two_people_alone(a, b, c, d):
    votes = two_people(a, b, c, d)
    found = agreement(votes)
    for pair in pairwise_agreement(votes):
        assert (pair.percent, pair.kappa) == (found.percent, found.kappa)
        assert pair.ac1.value == pytest.approx(found.ac1.value, abs=1e-12)
