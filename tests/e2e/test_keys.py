"""What was typed is kept, whichever key or click comes next."""

import re

import pytest
from playwright.sync_api import expect

SET = "tenxgraph/trip_planner/evals/greetings.evalset.json"


@pytest.mark.parametrize(
    ("key", "leads_to"), [("Alt+ArrowDown", "case=thanks"), ("Control+s", "view=review")]
)
def test_a_shortcut_first_hands_over_what_is_being_typed(visit, key, leads_to):
    visit.open("author", set=SET, case="hello")
    visit.edit("Hello!", "Good day!", "1 unsaved edit")
    box = visit.page.get_by_role("textbox", name="User says").first
    box.press("Control+End")
    visit.page.keyboard.type(" How are you?")
    visit.page.keyboard.press(key)
    expect(visit.page).to_have_url(re.compile(leads_to))
    visit.idle()
    visit.open("author", set=SET, case="hello")
    expect(box).to_have_value("Good day! How are you?")


def test_handing_over_a_text_by_key_does_nothing_else(visit):
    visit.open("author", set=SET, case="thanks_and_bye")
    box = visit.page.get_by_role("textbox", name="User says").first
    box.fill("Many thanks!")
    box.press("Control+Enter")
    expect(visit.page.get_by_text("1 unsaved edit")).to_be_visible()
    visit.idle()
    assert "view=review" not in visit.page.url


def test_after_a_choice_from_a_menu_the_focus_is_on_its_button(visit):
    visit.open("author", set="adk/refund_desk/refunds.evalset.json")
    button = visit.page.get_by_role("button", name="Options of Expected reply").first
    expect(button).to_be_visible()
    for option in ("Make it an empty text", "Make it nothing (null)"):
        button.focus()
        visit.page.keyboard.press("Enter")
        item = visit.page.get_by_role("menuitem", name=option)
        expect(item).to_be_visible()
        item.focus()
        visit.page.keyboard.press("Enter")
        visit.idle()
        expect(button).to_be_focused()
    visit.page.keyboard.press("Tab")
    expect(button).not_to_be_focused()
