"""The downloads of an exhibit: a button for each format that it has."""

from streamlit.testing.v1 import AppTest


def _page(with_chart):
    import pandas as pd

    from core.charts.drawing import exhibit_chart
    from pages.shared.exhibit_downloads import offer_exhibit

    table = pd.DataFrame(
        {
            "type": ["Ethical Integrity"],
            "confidence_balance": [0.5],
            "overconfidence": [0.6],
            "conservatism": [0.1],
            "n_feasible": [10],
            "n_infeasible": [10],
        }
    )
    chart = exhibit_chart("balance", table) if with_chart else None
    offer_exhibit("balance", "Which way each type leans", table, chart)
    offer_exhibit("other", "The same again", table)


def _labels(with_chart):
    shown = AppTest.from_function(_page, kwargs={"with_chart": with_chart}, default_timeout=30)
    shown.run()
    assert not shown.exception
    return [button.proto.label for button in shown.get("download_button")]


def test_a_table_comes_as_csv_latex_and_markdown_and_its_chart_as_svg_and_png():
    table = ["CSV", "LaTeX", "Markdown"]
    assert _labels(True) == [*table, "SVG", "PNG", *table]
    assert _labels(False) == [*table, *table]
