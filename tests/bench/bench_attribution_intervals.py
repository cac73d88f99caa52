"""Intervals of ACC and the F1s: do they cover the truth, and how often do equal models differ?

Studies are drawn from outcomes whose chances are known: answerable questions come out right, as
DATA, as MODEL or otherwise, unanswerable ones as DATA, as MODEL or otherwise. The true value of a
metric is that of the chances themselves, in the proportions of the study's files.
"""

import numpy as np
import pandas as pd

from core.metrics.attribution_comparison import compare_attribution
from core.metrics.attribution_frames import metric_intervals, named_metrics
from core.metrics.attribution_replicates import METRICS, attribution_metric
from core.metrics.attribution_rows import counts_by

STUDIES = 400
PAIRS = 400
MIXED, ABLE = (0.5, 0.1, 0.1, 0.3), (0.8, 0.02, 0.05, 0.13)
UNSURE, SHARP = (0.5, 0.2, 0.3), (0.95, 0.02, 0.03)
RARE, RARELY = (0.9, 0.01, 0.01, 0.08), (0.02, 0.03, 0.95)

# (answerable questions, their chances, unanswerable questions, their chances), one a file.
SHAPES = {
    "five files like the published ones": [
        (1000, MIXED, 0, UNSURE),
        (674, ABLE, 0, UNSURE),
        (0, MIXED, 1032, UNSURE),
        (0, MIXED, 582, SHARP),
        (0, MIXED, 52, UNSURE),
    ],
    "five files of 40": [
        (40, MIXED, 0, UNSURE),
        (40, ABLE, 0, UNSURE),
        (0, MIXED, 40, UNSURE),
        (0, MIXED, 40, SHARP),
        (0, MIXED, 40, UNSURE),
    ],
    "one file of 20 + 20": [(20, MIXED, 20, UNSURE)],
    "one file of 50 + 50, nearly all right": [(50, (0.7, 0.01, 0.28, 0.01), 50, SHARP)],
    "one file of 100 + 100, labels are rare": [(100, RARE, 100, RARELY)],
}
_ANSWERABLE = (("ANSWERED", "yes"), ("DATA_UNCERTAIN", None), ("MODEL_UNCERTAIN", None))
_SIDES = {
    "answerable": (*_ANSWERABLE, ("ANSWERED", "no")),
    "unanswerable": (("DATA_UNCERTAIN", None), ("MODEL_UNCERTAIN", None), ("ANSWERED", None)),
}


def simulated(shape: list, studies: int, rng: np.random.Generator) -> pd.DataFrame:
    """The counts frame of so many studies of a shape."""
    rows = []
    for at in range(studies):
        names = {"study": f"{at}", "subject": "m", "model": "m", "prompt_set": "p", "judge": "j"}
        for file, (n_able, able, n_unable, unable) in enumerate(shape):
            sides = (("answerable", n_able, able), ("unanswerable", n_unable, unable))
            for intent, n, chances in sides:
                for (label, verdict), count in zip(
                    _SIDES[intent], rng.multinomial(n, chances), strict=True
                ):
                    about = {"group": "g", "type": f"{file}", "intent": intent, "label": label}
                    about |= {"verdict": verdict, "match": None, "n": int(count)}
                    rows += [names | about] if count else []
    return pd.DataFrame(rows)


def true_values(shape: list) -> dict[str, float]:
    """Each metric of the chances themselves."""
    cells = np.zeros(7)
    for n_able, able, n_unable, unable in shape:
        cells += np.concatenate([n_able * np.array(able), n_unable * np.array(unable)])
    return {name: float(attribution_metric(cells[None], name)[0]) for name in METRICS}


def print_coverage() -> None:
    """Print how often the 95 % intervals hold the truth, the closed ones beside them."""
    print(f"coverage of the 95 % interval, {STUDIES} studies each (closed formula):")
    for title, shape in SHAPES.items():
        truth = true_values(shape)
        frame = simulated(shape, STUDIES, np.random.default_rng(1))
        found = metric_intervals(frame, by=("study",)).dropna(subset="low")
        closed = {
            key: named_metrics(counts) for key, counts in counts_by(frame, ("study",)).items()
        }
        print(f"  {title}:")
        for name in METRICS:
            own = found[found["metric"] == name]
            held = own["low"].le(truth[name]) & own["high"].ge(truth[name])
            ends = [one[name] for one in closed.values() if one[name].value is not None]
            also = np.mean([one.low <= truth[name] <= one.high for one in ends])
            print(f"    {name:15} {held.mean():6.1%} ({also:6.1%})", flush=True)


def print_false_alarms() -> None:
    """Print how often two models that do not differ are found to differ, at 5 %."""
    print(f"equal models found to differ at 5 %, {PAIRS} pairs each, 1,000 resamples:")
    rng = np.random.default_rng(2)
    for n in (15, 40, 150):
        for agreement in (0.0, 0.7):
            alarms = dict.fromkeys(METRICS, 0)
            tested = dict.fromkeys(METRICS, 0)
            for seed in range(PAIRS):
                frame = _equal_pair(n, agreement, rng)
                own = [_side(frame, side) for side in "ab"]
                found = compare_attribution(*own, frame, replicates=1_000, seed=seed)
                for row in found.dropna(subset="p").itertuples():
                    tested[row.metric] += 1
                    alarms[row.metric] += row.p <= 0.05
            told = ", ".join(
                f"{name} {alarms[name] / tested[name]:.1%}" for name in METRICS if tested[name]
            )
            print(f"  {n} + {n} questions, alike on {agreement:.0%}: {told}", flush=True)


def _equal_pair(n: int, agreement: float, rng: np.random.Generator) -> pd.DataFrame:
    """Joint counts of two models with the same chances, which give one answer to a part of all."""
    rows = []
    outcomes = ("correct", "DATA_UNCERTAIN", "MODEL_UNCERTAIN", "wrong")
    for intent, chances, names in (
        ("answerable", MIXED, outcomes),
        ("unanswerable", UNSURE, ("DATA_UNCERTAIN", "MODEL_UNCERTAIN", "ANSWERED")),
    ):
        a, b = (rng.choice(len(names), size=n, p=chances) for _ in range(2))
        b = np.where(rng.random(n) < agreement, a, b)
        rows += [
            ("p", intent, names[one], names[other], 1) for one, other in zip(a, b, strict=True)
        ]
    columns = ["part", "intent", "outcome_a", "outcome_b"]
    frame = pd.DataFrame(rows, columns=[*columns, "n"])
    return frame.groupby(columns, as_index=False)["n"].sum()


def _side(frame: pd.DataFrame, side: str) -> pd.DataFrame:
    return frame.rename(columns={f"outcome_{side}": "outcome"})[["part", "intent", "outcome", "n"]]


def main() -> None:
    """Print the coverage, then the false alarms."""
    print_coverage()
    print_false_alarms()


if __name__ == "__main__":
    main()
