"""A run's page in a browser: what is clicked narrows the list, and one click takes it away."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.desk import Server, Visit
from tests.pages.reports import call, check, report, result

NAME = "clicked"
MODES = re.compile
GOOD, BAD = "I refunded 24 EUR.", "I refunded 42 EUR."


def cases() -> list[dict]:
    found = []
    for number in range(30):
        fails = number % 3 == 0
        held = [
            check("rouge_match", 0.42 if fails else 0.96),
            check("tool_calls", 0.0 if number % 6 == 0 else 1.0),
        ]
        order = "B-90" if fails else "A-17"
        calls = [call("refund", order=order)]
        reply = BAD if fails else GOOD
        found.append(result(f"case-{number:02}", reply, *held, calls=calls))
    found.append(result("case-crash", "", error="the model did not answer"))
    return found


def eval_set() -> dict:
    turn = {
        "user_content": {"role": "user", "content": "Refund A-17"},
        "expected_final_response": {"role": "assistant", "content": GOOD},
        "expected_tool_trajectory": [{"name": "refund", "args": {"order": "A-17"}}],
    }
    found = [
        {
            "eval_id": f"case-{number:02}",
            "conversation": [turn],
            "tags": ["even" if number % 2 == 0 else "odd"],
            "metadata": {},
        }
        for number in range(30)
    ]
    return {"eval_set_id": NAME, "name": "Clicked", "eval_cases": found}


@pytest.fixture(scope="module")
def path(server: Server) -> str:
    """The path of a report of 31 results: 10 fail, one of which by no other check, 1 crashed."""
    place = Path(server.folder) / NAME
    place.mkdir(exist_ok=True)
    (place / "clicked.evalset.json").write_text(json.dumps(eval_set()))
    whole = report(*cases(), set_id=NAME, eval_set_name="Clicked", timestamp=1796200000.0)
    (place / "report.json").write_text(json.dumps(whole))
    return f"{NAME}/report.json"


@pytest.fixture
def run(visit: Visit, path: str) -> Visit:
    visit.open("results", file=path)
    expect(count(visit, "all 31 cases")).to_be_visible()
    return visit


def count(visit: Visit, text: str) -> Locator:
    return visit.page.get_by_role("main").get_by_text(text).first


def asked(visit: Visit) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(visit.page.url).query).items()}


def click(visit: Visit, name: str | re.Pattern[str]) -> None:
    visit.page.get_by_role("button", name=name).first.click()
    visit.idle()


def chips(visit: Visit) -> list[str]:
    found = visit.page.get_by_role("button", name=re.compile("^Remove filter")).all()
    return [chip.inner_text().removesuffix("✕") for chip in found]


def tab(visit: Visit, name: str) -> None:
    visit.page.get_by_role("tab", name=name, exact=True).click()
    visit.idle()


def test_a_segment_of_the_card_shows_the_cases_it_stands_for(run: Visit) -> None:
    run.page.get_by_role("button", name="10 failed", exact=True).nth(0).click()
    run.idle()
    assert asked(run)["mode"] == "failures"
    expect(count(run, "11 of 31 cases match")).to_be_visible()
    click(run, re.compile("^error: the model did not answer$"))
    expect(count(run, "1 of 31 cases match")).to_be_visible()
    assert chips(run) == ["because: error: the model did not answer"]


def test_a_column_of_a_histogram_narrows_the_list_to_its_scores(run: Visit) -> None:
    tab(run, "Checks")
    chart = run.page.get_by_role("group", name=re.compile("^Scores of Word overlap"))
    chart.get_by_role("button", name=re.compile("^0.40 – 0.45")).click()
    run.idle()
    assert asked(run)["score"] == ">=0.4,<0.45"
    expect(count(run, "10 of 31 cases match")).to_be_visible()
    assert len(chips(run)) == 1


def test_cell_slice_and_cause_add_up_and_go_one_by_one(run: Visit) -> None:
    tab(run, "Checks")
    heat = run.page.get_by_role("table", name="Cases against checks")
    heat.get_by_role("button", name=re.compile("^case-00, .*✗ 0.42")).click()
    run.idle()
    expect(count(run, "10 of 31 cases match")).to_be_visible()
    tab(run, "Slices")
    click(run, "tag odd")
    expect(count(run, "5 of 31 cases match")).to_be_visible()
    assert set(chips(run)) == {"Word overlap ✗ failed", "tag: odd"}
    click(run, re.compile("^Remove filter Word overlap"))
    expect(count(run, "15 of 31 cases match")).to_be_visible()
    assert asked(run).get("check") is None
    click(run, re.compile("^Remove filter tag"))
    expect(count(run, "all 31 cases")).to_be_visible()
    assert chips(run) == []


def test_a_filter_by_link_is_that_of_the_clicks(run: Visit, path: str) -> None:
    click(run, re.compile("^error: the model did not answer$"))
    address = run.page.url
    run.open("results")
    run.page.goto(address)
    run.idle()
    expect(count(run, "1 of 31 cases match")).to_be_visible()
    expect(run.rows("Case results")).to_have_count(1)


def test_modes_search_and_order_narrow_and_sort_on_the_server(run: Visit) -> None:
    run.segment("✓ Passes 20")
    expect(run.rows("Case results")).to_have_count(20)
    run.segment("All 31")
    box = run.page.get_by_placeholder("Search ids, texts, tools, reasons")
    box.fill("case-07")
    expect(run.rows("Case results")).to_have_count(1)
    box.fill("nobody said this")
    expect(run.page.get_by_text("0 of 31 cases match")).to_be_visible()
    run.idle()
    run.page.get_by_role("button", name="Clear filters").click()
    expect(run.rows("Case results")).to_have_count(31)
    run.idle()
    click(run, "Sort by Case")
    expect(run.rows("Case results").first).to_contain_text("case-00")
    assert asked(run)["sort"] == "name"
    click(run, "File order")
    expect(run.rows("Case results").last).to_contain_text("case-crash")


def test_from_the_list_of_runs_to_the_differing_argument_in_three_clicks(
    visit: Visit, path: str
) -> None:
    visit.open("results")
    visit.rows("Runs").filter(has_text="Clicked").first.get_by_role("link").click(delay=60)
    visit.idle()
    visit.page.get_by_role("button", name="10 failed", exact=True).nth(0).click()
    visit.idle()
    visit.choose("Case results", "case-00")
    visit.idle()
    main = visit.page.get_by_role("main")
    expect(main.get_by_text('order: expected "A-17", got "B-90"').first).to_be_visible()
