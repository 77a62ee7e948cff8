"""The whole story of a set for each system, played without typing JSON."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import authored
from tests.authored import NAME, TALK, Authored, Turn
from tests.e2e.desk import VIEWPORT, Visit, free_port, serving
from tests.e2e.hands import SLOW_MS, Hands, named, workbook
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
    expect(hands.page.get_by_role("heading", name="This set has no cases yet")).to_be_visible(
        timeout=SLOW_MS
    )
    hands.look("empty set")


def import_rows(hands: Hands, sheet: Path) -> None:
    hands.press("Import a file…")
    hands.page.locator(".st-key-import-upload input[type=file]").set_input_files(sheet)
    added = hands.page.get_by_text("✓ 30 cases to add")
    expect(added).to_be_visible(timeout=SLOW_MS)
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
        hands.write("User says", TALK[2].says, nth=2)
        hands.write("Expected reply", "Bye!", nth=2)

    def see_edits(self, hands: Hands, count: int) -> None:
        says = hands.page.get_by_role("textbox", name="User says", exact=True).nth(2)
        reply = hands.page.get_by_role("textbox", name="Expected reply", exact=True).nth(2)
        old = authored.FIRST_TALK[2]
        expect(says).to_have_value(TALK[2].says if count else old.says, timeout=SLOW_MS)
        expect(reply).to_have_value("Bye!" if count > 1 else TALK[2].reply, timeout=SLOW_MS)


class CodedStory:
    """A story of coded UiPath agents: tool calls are expected by evaluators, mocks are rules."""

    def __init__(self, told: Authored) -> None:
        self.told = told

    def add_case(self, hands: Hands) -> None:
        add_case(hands, authored.CASE)
        hands.write("Name", "The parcel is late")
        hands.write("Policy", "HH-9001")
        hands.write("Text", "My new window came late.")
        hands.write("Amount", "120.5")
        hands.look("inputs")

    def attach(self, hands: Hands) -> None:
        attach(hands, "DecisionEvaluator", "ToolOrderEvaluator", "ToolArgsEvaluator")
        open_case_of(hands, self.told)
        hands.visit.unfold("Checks")
        add_check(hands, "DecisionEvaluator")
        hands.write("Decision", "approve")
        add_check(hands, "ToolOrderEvaluator")
        for tool in ("lookup_policy", "estimate_damage"):
            hands.press("Add tool")
            hands.enter("Tool", tool)
        hands.look("tools in order")
        add_check(hands, "ToolArgsEvaluator")
        for tool, name, value in (
            ("lookup_policy", "policy", "HH-9001"),
            ("estimate_damage", "amount", 120.5),
        ):
            hands.press("Add expected call")
            hands.enter("Tool", tool)
            hands.press("Add value")
            hands.write("Name", name)
            if isinstance(value, float):
                hands.pick("Kind", "Number")
            hands.write("Value", str(value))
        hands.look("expected calls")

    def mock(self, hands: Hands) -> None:
        hands.tab("Mocks")
        hands.look("mocks")
        hands.visit.segment("Written answers")
        hands.press("Add rule", "mocked-tools")
        hands.enter("Function", "lookup_policy", "open-rule")
        hands.visit.segment("Calls with these arguments")
        hands.from_menu(
            hands.place("open-rule").get_by_role("button", name="Add by name"), "policy"
        )
        hands.write("Value", "active", "open-rule")
        hands.look("rule")
        hands.write("The call as text", 'lookup_policy(policy="HH-9001")', "try-box")
        expect(hands.place("try-box").get_by_text("Rule 1 answers and returns")).to_be_visible()
        expect(hands.place("try-box").locator("pre")).to_have_text('"active"')
        hands.look("tried")
        hands.write("The call as text", "send_letter()", "try-box")
        expect(hands.place("try-box").get_by_text("The real function runs")).to_be_visible()

    def edit_twice(self, hands: Hands) -> None:
        hands.write("Text", "My window came late.", nth=0)
        hands.write("Name", "Late", nth=0)

    def see_edits(self, hands: Hands, count: int) -> None:
        shows(hands, "Text", "My window came late." if count else "My new window came late.")
        shows(hands, "Name", "Late" if count > 1 else "The parcel is late")


class LowcodeStory:
    """A story of low-code UiPath agents: expected in words, the tools played by a model."""

    def __init__(self, told: Authored) -> None:
        self.told = told

    def add_case(self, hands: Hands) -> None:
        add_case(hands, authored.CASE)
        hands.write("Ticket", "Where is my parcel?")
        hands.write("Category", "other")
        hands.write("Priority", "high")
        hands.write("Reply", "It comes on Friday.")
        hands.write("Expected behaviour", "Calls locate_parcel, then find_day.")
        hands.look("inputs and outputs")

    def attach(self, hands: Hands) -> None:
        attach(hands, "Worked as told", "Right category")

    def mock(self, hands: Hands) -> None:
        hands.tab("Mocks")
        hands.look("mocks")
        hands.press("Simulate tools")
        hands.press("Simulated tools")
        hands.press("Instructions for simulated tools")
        hands.look("simulation begun")
        hands.pick("Simulate tools", "Yes")
        hands.add_text("Simulated tools", "locate_parcel")
        hands.write("Instructions for simulated tools", "The parcel is in Porto.")
        hands.write("The call as text", 'locate_parcel(order="A-17")', "try-box")
        expect(hands.place("try-box").get_by_text("model")).to_be_visible()
        hands.look("tried")

    def edit_twice(self, hands: Hands) -> None:
        hands.write("Ticket", "Where is parcel A-17?")
        hands.write("Reply", "Bye!")

    def see_edits(self, hands: Hands, count: int) -> None:
        shows(hands, "Ticket", "Where is parcel A-17?" if count else "Where is my parcel?")
        shows(hands, "Reply", "Bye!" if count > 1 else "It comes on Friday.")


def shows(hands: Hands, label: str, text: str) -> None:
    field = hands.page.get_by_role("textbox", name=named(label)).first
    expect(field).to_have_value(text, timeout=SLOW_MS)


def attach(hands: Hands, *evaluators: str) -> None:
    hands.tab("Details")
    hands.look("details")
    for name in evaluators:
        hands.from_menu(hands.page.locator(".st-key-details-attach button").first, name)
    hands.look("attached")


def add_check(hands: Hands, name: str) -> None:
    hands.from_menu(hands.page.get_by_role("button", name="Add check"), name)


KINDS = {"uipath_coded": CodedStory, "uipath_lowcode": LowcodeStory}
STORIES = {name: KINDS.get(name, TurnStory)(told) for name, told in authored.TOLD.items()}


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
        import_rows(hands, workbook(tmp_path / "rows.xlsx", told.rows))
        story.add_case(hands)
        story.attach(hands)
        open_case_of(hands, told)
        story.mock(hands)
        open_case_of(hands, told)
        story.edit_twice(hands)
        story.see_edits(hands, 2)
        for verb, left in (("Undo", 1), ("Undo", 0), ("Redo", 1)):
            hands.page.locator(f".st-key-author-{verb.lower()} button").first.click()
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
    assert file.read_bytes() == told.text(file.read_bytes())


def open_case_of(hands: Hands, told: Authored) -> None:
    """Open the case that was added; it stands behind the first of the imported ones."""
    hands.visit.open("author", set=told.path, view="cases", case="#2")
    expect(hands.page.get_by_text(authored.CASE, exact=True).first).to_be_visible(timeout=SLOW_MS)
