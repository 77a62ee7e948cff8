"""What the dialog offers, and what it says before anything is written."""

import shutil
from pathlib import Path

import pytest

from evalcore.convert import Options
from evalcore.drafts import Draft
from evalcore.errors import FormatError
from evalcore.jsontree import put
from evalcore.views.convert import (
    can_split,
    offer,
    room_for_notes,
    suggestion,
    targets,
    written,
)
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

ADK = "adk/refund_desk/refunds.evalset.json"
CODED = "uipath_coded/claims_intake/evaluations/eval-sets/claims.json"
TRIAGE = "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json"


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    return Workspace(Path(shutil.copytree(SAMPLES, tmp_path / "evals")))


def draft(desk: Workspace, path: str) -> Draft:
    return Draft(desk.open(path))


def test_every_other_format_is_offered(desk: Workspace):
    assert list(targets(draft(desk, ADK))) == [
        "uipath_coded",
        "uipath_lowcode",
        "harnest",
        "tenxgraph",
    ]


@pytest.mark.parametrize(
    ("path", "format_id", "offered"),
    [(ADK, "uipath_coded", True), (ADK, "tenxgraph", False), (CODED, "uipath_lowcode", False)],
)
def test_a_case_for_each_turn_is_offered_where_turns_would_be_left_out(
    desk: Workspace, path: str, format_id: str, offered: bool
):
    assert can_split(draft(desk, path), format_id) is offered


def test_room_for_notes_is_told_for_every_format(desk: Workspace):
    for path in (ADK, CODED):
        assert all(room_for_notes(name) for name in targets(draft(desk, path)))
    assert room_for_notes("some_plugin") == ""


def test_losses_come_first_and_are_on_the_button(desk: Workspace):
    found = offer(desk, draft(desk, ADK), "tenxgraph", "new/tests/refunds.json", Options())
    assert [section.status for section in found.sections] == ["lost", "changed", "spare"]
    assert found.sections[0].title == "Lost: 28 values"
    assert found.action == "Convert and lose 28 values"
    assert found.sections[0].rows[0].examples
    assert "“Tool calls”" in found.checks
    assert not (desk.root / "new").exists()


def test_unsaved_edits_are_converted_and_the_file_is_written_once(desk: Workspace):
    edited = draft(desk, ADK)
    edited.apply(put(edited.tree, "/name", "Edited"), "Edit the name")
    found = offer(desk, edited, "harnest", "bot/evals/refunds.evalset.json", Options())
    assert found.action == "Convert" and found.lost == 0
    assert written(found) == "bot/evals/refunds.evalset.json"
    assert desk.open("bot/evals/refunds.evalset.json").document.value["name"] == "Edited"


def test_the_suggested_file_is_one_that_the_new_system_takes(desk: Workspace):
    entries = desk.entries()
    for path in (ADK, CODED, TRIAGE):
        opened = draft(desk, path)
        for name in targets(opened):
            suggested = suggestion(opened, name, entries)
            assert offer(desk, opened, name, suggested, Options()).lead
            assert not (desk.root / suggested).exists()


def test_a_place_that_the_new_system_would_not_take_is_refused(desk: Workspace):
    with pytest.raises(FormatError, match="would not take"):
        offer(desk, draft(desk, ADK), "harnest", "somewhere/else.json", Options())
