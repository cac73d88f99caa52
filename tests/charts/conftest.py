"""What the chart tests look for in a chart's specification."""

import pytest

HOSTILE = (
    "Costs $5 to $10, keep __init__ and *args* :smile: at 10:30 <img src=x onerror=alert(1)> "
    "a.b[0] 'x' \"y\""
)


@pytest.fixture
def hostile():
    """A name that would do harm wherever text is interpreted."""
    return HOSTILE


@pytest.fixture
def drawn_rows():
    """A function from a chart to the rows of its largest data set."""

    def rows(chart):
        return max(chart.to_dict()["datasets"].values(), key=len)

    return rows


@pytest.fixture
def fields():
    """A function from a chart to every field its encodings read."""

    def walk(node):
        if isinstance(node, dict):
            if isinstance(node.get("field"), str):
                yield node["field"]
            for value in node.values():
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)

    return lambda chart: set(walk({k: v for k, v in chart.to_dict().items() if k != "datasets"}))
