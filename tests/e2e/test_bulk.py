"""Many cases at once in a real browser: tags on all that a filter finds, find and replace, keys."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.desk import Visit
from tests.views.builders import case, turn

CASES, PAGE = 130, 100


@pytest.fixture
def file(visit: Visit) -> Path:
    """Return a set of two pages of cases, every second of them about Lisbon."""
    cases = [
        case(f"c{n}", turn(f"A train to {'Porto' if n % 2 else 'Lisbon'}, please. Number {n}."))
        for n in range(CASES)
    ]
    path = visit.server.folder / "many" / "trains.evalset.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"eval_set_id": "trains", "eval_cases": cases}, indent=1))
    visit.open("author", set="many/trains.evalset.json")
    listens(visit)
    return path


def listens(visit: Visit) -> None:
    """Wait until keys are listened to."""
    for _ in range(200):
        if visit.page.evaluate("() => Boolean(window.evaldeskKeys)"):
            return
        visit.page.wait_for_timeout(50)
    raise AssertionError("the page does not listen to keys")


def saved(file: Path) -> list[dict]:
    return json.loads(file.read_text())["eval_cases"]


def search(visit: Visit, text: str, found: str) -> None:
    visit.page.get_by_role("searchbox", name="Search cases").fill(text)
    expect(visit.page.get_by_text(found)).to_be_visible()
    visit.idle()


def leave_field(visit: Visit) -> None:
    """Put the focus where no text is typed."""
    visit.page.get_by_role("main").locator(".ed-title").first.click()
    visit.idle()


def bar(visit: Visit, name: str) -> Locator:
    return visit.page.locator(".st-key-bulk-bar").get_by_role("button", name=name)


def test_all_cases_that_a_filter_finds_are_tagged_on_every_page_and_undone(
    visit: Visit, file: Path
) -> None:
    search(visit, "Lisbon", "65 cases found")
    bar(visit, "Tag…").click()
    dialog = visit.page.get_by_role("dialog")
    tags = dialog.get_by_role("combobox", name="Add tags")
    tags.fill("south")
    tags.press("Enter")
    tags.press("Tab")
    expect(dialog.get_by_text("Changes 65 cases")).to_be_visible()
    dialog.get_by_role("button", name="Change 65 cases").click()
    expect(dialog).to_have_count(0)
    expect(visit.page.get_by_text("65 unsaved edits")).to_be_visible()
    leave_field(visit)
    visit.page.keyboard.press("Control+z")
    expect(visit.page.get_by_text("65 unsaved edits")).to_have_count(0)
    visit.idle()
    visit.page.keyboard.press("Control+Shift+Z")
    expect(visit.page.get_by_text("65 unsaved edits")).to_be_visible()
    visit.idle()
    visit.save()
    assert [c.get("tags") for c in saved(file)] == [["south"], None] * (CASES // 2)


def test_ticks_reach_over_pages_and_move_and_copy_what_is_ticked(visit: Visit, file: Path) -> None:
    visit.page.get_by_label("Select all on this page").check()
    expect(visit.page.get_by_text(f"{PAGE} cases ticked")).to_be_visible()
    visit.idle()
    bar(visit, f"Tick all {CASES}").click()
    expect(visit.page.get_by_text(f"{CASES} cases ticked")).to_be_visible()
    visit.idle()
    bar(visit, "Untick").click()
    expect(bar(visit, "Tag…")).to_have_count(0)
    visit.idle()
    # Faster than the server answers: no tick may be lost.
    visit.page.get_by_label("Select c2", exact=True).check()
    visit.page.get_by_label("Select c3", exact=True).check()
    expect(visit.page.get_by_text("2 cases ticked")).to_be_visible()
    visit.idle()
    bar(visit, "More").click()
    visit.page.get_by_role("menuitem", name="Move to the top").or_(
        visit.page.get_by_role("option", name="Move to the top")
    ).click()
    expect(visit.rows("Cases").first).to_contain_text("c2")
    visit.idle()
    visit.save()
    assert [c["eval_id"] for c in saved(file)][:4] == ["c2", "c3", "c0", "c1"]


def test_a_text_is_replaced_but_for_one_hit_and_undo_brings_it_back(
    visit: Visit, file: Path
) -> None:
    visit.page.keyboard.press("Alt+h")
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    visit.idle()
    expect(dialog.get_by_role("searchbox", name="Find")).to_be_focused()
    visit.page.keyboard.type("train")
    expect(dialog.get_by_text(f"Found {CASES} times")).to_be_visible()
    dialog.get_by_role("searchbox", name="Replace with").fill("night bus")
    expect(dialog.get_by_role("button", name=f"Replace {CASES}")).to_be_visible()
    hits = visit.rows("Found")
    expect(hits).to_have_count(50)
    expect(hits.nth(1).locator(".t-removed")).to_have_text("train")
    expect(hits.nth(1).locator(".t-added")).to_have_text("night bus")
    hits.nth(1).get_by_role("checkbox").uncheck()
    expect(dialog.get_by_text("1 field left out")).to_be_visible()
    dialog.get_by_role("button", name=f"Replace {CASES - 1}").click()
    expect(dialog).to_have_count(0)
    expect(visit.page.get_by_text(f"{CASES - 1} unsaved edits")).to_be_visible()
    visit.idle()
    leave_field(visit)
    visit.page.keyboard.press("Control+z")
    expect(visit.page.get_by_text("unsaved edits")).to_have_count(0)
    visit.idle()
    visit.page.keyboard.press("Control+y")
    expect(visit.page.get_by_text(f"{CASES - 1} unsaved edits")).to_be_visible()
    visit.idle()
    cases = visit.rows("Cases")
    expect(cases.nth(0)).to_contain_text("A night bus to Lisbon")
    expect(cases.nth(1)).to_contain_text("A train to Porto")
    expect(cases.nth(2)).to_contain_text("A night bus to Lisbon")


def test_keys_lead_to_the_search_the_next_case_and_the_sheet_of_keys(
    visit: Visit, file: Path
) -> None:
    leave_field(visit)
    visit.page.keyboard.press("?")
    expect(visit.page.get_by_text("Find and replace")).to_be_visible()
    visit.page.keyboard.press("Escape")
    expect(visit.page.get_by_text("Find and replace")).to_have_count(0)
    leave_field(visit)
    visit.page.keyboard.press("/")
    box = visit.page.get_by_role("searchbox", name="Search cases")
    expect(box).to_be_focused()
    # In a field these are signs like any other.
    visit.page.keyboard.type("/?")
    expect(box).to_have_value("/?")
    box.fill("")
    visit.idle()
    visit.page.keyboard.press("Alt+ArrowDown")
    expect(visit.page).to_have_url(re.compile("case=c1$"))
    visit.idle()
    says = visit.page.get_by_role("textbox", name="User says").first
    says.click()
    visit.page.keyboard.press("Alt+s")
    expect(box).to_be_focused()
    visit.page.keyboard.press("Control+h")
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    visit.idle()
    # Escape is for what has the focus, which the dialog takes only once it is drawn.
    expect(dialog.get_by_role("searchbox", name="Find")).to_be_focused()
    visit.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 820])
def test_the_bar_and_the_dialog_fit_the_window(visit: Visit, file: Path, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": 800})
    search(visit, "Lisbon", "65 cases found")
    visit.page.keyboard.press("Alt+h")
    expect(visit.page.get_by_role("dialog")).to_be_visible()
    for part in ('[data-testid="stMain"]', '[role="dialog"]', ".st-key-bulk-bar"):
        over = visit.page.locator(part).first.evaluate("e => e.scrollWidth - e.clientWidth")
        assert over <= 1, part
