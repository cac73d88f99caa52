"""The matrix of who classified whose tasks says what it shows, and nothing without answers."""

import pandas as pd

from core.charts.drawing import exhibit_chart
from core.charts.matrix import matrix_chart


def _frame(*rows: tuple[str, str, float | None, int]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["subject", "model", "value", "n"])
    return frame.assign(metric="foresight", why="").astype({"value": float})


FRAME = _frame(
    ("a", "a", 0.5, 40), ("a", "b", 0.25, 40), ("b", "a", None, 9), ("b", "person/Ada", 1.0, 3)
)


def _squares(chart) -> dict[tuple[str, str], dict]:
    [rows] = chart.to_dict()["datasets"].values()
    return {(row["row"], row["column"]): row for row in rows}


def test_a_square_shows_the_value_and_the_tasks_it_is_out_of() -> None:
    squares = _squares(matrix_chart(FRAME))
    assert (squares["a", "b"]["above"], squares["a", "b"]["below"]) == ("0.25", "n = 40")
    # Outlined: a model on the tasks that it invented itself.
    assert {pair for pair, row in squares.items() if row["is_outlined"]} == {("a", "a"), ("b", "b")}


def test_what_is_not_there_not_defined_or_too_little_is_said_and_not_drawn() -> None:
    squares = _squares(matrix_chart(FRAME))
    assert squares["b", "a"]["above"] == "not defined"
    assert squares["b", "person/Ada"]["above"] == "too few"
    assert (squares["b", "b"]["above"], squares["b", "b"]["said"]) == ("", "no tasks")
    blank = squares["b", "b"]["fill"]
    assert squares["b", "a"]["fill"] == squares["b", "person/Ada"]["fill"] == blank
    nothing = matrix_chart(_frame(("a", "a", 1.0, 4))).to_dict()
    assert nothing["description"] == "Nothing to draw: no pair has 5 tasks."


def test_its_alt_text_has_every_pair_with_its_number() -> None:
    assert exhibit_chart("matrix", FRAME).to_dict()["description"] == (
        "Foresight by who invented the tasks and who classified them: a by a: 0.50 (n = 40); "
        "a by b: 0.25 (n = 40); b by a: not defined (n = 9); b by person/Ada: too few (n = 3)."
    )
