"""The whole story of a set for each system, played without typing JSON."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import authored
from tests.authored import NAME, TALK, Authored, Turn
from tests.e2e.desk import VIEWPORT, Visit, free_port, serving
from tests.e2e.hands import SLOW_MS, Hands, workbook
from tests.samples import SAMPLES


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    yield context.new_page()
    context.close()


def make_set(hands: Hands, label: str) -> None:
    hands.visit.open()
    hands.press("New set")
    hands.pick("Format", label)
    hands.write("Name", NAME)
    hands.look("new set")
    hands.press("Create")
    expect(hands.page.get_by_role("heading", name="This set has no cases yet")).to_be_visible(timeout=SLOW_MS)
    hands.look("empty set")


def import_rows(hands: Hands, sheet: Path, corrected: dict[str, str]) -> None:
    """Import a spreadsheet; ``corrected`` says what columns become that were guessed wrongly."""
    hands.press("Import a file…")
    hands.page.locator(".st-key-import-upload input[type=file]").set_input_files(sheet)
    added = hands.page.get_by_text("✓ 30 cases to add")
    expect(added).to_be_visible(timeout=SLOW_MS)
    for column, becomes in corrected.items():
        hands.pick(f"{column} becomes", becomes)
        hands.write(f"Name inside of {becomes}", column)
    hands.look("columns")
    added.scroll_into_view_if_needed()
    hands.look("preview")
    hands.press("Add 30 cases to the draft")
    expect(hands.page.get_by_role("heading", name="Review changes")).to_be_visible(timeout=SLOW_MS)
    hands.look("review of the import")
    hands.press("Keep editing")


def add_case(hands: Hands, name: str) -> None:
    hands.press("Add case")
    expect(hands.page.get_by_text("new_case").first).to_be_visible(timeout=SLOW_MS)
    head = hands.page.locator("[class*='st-key'][class*='menu'] button", has_text="More").first
    hands.look("new case")
    hands.from_menu(head, "Rename…")
    hands.write("Name", name)
    hands.look("rename")
    hands.press("Rename")
    expect(hands.page.get_by_role("dialog")).to_have_count(0, timeout=SLOW_MS)
    hands.visit.idle()


def write_turn(hands: Hands, index: int, turn: Turn) -> None:
    if index:
        hands.press("Add turn")
    hands.write("User says", turn.says, nth=index)
    if turn.tool:
        hands.page.get_by_role("button", name="Add tool call").nth(index).click()
        hands.visit.idle()
        hands.enter("Tool", turn.tool)
        add_argument(hands, turn.argument, is_known=turn is TALK[0])
        if isinstance(turn.value, int):
            hands.pick("Kind", "Number")
        hands.write("Value", str(turn.value))
    hands.write("Expected reply", turn.reply, nth=index)
    hands.look(f"turn {index + 1}")


def add_argument(hands: Hands, name: str, is_known: bool) -> None:
    """Add an argument by its name: chosen where the imported rows have it, typed where not."""
    adder = hands.page.get_by_role("button", name="Add argument").last
    if is_known:
        hands.from_menu(adder, name)
    else:
        adder.click()
        hands.visit.idle()
        hands.write("Name", name)


class TurnStory:
    """A story of a system whose cases have turns and whose checks are in a config beside."""

    def __init__(self, told: Authored) -> None:
        self.told = told

    def add_case(self, hands: Hands) -> None:
        add_case(hands, authored.CASE)
        for index, turn in enumerate(authored.FIRST_TALK):
            write_turn(hands, index, turn)

    def attach(self, hands: Hands) -> None:
        hands.tab("Details")
        hands.look("details")
        hands.press("Open")
        added = self.told.check
        hands.from_menu(hands.page.get_by_role("button", name="Add check"), added.label)
        hands.look("check added")
        hands.write("Pass mark", str(added.mark))
        hands.look("pass mark")
        hands.press("Review & save", exact=False)
        hands.look("review of the criteria")
        hands.visit.press_save()
        expect(hands.page.get_by_role("heading", name="Review changes")).to_have_count(0)
        hands.visit.idle()

    def mock(self, hands: Hands) -> None:
        hands.tab("Mocks")
        expect(hands.page.get_by_text(f"{self.told.short} has no mocks")).to_be_visible()
        hands.look("mocks")
        hands.press("Open the cases")

    def edit_twice(self, hands: Hands) -> None:
        hands.write("Expected reply", TALK[2].reply, nth=2)
        hands.write("User says", "Bye!", nth=2)

    def see_edits(self, hands: Hands, count: int) -> None:
        reply = hands.page.get_by_role("textbox", name="Expected reply", exact=True).nth(2)
        says = hands.page.get_by_role("textbox", name="User says", exact=True).nth(2)
        expect(reply).to_have_value(TALK[2].reply if count else authored.FIRST_TALK[2].reply)
        expect(says).to_have_value("Bye!" if count > 1 else TALK[2].says)


STORIES = {dialect: TurnStory(told) for dialect, told in authored.TOLD.items()}


@pytest.mark.parametrize("dialect", STORIES)
def test_a_set_is_built_saved_and_holds_what_was_meant(page: Page, tmp_path: Path, dialect: str):
    story = STORIES[dialect]
    told = story.told
    folder = shutil.copytree(SAMPLES / told.project, tmp_path / told.project)
    port = free_port()
    with serving(folder, tmp_path / "one.log", port) as server:
        hands = Hands(Visit(page, server), dialect)
        make_set(hands, told.label)
        file = folder / told.path
        before = file.read_bytes()
        import_rows(hands, workbook(tmp_path / "rows.xlsx", told.rows), told.corrected)
        story.add_case(hands)
        story.attach(hands)
        open_case_of(hands, told)
        story.mock(hands)
        open_case_of(hands, told)
        story.edit_twice(hands)
        story.see_edits(hands, 2)
        for verb, left in (("Undo", 1), ("Undo", 0), ("Redo", 1)):
            hands.page.locator(f".st-key-author-{verb.lower()} button").click()
            hands.visit.idle()
            story.see_edits(hands, left)
        hands.look("undone")
        page.reload()
        hands.visit.idle()
        story.see_edits(hands, 1)
        hands.look("reloaded")
        assert file.read_bytes() == before
    with serving(folder, tmp_path / "two.log", port) as server:
        hands.visit = Visit(page, server)
        open_case_of(hands, told)
        story.see_edits(hands, 1)
        hands.visit.review()
        expect(page.get_by_role("main")).to_contain_text(authored.CASE)
        hands.look("review")
        hands.visit.press_save()
        expect(page.get_by_role("radio", name="Cases 31")).to_be_visible(timeout=SLOW_MS)
        hands.look("saved")
        hands.visit.stayed_home()
    for log in ("one.log", "two.log"):
        assert "Traceback" not in (tmp_path / log).read_text(encoding="utf-8", errors="replace")
    import os
    Path("/tmp/authoring/out").mkdir(exist_ok=True)
    shutil.copy(file, f"/tmp/authoring/out/{dialect}.json")
    assert file.read_bytes() == told.text(file.read_bytes())


def open_case_of(hands: Hands, told: Authored) -> None:
    hands.visit.open("author", set=told.path, view="cases")
    hands.visit.choose("Cases", authored.CASE)
    hands.visit.idle()
