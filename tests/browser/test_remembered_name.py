"""The person's name survives what happens to browser tabs."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).parent / "apps" / "who.py"
NAME = "Zoë *Ø* $1; <b>李</b>"

# Notes every sign-in form that was on the page, however short.
_WATCH = """new MutationObserver(() => {
  if (document.querySelector('input')) window.sawForm = true;
}).observe(document, {childList: true, subtree: true});"""


@pytest.fixture(scope="module")
def url(start_shared_app):
    return start_shared_app(SCRIPT)


def _sign_in(page, url):
    page.goto(url)
    page.get_by_label("Your name").fill(NAME)
    page.get_by_label("Your name").press("Enter")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector(".st-key-name")
    page.wait_for_function("document.cookie.includes('selfbound_person=Z')")


def _greets(page):
    # The container is there a moment before its text.
    said = "name => document.querySelector('.st-key-name')?.textContent === name"
    page.wait_for_function(said, arg=NAME)
    return True


def test_a_reload_and_a_new_tab_know_the_name_and_never_show_the_form(page, url):
    _sign_in(page, url)
    page.add_init_script(_WATCH)
    page.reload()
    assert _greets(page)
    tab = page.context.new_page()
    tab.add_init_script(_WATCH)
    tab.goto(url)
    assert _greets(tab)
    assert [page.evaluate("window.sawForm"), tab.evaluate("window.sawForm")] == [None, None]


def test_the_name_stays_through_reruns_and_goes_with_signing_out(page, url):
    _sign_in(page, url)
    page.get_by_role("button", name="Again").click()
    assert _greets(page)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Your name").wait_for()
    page.wait_for_function("!document.cookie.includes('selfbound_person')")
    page.reload()
    page.get_by_label("Your name").wait_for()
    assert page.locator(".st-key-name").count() == 0


def test_another_browser_does_not_know_the_name(new_page, url):
    _sign_in(new_page(), url)
    other = new_page()
    other.goto(url)
    other.get_by_label("Your name").wait_for()
    assert other.locator(".st-key-name").count() == 0
