"""Reviewing a run in a browser: an expectation is mended and the case passes; the queue goes on."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.desk import VIEWPORT, Server, Visit, serving
from tests.samples import SAMPLES
from tests.views.rescored import RUNS

TRIPS = "tenxgraph/trip_planner/evals/trip_planner.evalset"
REFUNDS = "adk/refund_desk/refunds.evalset"
SEAT = "window_seat"
OVER_LIMIT, GERMAN = "refund_over_limit_needs_a_person", "german_customer"
PATIENCE_MS = 60_000


@pytest.fixture
def desk(chromium: Path, tmp_path: Path) -> Iterator[Server]:
    """Return a server of its own: these tests save the set and count what was said."""
    folder = tmp_path / "evals"
    for name in ("adk", "tenxgraph"):
        shutil.copytree(SAMPLES / name, folder / name)
    with serving(folder, tmp_path / "server.log") as running:
        yield running
    log = running.log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback (most recent call last)" not in log, log[-4000:]


@pytest.fixture
def visit(browser: Browser, desk: Server) -> Iterator[Visit]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    visitor = Visit(context.new_page(), desk)
    yield visitor
    visitor.sound()
    visitor.stayed_home()
    context.close()


def open_tab(visit: Visit, tab: str, run: str = "adk", **query: str) -> None:
    visit.open("results", file=RUNS[run], **query)
    found = visit.page.get_by_role("tab", name=tab)
    expect(found).to_be_visible(timeout=PATIENCE_MS)
    found.click()
    visit.idle()


def press(visit: Visit, keys: str) -> None:
    visit.page.keyboard.press(keys)
    visit.idle()


def call_me(visit: Visit, name: str) -> None:
    box = visit.page.get_by_role("combobox", name="Your name")
    box.fill(name)
    box.press("Enter")
    visit.idle()
    expect(visit.page.get_by_role("button", name=re.compile(f"as {name}"))).to_be_visible()


def shown(visit: Visit, case: str) -> None:
    """Wait until a result is the one beside the queue."""
    bar = visit.page.locator(".evd .title .name", has_text=case)
    expect(bar.first).to_be_visible(timeout=PATIENCE_MS)
    visit.idle()


def said(visit: Visit, path: str) -> list[dict]:
    file = visit.server.folder / f"{path}.review.jsonl"
    return [json.loads(line) for line in file.read_text("ascii").splitlines()]


def test_a_wrong_expectation_is_staged_saved_and_the_case_passes_when_scored_again(visit):
    page, file = visit.page, visit.server.folder / f"{TRIPS}.json"
    open_tab(visit, "Re-score", "tenxgraph")
    expect(page.get_by_text(re.compile("4 passed of 8"))).to_be_visible(timeout=PATIENCE_MS)
    open_tab(visit, "Review", "tenxgraph", case=SEAT)
    shown(visit, SEAT)
    press(visit, "2")
    expect(page.get_by_text("Saving stages this edit in your draft")).to_be_visible()
    expect(page.locator(".st-key-verdict-mend")).to_contain_text("aisle")
    call_me(visit, "ada")
    press(visit, "m")
    page.keyboard.type("The seat map was turned round.")
    press(visit, "Control+Enter")
    expect(page.get_by_text("1 of 4 failures reviewed (ada 1)")).to_be_visible()
    (found,) = said(visit, TRIPS)
    assert (found["finding"], found["reviewer"]) == ("expectation_wrong", "ada")
    assert (found["note"], found["case_id"]) == ("The seat map was turned round.", SEAT)
    before = file.read_bytes()

    page.get_by_role("button", name="Review & save the set").first.click()
    expect(page.get_by_role("heading", name="Review changes")).to_be_visible()
    expect(page.get_by_text(SEAT).first).to_be_visible()
    assert file.read_bytes() == before
    visit.press_save()
    expect(page.get_by_role("radio", name=re.compile("^Cases"))).to_be_visible()
    visit.idle()
    assert b"aisle" in file.read_bytes()

    open_tab(visit, "Re-score", "tenxgraph")
    expect(page.get_by_text(re.compile("5 passed of 8"))).to_be_visible(timeout=PATIENCE_MS)
    open_tab(visit, "Review", "tenxgraph", case=SEAT)
    expect(page.get_by_text("Judged by an older expectation").first).to_be_visible()
    expect(page.get_by_text("1 of 4 failures reviewed (ada 1)")).to_be_visible()


def test_the_queue_goes_on_by_keys_and_an_override_changes_no_score(visit):
    page = visit.page
    open_tab(visit, "Review")
    shown(visit, "carrier_is_down")
    press(visit, "n")
    shown(visit, OVER_LIMIT)
    press(visit, "1")
    call_me(visit, "bob")
    press(visit, "Control+Enter")
    shown(visit, GERMAN)
    press(visit, "3")
    press(visit, "Control+Enter")
    shown(visit, "carrier_is_down")
    expect(page.get_by_text("2 of 3 failures reviewed (bob 2)")).to_be_visible()
    told = page.get_by_text(re.compile("With 1 override: 6 passed, 1 failed"))
    expect(told).to_contain_text("As scored: 5 passed, 2 failed, 1 error, 1 not evaluated.")
    visit.segment("Reviewed 2")
    visit.choose("Results to review", GERMAN)
    shown(visit, GERMAN)
    bar = page.locator(".st-key-verdict-bar")
    expect(bar.locator("del")).to_have_text("✗ failed")
    expect(bar).to_contain_text("✓ passed override")
    bar.get_by_role("button", name=re.compile("Undo")).first.click()
    visit.idle()
    expect(bar.locator("del")).to_have_count(0)
    assert [e.get("kind", "finding") for e in said(visit, REFUNDS)] == [
        "finding",
        "finding",
        "override",
        "undo",
    ]
    press(visit, "n")
    shown(visit, "carrier_is_down")
    press(visit, "4")
    press(visit, "Control+Enter")
    expect(page.get_by_text("3 of 3 failures reviewed (bob 3)")).to_be_visible()


def test_a_result_becomes_a_case_in_the_draft_of_its_set(visit):
    page = visit.page
    open_tab(visit, "Review", case=GERMAN)
    shown(visit, GERMAN)
    page.get_by_role("button", name=re.compile("Make a case")).click()
    visit.idle()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Id").fill("returns_in_german")
    dialog.get_by_role("textbox", name="Id").press("Tab")
    visit.idle()
    expect(dialog.get_by_text("+ returns_in_german")).to_be_visible()
    dialog.get_by_role("button", name="Add and open it").click()
    visit.idle()
    expect(page.get_by_text("returns_in_german").first).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text(re.compile("1 unsaved"))).to_be_visible()
