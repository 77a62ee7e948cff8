"""The Library in a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.desk import VIEWPORT, Server, Visit, serving
from tests.e2e.stories import STORIES
from tests.samples import SAMPLES

LABELS = ("Google ADK", "Harnest", "10xGraph", "UiPath coded", "UiPath low-code")
EDITED = 1_788_800_000
"""When the files on the screenshot were edited: 7 September 2026."""
PICTURE = Path(__file__).parent / "library.png"


@pytest.fixture
def fresh(chromium: Path, tmp_path: Path) -> Iterator[Server]:
    """Return a server that nobody has asked for anything."""
    folder = shutil.copytree(SAMPLES / "tenxgraph", tmp_path / "tenxgraph")
    with serving(folder, tmp_path / "server.log") as running:
        yield running


def test_the_first_request_to_a_server_may_be_a_deep_link(fresh: Server, browser: Browser):
    context = browser.new_context(viewport=VIEWPORT)
    visit = Visit(context.new_page(), fresh)
    visit.open("author", set="trip_planner/evals/trip_planner.evalset.json", case="#5")
    expect(visit.page.get_by_role("navigation").get_by_role("link", name="Library")).to_be_visible()
    expect(visit.page.get_by_text("tenxgraph", exact=True)).to_be_visible()
    expect(visit.field(STORIES["tenxgraph"].expected + " It costs 15 euros and must be booked "
                       "in advance.")).to_be_visible()  # fmt: skip
    visit.stayed_home()
    context.close()


def test_the_library_lists_sets_of_every_dialect_and_broken_files(visit: Visit):
    visit.open()
    rows = visit.rows("Eval sets")
    for label in LABELS:
        expect(rows.filter(has_text=label).first).to_be_attached()
    broken = rows.filter(has_text="odd/broken/trailing_comma.evalset.json")
    expect(broken).to_contain_text("1 error")
    broken.get_by_role("button").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog.get_by_text("There is a comma with nothing after it.")).to_be_visible()


def test_a_search_finds_sets_by_the_text_of_their_cases(visit: Visit):
    visit.open()
    visit.page.get_by_role("searchbox").fill("espresso machine never turned on")
    rows = visit.rows("Eval sets")
    # Other tests may have left copies of the set that says so.
    expect(rows.filter(has_text="loans.evalset.json")).to_have_count(0)
    expect(rows.filter(has_text="adk/refund_desk/refunds.evalset.json")).to_have_count(1)


def test_the_desk_is_dark_for_those_who_like_it_dark(server: Server, browser: Browser):
    context = browser.new_context(viewport=VIEWPORT, color_scheme="dark")
    visit = Visit(context.new_page(), server)
    for page in ("", "author", "results"):
        visit.open(page, set=STORIES["adk"].set_path)
        assert brightness(visit, "stApp", "backgroundColor") < 64, page
        assert brightness(visit, "stMain", "color") > 160, page
    visit.stayed_home()
    context.close()


def brightness(visit: Visit, part: str, style: str) -> float:
    """Return the mean of red, green and blue, 0–255, of a part's colour."""
    code = f"e => getComputedStyle(e).{style}.match(/[0-9.]+/g).slice(0, 3).map(Number)"
    channels = visit.page.get_by_test_id(part).evaluate(code)
    return float(sum(channels)) / 3


def test_the_readme_has_a_screenshot_of_the_library(browser: Browser, tmp_path: Path):
    """Take it again, when EVALDESK_SCREENSHOT asks for it; else look that a new one would fit."""
    folder = shutil.copytree(SAMPLES, tmp_path / "sample_evals")
    shutil.rmtree(folder / "odd")
    for file in folder.rglob("*.json"):
        os.utime(file, (EDITED, EDITED))
    target = PICTURE if os.environ.get("EVALDESK_SCREENSHOT") else tmp_path / PICTURE.name
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    with serving(folder, tmp_path / "server.log") as running:
        visit = Visit(context.new_page(), running)
        visit.open()
        expect(visit.rows("Eval sets").first).to_be_visible()
        visit.page.evaluate("document.fonts.ready")
        visit.page.screenshot(path=target, animations="disabled")
        visit.stayed_home()
    context.close()
    assert size_of(target) == size_of(PICTURE) == (VIEWPORT["width"], VIEWPORT["height"])


def size_of(png: Path) -> tuple[int, int]:
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
