"""Comparing runs in a real browser: the sentence, the buttons that filter, both answers."""

import re

import pytest
from playwright.sync_api import expect

from evalcore.compare import compare
from evalcore.model import ToolCall
from evalcore.results import InvocationResult
from evalcore.stats import mcnemar
from evalcore.store import CaseFacts, SetFacts
from tests.e2e.desk import Server, Visit
from tests.store.builders import F, P, case, score, store_in, stored

BEFORE, AFTER, THIRD = "compare-before", "compare-after", "compare-third"
FALLS = {
    AFTER: [(F, P)] * 9 + [(P, F)] * 2 + [(P, P)] * 98 + [(F, F)] * 11,
    THIRD: [(F, F)] * 9 + [(P, F)] * 14 + [(P, P)] * 86 + [(F, F)] * 11,
}


def answered(number: int, verdict, reply: str):
    value = 0.95 if verdict is P else 0.3
    turn = InvocationResult(
        origin="/t",
        index=0,
        input=f"Where is parcel {number}?",
        actual_output=reply,
        actual_tool_calls=(ToolCall(name="look_up", args={"parcel": reply.split()[-1]}),),
        scores=(score(value, verdict),),
    )
    return case(f"parcel_{number:03}", verdict=verdict, invocations=(turn,))


@pytest.fixture(scope="module")
def runs(server: Server):
    """Return the runs that these tests compare, in the store of the shared workspace."""
    store = store_in(server.folder / ".evaldesk" / "runs")
    facts = [CaseFacts((f"lane {number % 3}",)) for number in range(120)]
    about = {"eval_set": SetFacts(id="parcels", name="Parcels")}
    befores = [fall[0] for fall in FALLS[AFTER]]
    found = {
        BEFORE: stored(
            store,
            [answered(n, v, f"It is in Porto {n}") for n, v in enumerate(befores)],
            BEFORE,
            facts,
            name="Prompt 3",
            **about,
        )
    }
    for run_id, falls in FALLS.items():
        results = [answered(n, fall[1], f"It is in Faro {n}") for n, fall in enumerate(falls)]
        found[run_id] = stored(store, results, run_id, facts, name=run_id.title(), **about)
    yield found
    for run_id in found:
        store.delete(run_id)


def test_the_sentence_is_that_of_the_numbers(visit: Visit, runs):
    pair = compare(runs[BEFORE], runs[AFTER])
    visit.open("compare", runs=f"{BEFORE},{AFTER}")
    page = visit.page
    expect(page.get_by_text(pair.sentence())).to_be_visible()
    assert f"p = {mcnemar(9, 2):.3f}" in pair.sentence()
    for choice in ("All 120", "▲ 9 fixed", "▼ 2 broke"):
        expect(page.get_by_role("radio", name=choice)).to_be_visible()
    expect(page.get_by_text("9 for the better, 2 for the worse; exact McNemar p = 0.065"))


def test_a_count_filters_and_its_row_opens_both_answers(visit: Visit, runs):
    visit.open("compare", runs=f"{BEFORE},{AFTER}")
    page = visit.page
    expect(visit.rows("Cases of the runs")).to_have_count(50)
    visit.segment("▼ 2 broke")
    expect(visit.rows("Cases of the runs")).to_have_count(2)
    expect(page).to_have_url(re.compile("outcome=broke"))
    visit.choose("Cases of the runs", "parcel_010")
    visit.idle()
    detail = page.locator(".st-key-compare-case")
    expect(detail.get_by_text("Reply of A")).to_be_visible()
    expect(detail.locator("del").filter(has_text="Porto")).to_be_visible()
    expect(detail.locator("ins").filter(has_text="Faro")).to_be_visible()
    expect(detail.get_by_text("look_up").first).to_be_visible()
    expect(page).to_have_url(re.compile("case=parcel_010"))
    page.reload()
    visit.idle()
    expect(page.locator(".st-key-compare-case").get_by_text("parcel_010")).to_be_visible()
    expect(visit.rows("Cases of the runs")).to_have_count(2)
    page.get_by_role("button", name="Close").click()
    visit.idle()
    expect(page.locator(".st-key-compare-case")).to_have_count(0)


def test_with_three_runs_each_has_its_sentence_and_its_column(visit: Visit, runs):
    visit.open("compare", runs=f"{BEFORE},{AFTER},{THIRD}")
    page = visit.page
    told = visit.rows("Every run against the baseline")
    expect(told).to_have_count(2)
    expect(told.nth(1)).to_contain_text("C fixed 0 and broke 14")
    head = page.get_by_role("table", name="Cases of the runs").locator("th")
    expect(head).to_have_text(["Case", "B against A", "A", "B", "C"])
    visit.choose("Every run against the baseline", "C fixed 0")
    visit.idle()
    expect(head.nth(1)).to_have_text("C against A")
    expect(page.get_by_role("radio", name="▼ 14 broke")).to_be_visible()
    page.get_by_role("button", name="Make baseline").nth(1).click()
    visit.idle()
    expect(page).to_have_url(re.compile(f"runs={THIRD}"))


def test_a_slice_leads_to_its_cases(visit: Visit, runs):
    visit.open("compare", runs=f"{BEFORE},{AFTER}")
    page = visit.page
    page.get_by_role("tab", name="Slices").click()
    visit.idle()
    expect(visit.rows("Slices of the cases")).to_have_count(3)
    visit.choose("Slices of the cases", "lane 1")
    visit.idle()
    expect(page.get_by_role("button", name="tag: lane 1")).to_be_visible()
    expect(page.get_by_text("Counts are of the 40 of 120 that match.")).to_be_visible()


def test_a_trend_leads_back_to_a_comparison(visit: Visit, runs):
    visit.open("compare", view="trends", set="parcels")
    page = visit.page
    expect(page.get_by_role("combobox", name="Eval set")).to_have_value("Parcels (3 runs)")
    page.get_by_role("tab", name="Cases that tell nothing apart").click()
    visit.idle()
    expect(page.get_by_role("heading", name="Always failed: 11")).to_be_visible()
    visit.segment("Compare")
    expect(page.get_by_text("Choose runs")).to_be_visible()
