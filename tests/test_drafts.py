import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.drafts import CaseChange, Draft, DraftStore, is_stale, three_way
from evalcore.drafts.changes import case_changes, pair
from evalcore.drafts.draft import PAUSE_SECONDS
from evalcore.errors import FormatError
from evalcore.jsontree import JsonValue, move, put, same
from evalcore.workspace import Workspace
from tests.toy import ToyLens, toy, toy_set, write  # noqa: F401 - the fixture

pytestmark = pytest.mark.usefixtures("toy")
LENS = ToyLens()


def draft_of(folder: Path, *cases: str, **more: Any) -> Draft:
    write(folder / "x.json", toy_set("s", *cases, **more))
    return Draft(Workspace(folder).open("x.json"))


def answer(index: int, text: str) -> Callable[[JsonValue], JsonValue]:
    return lambda tree: put(tree, f"/cases/{index}/a", text)


def kinds(draft: Draft) -> list[tuple[str, str | None, int | None, int | None]]:
    return [(c.kind, c.id, c.before, c.after) for c in draft.changed_cases]


def test_an_edit_that_changes_nothing_leaves_no_trace(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    assert not draft.edit(answer(0, "answer a"), "Typed")
    assert not draft.apply(draft.tree, "Nothing")
    assert (draft.is_dirty, draft.undo_label, draft.revision) == (False, None, 0)
    assert draft.edit(lambda tree: put(tree, "/n", 1), "One")
    assert draft.edit(lambda tree: put(tree, "/n", 1.0), "1 and 1.0 differ")


def test_undo_and_redo_walk_the_history(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    start = draft.tree
    draft.edit(answer(0, "one"), "First")
    one = draft.tree
    draft.edit(answer(0, "two"), "Second")
    two = draft.tree
    assert (draft.undo(), draft.tree, draft.redo_label) == ("Second", one, "Second")
    assert (draft.undo(), draft.tree, draft.is_dirty) == ("First", start, False)
    assert (draft.undo(), draft.undo_label) == (None, None)
    assert (draft.redo(), draft.redo(), draft.tree, draft.redo()) == ("First", "Second", two, None)
    draft.undo()
    draft.edit(answer(0, "three"), "Third")
    assert (draft.redo(), draft.undo_label) == (None, "Third")


def test_edits_with_one_merge_key_are_one_step(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a", "b")
    for text in ("n", "ne", "new"):
        draft.edit(answer(0, text), "Type an answer", "/cases/0/a")
    draft.edit(answer(1, "x"), "Type an answer", "/cases/1/a")
    draft.edit(answer(0, "newer"), "Type an answer", "/cases/0/a")
    assert [draft.undo() for _ in range(4)] == ["Type an answer"] * 3 + [None]
    assert not draft.is_dirty


def test_after_a_pause_the_same_field_is_a_new_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = draft_of(tmp_path, "a")
    clock = [100.0]
    monkeypatch.setattr("evalcore.drafts.draft.monotonic", lambda: clock[0])
    for text, pause in (("R", 0.0), ("Refund", PAUSE_SECONDS), ("Fees", PAUSE_SECONDS + 1)):
        clock[0] += pause
        draft.edit(answer(0, text), "Type", "k")
    draft.undo()
    assert draft.tree["cases"][0]["a"] == "Refund"  # type: ignore[index, call-overload]
    assert (draft.undo(), draft.undo()) == ("Type", None)


def test_a_field_that_is_left_and_typed_in_again_is_a_new_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = draft_of(tmp_path, "a")
    clock = [100.0]
    monkeypatch.setattr("evalcore.drafts.draft.monotonic", lambda: clock[0])
    typed = ("A1", "B2", "C3", "C3 and", "C3 and more")
    for text in typed:
        clock[0] += 1.0
        draft.edit(answer(0, text), "Type", "k")
    draft.undo()
    assert draft.tree["cases"][0]["a"] == "B2"  # type: ignore[index, call-overload]
    assert [draft.undo() for _ in range(3)] == ["Type", "Type", None]


def test_typing_back_what_was_there_leaves_no_step(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    draft.edit(answer(0, "x"), "Type", "k")
    draft.edit(answer(0, "answer a"), "Type", "k")
    assert (draft.undo_label, draft.is_dirty) == (None, False)


def test_undo_ends_a_step(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    draft.edit(answer(0, "x"), "Type", "k")
    draft.edit(answer(0, "y"), "Other")
    draft.undo()
    draft.edit(answer(0, "z"), "Type", "k")
    assert [draft.undo(), draft.undo()] == ["Type", "Type"]


def test_an_edit_that_fails_changes_nothing(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    with pytest.raises(KeyError):
        draft.edit(lambda tree: put(tree, "/cases/7/a", "x"), "Typed")
    assert (draft.revision, draft.undo_label) == (0, None)


def test_two_edits_keep_both_from_any_number_of_threads(tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(40)]
    draft = draft_of(tmp_path, *names)

    def type_into(start: int) -> None:
        for index in range(start, 40, 4):
            draft.edit(answer(index, f"new {index}"), "Type")

    threads = [threading.Thread(target=type_into, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [case["a"] for case in LENS.raw_cases(draft.tree)] == [f"new {i}" for i in range(40)]
    assert len(draft.changed_cases) == 40


def test_changes_name_cases_added_changed_removed_and_moved(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a", "b", "c", "d", "e")
    a, b, _c, d, e = LENS.raw_cases(draft.tree)
    edited = {**b, "a": "new"}
    draft.edit(lambda t: put(t, "/cases", [a, e, edited, d, {"id": "n", "q": 1}]), "Much")
    assert kinds(draft) == [
        ("moved", "e", 4, 1),
        ("changed", "b", 1, 2),
        ("removed", "c", 2, None),
        ("added", "n", None, 4),
    ]
    assert not draft.changed_around
    draft.edit(lambda t: put(t, "/name", "Other"), "Rename")
    assert draft.changed_around


def test_a_renamed_case_is_the_same_case(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a", "b", "c")
    draft.edit(lambda t: put(t, "/cases/1/id", "z"), "Rename")
    assert kinds(draft) == [("changed", "z", 1, 1)]


def test_cases_with_one_id_are_told_apart_by_their_order(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a", "a", "a")
    draft.edit(answer(1, "new"), "Type")
    assert kinds(draft) == [("changed", "a", 1, 1)]


def test_a_case_without_id_is_told_by_its_place(tmp_path: Path) -> None:
    write(tmp_path / "x.json", {"toy": "s", "cases": [{"q": 1}, {"q": 2}, 3]})
    draft = Draft(Workspace(tmp_path).open("x.json"))
    draft.edit(lambda t: put(t, "/cases/1", {"q": "other", "a": "x"}), "Rewrite")
    assert kinds(draft) == [("changed", None, 1, 1)]


@pytest.mark.parametrize("which", range(4))
def test_the_edits_of_one_case_can_be_dropped_and_undone(tmp_path: Path, which: int) -> None:
    draft = draft_of(tmp_path, "a", "b", "c", "d", "e")
    a, b, _c, d, e = LENS.raw_cases(draft.tree)
    new: JsonValue = {"id": "n", "q": 1}
    draft.edit(lambda t: put(t, "/cases", [a, e, {**b, "a": "new"}, d, new]), "Much")
    before = draft.tree
    change = draft.changed_cases[which]
    assert draft.revert_case(change)
    left = [c.id for c in draft.changed_cases]
    assert change.id not in left and len(left) == 3
    assert draft.undo() == f"Drop the edits of {change.id}"
    assert same(draft.tree, before)


def test_dropping_the_edits_of_every_case_in_turn_gives_the_opened_file(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a", "b", "c", "d", "e")
    a, b, _c, d, e = LENS.raw_cases(draft.tree)
    draft.edit(
        lambda t: put(t, "/cases", [e, {**b, "a": "new"}, {"id": "n"}, {**d, "a": 1}, a]), ""
    )
    draft.edit(lambda t: put(t, "/name", "Other"), "Rename")
    while draft.changed_cases:
        draft.revert_case(draft.changed_cases[0])
    assert draft.is_dirty and draft.changed_around
    draft.revert_around()
    assert not draft.is_dirty


def test_dropping_edits_that_are_gone_is_refused(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    with pytest.raises(FormatError, match="gone"):
        draft.revert_case(CaseChange("changed", "a", 0, 0))


def test_the_document_follows_the_draft(tmp_path: Path) -> None:
    draft = draft_of(tmp_path, "a")
    assert draft.document() is draft.base.document
    draft.edit(lambda t: put(t, "/cases/0/extra", 1), "Add")
    document = draft.document()
    assert document.position("/cases/0/extra") == (9, 16)
    assert draft.document() is document and same(document.value, draft.tree)
    draft.undo()
    assert draft.document() is draft.base.document


def test_a_file_without_cases_has_a_draft_all_the_same(tmp_path: Path) -> None:
    write(tmp_path / "e.json", {"toy_evaluator": "exact", "threshold": 1})
    draft = Draft(Workspace(tmp_path).open("e.json"))
    draft.edit(lambda t: put(t, "/threshold", 0.5), "Lower the bar")
    assert (draft.is_dirty, draft.changed_cases, draft.changed_around) == (True, (), True)
    assert draft.revert_around() and not draft.is_dirty


def test_a_store_keeps_one_draft_for_each_owner_and_file(tmp_path: Path) -> None:
    write(tmp_path / "x.json", toy_set("s", "a"))
    write(tmp_path / "y.json", toy_set("s", "a"))
    workspace, store = Workspace(tmp_path), DraftStore()
    mine, theirs = store.open("me", workspace, "x.json"), store.open("you", workspace, "x.json")
    mine.edit(answer(0, "mine"), "Type")
    store.open("me", workspace, "y.json")
    assert store.open("me", workspace, "x.json") is mine and mine is not theirs
    assert not theirs.is_dirty
    assert [d.path for d in store.dirty("me", workspace)] == ["x.json"]
    assert store.dirty("you", workspace) == []
    assert store.discard("me", workspace, "x.json")
    assert store.get("me", workspace, "x.json") is None
    assert not store.discard("me", workspace, "x.json")


def test_a_clean_draft_follows_the_disk_and_a_dirty_one_says_it_is_stale(tmp_path: Path) -> None:
    path = write(tmp_path / "x.json", toy_set("s", "a"))
    workspace, store = Workspace(tmp_path), DraftStore()
    draft = store.open("me", workspace, "x.json")
    write(path, toy_set("s", "a", "b"))
    draft = store.open("me", workspace, "x.json")
    assert len(LENS.raw_cases(draft.tree)) == 2 and not is_stale(workspace, draft)
    draft.edit(answer(0, "mine"), "Type")
    write(path, toy_set("s", "a", "b", "c"))
    assert store.open("me", workspace, "x.json") is draft
    assert is_stale(workspace, draft)
    path.unlink()
    assert store.open("me", workspace, "x.json") is draft and is_stale(workspace, draft)


def test_a_store_forgets_clean_drafts_only(tmp_path: Path) -> None:
    workspace, store = Workspace(tmp_path), DraftStore()
    for number in range(50):
        write(tmp_path / f"{number}.json", toy_set("s", "a"))
    kept = store.open("me", workspace, "0.json")
    kept.edit(answer(0, "mine"), "Type")
    for number in range(1, 50):
        store.open("me", workspace, f"{number}.json")
    assert store.get("me", workspace, "0.json") is kept
    assert store.get("me", workspace, "1.json") is None
    assert store.get("me", workspace, "49.json") is not None


IDS = st.sampled_from("abcdefg")
CASES = st.lists(
    st.builds(lambda i, a: {"id": i, "q": i * 3, "a": a}, IDS, st.integers(0, 2)),
    max_size=6,
)
UNIQUE = st.lists(
    st.builds(lambda i, a: {"id": i, "q": i * 3, "a": a}, IDS, st.integers(0, 2)),
    max_size=6,
    unique_by=lambda case: case["id"],
)
AROUND = st.dictionaries(st.sampled_from(["name", "x", "y"]), st.integers(0, 2), max_size=3)


def tree(around: dict[str, Any], cases: list[Any]) -> JsonValue:
    return {"toy": "s", **around, "cases": cases}


TREES = st.builds(tree, AROUND, CASES)
UNIQUE_TREES = st.builds(tree, AROUND, UNIQUE)


@given(CASES, CASES)
def test_pairing_uses_every_case_once(old: list[Any], new: list[Any]) -> None:
    pairs = pair(old, new, LENS.case_id)
    assert sorted([o for o, _ in pairs.matched] + list(pairs.removed)) == list(range(len(old)))
    assert sorted([n for _, n in pairs.matched] + list(pairs.added)) == list(range(len(new)))


@given(CASES, CASES)
def test_no_changes_means_the_same_cases(old: list[Any], new: list[Any]) -> None:
    assert (case_changes(old, new, LENS.case_id) == ()) == same(old, new)


@given(UNIQUE, st.data())
def test_one_move_is_one_change(cases: list[Any], data: st.DataObject) -> None:
    if len(cases) < 2:
        return
    places = st.integers(0, len(cases) - 1)
    source, target = data.draw(places), data.draw(places)
    moved = move(cases, "", source, target)
    assert isinstance(moved, list)
    assert len(case_changes(cases, moved, LENS.case_id)) == (source != target)


@given(TREES, TREES)
def test_merging_with_an_unchanged_side_gives_the_other(base: JsonValue, other: JsonValue) -> None:
    for merge in (three_way(base, other, base, LENS), three_way(base, base, other, LENS)):
        assert same(merge.tree, other) and merge.is_clean
    assert same(three_way(base, other, other, LENS).tree, other)


@given(UNIQUE_TREES, UNIQUE_TREES, UNIQUE_TREES, st.sampled_from(["mine", "disk"]))
def test_a_merge_loses_no_edit_and_settles_by_choice(
    base: JsonValue, mine: JsonValue, disk: JsonValue, side: Any
) -> None:
    choices: dict[str, Any] = {}
    while not (merge := three_way(base, mine, disk, LENS, choices)).is_clean:
        choices |= {conflict.key: side for conflict in merge.unsettled}
    merged = LENS.raw_cases(merge.tree)
    ids = [LENS.case_id(case) for case in merged]
    assert len(ids) == len(set(ids))
    for case in merged:
        assert any(case in LENS.raw_cases(source) for source in (mine, disk))
    in_conflict = {c.case_id for c in merge.conflicts}
    kept_everywhere = [set(map(LENS.case_id, LENS.raw_cases(t))) for t in (base, mine, disk)]
    assert set.intersection(*kept_everywhere) - in_conflict <= set(ids)


@given(TREES, TREES, TREES, st.sampled_from(["mine", "disk"]))
def test_sets_with_doubled_ids_merge_into_cases_of_either_side(
    base: JsonValue, mine: JsonValue, disk: JsonValue, side: Any
) -> None:
    choices: dict[str, Any] = {}
    while not (merge := three_way(base, mine, disk, LENS, choices)).is_clean:
        choices |= {conflict.key: side for conflict in merge.unsettled}
    either = [*LENS.raw_cases(mine), *LENS.raw_cases(disk)]
    assert all(case in either for case in LENS.raw_cases(merge.tree))


@given(UNIQUE_TREES, UNIQUE_TREES, UNIQUE_TREES)
def test_both_sides_see_the_same_conflicts(
    base: JsonValue, mine: JsonValue, disk: JsonValue
) -> None:
    there, back = three_way(base, mine, disk, LENS), three_way(base, disk, mine, LENS)
    assert there.is_clean == back.is_clean


def test_edits_of_different_cases_and_details_merge() -> None:
    base = tree({"name": 1, "x": 1}, [{"id": i, "q": i, "a": 0} for i in "abcd"])
    mine = put(put(base, "/cases/0/a", "mine"), "/name", 2)
    mine = put(mine, "/cases/4", {"id": "m", "q": "m"})
    disk = put(put(base, "/cases/1/a", "disk"), "/x", 2)
    disk = put(put(disk, "/cases/3", {"id": "n", "q": "n"}), "/y", 5)
    merge = three_way(base, mine, disk, LENS)
    assert merge.is_clean
    assert [c["id"] for c in LENS.raw_cases(merge.tree)] == ["a", "b", "c", "m", "n"]
    assert [c.get("a") for c in LENS.raw_cases(merge.tree)] == ["mine", "disk", 0, None, None]
    assert {**merge.tree, "cases": 0} == {"toy": "s", "name": 2, "x": 2, "cases": 0, "y": 5}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("mine", "disk", "key_starts"),
    [
        (lambda t: put(t, "/cases/1/a", "m"), lambda t: put(t, "/cases/1/a", "d"), "case:"),
        (lambda t: put(t, "/cases/1/a", "m"), lambda t: put(t, "/cases/1/q", "d"), "case:"),
        (lambda t: LENS.delete_cases(t, [1]), lambda t: put(t, "/cases/1/a", "d"), "case:"),
        (lambda t: put(t, "/cases/1/a", "m"), lambda t: LENS.delete_cases(t, [1]), "case:"),
        (
            lambda t: put(t, "/cases/3", {"id": "n", "q": "m"}),
            lambda t: put(t, "/cases/3", {"id": "n", "q": "d"}),
            "case:",
        ),
        (
            lambda t: put(t, "/cases/1/id", "n"),
            lambda t: put(t, "/cases/3", {"id": "n", "q": "d"}),
            "twice:",
        ),
        (lambda t: put(t, "/name", "m"), lambda t: put(t, "/name", "d"), "at:/name"),
        (lambda t: move(t, "/cases", 0, 2), lambda t: move(t, "/cases", 2, 1), "order"),
    ],
)
def test_two_edits_of_one_thing_are_a_conflict_with_both_versions(
    mine: Callable[[JsonValue], JsonValue],
    disk: Callable[[JsonValue], JsonValue],
    key_starts: str,
) -> None:
    base = tree({"name": 1}, [{"id": i, "q": i, "a": 0} for i in "abc"])
    ours, theirs = mine(base), disk(base)
    merge = three_way(base, ours, theirs, LENS)
    (conflict,) = merge.unsettled
    assert conflict.key.startswith(key_starts) and not same(conflict.mine, conflict.disk)
    if "case" in key_starts:
        assert conflict.case_id in ("b", "n")
    settled = [
        three_way(base, ours, theirs, LENS, {conflict.key: side}) for side in ("mine", "disk")
    ]
    assert all(merge.is_clean for merge in settled)
    assert not same(settled[0].tree, settled[1].tree)
    assert same(settled[1].tree, merge.tree)


def test_a_document_without_cases_merges_member_by_member() -> None:
    base: JsonValue = {"a": {"x": 1, "y": 1}, "list": [1]}
    mine, disk = put(base, "/a/x", 2), put(base, "/a/y", 2)
    assert same(three_way(base, mine, disk).tree, {"a": {"x": 2, "y": 2}, "list": [1]})
    (conflict,) = three_way(base, put(base, "/list/1", 2), put(base, "/list/1", 3)).unsettled
    assert conflict.pointer == "/list" and conflict.case_id is None


@pytest.mark.parametrize("other", [None, "text", {"a": 1}])
def test_something_else_in_place_of_the_cases_is_never_overwritten_unasked(
    other: JsonValue,
) -> None:
    base = tree({"name": 1}, [{"id": i, "q": i, "a": 0} for i in "abc"])
    odd, edited = put(base, "/cases", other), put(base, "/cases/0/q", "new")
    assert same(three_way(base, odd, put(base, "/name", 2), LENS).tree, put(odd, "/name", 2))
    for mine, disk in ((odd, edited), (edited, odd)):
        merge = three_way(base, mine, disk, LENS)
        (conflict,) = merge.unsettled
        assert conflict.pointer == "/cases"
        assert same(three_way(base, mine, disk, LENS, {conflict.key: "mine"}).tree, mine)
        assert same(three_way(base, mine, disk, LENS, {conflict.key: "disk"}).tree, disk)
