"""The metrics of in-advance confidence on single tasks, side by side."""

from typing import TYPE_CHECKING

from core.metrics.auroc import auroc
from core.metrics.brier import brier_score
from core.metrics.calibration import (
    BINS,
    Equal,
    calibration_error,
    overconfidence,
    predicted_success_rate,
    true_success_rate,
)
from core.metrics.confidence import Measured, Numbers
from core.metrics.redrawing import REPLICATES
from core.metrics.risk_coverage import risk_coverage_area

if TYPE_CHECKING:
    from pandas import DataFrame

NO_ERRORS_INTERVAL = "no interval: drawing tasks again would make the error still larger"
COMPARE = "few tasks make it too large; by chance alone it would be about {:.3f}"


def confidence_table(
    outcomes: Numbers,
    estimates: Numbers,
    *,
    bins: int = BINS,
    equal: Equal = "width",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> "DataFrame":
    """All metrics of one subject on the tasks with both an estimate and an outcome.

    Args:
        bins, equal: of the calibration error, as for `core.metrics.calibration.bin_numbers`.
        replicates, seed: of the interval of the area under the risk-coverage curve.

    Returns:
        metric (predicted_success_rate, true_success_rate, overconfidence, auroc, brier_score,
        risk_coverage_area, calibration_error), value, low, high (95 % interval), n, method, why,
        caution.

    Raises:
        InputError: as for these metrics.

    Example:
        >>> confidence_table([1, 0], [0.75, 0.25])[["metric", "value"]].values.tolist()[2:4]
        [['overconfidence', 0.0], ['auroc', 1.0]]
    """
    import pandas as pd

    error = calibration_error(outcomes, estimates, bins=bins, equal=equal)
    caution = "" if error.why else COMPARE.format(error.if_calibrated)
    found = {
        "predicted_success_rate": predicted_success_rate(estimates),
        "true_success_rate": true_success_rate(outcomes),
        "overconfidence": overconfidence(outcomes, estimates),
        "auroc": auroc(outcomes, estimates),
        "brier_score": brier_score(outcomes, estimates),
        "risk_coverage_area": risk_coverage_area(
            outcomes, estimates, replicates=replicates, seed=seed
        ),
        "calibration_error": Measured(
            error.value, None, None, error.n, why=error.why or NO_ERRORS_INTERVAL, caution=caution
        ),
    }
    rows = [
        (name, one.value, one.low, one.high, one.n, one.method, one.why, one.caution)
        for name, one in found.items()
    ]
    columns = ["metric", "value", "low", "high", "n", "method", "why", "caution"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:4], float))
