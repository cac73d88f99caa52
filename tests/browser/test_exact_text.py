"""Foreign text on the real screen: letter for letter, whatever widget shows it."""

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).parent / "apps" / "exact_text.py"


def _app_module():
    spec = importlib.util.spec_from_file_location("exact_text_app", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


app = _app_module()


@pytest.fixture(scope="module")
def url(start_shared_app):
    return start_shared_app(SCRIPT)


def _open(tab, url, part, ready):
    tab.goto(f"{url}/?part={part}")
    tab.wait_for_selector(ready)
    tab.wait_for_load_state("networkidle")


def _spaced(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_every_widget_shows_hostile_text_letter_for_letter(tab, url):
    _open(tab, url, "kinds", f".st-key-kind-{len(app.KINDS) - 1} *")
    wrong = {}
    for number, kind in enumerate(app.KINDS):
        shown = _spaced(tab.locator(f".st-key-kind-{number}").evaluate(_ALL_TEXT))
        if app.HOSTILE not in shown:
            wrong[kind] = shown
    assert wrong == {}


def test_tooltip_toast_and_table_cell_show_hostile_text_letter_for_letter(tab, url):
    _open(tab, url, "floating", ".st-key-hover button")
    tab.wait_for_selector("canvas [role=gridcell]", state="attached")
    tab.locator(".st-key-hover button").first.hover()
    tab.wait_for_selector("[data-testid=stTooltipContent]")
    places = {
        "tooltip": tab.locator("[data-testid=stTooltipContent]").text_content(),
        "toast": tab.locator("[data-testid=stToast]").text_content(),
        "cell": tab.locator("canvas [role=gridcell]").last.text_content(),
    }
    assert {place: app.HOSTILE in _spaced(text) for place, text in places.items()} == dict.fromkeys(
        places, True
    )


def test_no_line_of_markup_scraps_changes_on_its_way_to_a_caption_or_a_label(tab, url):
    texts = [app.REWRITTEN, *app.STARTS, *app.fuzz(150)]
    _open(tab, url, "lines", f".st-key-error-{len(texts) - 1} label")
    wrong = []
    for place in ("caption", "error"):
        for number, text in enumerate(texts):
            shown = tab.locator(f".st-key-{place}-{number}").text_content()
            if _spaced(shown).strip() != text.strip():
                wrong.append((place, text, shown))
    assert wrong == []
    assert tab.locator(".stMainBlockContainer a").count() == 0


def test_a_block_keeps_white_space_and_shows_what_has_no_shape(tab, url):
    _open(tab, url, "block", ".st-key-nothing")
    block = tab.locator(".st-key-lines .sb-text")
    assert block.text_content() == "one\n\ttwo  three \n\n:blue[four]␀⟨U+D835⟩ end "
    assert block.evaluate("e => getComputedStyle(e).whiteSpaceCollapse") == "preserve"
    assert tab.locator(".st-key-nothing").text_content() == "empty"


def test_each_paragraph_finds_its_own_direction(tab, url):
    _open(tab, url, "block", ".st-key-directions .sb-text")
    edges = tab.locator(".st-key-directions .sb-text").evaluate(_LINE_EDGES)
    # Hebrew and Arabic end at the right edge of the block, English begins at the left one.
    assert [edge["right"] for edge in edges] == [True, False, True]
    assert [edge["left"] for edge in edges] == [False, True, False]


def test_a_hundred_thousand_characters_open_in_a_scrolling_box(tab, url):
    _open(tab, url, "long", ".st-key-open button")
    tab.locator(".st-key-open button").click()
    box = tab.locator(".st-key-long .sb-text")
    box.wait_for()
    assert len(box.text_content()) == 100_008
    assert box.evaluate("e => e.clientHeight < e.scrollHeight && e.clientWidth >= e.scrollWidth")


# Text of an element with what stands in its form fields, where some widgets keep it.
_ALL_TEXT = """e => e.textContent + [...e.querySelectorAll('input')].map(i => i.value).join(' ')"""

_LINE_EDGES = """block => {
  const node = block.firstChild, text = node.data, lines = [];
  const frame = block.getBoundingClientRect();
  let start = 0;
  for (const line of text.split('\\n')) {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, start + line.length);
    const box = range.getBoundingClientRect();
    lines.push({left: box.left - frame.left < 2, right: frame.right - box.right < 2});
    start += line.length + 1;
  }
  return lines;
}"""
