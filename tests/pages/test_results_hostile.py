"""Every screen of results, opened on files in which nothing is as it should be."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.store.importing import import_result
from pages._ui import runs
from pages._ui.desk import open_desk
from tests.pages.conftest import words
from tests.report import hostile_files
from tests.report.hostile_files import SYSTEMS, source
from tests.samples import SAMPLES

SYSTEM = pytest.mark.parametrize("system", SYSTEMS)
TABS = ("Checks", "Slices", "Review", "Every turn", "Re-score")
CASE_TABS = ("Scores", "Raw", "Trace", "Repeats", "History")
OURS = "Something went wrong in Evaldesk itself"


@pytest.fixture
def hostile(folder: Path):
    """Put the hostile file of a system beside its set; returns its path."""

    def put(system: str) -> str:
        project = Path(*source(system).relative_to(SAMPLES).parts[:2])
        shutil.copytree(SAMPLES / project, folder / project)
        return hostile_files.write(system, folder)

    return put


def sound(at, screen: str) -> None:
    assert not at.exception, (screen, at.exception)
    assert OURS not in words(at), (screen, words(at)[:2_000])


@SYSTEM
def test_every_tab_of_a_hostile_run_opens(open_page, hostile, system):
    at = open_page("results", file=hostile(system))
    sound(at, "Cases")
    for tab in TABS:
        at.session_state["results.shown"] = tab
        sound(at.run(), tab)


@SYSTEM
def test_every_tab_of_every_kind_of_hostile_case_opens(open_page, hostile, system):
    at = open_page("results", file=hostile(system))
    for number in (1, 2, 3, 4, 5, 6, 7, 8, *range(9, 90, 9)):
        at.query_params["case"] = f"#{number}"
        for tab in CASE_TABS:
            at.session_state["results.tabs"] = tab
            sound(at.run(), f"{tab} of {number}")


@SYSTEM
def test_hostile_runs_are_compared(open_page, folder, hostile, system):
    path = hostile(system)
    other = folder / path.replace("hostile-", "second-")
    value = json.loads((folder / path).read_bytes())
    value["second"] = True
    other.write_text(json.dumps(value))
    store, workspace = runs.run_store(open_desk()), open_desk().workspace
    ids = [
        import_result(store, workspace, name)[0]
        for name in (path, other.relative_to(folder).as_posix())
    ]
    at = open_page("compare", runs=",".join(ids))
    sound(at, "Cases")
    for part in ("Checks", "Slices", "Set-up"):
        at.session_state["compare.part"] = part
        sound(at.run(), part)
    at.query_params["view"] = "trends"
    sound(at.run(), "Trends")


@SYSTEM
def test_the_list_of_runs_shows_hostile_ones(open_page, hostile, system):
    hostile(system)
    sound(open_page("results"), "list")


@SYSTEM
def test_a_hostile_run_is_shared_as_a_whole_and_in_part(open_page, hostile, system):
    at = open_page("results", file=hostile(system), find="window.owned")
    at.session_state["results.share"] = True
    sound(at.run(), "Share")
    assert "with the words “window" in words(at).replace("\\", "").replace("\u2060", "")
