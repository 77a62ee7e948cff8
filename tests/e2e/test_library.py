"""The Library in a real browser."""

from playwright.sync_api import expect

from tests.e2e.desk import Visit


def test_the_first_request_may_be_a_deep_link(visit: Visit):
    visit.open("author", set="tenxgraph/trip_planner/evals/greetings.evalset.json")
    expect(visit.page.get_by_text("sample_evals", exact=True)).to_be_visible()
    expect(visit.page.get_by_role("link", name="Library")).to_be_visible()


def test_the_library_lists_sets_of_every_dialect_and_broken_files(visit: Visit):
    visit.open()
    table = visit.page.get_by_role("table", name="Eval sets")
    expect(table.get_by_text("adk/refund_desk/refunds.evalset.json")).to_be_visible()
    for label in ("Google ADK", "Harnest", "10xGraph", "UiPath coded", "UiPath low-code"):
        expect(table.get_by_text(label, exact=True).first).to_be_attached()
