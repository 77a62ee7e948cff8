"""From a spreadsheet to a saved set, in a real browser, without typing JSON."""

import json
from io import BytesIO
from pathlib import Path

from openpyxl import Workbook, load_workbook
from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.samples import SAMPLES

ROWS = 30
SET = "adk/refund_desk/refunds.evalset.json"


def spreadsheet(path: Path) -> Path:
    book = Workbook()
    sheet = book.active
    sheet.append(["Questions about refunds"])
    sheet.append([])
    sheet.append(["Test case", "Question", "Expected answer", "Tools", "Tags"])
    for n in range(1, ROWS + 1):
        call = f'issue_refund(order_id="A-{n:03d}", amount={n}.5)'
        sheet.append(
            [f"refund_{n:02d}", f"Refund A-{n:03d}.", f"Done: {n}.", call, "money, spring"]
        )
    book.save(path)
    return path


def choose_file(visit: Visit, path: Path) -> None:
    visit.page.locator(".st-key-import-upload input[type=file]").set_input_files(path)
    visit.idle()


def test_thirty_rows_become_a_set_that_is_reviewed_and_saved(visit: Visit, tmp_path: Path):
    visit.open()
    visit.page.get_by_role("button", name="Import…").click()
    choose_file(visit, spreadsheet(tmp_path / "spring refunds.xlsx"))
    expect(visit.page.get_by_text("✓ 30 cases to add")).to_be_visible()
    visit.idle()
    # The format of most sets in the folder is offered first, and other tests add sets.
    visit.page.get_by_role("combobox", name="Format").last.click()
    visit.page.get_by_role("option", name="Google ADK", exact=True).click()
    visit.idle()
    place = visit.page.get_by_label("File", exact=True)
    place.fill("imported/spring.evalset.json")
    place.press("Tab")
    visit.idle()
    file = visit.server.folder / "imported" / "spring.evalset.json"
    visit.page.get_by_role("button", name="Add 30 cases to the draft").click()
    expect(visit.page.get_by_role("heading", name="Review changes")).to_be_visible()
    expect(visit.page.get_by_text("30 unsaved edits")).to_be_visible()
    assert not file.exists()
    visit.page.reload()
    visit.idle()
    expect(visit.page.get_by_text("30 unsaved edits")).to_be_visible()
    visit.press_save()
    expect(visit.page.get_by_role("radio", name="Cases 30")).to_be_visible()
    cases = json.loads(file.read_bytes())["eval_cases"]
    assert [case["eval_id"] for case in cases] == [f"refund_{n:02d}" for n in range(1, ROWS + 1)]
    turn = cases[6]["conversation"][0]
    assert turn["user_content"]["parts"] == [{"text": "Refund A-007."}]
    assert turn["final_response"]["parts"] == [{"text": "Done: 7."}]
    assert turn["intermediate_data"]["tool_uses"] == [
        {"name": "issue_refund", "args": {"order_id": "A-007", "amount": 7.5}}
    ]
    assert cases[6]["tags"] == ["money", "spring"]


def test_a_set_goes_out_as_a_spreadsheet_and_comes_back_as_one_change(visit: Visit, tmp_path: Path):
    file = visit.server.folder / "round_trip" / "refunds.evalset.json"
    file.parent.mkdir(exist_ok=True)
    # Other tests look for a word of the sample, and must not find it here.
    file.write_bytes((SAMPLES / SET).read_bytes().replace(b"espresso", b"filter"))
    before = file.read_bytes()
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    visit.page.locator(".st-key-author-more button").click()
    visit.page.get_by_text("Export…").click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Download 9 cases").click()
    sheet = tmp_path / download.value.suggested_filename
    download.value.save_as(sheet)
    assert sheet.name == "refunds.xlsx"
    book = load_workbook(BytesIO(sheet.read_bytes()))
    old = book.active["C5"].value
    book.active["C5"] = "Can it come to my office instead, please?"
    book.save(sheet)

    visit.open("import")
    choose_file(visit, sheet)
    expect(visit.page.get_by_text("1 field changed in 1 case", exact=True)).to_be_visible()
    assert file.read_bytes() == before
    visit.page.get_by_role("button", name="Apply 1 change to the draft").click()
    expect(visit.page.get_by_role("heading", name="Review changes")).to_be_visible()
    visit.idle()
    visit.press_save()
    expect(visit.page.get_by_role("radio", name="Cases 9")).to_be_visible()
    was, new = (json.dumps(t).encode() for t in (old, "Can it come to my office instead, please?"))
    assert before.count(was) == 1 and file.read_bytes() == before.replace(was, new)
