"""What became of questions: a row for each side of a study, a square for each outcome."""

import altair as alt
import pandas as pd

from core.charts.squares import squares_chart
from core.charts.theme import MIN_N, compact, finish, message_chart, percent

AIMED_AT = {("answerable", "answered right"), ("unanswerable", "DATA_UNCERTAIN")}
"""Where an answer belongs, outlined in the chart."""


def outcome_chart(
    frame: pd.DataFrame, *, title: str = "", width: int = 620
) -> alt.Chart | alt.LayerChart:
    """The chart of a frame of outcomes: colour is the share of the row.

    Args:
        frame: study, model, question, outcome, n, row_total and share (NaN for a row without
            questions), as `metrics.attribution_tables.outcome_matrix` gives. Rows are named by the
            study and the model only where there are several.
        title: plain text; empty for none.
        width: of the squares together, in pixels; labels come on top.

    Returns:
        The chart; with fewer than five questions, a chart that says so in words. A click on a
        square picks study, model, question and outcome.
    """
    total = int(frame["n"].sum()) if len(frame) else 0
    if total < MIN_N:
        return message_chart(_too_few(total), title=title)
    squares = _squares(frame)
    told = [
        alt.Tooltip(field="n", type="quantitative", title="Questions", format=","),
        alt.Tooltip(
            field="row_total", type="quantitative", title="Questions in the row", format=","
        ),
        alt.Tooltip(field="share_text", type="nominal", title="Share of the row"),
    ]
    chart = squares_chart(
        squares,
        row_title="Questions",
        column_title="What became of them",
        told=told,
        width=width,
        picks=("study", "model", "question", "outcome"),
        # Long names of studies would run into the title.
        is_named=False,
    )
    return finish(chart, title=title, description=_description(squares, total))


def _squares(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame[frame["row_total"] > 0]
    has_several = frame.groupby("study")["model"].nunique().max() > 1
    names = ["study"] if frame["study"].nunique() > 1 else []
    names += ["model"] if has_several else []
    rows = frame["question"].astype(str)
    for name in reversed(names):
        rows = frame[name].astype(str) + " · " + rows
    outcomes = list(dict.fromkeys(frame["outcome"]))
    order = [name for name in _ORDER if name in outcomes]
    order += [name for name in outcomes if name not in order]
    squares = frame.assign(row=rows, column=frame["outcome"])
    # Outcomes that a side cannot have stay blank; the first row has all, to set their order.
    grid = pd.MultiIndex.from_product([list(dict.fromkeys(rows)), order], names=["row", "column"])
    squares = squares.set_index(["row", "column"]).reindex(grid)
    heads = squares.groupby(level="row")[["study", "model", "question", "row_total"]].transform(
        "first"
    )
    squares = squares.assign(**{name: heads[name] for name in heads}).reset_index()
    squares["outcome"] = squares["column"]
    squares["n"] = squares["n"].fillna(0).astype(int)
    squares["share"] = squares["share"].astype(float)
    squares["share_text"] = [
        "cannot be" if pd.isna(share) else percent(share) for share in squares["share"]
    ]
    filled = squares["n"] > 0
    squares["above"] = squares["n"].map(compact).where(filled, "")
    squares["below"] = squares["share_text"].where(filled, "")
    pairs = zip(squares["question"], squares["outcome"], strict=True)
    return squares.assign(is_outlined=[pair in AIMED_AT for pair in pairs])


_ORDER = (
    "answered right",
    "answered wrong",
    "unjudged",
    "answered",
    "DATA_UNCERTAIN",
    "MODEL_UNCERTAIN",
    "unparsable",
)


def _too_few(total: int) -> str:
    if not total:
        return "Nothing to draw yet: no question has been answered."
    noun = "question" if total == 1 else "questions"
    return f"Only {total} {noun} attempted: too few to draw (fewer than {MIN_N})."


def _description(squares: pd.DataFrame, total: int) -> str:
    rows = []
    for row, part in squares[squares["n"] > 0].groupby("row", sort=False):
        said = ", ".join(f"{one.outcome} {one.n:,} ({one.share_text})" for one in part.itertuples())
        rows.append(f"{row}: {said}")
    return f"What became of {total:,} questions. {'; '.join(rows)}."
