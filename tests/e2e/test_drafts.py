"""Edits in a real browser outlive the server, with both ways to go from there."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.desk import VIEWPORT, Visit, free_port, serving
from tests.e2e.stories import STORIES
from tests.samples import SAMPLES
from tests.test_history import commit, git

SOURCE = STORIES["tenxgraph"]
NAME = "trips.evalset.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a workspace under git, whose one set has a past."""
    root = tmp_path / "trips"
    root.mkdir()
    git(root, "init", "-q")
    text = (SAMPLES / SOURCE.set_path).read_text(encoding="utf-8")
    commit(root, NAME, text.replace("Taking a dog", "Taking a cat"), "Begin with a cat")
    commit(root, NAME, text, "It is a *dog*")
    return root


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    yield context.new_page()
    context.close()


def open_case(visit: Visit) -> None:
    visit.open("author", set=NAME)
    visit.choose("Cases", SOURCE.case)
    visit.idle()


def press(visit: Visit, name: str) -> None:
    visit.page.get_by_role("button", name=name).click()
    visit.idle()


def test_a_draft_and_both_stacks_outlive_the_server(folder: Path, page: Page, tmp_path: Path):
    before, port = (folder / NAME).read_bytes(), free_port()
    with serving(folder, tmp_path / "one.log", port) as server:
        visit = Visit(page, server)
        open_case(visit)
        visit.edit(SOURCE.old, "First reply.", "1 unsaved edit")
        visit.edit(SOURCE.other[0], "Which train?", "1 unsaved edit")
        visit.edit("First reply.", "Second reply.", "1 unsaved edit")
        press(visit, "Undo")
        press(visit, "Undo")
        press(visit, "Redo")
        expect(visit.field("Which train?")).to_be_visible()
    with serving(folder, tmp_path / "two.log", port) as server:
        visit = Visit(page, server)
        visit.open()
        expect(visit.rows("Eval sets").filter(has_text=NAME)).to_contain_text("● unsaved")
        open_case(visit)
        expect(visit.field("First reply.")).to_be_visible()
        press(visit, "Redo")
        expect(visit.field("Second reply.")).to_be_visible()
        press(visit, "Undo")
        press(visit, "Undo")
        expect(visit.field(SOURCE.other[0])).to_be_visible()
        press(visit, "Redo")
        visit.page.reload()
        visit.idle()
        expect(visit.field("Which train?")).to_be_visible()
        assert (folder / NAME).read_bytes() == before
        visit.save()
        expect(visit.page.get_by_text("unsaved edit")).to_have_count(0)
    saved = (folder / NAME).read_text(encoding="utf-8")
    assert "First reply." in saved and "Which train?" in saved
    assert list((folder / ".evaldesk" / "drafts").glob("*.draft")) == []
    shutil.rmtree(folder)


def test_a_review_says_each_edit_in_words_and_drops_one_of_them(visit: Visit):
    file = visit.server.folder / "drafts" / "reviewed.evalset.json"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes((SAMPLES / SOURCE.set_path).read_bytes())
    visit.open("author", set="drafts/reviewed.evalset.json")
    visit.choose("Cases", SOURCE.case)
    visit.idle()
    visit.edit(SOURCE.old, SOURCE.new, "1 unsaved edit")
    visit.edit(*SOURCE.other, "1 unsaved edit")
    visit.review()
    main = visit.page.get_by_role("main")
    expect(main).to_contain_text("turn 1: user says")
    expect(main.locator("ins").get_by_text("First", exact=True)).to_be_visible()
    expect(main.locator("del").get_by_text("When does the first", exact=True)).to_be_visible()
    press(visit, "Drop the edit of turn 1: user says")
    expect(main.locator("ins").get_by_text("First", exact=True)).to_have_count(0)
    expect(main).to_contain_text("turn 1: expected reply")
    visit.segment("Lines of the file")
    expect(main).to_contain_text("1 line added, 1 line removed")
    visit.press_save()
    visit.idle()
    assert SOURCE.new in file.read_text(encoding="utf-8")
    assert json.loads(file.read_bytes())["eval_cases"][0]["conversation"]


def test_a_set_is_compared_with_its_past_and_any_step_is_gone_back_to(
    folder: Path, page: Page, tmp_path: Path
):
    with serving(folder, tmp_path / "server.log") as server:
        visit = Visit(page, server)
        open_case(visit)
        visit.edit(SOURCE.old, "First reply.", "1 unsaved edit")
        visit.edit(SOURCE.other[0], "Which train?", "1 unsaved edit")
        press(visit, "History")
        dialog = visit.page.get_by_role("dialog")
        steps = dialog.get_by_role("table", name="Steps")
        steps.get_by_role("button", name="Before the first of these steps").click()
        expect(visit.page.get_by_text("1 unsaved edit")).to_have_count(0)
        expect(steps).to_contain_text("undone")
        steps.get_by_role("button", name="Edit expected reply").click()
        expect(visit.page.get_by_text("1 unsaved edit")).to_be_visible()
        visit.idle()
        press(visit, "Compare with older versions")
        expect(dialog).to_have_count(0)
        visit.page.get_by_role("combobox", name="Compare with").click()
        visit.page.get_by_role("option").filter(has_text="Begin with a cat").click()
        visit.idle()
        main = visit.page.get_by_role("main")
        expect(main).to_contain_text("2 cases changed since")
        expect(main.locator("del").filter(has_text="cat")).to_be_visible()
        expect(main.locator("ins").filter(has_text="dog")).to_be_visible()
        expect(main).to_contain_text("First reply.")
