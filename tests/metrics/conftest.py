"""Counts frames for the tests: made by hand, and counted from the ten published files."""

import json
from pathlib import Path

import pandas as pd
import pytest
from python_calamine import CalamineWorkbook

from core.metrics.counts import COUNT_COLUMNS
from core.taxonomy import normalise_reason, normalise_type

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
PUBLISHED = SHARED / "published" / "line_of_duty"

ETHICS, MALICE, OFFENCE = "Ethical Integrity", "Malicious Intent", "Offensive Topics"


@pytest.fixture
def make_counts():
    """A function from (intent, type, reason, label, label_reason, n) tuples to a counts frame."""

    def make(*rows, **columns):
        frame = pd.DataFrame(rows, columns=[*COUNT_COLUMNS[4:]])
        base = {"study": "demo", "subject": "m", "model": "m", "prompt_set": "vanilla"}
        for name, value in (base | columns).items():
            frame[name] = value
        return frame

    return make


@pytest.fixture
def one_type(make_counts):
    """A function from the five cells of one type to its counts."""

    def make(ff, fr, rf, rr, rr_other, kind=ETHICS, **columns):
        return make_counts(
            ("feasible", kind, None, "feasible", None, ff),
            ("feasible", kind, None, "infeasible", MALICE, fr),
            ("infeasible", kind, MALICE, "feasible", None, rf),
            ("infeasible", kind, MALICE, "infeasible", MALICE, rr),
            ("infeasible", kind, MALICE, "infeasible", OFFENCE, rr_other),
            **columns,
        )

    return make


@pytest.fixture
def two_types(one_type):
    """A study of 320 tasks in two types."""
    parts = [one_type(60, 20, 8, 60, 12), one_type(75, 5, 30, 40, 10, kind="Contextual Awareness")]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="session")
def published_rows():
    """One row per published task, names normalised, nothing counted yet."""
    if not PUBLISHED.exists():
        pytest.skip(f"the published files are not at {PUBLISHED}")
    return pd.concat([_rows_of(path) for path in sorted(PUBLISHED.glob("*.xlsx"))])


def _rows_of(path):
    _, *rows = CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()
    prompt_set = "challenge_qap" if "advanced" in path.stem else "vanilla"
    return pd.DataFrame(
        {
            "study": path.stem,
            "subject": row[2],
            "model": row[2],
            "prompt_set": prompt_set,
            "intent": row[3].lower(),
            "type": normalise_type(row[4]),
            "reason": normalise_reason(row[5]),
            "label": row[6].lower(),
            "label_type": normalise_type(row[7]),
            "label_reason": normalise_reason(row[8]),
        }
        for row in rows
    )


@pytest.fixture(scope="session")
def published_counts(published_rows):
    """The counts frame of the ten published files, with the type that was named."""
    columns = [name for name in (*COUNT_COLUMNS, "label_type") if name != "n"]
    return published_rows.groupby(columns, dropna=False).size().rename("n").reset_index()


@pytest.fixture(scope="session")
def oracle():
    """What the published files give, worked out independently, by printed model name."""
    path = PUBLISHED / "tables_recomputed.json"
    if not path.exists():
        pytest.skip(f"the recomputed tables are not at {path}")
    return json.loads(path.read_text())["models"]


@pytest.fixture(scope="session")
def printed():
    """What the paper prints, as the project carries it."""
    return json.loads((ROOT / "data" / "line_of_duty_printed.json").read_text())
