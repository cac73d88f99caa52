import math

import pytest

from core.errors import InputError
from core.metrics.many_comparisons import correct_for_many


def test_p_values_are_corrected_step_by_step():
    # Holm: 3 · 0.01; then 2 · 0.03; then 0.04, raised to what came before.
    assert correct_for_many([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert correct_for_many([0.5, 0.01], "bonferroni") == pytest.approx([1, 0.02])
    # Benjamini and Hochberg: 0.01 · 3/1, 0.03 · 3/2, 0.04 · 3/3; lowered to what comes after.
    assert correct_for_many([0.01, 0.04, 0.03], "fdr_bh") == pytest.approx([0.03, 0.04, 0.04])


def test_what_has_no_p_value_is_not_one_of_many():
    found = correct_for_many([math.nan, 0.02])
    assert math.isnan(found[0])
    assert found[1] == 0.02
    assert correct_for_many([]) == []
    with pytest.raises(InputError, match="there is no correction 'none'"):
        correct_for_many([0.1], "none")
