"""The report opened as a file with the network off: everything is there, and nothing is asked."""

import json

import pytest

from core.charts.pictures import exhibit_picture
from core.exchange.html_report import Document, Figure, Paragraph, Section, html_report
from core.llm.scripted import ScriptedClient
from core.records import Reply
from core.runs.engine import Engine
from core.store.store import Store
from core.workflows.drawing import draw_tasks
from core.workflows.reporting import save_report
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from core.workflows.workbench import Workbench

pytestmark = pytest.mark.browser

HOSTILE = "Costs $5 <img src=x onerror=alert(1)> & __init__"


def _reply(request):
    if request.context["task_id"] is None:
        return Reply(text=json.dumps({"task": f"Do {request.context['position']}"}))
    return Reply(text='{"task_class": "feasible", "answer": "x", "reason": ""}')


@pytest.fixture(scope="module")
def report_path(tmp_path_factory):
    """The report of a small study with a hostile name."""
    folder = tmp_path_factory.mktemp("report")
    with Workbench(
        Store.open(folder / "s.duckdb"), Engine(), lambda: ScriptedClient(_reply)
    ) as bench:
        study = create_study(
            bench.store, HOSTILE, protocol="feasibility_boundary", subject="a/b", per_type=2
        )
        start_step(bench, study, "generate").wait(20)
        draw_tasks(bench.store, study)
        start_step(bench, study, "classify").wait(20)
        save_report(bench.store, [study], folder / "report.html", draw=exhibit_picture)
    return folder / "report.html"


@pytest.fixture
def opened(browser):
    """A function that opens a file with everything else cut off, and what the page asked for."""
    contexts = []

    def open_file(path, *, color_scheme="light", width=1280):
        context = browser.new_context(
            color_scheme=color_scheme, viewport={"width": width, "height": 800}
        )
        contexts.append(context)
        page, asked, faults = context.new_page(), [], []
        page.route(
            "**/*",
            lambda route: (
                route.continue_() if route.request.url.startswith("file:") else route.abort()
            ),
        )
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(path.as_uri())
        return page, asked, faults

    yield open_file
    for context in contexts:
        context.close()


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_the_file_shows_all_headings_tables_and_charts_and_asks_for_nothing(
    opened, report_path, color_scheme
):
    page, asked, faults = opened(report_path, color_scheme=color_scheme)
    assert HOSTILE in page.title()
    for kind, fewest in (("h1", 1), ("h2", 5), ("h3", 10), ("table", 12), ("figure svg", 5)):
        found = page.locator(kind)
        assert found.count() >= fewest, kind
        assert all(one.is_visible() for one in found.all()), kind
    assert page.locator("table caption").count() == page.locator("table").count()
    assert asked == [report_path.as_uri()]
    assert faults == []


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_words_on_paper_and_in_charts_stand_out_from_the_backdrop(
    opened, report_path, color_scheme
):
    page, _, _ = opened(report_path, color_scheme=color_scheme)
    ink, paper, label = page.evaluate(_COLOURS)
    assert _contrast(ink, paper) >= 7
    assert _contrast(label, paper) >= 7


def test_a_narrow_window_scrolls_tables_and_not_the_page(opened, report_path):
    page, _, _ = opened(report_path, width=390)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_links_lead_to_their_sections(opened, report_path):
    page, asked, _ = opened(report_path)
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    page.locator("nav a").last.click()
    assert page.url.endswith("#software")
    assert len(asked) == 1


def test_the_policy_of_the_file_stops_what_would_ask_or_run(opened, tmp_path):
    page = html_report(Document("x", (), (Section("a", "A", (Paragraph("p"), Figure(SVG, "s"))),)))
    bad = '<img src="http://127.0.0.1:9/a.png"><script>document.title = "ran"</script>'
    path = tmp_path / "r.html"
    path.write_text(page.replace("<p>p</p>", bad), encoding="utf-8")
    opened_page, _, faults = opened(path)
    assert opened_page.title() == "x"
    assert ["Content Security Policy" in fault for fault in faults] == [True, True]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'

_COLOURS = """() => {
  const label = document.querySelector('figure svg .role-axis-label text');
  const body = getComputedStyle(document.body);
  return [body.color, body.backgroundColor, getComputedStyle(label).fill];
}"""


def _contrast(one, other):
    def luminance(colour):
        parts = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(",")]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
