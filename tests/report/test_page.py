"""The HTML page in a browser, opened from disk with the network off."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from evalcore.store import RunQuery
from tests.report.runs import FAILED, PASSED, case, exported, hostile, ordinary, score, stored, turn

pytestmark = pytest.mark.browser
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a run's page offline; in the end nothing may have been asked for, said or raised."""
    noise: list[str] = []
    contexts = []

    def opened(run: Any, place: str = "", query: RunQuery | None = None, **known: Any) -> Page:
        path = tmp_path / "report.html"
        path.write_bytes(exported("html", run, query))
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | known)
        context.set_offline(True)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(10_000)
        tab.on("console", lambda said: noise.append(said.text))
        tab.on("pageerror", lambda error: noise.append(str(error)))
        tab.on("dialog", lambda dialog: noise.append(dialog.message))
        tab.on("request", lambda r: None if r.url.startswith("file:") else noise.append(r.url))
        tab.goto(f"{path.as_uri()}{place}")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert noise == []


def names(tab: Page) -> list[str]:
    return tab.locator("#cases .name").all_inner_texts()


def test_the_worst_case_is_open_at_first(show: Open):
    tab = show(ordinary())
    expect(tab.locator("#shown")).to_have_text("8 case results")
    expect(tab.locator("article h2")).to_have_text("! error crashes")
    expect(tab.locator("article")).to_contain_text("Timeout after 60 s")
    assert names(tab)[:3] == ["crashes", "refunds", "flips (repeat 2)"]


@pytest.mark.parametrize(
    ("field", "choice", "count"),
    [
        ("Verdict", "failures and errors", 3),
        ("Verdict", "✓ passed", 4),
        ("Verdict", "flaky: passed in some repeats only", 3),
        ("Verdict", "near: passed by little", 1),
        ("Cause", "missing tool call: refund", 1),
        ("Tag", "smoke", 2),
        ("Check", "Words", 6),
    ],
)
def test_filters_narrow_the_list(show: Open, field: str, choice: str, count: int):
    tab = show(ordinary())
    tab.get_by_role("combobox", name=field, exact=True).select_option(label=choice)
    expect(tab.locator("#shown")).to_have_text(f"{count} of 8 case results match")
    assert len(names(tab)) == count
    tab.get_by_role("button", name="Clear filters").click()
    expect(tab.locator("#shown")).to_have_text("8 case results")


def test_numbers_on_top_are_filters(show: Open):
    tab = show(ordinary())
    tab.get_by_role("button", name="Words: show 2 failed").click()
    expect(tab.locator("#shown")).to_have_text("2 of 8 case results match")
    tab.get_by_role("button", name="Clear filters").click()
    tab.get_by_role("button", name="1 × missing tool call: refund").click()
    expect(tab.locator("#shown")).to_have_text("1 of 8 case results match")
    tab.get_by_role("button", name="Clear filters").click()
    chip = tab.get_by_role("button", name="✗ 2 failed")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(tab.locator("#shown")).to_have_text("2 of 8 case results match")
    chip.click()
    expect(tab.locator("#shown")).to_have_text("8 case results")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("REFUNDED 15", ["refunds"]),
        ("a-18", ["refunds"]),
        ("refunds", ["refunds"]),
        ("timeout", ["crashes"]),
        ("3 of 7", ["refunds", "flips (repeat 2)"]),
        ("nothing at all", []),
    ],
)
def test_search_looks_at_every_text(show: Open, words: str, found: list[str]):
    tab = show(ordinary())
    tab.get_by_label("Search").fill(words)
    expect(tab.locator("#shown")).to_have_text(f"{len(found)} of 8 case results match")
    assert names(tab) == found


def test_a_case_shows_the_words_the_calls_and_the_nodes_that_differ(show: Open):
    tab = show(ordinary())
    tab.get_by_role("button", name="refunds").first.click()
    article = tab.locator("article")
    assert article.locator("del").all_inner_texts() == ["12"]
    assert article.locator("ins").all_inner_texts() == ["15"]
    expect(article).to_contain_text("✗ other arguments")
    expect(article).to_contain_text('order: expected "A-17", got "A-18"')
    expect(article).to_contain_text("✗ not called")
    expect(article).to_contain_text("0.42 ✗ failed, pass mark 0.70")
    expect(article).to_contain_text("Caution: short")
    expect(article.locator("table").nth(1).locator(".failed")).to_have_text(["pay", "end"])


def test_repeats_are_a_strip_that_leads_to_each(show: Open):
    tab = show(ordinary(), "#result=5")
    strip = tab.locator(".strip")
    expect(strip).to_contain_text("●○● 2 of 3 passed, 2 distinct answers")
    strip.get_by_role("button", name="repeat 2: failed").click()
    expect(tab.locator("article h2")).to_have_text("✗ failed flips (repeat 2)")


def test_a_part_of_a_run_does_not_claim_to_hold_all_repeats(show: Open):
    tab = show(ordinary(), "#result=5", RunQuery(mode="passes"))
    expect(tab.locator(".strip")).to_contain_text("in this file, which may not hold all repeats")
    expect(tab.locator("header")).to_contain_text("This is a part of the run: 4 of the run's 8")


def test_keys_go_from_case_to_case_but_not_while_typing(show: Open):
    tab = show(ordinary())
    tab.keyboard.press("j")
    expect(tab.locator("article h2")).to_have_text("✗ failed refunds")
    tab.keyboard.press("k")
    expect(tab.locator("article h2")).to_have_text("! error crashes")
    tab.keyboard.press("/")
    expect(tab.get_by_label("Search")).to_be_focused()
    tab.keyboard.type("j")
    expect(tab.locator("article h2")).to_have_text("! error crashes")


def test_the_address_holds_the_filters_and_the_case(show: Open):
    tab = show(ordinary())
    tab.get_by_role("combobox", name="Verdict", exact=True).select_option(
        label="failures and errors"
    )
    tab.get_by_role("button", name="refunds").first.click()
    place = tab.evaluate("location.hash")
    again = show(ordinary(), place)
    expect(again.locator("#shown")).to_have_text("3 of 8 case results match")
    expect(again.locator("article h2")).to_have_text("✗ failed refunds")


@pytest.mark.parametrize(
    "place", ["#result=99", "#verdict=zzz&cause=none", "#%E0%A4%A", "#order=x"]
)
def test_an_address_of_something_else_still_opens(show: Open, place: str):
    tab = show(ordinary(), place)
    expect(tab.locator("#shown")).to_have_text("8 case results")


def test_every_hostile_case_opens_and_nothing_in_it_runs(show: Open):
    tab = show(hostile())
    tab.wait_for_selector("#cases button")
    for place in range(8):
        tab.locator("#cases button").nth(place).click()
        expect(tab.locator("article h2")).to_be_visible()
    tab.get_by_label("Search").fill("<script>alert(1)")
    expect(tab.locator("#shown")).to_have_text("5 of 8 case results match")
    assert tab.locator("img, article script, a").count() == 0


def test_the_policy_stops_scripts_that_are_not_the_pages_own(browser: Browser, tmp_path: Path):
    data = exported("html", ordinary()).replace(b"</body>", b"<script>var mine = 1</script></body>")
    path = tmp_path / "report.html"
    path.write_bytes(data)
    tab = browser.new_page()
    tab.goto(path.as_uri())
    expect(tab.locator("#shown")).to_have_text("8 case results")
    assert tab.evaluate("typeof mine") == "undefined"
    tab.close()


def test_a_long_text_is_cut_until_all_of_it_is_asked_for(show: Open):
    tab = show(hostile())
    tab.get_by_role("button", name="long").click()
    text = tab.locator(".sides .text").nth(1)
    assert len(text.inner_text()) == 1_500
    expect(tab.locator("article")).to_contain_text("4,000,000 more characters are not in this file")
    tab.get_by_role("button", name="Show all 1,000,000 characters").click()
    assert text.evaluate("node => node.textContent.length") == 1_000_000


def test_five_thousand_cases_are_listed_by_pages_and_searched(show: Open):
    words = score("words", 1.0, PASSED)
    cases = (
        case(f"case-{n:04}", PASSED if n % 50 else FAILED, turn(f"order {n}", "x", "x", words))
        for n in range(5_000)
    )
    tab = show(stored(cases))
    expect(tab.locator("#shown")).to_have_text("5,000 case results")
    assert tab.locator("#cases li").count() == 200
    tab.get_by_role("button", name="On ›").click()
    expect(tab.locator("#page")).to_have_text("2 of 25")
    tab.get_by_label("Search").fill("order 4321")
    expect(tab.locator("#shown")).to_have_text("1 of 5,000 case results match")
    assert names(tab) == ["case-4321"]


def test_without_scripts_the_numbers_are_there(show: Open):
    tab = show(ordinary(), java_script_enabled=False)
    expect(tab.locator("header")).to_contain_text("66.7 % (4 of 6) passed")
    expect(tab.get_by_text("The list of case results needs JavaScript")).to_be_visible()
    expect(tab.locator("main")).to_be_hidden()


NAMELESS = """() => [...document.querySelectorAll('button, select, input')]
  .filter((one) => !one.closest('[hidden]'))
  .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim()
    || (one.labels && one.labels.length)))
  .map((one) => one.outerHTML)"""
SEEN = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = rgb(getComputedStyle(at).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const skip = node.closest('script, noscript, option, [hidden], :disabled');
    if (skip || !walker.currentNode.textContent.trim() || !node.getClientRects().length) continue;
    found.push([walker.currentNode.textContent.trim().slice(0, 40),
      rgb(getComputedStyle(node).color).slice(0, 3), behind(node)]);
  }
  return found;
}"""


def luminance(color: list[float]) -> float:
    parts = [c / 255 for c in color]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(c * share for c, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_and_every_control_has_a_name(show: Open, scheme: str):
    tab = show(ordinary(), "#result=1", color_scheme=scheme)
    tab.wait_for_selector("article del")
    assert tab.evaluate(NAMELESS) == []
    seen = tab.evaluate(SEEN)
    assert len(seen) > 60
    weak = []
    for text, front, back in seen:
        high, low = sorted((luminance(front), luminance(back)), reverse=True)
        if (high + 0.05) / (low + 0.05) < 4.5:
            weak.append((text, front, back))
    assert weak == []


@pytest.mark.parametrize("width", [400, 1280, 1920])
def test_the_page_is_never_wider_than_the_window(show: Open, width: int):
    pages = (show(run, viewport={"width": width, "height": 900}) for run in (ordinary(), hostile()))
    for tab in chain(pages):
        tab.wait_for_selector("article h2")
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
