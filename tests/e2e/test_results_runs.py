"""Runs in a real browser: from the list into one and back, by old links, by dropping a file."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FilePayload, expect

from tests.e2e.desk import Visit
from tests.samples import SAMPLES

HARNEST = "harnest/library_helper/results/eval-run.json"
REPORT = SAMPLES / "tenxgraph/trip_planner/eval_reports/greetings_20260909_111503.json"


def query(visit: Visit) -> dict[str, str]:
    return {name: found[0] for name, found in parse_qs(urlsplit(visit.page.url).query).items()}


def report(name: str) -> FilePayload:
    """A report that no other test has, under a name of its own."""
    value = json.loads(REPORT.read_text())
    value["eval_set_name"] = name
    return {
        "name": f"{name}.json",
        "mimeType": "application/json",
        "buffer": json.dumps(value).encode(),
    }


def drop(visit: Visit, *files: FilePayload) -> None:
    visit.open("results")
    expect(visit.rows("Runs").first).to_be_visible()
    visit.page.get_by_role("button", name="Add results").click()
    visit.page.locator("input[type=file]").set_input_files(list(files))
    visit.idle()


@pytest.mark.parametrize(("number", "name"), [("1", "loans"), ("2", "reading-tips")])
def test_an_old_link_to_a_file_and_a_number_opens_that_run(
    visit: Visit, number: str, name: str
) -> None:
    visit.open("results", file=HARNEST, run=number)
    expect(visit.page.get_by_text(name, exact=True).first).to_be_visible()
    assert query(visit)["run"].endswith(f"-{number}")
    assert "file" not in query(visit)


def test_a_line_of_the_list_opens_its_run_and_all_runs_leads_back(visit: Visit) -> None:
    visit.open("results")
    visit.choose("Runs", HARNEST.rpartition("/")[2])
    expect(visit.page.get_by_role("tab", name="Cases")).to_be_visible()
    visit.idle()
    assert "run" in query(visit)
    visit.page.get_by_role("button", name="All runs").click()
    expect(visit.rows("Runs").first).to_be_visible()
    visit.idle()
    assert "run" not in query(visit)


def test_a_dropped_file_opens_as_a_run_and_its_folder_is_left_alone(visit: Visit) -> None:
    before = files(visit.server.folder)
    drop(visit, report("Greetings at night"))
    expect(visit.page.get_by_text("Greetings at night").first).to_be_visible()
    expect(visit.page.get_by_role("tab", name="Cases")).to_be_visible()
    assert "run" in query(visit)
    assert files(visit.server.folder) == before
    visit.page.reload()
    expect(visit.page.get_by_role("tab", name="Cases")).to_be_visible()


def test_each_of_several_dropped_files_has_its_own_line_or_its_own_error(visit: Visit) -> None:
    bad: FilePayload = {"name": "torn.json", "mimeType": "application/json", "buffer": b'{"a": ['}
    drop(visit, report("Greetings one"), report("Greetings two"), bad)
    expect(visit.rows("Runs").filter(has_text="Greetings one")).to_be_visible()
    expect(visit.rows("Runs").filter(has_text="Greetings two")).to_be_visible()
    expect(visit.page.get_by_text("torn.json")).to_be_visible()
    expect(visit.page.get_by_text("The file ends before")).to_be_visible()
    visit.page.get_by_role("button", name="I have seen this").click()
    expect(visit.page.get_by_text("torn.json")).to_have_count(0)


def test_ticked_runs_are_compared_the_oldest_as_baseline(visit: Visit) -> None:
    visit.open("results")
    lines = visit.rows("Runs").filter(has_text=re.compile("loans|reading-tips"))
    expect(lines).to_have_count(2)
    for place in (0, 1):
        lines.nth(place).get_by_role("checkbox").check()
        expect(visit.page.get_by_text(f"{place + 1} run")).to_be_visible()
        visit.idle()
    visit.page.get_by_role("button", name="Compare 2").click()
    visit.page.wait_for_url("**/compare?**")
    assert len(query(visit)["runs"].split(",")) == 2


def test_a_deleted_run_can_be_had_back_at_once(visit: Visit) -> None:
    drop(visit, report("Greetings to delete"))
    expect(visit.page.get_by_role("tab", name="Cases")).to_be_visible()
    visit.page.get_by_role("button", name="All runs").click()
    line = visit.rows("Runs").filter(has_text="Greetings to delete")
    line.get_by_role("checkbox").check()
    visit.page.get_by_role("button", name="Delete 1…").click()
    visit.page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(line).to_have_count(0)
    visit.page.get_by_role("button", name="Undo").click()
    expect(line).to_have_count(1)


def files(folder: Path) -> set[str]:
    """The files of a workspace, but for what Evaldesk keeps of its own."""
    found = (p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    return {p.as_posix() for p in found if p.parts[0] != ".evaldesk"}
