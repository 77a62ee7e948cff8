"""A run is handed on: as a link, as a page that opens from disk, and its charts as pictures."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.desk import Visit

CLAIMS = "uipath_coded/claims_intake/claims-output.json"
PNG = b"\x89PNG\r\n\x1a\n"


def share(visit: Visit) -> Locator:
    """Open the menu, and return it."""
    visit.page.get_by_role("button", name="Share").click()
    menu = visit.page.get_by_test_id("stPopoverBody")
    expect(menu.get_by_text("Save as a file")).to_be_visible()
    visit.idle()
    return menu


def saved(page: Page, button: Locator, folder: Path) -> Path:
    with page.expect_download() as found:
        button.click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1920)])
def test_what_is_filtered_opens_from_disk_offline(
    visit: Visit, browser: Browser, tmp_path: Path, scheme: str, width: int
):
    visit.open("results", file=CLAIMS, mode="failures")
    menu = share(visit)
    expect(menu.get_by_text("3 of 7 case results: only failures and errors")).to_be_visible()
    path = saved(visit.page, menu.get_by_role("button", name="HTML page"), tmp_path)
    assert path.name == "Household-claims-part.html"
    noise: list[str] = []
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, offline=True
    )
    page = context.new_page()
    page.on("console", lambda said: noise.append(said.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("request", lambda r: None if r.url.startswith("file:") else noise.append(r.url))
    page.goto(path.as_uri())
    expect(page.locator("#shown")).to_have_text("3 case results")
    expect(page.get_by_text("3 of the run's 7 case results: only failures")).to_be_visible()
    page.get_by_role("searchbox", name="Search").fill("bicycle")
    expect(page.locator("#cases .name")).to_have_text(["test-2-bicycle-theft"])
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_role("button", name="1 failed", exact=False).first.click()
    expect(page.locator("#cases .name")).to_have_text(["test-2-bicycle-theft"])
    page.locator("#cases .name").click()
    expect(page.get_by_role("article").get_by_role("heading").first).to_contain_text("bicycle")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (min(map(int, light.strip("rgb()").split(","))) > 128) is (scheme == "light")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
    assert noise == []


def test_a_copied_link_leads_to_the_same_run_case_and_filter(visit: Visit, browser: Browser):
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.open("results", file=CLAIMS, mode="failures", case="test-2-bicycle-theft")
    menu = share(visit)
    menu.get_by_role("button", name="Copy link").click()
    expect(menu.get_by_text("Copied")).to_be_visible()
    link = visit.page.evaluate("navigator.clipboard.readText()")
    for part in ("run=", "case=test-2-bicycle-theft", "mode=failures", "set=", "file="):
        assert part in link
    context = browser.new_context()
    other = Visit(context.new_page(), visit.server)
    other.page.goto(link)
    other.idle()
    expect(other.page.get_by_text("test-2-bicycle-theft").first).to_be_visible()
    expect(other.page.get_by_text("Household claims").first).to_be_visible()
    context.close()


def test_charts_are_saved_as_pictures_without_a_network(visit: Visit, tmp_path: Path):
    visit.open("results", file=CLAIMS)
    menu = share(visit)
    menu.get_by_text("Charts as pictures").click()
    rows = menu.locator(".share .row").filter(has_text="SVG")
    expect(rows.first).to_be_visible()
    picture = saved(visit.page, rows.first.get_by_role("button", name="PNG"), tmp_path)
    assert picture.suffix == ".png"
    assert picture.read_bytes().startswith(PNG)
    assert picture.stat().st_size > 5_000
    drawing = saved(visit.page, rows.first.get_by_role("button", name="SVG"), tmp_path)
    tree = ElementTree.parse(drawing).getroot()
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert list(tree.iter("{http://www.w3.org/2000/svg}text"))
