"""A draft of a set whose file is not there yet."""

from pathlib import Path

import pytest

from evalcore import saving
from evalcore.drafts import DraftStore, is_stale
from evalcore.errors import FormatError, WorkspaceError
from evalcore.importing.building import with_cases
from evalcore.workspace import Workspace

PATH = "deep/er/new.evalset.json"


def begun(folder: Path, path: str = PATH):
    workspace, store = Workspace(folder), DraftStore()
    opened = saving.planned(workspace, path, format_id="adk", set_id="new", name="New")
    return workspace, store, store.begin("me", workspace, opened)


def add(draft) -> None:
    draft.edit(lambda tree: with_cases(draft.lens, tree, [{"eval_id": "a"}]), "Import")


def test_nothing_is_on_disk_until_the_draft_is_saved(tmp_path: Path):
    workspace, store, draft = begun(tmp_path)
    add(draft)
    assert list(tmp_path.iterdir()) == []
    assert store.open("me", workspace, PATH) is draft
    assert not is_stale(workspace, draft)
    assert [c.kind for c in saving.preview(draft).cases] == ["added"]
    opened = saving.save(workspace, draft)
    assert (tmp_path / PATH).read_bytes() == opened.document.data
    assert opened.revision is not None and not draft.is_dirty


def test_a_file_that_appeared_meanwhile_is_not_written_over(tmp_path: Path):
    workspace, _store, draft = begun(tmp_path, "new.evalset.json")
    add(draft)
    (tmp_path / "new.evalset.json").write_text("{}")
    assert is_stale(workspace, draft)
    with pytest.raises(saving.SaveConflict):
        saving.save(workspace, draft)
    assert (tmp_path / "new.evalset.json").read_text() == "{}"


@pytest.mark.parametrize("path", ["there.evalset.json", "../out.evalset.json", "new.txt"])
def test_a_place_that_cannot_be_used_is_refused_at_once(tmp_path: Path, path: str):
    (tmp_path / "there.evalset.json").write_text("{}")
    with pytest.raises((WorkspaceError, FormatError)):
        saving.planned(Workspace(tmp_path), path, format_id="adk", set_id="s", name="S")


def test_unsaved_edits_of_that_name_are_not_lost(tmp_path: Path):
    workspace, store, draft = begun(tmp_path)
    add(draft)
    opened = saving.planned(workspace, PATH, format_id="adk", set_id="new", name="New")
    with pytest.raises(WorkspaceError, match="unsaved edits"):
        store.begin("me", workspace, opened)
