"""Mocks in a real browser: a rule made by form, tried, answered, and taken back."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.samples import SAMPLES

SET = "uipath_coded/claims_intake/evaluations/eval-sets/claims.json"


def own_set(visit: Visit) -> Path:
    """Return a set that only this test edits, in a project of its own."""
    project = visit.server.folder / "mocking"
    file = project / "evaluations" / "eval-sets" / "mine.json"
    file.parent.mkdir(parents=True)
    value = json.loads((SAMPLES / SET).read_text(encoding="utf-8"))
    value["evaluations"] = value["evaluations"][:2]
    for case in value["evaluations"]:
        case.pop("mockingStrategy", None)
    file.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return file


def type_into(visit: Visit, label: str, text: str, place: str) -> None:
    field = visit.page.locator(f".st-key-{place}").get_by_label(label, exact=True).last
    field.fill(text)
    field.press("Tab")
    visit.idle()


def pick(visit: Visit, label: str, text: str, place: str) -> None:
    """Type into a choice, and take what was typed."""
    box = visit.page.locator(f".st-key-{place}").get_by_role("combobox", name=label).last
    box.click()
    box.fill(text)
    box.press("Enter")
    visit.idle()


def press(visit: Visit, label: str, place: str = "mocked-tools") -> None:
    found = visit.page.locator(f".st-key-{place}").get_by_role("button", name=label, exact=True)
    found.first.click()
    visit.idle()


def test_a_rule_is_made_tried_and_taken_back_without_typing_json(visit: Visit):
    file = own_set(visit)
    before = file.read_bytes()
    visit.open("author", set=str(file.relative_to(visit.server.folder)), view="mocks")
    expect(visit.page.get_by_text("No case replaces anything yet.")).to_be_visible()
    visit.segment("Written answers")
    press(visit, "Add rule")
    pick(visit, "Function", "look_up", "open-rule")
    visit.segment("Calls with these arguments")
    press(visit, "Add by name", "open-rule")
    type_into(visit, "Name", "policy", "open-rule")
    type_into(visit, "Value", "holder", "open-rule")
    tried = visit.page.locator(".st-key-try-box")
    type_into(visit, "The call as text", 'look_up(policy="HH-1")', "try-box")
    expect(tried.get_by_text("Rule 1 answers and returns")).to_be_visible()
    expect(tried.locator("pre")).to_have_text('"holder"')
    type_into(visit, "The call as text", 'look_up("HH-1")', "try-box")
    expect(tried.get_by_text("No rule is for this call, so it fails")).to_be_visible()
    type_into(visit, "The call as text", "send()", "try-box")
    expect(tried.get_by_text("The real function runs")).to_be_visible()
    expect(visit.rows("Rules")).to_have_count(1)
    expect(visit.rows("Cases").first).to_contain_text("1 rule")

    visit.page.get_by_role("button", name=re.compile("^(undo )?Undo")).click()
    visit.idle()
    expect(visit.page.locator(".st-key-open-rule").get_by_label("Value").last).to_have_value("")
    visit.page.get_by_role("button", name=re.compile("^(redo )?Redo")).click()
    visit.idle()
    assert file.read_bytes() == before
    visit.review()
    visit.press_save()
    expect(visit.page.get_by_role("radio", name="Mocks & simulation")).to_be_visible()
    visit.idle()
    first, second = json.loads(file.read_bytes())["evaluations"]
    rule = {
        "function": "look_up",
        "then": [{"type": "return", "value": "holder"}],
        "arguments": {"args": [], "kwargs": {"policy": {"_target_": "mockito.any"}}},
    }
    assert first["mockingStrategy"] == {"type": "mockito", "config": [rule]}
    assert "mockingStrategy" not in second
