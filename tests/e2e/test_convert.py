"""A set is converted in the browser: what is lost is read before anything is written."""

import json
import re
import shutil

from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.samples import SAMPLES

SET = "adk/refund_desk/refunds.evalset.json"
PLACE = "converted/tests/refunds.json"


def test_a_set_is_converted_after_its_losses_were_shown(visit: Visit):
    file = visit.server.folder / PLACE
    visit.open("author", set=SET)
    visit.page.locator(".st-key-author-more button").click()
    visit.page.get_by_text("Convert to…").click()
    dialog = visit.page.get_by_role("dialog")
    choice = dialog.get_by_role("combobox", name="New format")
    choice.click()
    visit.page.get_by_role("option", name="10xGraph").click()
    visit.idle()
    expect(dialog.get_by_text("9 cases become 9 cases.")).to_be_visible()
    expect(dialog.get_by_text("Lost: 28 values")).to_be_visible()
    expect(dialog.get_by_text("Created", exact=True).first).to_be_visible()
    expect(dialog.get_by_role("button", name="Convert and lose 28 values")).to_be_visible()
    assert not file.exists()

    dialog.get_by_text("Keep the rest as notes").click()
    visit.idle()
    expect(dialog.get_by_text("Kept beside the cases: 28 values")).to_be_visible()
    place = dialog.locator(".st-key-convert-path input")
    place.fill(PLACE)
    place.press("Tab")
    visit.idle()
    assert not file.exists()
    dialog.get_by_role("button", name=re.compile("^(swap_horiz )?Convert$")).click()
    expect(visit.page.get_by_role("radio", name="Cases 9")).to_be_visible()
    expect(visit.page.get_by_text(PLACE)).to_be_visible()
    expect(dialog).to_have_count(0)
    cases = json.loads(file.read_bytes())["eval_cases"]
    assert len(cases) == 9 and "carried_from_adk" in cases[0]["metadata"]
    assert (visit.server.folder / SET).read_bytes() == (SAMPLES / SET).read_bytes()


def test_a_row_of_the_library_leads_to_the_dialog_and_a_wrong_place_is_said(visit: Visit):
    copy = visit.server.folder / "to_convert" / "sheet.evalset.json"
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(SAMPLES / SET, copy)
    visit.open()
    visit.page.get_by_label("Search sets and cases").fill("to_convert")
    visit.idle()
    row = visit.rows("Eval sets").filter(has_text="to_convert/sheet")
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Convert…").click()
    dialog = visit.page.get_by_role("dialog")
    expect(dialog.get_by_text("cases become").first).to_be_visible()
    visit.idle()
    choice = dialog.get_by_role("combobox", name="New format")
    choice.click()
    visit.page.get_by_role("option", name="Harnest").click()
    visit.idle()
    place = dialog.locator(".st-key-convert-path input")
    place.fill("to_convert/somewhere.json")
    place.press("Tab")
    visit.idle()
    expect(dialog.get_by_text("Harnest would not take")).to_be_visible()
    expect(dialog.get_by_role("button", name="Convert", exact=False).last).to_be_disabled()
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert [p.name for p in copy.parent.iterdir()] == ["sheet.evalset.json"]
