"""Where the reviews of a run are kept, and that none is lost where a folder cannot be written."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evalcore.errors import WorkspaceError
from evalcore.review import Entry, Finding, People, ReviewBook, book
from evalcore.store import Place
from evalcore.workspace import Workspace

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entry(case: str = "a", minute: int = 0, **more) -> Entry:
    given = {"finding": Finding.AGENT_WRONG, "reviewer": "ada", "run": "r1"} | more
    return Entry(case_id=case, at=NOW + timedelta(minutes=minute), **given)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "w").mkdir()
    return Workspace(tmp_path / "w")


@pytest.fixture
def store(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "runs"))


def test_reviews_lie_beside_the_set(workspace, store):
    held = ReviewBook(store, "r1", workspace, "x.review.jsonl")
    before = held.stamp
    kept = held.add(entry())
    assert (kept.place, kept.trouble) == ("x.review.jsonl", "")
    assert held.stamp != before
    assert held.read().entries == (entry(id=held.read().entries[0].id),)
    assert not store.exists(held.spare)


def test_a_run_without_its_set_has_its_reviews_with_the_runs_where_no_run_is_seen(store):
    held = ReviewBook(store, "r1")
    kept = held.add(entry("a"))
    assert kept.trouble == "its eval set is not in this workspace"
    assert kept.place.endswith("/.reviews/r1.review.jsonl")
    held.add(entry("b", 1))
    assert [e.case_id for e in held.read().entries] == ["a", "b"]
    assert store.folders() == []


def test_a_line_that_was_cut_off_with_the_runs_stays_and_spoils_nothing(store):
    held = ReviewBook(store, "r1")
    held.add(entry("a"))
    store.write(held.spare, store.read(held.spare) + b'{"torn')
    held.add(entry("b", 1))
    found = held.read()
    assert [e.case_id for e in found.entries] == ["a", "b"]
    assert [p.line for p in found.problems] == [2]


def test_where_the_sets_folder_cannot_be_written_reviews_go_to_the_runs_and_it_is_said(
    workspace, store
):
    held = ReviewBook(store, "r1", workspace, "gone/x.review.jsonl")
    kept = held.add(entry())
    assert "cannot be written to gone/x.review.jsonl" in kept.trouble
    assert [e.case_id for e in held.read().entries] == ["a"]


def test_both_places_are_read_together_each_line_once(workspace, store):
    said = entry("b", 1)
    ReviewBook(store, "r1").add(entry("c", 2), said)
    held = ReviewBook(store, "r1", workspace, "x.review.jsonl")
    held.add(entry("a"), said)
    assert [e.case_id for e in held.read().entries] == ["a", "b", "c"]


def test_reviews_in_memory_are_kept_where_nothing_can_be_written():
    held = ReviewBook(Place("memory://reviews-of-a-test"), "r1")
    held.add(entry("a"))
    held.add(entry("b", 1))
    assert [e.case_id for e in held.read().entries] == ["a", "b"]


def test_where_neither_can_be_written_it_is_an_error(workspace, store, monkeypatch):
    def refuse(*_given):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Place, "write", refuse)
    with pytest.raises(WorkspaceError, match="Read-only file system"):
        ReviewBook(store, "r1").add(entry())


def test_a_file_of_reviews_that_cannot_be_read_is_a_problem_and_the_other_is_read(
    workspace, store, monkeypatch
):
    held = ReviewBook(store, "r1", workspace, "x.review.jsonl")
    ReviewBook(store, "r1").add(entry())

    def refuse(*_given):
        raise WorkspaceError("x.review.jsonl cannot be read")

    monkeypatch.setattr(book, "read_reviews", refuse)
    found = held.read()
    assert [e.case_id for e in found.entries] == ["a"]
    assert "x.review.jsonl cannot be read" in found.problems[0].message


def test_a_name_is_asked_once_and_the_cookie_is_not_written_down(tmp_path):
    People(tmp_path).call("secret-cookie", "  Ada ")
    again = People(tmp_path)
    assert again.name("secret-cookie") == "Ada"
    assert again.name("another") == ""
    written = [p for p in (tmp_path / ".evaldesk").rglob("*") if p.is_file()]
    assert written
    assert not any(b"secret-cookie" in p.read_bytes() for p in written)


def test_two_servers_do_not_lose_each_others_names(tmp_path):
    one, other = People(tmp_path), People(tmp_path)
    assert one.name("a") == other.name("b") == ""
    one.call("a", "ada")
    other.call("b", "bob")
    again = People(tmp_path)
    assert (again.name("a"), again.name("b")) == ("ada", "bob")
