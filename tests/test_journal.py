"""Drafts on disk: they outlive the server, a crash at any byte, and other servers' edits."""

import json
import os
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore import saving
from evalcore.drafts import Draft, DraftStore, is_stale
from evalcore.drafts.records import line, read_lines
from evalcore.drafts.shelf import Shelf
from evalcore.drafts.steps import Steps
from evalcore.errors import FormatError, WorkspaceError
from evalcore.jsontree import JsonValue, put, same
from evalcore.workspace import Workspace
from tests.strategies import VALUES
from tests.toy import toy, toy_set, write  # noqa: F401 - the fixture

pytestmark = pytest.mark.usefixtures("toy")
ME = "cookie"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("EVALDESK_STATE", raising=False)
    root = tmp_path / "desk"
    write(root / "x.json", toy_set("s", "a", "b", "c"))
    return root


def opened(folder: Path, owner: str = ME, path: str = "x.json") -> tuple[DraftStore, Draft]:
    """Return what a server that has just started has."""
    store = DraftStore(on_disk=True)
    return store, store.open(owner, Workspace(folder), path)


def answer(draft: Draft, index: int, text: JsonValue, key: str | None = None) -> None:
    label = f"Answer {index} {text}"
    draft.edit(lambda tree: put(tree, f"/cases/{index}/a", text), label, key)


def state(draft: Draft) -> tuple[str, list[tuple[str, bool]], bytes, bool]:
    steps = [(step.label, step.is_done) for step in draft.history]
    return json.dumps(draft.tree), steps, draft.rendered(), draft.is_dirty


def journals(folder: Path) -> list[Path]:
    return sorted((folder / ".evaldesk" / "drafts").glob("*.draft"))


def test_a_new_server_has_the_draft_and_both_stacks(folder: Path):
    _store, draft = opened(folder)
    for text in ("one", "two", "three"):
        answer(draft, 0, text)
    draft.undo()
    draft.undo()
    draft.redo()
    _store, again = opened(folder)
    assert state(again) == state(draft)
    assert (again.undo_label, again.redo_label) == ("Answer 0 two", "Answer 0 three")
    assert (again.redo(), again.undo(), again.undo(), again.undo(), again.is_dirty) == (
        "Answer 0 three",
        "Answer 0 three",
        "Answer 0 two",
        "Answer 0 one",
        False,
    )


def test_opening_a_file_writes_nothing(folder: Path):
    opened(folder)
    assert sorted(p.name for p in folder.iterdir()) == ["x.json"]


def test_drafts_are_kept_from_git_and_from_other_users(folder: Path):
    answer(opened(folder)[1], 0, "new")
    place = folder / ".evaldesk" / "drafts"
    assert (place / ".gitignore").read_text() == "*\n"
    (journal,) = journals(folder)
    assert journal.stat().st_mode & 0o777 == 0o600
    assert ME not in "".join(p.name for p in place.iterdir())


@pytest.mark.parametrize("how", ["save", "discard"])
def test_a_draft_that_is_saved_or_dropped_leaves_the_disk(folder: Path, how: str):
    workspace = Workspace(folder)
    store, draft = opened(folder)
    answer(draft, 0, "new")
    assert store.unsaved(ME, workspace) == ["x.json"]
    if how == "save":
        saving.save(workspace, draft)
    else:
        assert store.discard(ME, workspace, "x.json")
    assert journals(folder) == []
    again, draft = opened(folder)
    assert (again.unsaved(ME, workspace), draft.is_dirty, draft.history) == ([], False, ())


def test_a_draft_that_nobody_opened_since_can_be_dropped(folder: Path):
    answer(opened(folder)[1], 0, "new")
    store, workspace = DraftStore(on_disk=True), Workspace(folder)
    assert store.unsaved(ME, workspace) == ["x.json"]
    assert store.discard(ME, workspace, "x.json")
    assert not store.discard(ME, workspace, "x.json")
    assert (store.unsaved(ME, workspace), journals(folder)) == ([], [])


def test_edits_after_saving_are_kept_with_what_could_be_undone_before(folder: Path):
    _store, draft = opened(folder)
    answer(draft, 0, "saved")
    saving.save(Workspace(folder), draft)
    assert journals(folder) == []
    answer(draft, 1, "more")
    _store, again = opened(folder)
    assert state(again) == state(draft)
    assert (again.undo(), again.is_dirty) == ("Answer 1 more", False)
    assert (again.undo(), again.is_dirty) == ("Answer 0 saved", True)


def test_a_draft_undone_to_the_file_is_no_unsaved_one_and_can_be_redone(folder: Path):
    store, draft = opened(folder)
    answer(draft, 0, "new")
    draft.undo()
    assert store.unsaved(ME, Workspace(folder)) == []
    store, again = opened(folder)
    assert store.unsaved(ME, Workspace(folder)) == []
    assert (again.redo(), again.is_dirty) == ("Answer 0 new", True)
    assert store.unsaved(ME, Workspace(folder)) == ["x.json"]


def test_owners_have_drafts_of_their_own(folder: Path):
    answer(opened(folder)[1], 0, "mine")
    store, yours = opened(folder, "another cookie")
    assert not yours.is_dirty
    assert store.unsaved("another cookie", Workspace(folder)) == []
    answer(yours, 0, "yours")
    assert len(journals(folder)) == 2
    assert get_answer(opened(folder)[1]) == "mine"


def get_answer(draft: Draft, index: int = 0) -> JsonValue:
    return draft.lens.raw_cases(draft.tree)[index]["a"]


def test_a_file_that_changed_meanwhile_makes_the_draft_stale_and_is_merged(folder: Path):
    _store, draft = opened(folder)
    answer(draft, 0, "mine")
    theirs = (folder / "x.json").read_bytes().replace(b"answer c", b"theirs")
    (folder / "x.json").write_bytes(theirs)
    workspace = Workspace(folder)
    _store, again = opened(folder)
    assert is_stale(workspace, again)
    assert state(again) == state(draft)
    with pytest.raises(saving.SaveConflict) as conflict:
        saving.save(workspace, again)
    saving.save_merged(workspace, again, conflict.value)
    saved = (folder / "x.json").read_bytes()
    assert saved == theirs.replace(b"answer a", b"mine")
    assert journals(folder) == []


def test_a_draft_of_a_deleted_file_is_still_there(folder: Path):
    answer(opened(folder)[1], 0, "mine")
    (folder / "x.json").unlink()
    store, again = opened(folder)
    assert get_answer(again) == "mine"
    assert is_stale(Workspace(folder), again)
    assert store.reports(ME, Workspace(folder)) == ()


def test_without_the_version_it_started_from_a_draft_is_set_aside_and_reported(folder: Path):
    answer(opened(folder)[1], 0, "mine")
    for base in (folder / ".evaldesk" / "drafts").glob("*.base"):
        base.write_bytes(b"garbage")
    (folder / "x.json").write_bytes((folder / "x.json").read_bytes() + b"\n")
    store, again = opened(folder)
    assert not again.is_dirty
    (report,) = store.reports(ME, Workspace(folder))
    assert "x.json" in report and "not kept" in report and ".unreadable-1" in report
    assert len(list((folder / ".evaldesk" / "drafts").glob("*.unreadable-1"))) == 1
    store.dismiss_reports(ME, Workspace(folder))
    assert store.reports(ME, Workspace(folder)) == ()


def test_a_draft_of_a_file_that_is_not_there_yet_is_kept(folder: Path):
    workspace, store = Workspace(folder), DraftStore(on_disk=True)
    planned = saving.planned(workspace, "new.json", format_id="toy", set_id="n", name="New")
    draft = store.begin(ME, workspace, planned)
    draft.edit(lambda tree: put(tree, "/cases", [{"id": "i", "q": "", "a": ""}]), "Import")
    store, again = opened(folder, path="new.json")
    assert state(again) == state(draft)
    assert not is_stale(workspace, again)
    with pytest.raises(WorkspaceError, match="unsaved edits"):
        store.begin(ME, workspace, planned)
    saving.save(workspace, again)
    assert json.loads((folder / "new.json").read_bytes())["cases"][0]["id"] == "i"
    assert journals(folder) == []


def test_servers_that_share_a_draft_follow_each_other(folder: Path):
    workspace = Workspace(folder)
    (one, first), (two, second) = opened(folder), opened(folder)
    answer(first, 0, "by one")
    answer(second, 1, "by two")
    assert one.open(ME, workspace, "x.json") is first
    assert state(first) == state(second)
    assert [s.label for s in first.history] == ["Answer 0 by one", "Answer 1 by two"]
    first.undo()
    assert two.open(ME, workspace, "x.json").redo_label == "Answer 1 by two"
    saving.save(workspace, first)
    assert not two.open(ME, workspace, "x.json").is_dirty


def test_a_draft_that_another_server_ended_takes_no_edits_and_is_opened_anew(folder: Path):
    workspace = Workspace(folder)
    (one, first), (two, second) = opened(folder), opened(folder)
    answer(first, 0, "mine")
    answer(second, 1, "mine too")
    assert one.discard(ME, workspace, "x.json")
    with pytest.raises(FormatError, match="another window"):
        answer(second, 2, "late")
    again = two.open(ME, workspace, "x.json")
    assert (again is second, again.is_dirty) == (False, False)


def test_a_journal_that_somebody_deleted_costs_nothing_while_a_server_has_it(folder: Path):
    store, draft = opened(folder)
    answer(draft, 0, "one")
    for file in journals(folder):
        file.unlink()
    assert store.open(ME, Workspace(folder), "x.json") is draft
    answer(draft, 1, "two")
    assert state(opened(folder)[1]) == state(draft)


def test_a_disk_that_refuses_is_said_and_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch):
    _store, draft = opened(folder)
    answer(draft, 0, "one")
    full = OSError(28, "No space left on device")

    def refuse(*_args: object) -> None:
        raise full

    with monkeypatch.context() as broken:
        broken.setattr("evalcore.drafts.journal.Journal._write", refuse)
        broken.setattr("evalcore.drafts.journal.Journal.rewrite", refuse)
        answer(draft, 1, "two")
        answer(draft, 2, "three")
        assert draft.trouble == "the disk is full"
    assert get_answer(opened(folder)[1]) == "one"
    answer(draft, 1, "four")
    assert draft.trouble == ""
    assert state(opened(folder)[1]) == state(draft)


def test_where_the_workspace_cannot_be_written_the_users_state_folder_is_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(os, "access", lambda *_args: False)
    answer(opened(folder)[1], 0, "mine")
    assert not (folder / ".evaldesk").exists()
    assert get_answer(opened(folder)[1]) == "mine"
    assert list((tmp_path / "state").rglob("*.draft"))


def test_a_link_does_not_lead_drafts_out_of_the_workspace(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / ".evaldesk").symlink_to(elsewhere)
    answer(opened(folder)[1], 0, "mine")
    assert list(elsewhere.iterdir()) == []
    assert list((tmp_path / "state").rglob("*.draft"))


def test_evaldesk_state_names_the_place(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("EVALDESK_STATE", str(tmp_path / "named"))
    answer(opened(folder)[1], 0, "mine")
    assert not (folder / ".evaldesk").exists()
    assert list((tmp_path / "named").rglob("*.draft"))
    assert get_answer(opened(folder)[1]) == "mine"


ODD = {
    "nothing": b"",
    "no journal": b"hello\n",
    "zeros": b"\0" * 200,
    "a newer version": line({"draft": 99, "path": "x.json"}),
    "of another file": line({"draft": 1, "id": "1", "path": "y.json", "base": "0"}),
    "without a base": line({"draft": 1, "id": "1", "path": "x.json"}),
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
def test_what_cannot_be_read_is_set_aside_and_reported(folder: Path, data: bytes):
    answer(opened(folder)[1], 0, "mine")
    (journal,) = journals(folder)
    journal.write_bytes(data)
    store, draft = opened(folder)
    assert not draft.is_dirty
    (report,) = store.reports(ME, Workspace(folder))
    assert ".unreadable-1" in report
    assert journal.with_name(f"{journal.name}.unreadable-1").read_bytes() == data
    answer(draft, 0, "again")
    assert get_answer(opened(folder)[1]) == "again"


def test_the_list_of_unsaved_files_sets_aside_what_it_cannot_read(folder: Path):
    answer(opened(folder)[1], 0, "mine")
    (journal,) = journals(folder)
    journal.write_bytes(b"garbage\n")
    store, workspace = DraftStore(on_disk=True), Workspace(folder)
    assert store.unsaved(ME, workspace) == []
    assert len(store.reports(ME, workspace)) == 1
    assert store.unsaved(ME, workspace) == []
    assert len(store.reports(ME, workspace)) == 1


def test_damage_in_the_middle_keeps_what_stands_before_it_and_is_reported(folder: Path):
    _store, draft = opened(folder)
    for text in ("one", "two", "three"):
        answer(draft, 0, text)
    (journal,) = journals(folder)
    data = journal.read_bytes()
    journal.write_bytes(data.replace(b"Answer 0 two", b"Answer 0 2wo"))
    store, again = opened(folder)
    assert get_answer(again) == "one"
    assert "damaged" in store.reports(ME, Workspace(folder))[0]
    (kept,) = journal.parent.glob("*.unreadable-1")
    assert b"three" in kept.read_bytes()
    store, again = opened(folder)
    assert (get_answer(again), store.reports(ME, Workspace(folder))) == ("one", ())


def test_records_that_do_not_fit_the_file_are_set_aside(folder: Path):
    answer(opened(folder)[1], 0, "mine")
    (journal,) = journals(folder)
    with journal.open("ab") as file:
        file.write(line({"do": "x", "at": 0, "d": ["i", [[3, ["=", 1]]]]}))
        file.write(line({"go": -7}))
    store, draft = opened(folder)
    assert not draft.is_dirty
    assert "does not fit" in store.reports(ME, Workspace(folder))[0]


def test_a_long_journal_is_put_together_anew_and_followed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("evalcore.drafts.journal.LARGEST", 4000)
    (_one, first), (two, _second) = opened(folder), opened(folder)
    sizes = []
    for number in range(700):
        answer(first, 0, f"text {number}", "key" if number % 7 else None)
        sizes.append(journals(folder)[0].stat().st_size)
    assert any(after < before for before, after in pairwise(sizes))
    assert state(two.open(ME, Workspace(folder), "x.json")) == state(first)
    assert state(opened(folder)[1]) == state(first)


def test_versions_that_no_draft_needs_are_dropped(folder: Path):
    store, draft = opened(folder)
    answer(draft, 0, "one")
    place = folder / ".evaldesk" / "drafts"
    (base,) = place.glob("*.base")
    saving.save(Workspace(folder), draft)
    store.settle()
    assert base.exists(), "another server may just have asked for it"
    os.utime(base, (1, 1))
    answer(draft, 0, "two")
    saving.save(Workspace(folder), draft)
    store.settle()
    assert not base.exists()


def test_a_large_version_is_kept_in_the_background(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evalcore.drafts.shelf.SMALL", 0)
    store, draft = opened(folder)
    answer(draft, 0, "one")
    store.settle()
    shelf = Shelf(folder)
    assert shelf.base(draft.base.revision) == draft.base.document.data


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["edit", "edit", "type", "undo", "redo", "jump", "save"]), VALUES),
    max_size=14,
)


def act(workspace: Workspace, draft: Draft, actions: list[tuple[str, JsonValue]]) -> None:
    for number, (kind, value) in enumerate(actions):
        if kind == "undo":
            draft.undo()
        elif kind == "redo":
            draft.redo()
        elif kind == "jump":
            draft.go_to(number % 5)
        elif kind == "save":
            saving.save(workspace, draft)
        else:
            place = ("/cases/0/a", "/n", "/cases/1", "/cases/2/q")[number % 4]
            key = "key" if kind == "type" else None
            draft.edit(lambda t, p=place, v=value: put(t, p, v), f"Step {number}", key)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
def test_what_is_read_back_is_what_was_done(folder: Path, actions: list[tuple[str, JsonValue]]):
    write(folder / "x.json", toy_set("s", "a", "b", "c"))
    for file in journals(folder):
        file.unlink()
    _store, draft = opened(folder)
    act(Workspace(folder), draft, actions)
    _store, again = opened(folder)
    if journals(folder):
        assert state(again) == state(draft)
    else:
        assert (again.is_dirty, draft.is_dirty) == (False, False)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS, seed=st.integers(0, 1000))
def test_a_crash_at_any_byte_leaves_a_state_that_was(
    folder: Path, actions: list[tuple[str, JsonValue]], seed: int
):
    base = toy_set("s", "a", "b", "c")
    write(folder / "x.json", base)
    for file in journals(folder):
        file.unlink()
    _store, draft = opened(folder)
    act(Workspace(folder), draft, [a for a in actions if a[0] != "save"])
    for journal in journals(folder):
        data = journal.read_bytes()
        records = read_lines(data).records[1:]
        known = [_shown(Steps(base), records[:count]) for count in range(len(records) + 1)]
        head = data.index(b"\n") + 1
        cuts = {head, len(data), *random.Random(seed).sample(range(head, len(data)), 3)}
        for cut in cuts:
            journal.write_bytes(data[:cut])
            store, again = opened(folder)
            assert store.reports(ME, Workspace(folder)) == ()
            whole = read_lines(data[:cut]).records[1:]
            assert _seen(again) == known[len(whole)]
            answer(again, 2, f"after {cut}")
            assert state(opened(folder)[1]) == state(again)


def _shown(steps: Steps, records: list) -> tuple[str, list[str], list[str]]:
    steps.replay(records)
    labels = [[s.label for s in side] for side in (steps.past, steps.future[::-1])]
    return json.dumps(steps.tree), *labels


def _seen(draft: Draft) -> tuple[str, list[str], list[str]]:
    labels = [[s.label for s in draft.history if s.is_done == done] for done in (True, False)]
    return json.dumps(draft.tree), *labels


def test_every_cut_of_one_journal_gives_a_prefix(folder: Path):
    _store, draft = opened(folder)
    for text in ("one", 2, None):
        answer(draft, 0, text)
    draft.undo()
    (journal,) = journals(folder)
    data = journal.read_bytes()
    for cut in range(data.index(b"\n") + 1, len(data) + 1):
        journal.write_bytes(data[:cut])
        _store, again = opened(folder)
        assert len(again.history) == min(3, data[:cut].count(b"\n") - 1)
    assert same(again.tree, draft.tree)


def test_a_workspace_that_cannot_be_written_any_more_still_has_its_drafts(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: tmp_path / "state")
    store, draft = opened(folder)
    answer(draft, 0, "one")
    store.settle()
    before, own = state(draft), journals(folder)

    monkeypatch.setattr("evalcore.drafts.shelf._is_ours", lambda *_: False)
    later = DraftStore(on_disk=True)
    workspace = Workspace(folder)
    assert later.unsaved(ME, workspace) == ["x.json"]
    again = later.open(ME, workspace, "x.json")
    assert state(again) == before
    answer(again, 1, "two")
    later.settle()
    assert journals(folder) == own

    monkeypatch.undo()
    monkeypatch.delenv("EVALDESK_STATE", raising=False)
    monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: tmp_path / "state")
    _last, back = opened(folder)
    assert state(back) == state(again)


def test_a_draft_that_was_dropped_is_not_taken_over_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: tmp_path / "state")
    store, draft = opened(folder)
    answer(draft, 0, "one")
    store.settle()
    monkeypatch.setattr("evalcore.drafts.shelf._is_ours", lambda *_: False)
    later = DraftStore(on_disk=True)
    assert later.discard(ME, Workspace(folder), "x.json")
    later.settle()
    assert DraftStore(on_disk=True).unsaved(ME, Workspace(folder)) == []


def test_drafts_behind_a_link_are_not_taken_over(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("platformdirs.user_state_path", lambda *_, **__: tmp_path / "state")
    store, draft = opened(folder)
    answer(draft, 0, "one")
    store.settle()
    (folder / ".evaldesk").rename(tmp_path / "elsewhere")
    (folder / ".evaldesk").symlink_to(tmp_path / "elsewhere")
    assert DraftStore(on_disk=True).unsaved(ME, Workspace(folder)) == []
