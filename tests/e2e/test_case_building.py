"""A case of three turns and two tool calls is built in a real browser, and no JSON is typed."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.desk import STEP_MS, Visit
from tests.e2e.stories import STORIES
from tests.samples import SAMPLES

WITH_TURNS = ("adk", "harnest", "tenxgraph")
TALK = (
    ("Where is my parcel?", "It is in Porto.", ("locate_parcel", {"order": "A-17"})),
    ("When does it come?", "On Friday.", ("find_day", {"days": 2})),
    ("Thank you!", "You are welcome.", None),
)


def own_set(visit: Visit, dialect: str) -> Path:
    """Return a set that only this test edits, where its system looks for sets."""
    story = STORIES[dialect]
    folder = visit.server.folder / "building" / dialect / "evals"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "parcels.evalset.json"
    value = json.loads((SAMPLES / story.set_path).read_bytes())
    value["eval_set_id"] = "parcels"
    file.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return file


def fill(visit: Visit, field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Tab")
    visit.idle()
    expect(field).to_have_value(text, timeout=STEP_MS)


def choose(visit: Visit, box: Locator, text: str) -> None:
    """Choose from a list, or type what is not in it."""
    box.click()
    box.press_sequentially(text, delay=20)
    box.press("Enter")
    visit.idle()


def build_turn(visit: Visit, index: int, says: str, reply: str, call) -> None:
    page = visit.page
    fill(visit, page.get_by_role("textbox", name="User says", exact=True).nth(index), says)
    if call is not None:
        name, args = call
        page.get_by_role("button", name="Add tool call").nth(index).click()
        visit.idle()
        choose(visit, page.get_by_role("combobox", name="Tool").last, name)
        for argument, value in args.items():
            add_argument(visit, argument, value)
    fill(visit, page.get_by_role("textbox", name="Expected reply", exact=True).nth(index), reply)


def add_argument(visit: Visit, name: str, value: object) -> None:
    page = visit.page
    page.get_by_role("button", name="Add argument").last.click()
    visit.idle()
    fill(visit, page.get_by_role("textbox", name="Name", exact=True).last, name)
    if isinstance(value, int):
        box = page.get_by_role("combobox", name="Kind").last
        choose(visit, box, "Number")
    fill(visit, page.get_by_role("textbox", name="Value", exact=True).last, str(value))


def built(value, dialect: str):
    """Return what was built, as (says, reply, call) of every turn of the last added case."""
    (case,) = [c for c in value["eval_cases"] if _id(c) == "new_case"]
    read = _tenxgraph if dialect == "tenxgraph" else _adk
    return tuple(read(turn) for turn in case["conversation"])


def _id(case) -> str:
    return case.get("evalId", case.get("eval_id"))


def _adk(turn):
    def member(raw, snake, camel, default=None):
        return raw.get(camel, raw.get(snake, default))

    data = member(turn, "intermediate_data", "intermediateData", {})
    calls = member(data, "tool_uses", "toolUses", [])
    says = member(turn, "user_content", "userContent")["parts"][0]["text"]
    reply = member(turn, "final_response", "finalResponse")["parts"][0]["text"]
    return says, reply, (calls[0]["name"], calls[0]["args"]) if calls else None


def _tenxgraph(turn):
    calls = turn["expected_tool_trajectory"]
    says, reply = turn["user_content"]["content"], turn["expected_final_response"]["content"]
    return says, reply, (calls[0]["name"], calls[0]["args"]) if calls else None


@pytest.mark.parametrize("dialect", WITH_TURNS)
def test_three_turns_with_two_tool_calls_without_typing_json(visit: Visit, dialect: str):
    file = own_set(visit, dialect)
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    visit.page.get_by_role("button", name="Add case").click()
    visit.idle()
    expect(visit.page.get_by_text("new_case").first).to_be_visible(timeout=STEP_MS)
    for index, (says, reply, call) in enumerate(TALK):
        if index:
            visit.page.get_by_role("button", name="Add turn").click()
            visit.idle()
        build_turn(visit, index, says, reply, call)
    visit.save()
    assert built(json.loads(file.read_bytes()), dialect) == TALK


def test_what_is_typed_is_kept_when_typing_pauses(visit: Visit):
    file = own_set(visit, "tenxgraph").with_name("pausing.evalset.json")
    file.write_bytes(file.with_name("parcels.evalset.json").read_bytes())
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    field = visit.page.get_by_role("textbox", name="User says", exact=True).first
    expect(field).not_to_have_value("", timeout=STEP_MS)
    before = field.input_value()
    field.click()
    field.press("End")
    field.press_sequentially(" Hurry,", delay=30)
    expect(visit.page.get_by_text("1 unsaved edit")).to_be_visible(timeout=STEP_MS)
    expect(field).to_be_focused()
    field.press_sequentially(" please.", delay=30)
    visit.page.wait_for_timeout(1500)
    visit.idle()
    visit.page.reload()
    visit.idle()
    again = visit.page.get_by_role("textbox", name="User says", exact=True).first
    expect(again).to_have_value(f"{before} Hurry, please.", timeout=STEP_MS)


def test_nothing_is_cut_off_on_a_tablet(visit: Visit):
    file = own_set(visit, "adk")
    visit.page.set_viewport_size({"width": 820, "height": 1100})
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    kinds = visit.page.locator('[data-testid="stSelectbox"]').filter(
        has=visit.page.get_by_role("combobox", name="Kind")
    )
    expect(kinds.first).to_be_visible(timeout=STEP_MS)
    for kind in kinds.all():
        assert kind.evaluate(
            "e => [...e.querySelectorAll('*')].every(c => c.scrollWidth <= c.clientWidth + 1"
            " || getComputedStyle(c).overflowX !== 'hidden' || c.clientWidth === 0)"
        )
    main = visit.page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
