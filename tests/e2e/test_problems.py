"""The Problems tab in a real browser: read what is wrong, go there, fix it, take it back, save."""

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.e2e.desk import Visit


def asks(case_id: str, text: str, reply: str = "Certainly.") -> dict:
    answer = {"role": "assistant", "content": reply}
    turn = {"user_content": {"role": "user", "content": text}, "expected_final_response": answer}
    return {"eval_id": case_id, "conversation": [turn]}


def messy(visit: Visit, name: str) -> Path:
    """Return a set with four cases of one id, and a copy."""
    folder = visit.server.folder / "problems"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.evalset.json"
    cases = [asks("a", f"Question number {i}") for i in range(4)]
    cases.append(asks("copy", "Question number 2"))
    value = {"eval_set_id": name, "name": name, "metadata": {}, "eval_cases": cases}
    path.write_text(json.dumps(value, indent=2))
    return path


def open_problems(visit: Visit, path: Path) -> None:
    visit.open("author", set=str(path.relative_to(visit.server.folder)), view="problems")
    expect(visit.page.get_by_text("Cases with one id", exact=True).first).to_be_visible()
    visit.idle()


def press(visit: Visit, name: str) -> None:
    button(visit, name).click()
    visit.idle()


def button(visit: Visit, name: str) -> Locator:
    return visit.page.get_by_role("button", name=re.compile(name)).first


def test_all_of_a_kind_are_fixed_undone_fixed_again_and_saved(visit: Visit):
    path = messy(visit, "fixed")
    open_problems(visit, path)
    press(visit, "Fix all of this kind")
    expect(visit.page.get_by_text("Cases with one id", exact=True)).to_have_count(0)
    expect(visit.page.get_by_text("3 unsaved edits")).to_be_visible()
    press(visit, "^(undo )?Undo")
    expect(visit.page.get_by_text("Cases with one id", exact=True).first).to_be_visible()
    press(visit, "^(redo )?Redo")
    expect(visit.page.get_by_text("Cases with one id", exact=True)).to_have_count(0)
    visit.save()
    found = [case["eval_id"] for case in json.loads(path.read_text())["eval_cases"]]
    assert found == ["a", "a_2", "a_3", "a_4", "copy"]


def test_one_problem_is_fixed_where_it_stands(visit: Visit):
    path = messy(visit, "one")
    open_problems(visit, path)
    expect(visit.page.get_by_text("Fix: Call it “a_2”").first).to_be_visible()
    visit.page.get_by_role("button", name=re.compile(r"Fix$")).first.click()
    expect(visit.page.get_by_text("1 unsaved edit", exact=False).first).to_be_visible()
    visit.idle()
    expect(visit.page.get_by_role("radio", name=re.compile("^Problems 4"))).to_be_visible()


def test_a_problem_leads_to_its_field_and_is_fixed_there(visit: Visit):
    path = messy(visit, "field")
    open_problems(visit, path)
    visit.page.get_by_role("button", name="Go to").nth(2).click()
    visit.idle()
    expect(visit.page.locator(".ed-problem").first).to_be_in_viewport()
    expect(visit.field("Question number 2")).to_be_visible()
    press(visit, "Fix: Call it “a_2”")
    expect(visit.page.get_by_text("1 unsaved edit")).to_be_visible()


def test_what_is_this_opens_the_explanation_by_keyboard(visit: Visit):
    open_problems(visit, messy(visit, "explained"))
    opener = button(visit, "What is this")
    opener.focus()
    opener.press("Enter")
    explained = visit.page.get_by_text("They share one conversation thread in a run")
    expect(explained.first).to_be_visible()


def test_problems_follow_while_one_types(visit: Visit):
    path = messy(visit, "typed")
    open_problems(visit, path)
    expect(visit.page.get_by_role("radio", name=re.compile("^Problems 5"))).to_be_visible()
    visit.segment("Cases 5")
    visit.choose("Cases", "copy")
    visit.idle()
    visit.edit("Question number 2", "Quite another question", "1 unsaved edit")
    expect(visit.page.get_by_role("radio", name=re.compile("^Problems 4"))).to_be_visible()
    visit.menu("Library")
    row = visit.rows("Eval sets").filter(has_text=path.name)
    expect(row).to_contain_text("4 warnings")


def test_the_tab_fits_a_tablet(visit: Visit):
    visit.page.set_viewport_size({"width": 820, "height": 1100})
    open_problems(visit, messy(visit, "tablet"))
    wide = visit.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 820
