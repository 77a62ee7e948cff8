"""The Author page in a real browser: nothing that was typed is lost."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.e2e.stories import STORIES
from tests.samples import SAMPLES

SOURCE = STORIES["tenxgraph"]
LEGACY = "adk/refund_desk/first_week.test.json"


def own_set(visit: Visit, name: str) -> Path:
    """Return a set that only one test edits."""
    file = visit.server.folder / "drafts" / f"{name}.evalset.json"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes((SAMPLES / SOURCE.set_path).read_bytes())
    return file


def open_set(visit: Visit, file: Path) -> None:
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    visit.choose("Cases", SOURCE.case)
    visit.idle()


def test_unsaved_edits_survive_another_page_and_a_reload(visit: Visit):
    file = own_set(visit, "survives")
    before = file.read_bytes()
    open_set(visit, file)
    visit.edit(SOURCE.old, SOURCE.new, "1 unsaved edit")
    visit.menu("Results")
    expect(visit.page.get_by_text("1 set with unsaved edits")).to_be_visible()
    visit.menu("Author")
    expect(visit.field(SOURCE.new)).to_be_visible()
    visit.page.reload()
    visit.idle()
    expect(visit.field(SOURCE.new)).to_be_visible()
    visit.menu("Library")
    expect(visit.rows("Eval sets").filter(has_text=file.name)).to_contain_text("● unsaved")
    assert file.read_bytes() == before


def test_undo_takes_an_edit_back_and_redo_brings_it_again(visit: Visit):
    open_set(visit, own_set(visit, "undone"))
    visit.edit(SOURCE.old, SOURCE.new, "1 unsaved edit")
    visit.page.get_by_role("button", name="Undo").click()
    expect(visit.page.get_by_text("1 unsaved edit")).to_have_count(0)
    expect(visit.field(SOURCE.old)).to_be_visible()
    visit.page.get_by_role("button", name="Redo").click()
    expect(visit.page.get_by_text("1 unsaved edit")).to_be_visible()
    expect(visit.field(SOURCE.new)).to_be_visible()


def test_what_somebody_else_saved_meanwhile_is_kept(visit: Visit):
    file = own_set(visit, "shared")
    open_set(visit, file)
    visit.edit(SOURCE.old, SOURCE.new, "1 unsaved edit")
    theirs = file.read_text(encoding="utf-8").replace("Taking a dog", "Taking a cat")
    file.write_text(theirs, encoding="utf-8")
    visit.review()
    visit.press_save()
    together = visit.page.get_by_role("button", name="Save both together")
    expect(together.or_(visit.page.get_by_role("radio", name="Cases 8"))).to_be_visible()
    if together.is_visible():
        together.click()
        expect(visit.page.get_by_role("radio", name="Cases 8")).to_be_visible()
    visit.idle()
    saved = file.read_text(encoding="utf-8")
    assert SOURCE.new in saved and "Taking a cat" in saved
    assert saved == theirs.replace(SOURCE.old, SOURCE.new)


def test_an_old_list_file_is_read_only_and_becomes_a_new_set_beside_it(visit: Visit):
    old = visit.server.folder / LEGACY
    before = old.read_bytes()
    visit.open("author", set=LEGACY)
    expect(visit.page.get_by_text("This set is in an old shape.")).to_be_visible()
    assert not visit.field("Hello, what can you do?").is_enabled()
    visit.page.get_by_role("button", name="Save as a new-style set").click()
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("first week again")
    dialog.get_by_label("Name").press("Tab")
    visit.idle()
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(visit.page.get_by_text("This set is in an old shape.")).to_have_count(0)
    visit.idle()
    assert visit.field("Hello, what can you do?").is_enabled()
    assert old.read_bytes() == before
    (new,) = old.parent.glob("first_week_again*.json")
    assert [len(c["conversation"]) for c in json.loads(new.read_bytes())["eval_cases"]] == [3]


def test_on_a_tablet_no_button_of_the_heads_stands_in_a_row_of_its_own(visit):
    visit.page.set_viewport_size({"width": 820, "height": 1000})
    visit.open("author", set="tenxgraph/trip_planner/evals/greetings.evalset.json", case="hello")
    visit.edit("Hello!", "Good day!", "1 unsaved edit")
    for place, first, last in (
        ("author-head", "Library", "Review & save"),
        ("case-head", "Prev", "More"),
    ):
        inside = visit.page.locator(f".st-key-{place}").get_by_role("button")
        boxes = [inside.filter(has_text=words).first.bounding_box() for words in (first, last)]
        middles = [box["y"] + box["height"] / 2 for box in boxes if box]
        assert len(middles) == 2
        assert abs(middles[0] - middles[1]) < 10, (place, middles)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 820
