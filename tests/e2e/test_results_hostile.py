"""Results in which nothing is as it should be: every text stays text on every screen."""

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.report import hostile_files
from tests.report.hostile_files import AWAY

TABS = ("Checks", "Slices", "Review", "Every turn", "Re-score")
SHOWN = "![pic]("
LONG = 200_000


@pytest.fixture
def path(visit: Visit):
    """Put a hostile report beside its set in the folder that all tests share."""
    found = hostile_files.write("tenxgraph", visit.server.folder, LONG)
    yield found
    (visit.server.folder / found).unlink()


def stays_text(visit: Visit) -> None:
    page = visit.page
    visit.idle()
    assert page.evaluate("window.owned") is None
    away = AWAY.removeprefix("https:")
    assert page.locator(f"a[href*='{away}'], img[src*='{away}']").count() == 0
    visit.stayed_home()


def test_hostile_results_stay_text_on_every_screen(visit: Visit, path: str):
    visit.open("results", file=path, find="window.owned")
    expect(visit.page.get_by_text(SHOWN).first).to_be_visible()
    stays_text(visit)
    for name in visit.page.get_by_role("tab").all_inner_texts():
        if name not in TABS:
            visit.page.get_by_role("tab", name=name, exact=True).first.click()
            stays_text(visit)
    visit.page.get_by_role("button", name="Share").click()
    stays_text(visit)
    expect(visit.page.get_by_text("with the words “window.owned”")).to_be_visible()
    visit.page.keyboard.press("Escape")
    for name in TABS:
        visit.page.get_by_role("tab", name=name, exact=True).click()
        stays_text(visit)
    visit.open("results")
    stays_text(visit)
