import json
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evalcore import saving
from evalcore.drafts import Draft
from evalcore.errors import ConflictError, FormatError, WorkspaceError
from evalcore.jsontree import put
from evalcore.saving import SaveConflict, create, modernise, preview, save, save_as, save_merged
from evalcore.workspace import Workspace
from tests.toy import ToyLens, toy, toy_set, write  # noqa: F401 - the fixture

pytestmark = pytest.mark.usefixtures("toy")
LENS = ToyLens()
NOW = datetime(2026, 3, 1, tzinfo=UTC)
TEXT = """{
    "toy": "s", "name":   "Odd spacing",
    "cases": [
        {"id": "a", "q": "one", "a": "1.10", "n": 1.10},
        {"id": "b", "q": "two", "a": "2", "n": 1E2}
    ]
}
""".replace("\n", "\r\n")


def odd(folder: Path) -> tuple[Workspace, Draft]:
    (folder / "x.json").write_bytes(TEXT.encode())
    workspace = Workspace(folder)
    return workspace, Draft(workspace.open("x.json"))


def type_into(draft: Draft, index: int, text: str) -> None:
    draft.edit(lambda tree: put(tree, f"/cases/{index}/a", text), "Type")


def disk(folder: Path) -> str:
    return (folder / "x.json").read_bytes().decode()


def change_on_disk(folder: Path, old: str, new: str) -> None:
    before = disk(folder)
    assert old in before
    (folder / "x.json").write_bytes(before.replace(old, new).encode())


def test_saving_writes_the_edited_text_and_nothing_else(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 1, "new")
    shown = preview(draft)
    assert (shown.diff.added, shown.diff.removed) == (1, 1)
    assert [c.id for c in shown.cases] == ["b"] and not shown.changed_around
    opened = save(workspace, draft)
    assert disk(tmp_path) == TEXT.replace('"a": "2"', '"a": "new"')
    assert shown.data == disk(tmp_path).encode()
    assert not draft.is_dirty and draft.base is opened and workspace.is_current(opened)


def test_two_edits_before_one_save_keep_both(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "first")
    type_into(draft, 1, "second")
    save(workspace, draft)
    assert disk(tmp_path) == TEXT.replace('"1.10"', '"first"').replace('"a": "2"', '"a": "second"')


def test_a_save_without_edits_writes_nothing(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    before = (tmp_path / "x.json").stat()
    assert save(workspace, draft, touch=True, now=NOW) is draft.base
    assert (tmp_path / "x.json").stat() == before
    assert preview(draft, touch=True, now=NOW).diff.hunks == ()


def test_undo_reaches_behind_a_save_and_can_be_saved(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "new")
    save(workspace, draft)
    assert draft.undo() == "Type" and draft.is_dirty
    save(workspace, draft)
    assert disk(tmp_path) == TEXT


def test_typing_after_a_save_is_a_step_of_its_own(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    draft.edit(lambda t: put(t, "/cases/0/a", "x"), "Type", "k")
    save(workspace, draft)
    draft.edit(lambda t: put(t, "/cases/0/a", "xy"), "Type", "k")
    draft.undo()
    assert not draft.is_dirty


def test_an_edit_made_while_saving_stays_in_the_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "saved")
    real = saving.files.write_if_unchanged

    def slow(path: Path, data: bytes, expected: Any) -> Any:
        type_into(draft, 1, "meanwhile")
        return real(path, data, expected)

    monkeypatch.setattr(saving.files, "write_if_unchanged", slow)
    save(workspace, draft, touch=True, now=NOW)
    assert "saved" in disk(tmp_path) and "meanwhile" not in disk(tmp_path)
    assert [c.id for c in draft.changed_cases] == ["b"] and not draft.changed_around
    monkeypatch.undo()
    save(workspace, draft)
    assert "saved" in disk(tmp_path) and "meanwhile" in disk(tmp_path)


def test_edit_times_move_only_when_asked(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "new")
    save(workspace, draft, now=NOW)
    assert "updatedAt" not in disk(tmp_path)
    type_into(draft, 0, "newer")
    shown = preview(draft, touch=True, now=NOW)
    save(workspace, draft, touch=True, now=NOW)
    assert shown.data == disk(tmp_path).encode()
    value = json.loads(disk(tmp_path))
    assert value["updatedAt"] == value["cases"][0]["updatedAt"] == NOW.isoformat()
    assert "updatedAt" not in value["cases"][1] and not draft.is_dirty


def test_mode_and_link_are_kept(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    (tmp_path / "x.json").chmod(0o640)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/link.json").symlink_to("../x.json")
    linked = Draft(workspace.open("sub/link.json"))
    type_into(linked, 0, "through the link")
    save(workspace, linked)
    assert (tmp_path / "sub/link.json").is_symlink()
    assert "through the link" in disk(tmp_path)
    assert stat.S_IMODE((tmp_path / "x.json").stat().st_mode) == 0o640
    type_into(draft, 1, "stale")
    with pytest.raises(SaveConflict):
        save(workspace, draft)


def test_a_link_turned_outside_is_not_written_through(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    workspace, draft = odd(root)
    outside = write(tmp_path / "outside.json", toy_set("s", "a"))
    before = outside.read_bytes()
    type_into(draft, 0, "new")
    (root / "x.json").unlink()
    (root / "x.json").symlink_to(outside)
    with pytest.raises(WorkspaceError):
        save(workspace, draft)
    assert outside.read_bytes() == before


def test_a_conflict_writes_nothing_and_offers_the_merge(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "mine")
    change_on_disk(tmp_path, '"a": "2"', '"a": "theirs"')
    before = disk(tmp_path)
    with pytest.raises(ConflictError) as caught:
        save(workspace, draft)
    conflict = caught.value
    assert isinstance(conflict, SaveConflict) and conflict.merge is not None
    assert conflict.merge.is_clean and conflict.conflicts == ()
    assert disk(tmp_path) == before and draft.is_dirty
    shown = saving.preview_merged(draft, conflict)
    assert (shown.diff.added, shown.diff.removed) == (1, 1)
    save_merged(workspace, draft, conflict)
    assert disk(tmp_path) == before.replace('"1.10"', '"mine"') == shown.data.decode()
    assert not draft.is_dirty and draft.undo_label is None


def test_disjoint_edits_are_merged_at_once_where_asked(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "mine")
    change_on_disk(tmp_path, "Odd spacing", "Renamed")
    change_on_disk(tmp_path, '"a": "2"', '"a": "theirs"')
    save(workspace, draft, on_conflict="merge", touch=True, now=NOW)
    value = json.loads(disk(tmp_path))
    assert [case["a"] for case in value["cases"]] == ["mine", "theirs"]
    assert value["name"] == "Renamed" and value["updatedAt"] == NOW.isoformat()
    assert ["updatedAt" in case for case in value["cases"]] == [True, False]
    assert not draft.is_dirty


@pytest.mark.parametrize(("side", "kept"), [("mine", "mine"), ("disk", "theirs")])
def test_two_edits_of_one_case_wait_for_a_choice(tmp_path: Path, side: Any, kept: str) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "mine")
    type_into(draft, 1, "mine too")
    change_on_disk(tmp_path, '"1.10"', '"theirs"')
    before = disk(tmp_path)
    with pytest.raises(SaveConflict) as caught:
        save(workspace, draft, on_conflict="merge")
    (case,) = caught.value.conflicts
    assert case.case_id == "a"
    assert (case.mine["a"], case.disk["a"]) == ("mine", "theirs")  # type: ignore[index, call-overload]
    with pytest.raises(SaveConflict):
        save_merged(workspace, draft, caught.value)
    assert disk(tmp_path) == before
    save_merged(workspace, draft, caught.value, {case.key: side})
    assert [c["a"] for c in json.loads(disk(tmp_path))["cases"]] == [kept, "mine too"]
    assert not draft.is_dirty


def test_a_file_changed_once_more_is_a_new_conflict(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "mine")
    change_on_disk(tmp_path, '"a": "2"', '"a": "theirs"')
    with pytest.raises(SaveConflict) as caught:
        save(workspace, draft)
    change_on_disk(tmp_path, "theirs", "theirs again")
    before = disk(tmp_path)
    with pytest.raises(SaveConflict) as again:
        save_merged(workspace, draft, caught.value)
    assert disk(tmp_path) == before
    save_merged(workspace, draft, again.value)
    assert [c["a"] for c in json.loads(disk(tmp_path))["cases"]] == ["mine", "theirs again"]


@pytest.mark.parametrize("content", [None, b"{"])
def test_a_file_that_is_gone_or_broken_keeps_the_draft(
    tmp_path: Path, content: bytes | None
) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "mine")
    path = tmp_path / "x.json"
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(SaveConflict, match="deleted, or made unreadable") as caught:
        save(workspace, draft, on_conflict="merge")
    assert (caught.value.disk, caught.value.merge, draft.is_dirty) == (None, None, True)
    with pytest.raises(SaveConflict):
        save_merged(workspace, draft, caught.value)
    save_as(workspace, draft, "rescued.json")
    assert "mine" in (tmp_path / "rescued.json").read_text()


def test_a_file_that_became_something_else_is_not_merged(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "mine")
    write(tmp_path / "x.json", {"toy_result": "s"})
    with pytest.raises(SaveConflict) as caught:
        save(workspace, draft, on_conflict="merge")
    (whole,) = caught.value.conflicts
    assert whole.pointer == "" and whole.case_id is None
    save_merged(workspace, draft, caught.value, {whole.key: "mine"})
    assert json.loads(disk(tmp_path))["cases"][0]["a"] == "mine"


def test_saving_under_a_new_name_never_overwrites(tmp_path: Path) -> None:
    workspace, draft = odd(tmp_path)
    type_into(draft, 0, "new")
    opened = save_as(workspace, draft, "deep/er/y.json")
    assert opened.path == "deep/er/y.json"
    assert (tmp_path / "deep/er/y.json").read_bytes() == draft.rendered()
    assert disk(tmp_path) == TEXT and draft.is_dirty
    for taken in ("x.json", "deep/er/y.json", "deep/er/y.json/z.json"):
        with pytest.raises(WorkspaceError, match="already"):
            save_as(workspace, draft, taken)
    (tmp_path / "dangling.json").symlink_to("nowhere.json")
    for refused in ("../y.json", ".hidden/y.json", "y.txt", "/tmp/y.json"):
        with pytest.raises(WorkspaceError):
            save_as(workspace, draft, refused)
    assert disk(tmp_path) == TEXT
    assert not (tmp_path.parent / "y.json").exists()


def test_a_new_set_is_listed_and_editable(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    opened = create(
        workspace, "evals/new.json", format_id="toy", set_id="new", name="Größe", now=NOW
    )
    text = (tmp_path / "evals/new.json").read_text(encoding="utf-8")
    assert text == '{\n  "toy": "new",\n  "name": "Größe",\n  "cases": []\n}\n'
    assert [e.path for e in workspace.entries()] == ["evals/new.json"]
    draft = Draft(opened)
    draft.edit(lambda tree: LENS.add_case(tree, "first", NOW), "Add")
    save(workspace, draft)
    assert workspace.entry("evals/new.json").case_count == 1
    with pytest.raises(WorkspaceError, match="already"):
        create(workspace, "evals/new.json", format_id="toy", set_id="new", name="x", now=NOW)
    with pytest.raises(FormatError, match="Unknown format"):
        create(workspace, "y.json", format_id="other", set_id="new", name="x", now=NOW)


def test_a_new_set_that_its_system_would_not_find_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "detect", lambda _value, _path: None)
    with pytest.raises(FormatError, match="toy runner would not take") as caught:
        create(Workspace(tmp_path), "x.json", format_id="toy", set_id="s", name="S")
    assert "evals/*.json" in caught.value.hint
    assert not (tmp_path / "x.json").exists()


def test_an_old_set_is_copied_into_the_new_shape(tmp_path: Path) -> None:
    old = write(tmp_path / "old.json", ["one", "two"])
    before = old.read_bytes()
    workspace = Workspace(tmp_path)
    opened = modernise(workspace, workspace.open("old.json"), "new.json", set_id="s", name="S")
    assert [c["q"] for c in LENS.raw_cases(opened.document.value)] == ["one", "two"]  # type: ignore[call-overload, index]
    assert old.read_bytes() == before
    with pytest.raises(FormatError):
        modernise(workspace, opened, "newer.json", set_id="s", name="S")
    write(tmp_path / "other.json", {"a": 1})
    with pytest.raises(FormatError, match="no eval set"):
        modernise(workspace, workspace.open("other.json"), "newer.json", set_id="s", name="S")
    assert {path.name for path in tmp_path.iterdir()} == {"new.json", "old.json", "other.json"}
