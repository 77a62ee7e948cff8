"""What the pages say of drafts on disk, without a browser."""

import json
from pathlib import Path

import pytest

from pages._ui.desk import _open
from tests.pages.conftest import refunds, words


def restarted() -> None:
    """Forget what the server holds in memory."""
    _open.cache_clear()


def edited(open_page) -> None:
    at = open_page("author", set="refunds.evalset.json", view="details")
    (key,) = [w.key for w in at.get("text_input") if w.key and "name" in w.key and w.value]
    at.text_input(key=key).input("Refunds and more").run()
    assert not at.exception


def journal(folder: Path) -> Path:
    (found,) = (folder / ".evaldesk" / "drafts").glob("*.draft")
    return found


@pytest.fixture(autouse=True)
def in_the_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVALDESK_STATE", raising=False)


def test_the_library_marks_a_draft_of_before_the_restart(folder, refunds_file, open_page):
    edited(open_page)
    restarted()
    at = open_page()
    assert "refunds.evalset.json" in [b.label.replace("\\", "") for b in at.button]
    at = open_page("author", set="refunds.evalset.json")
    assert "1 unsaved edit" in words(at)
    assert json.loads(refunds_file.read_bytes()) == refunds()


def test_a_draft_that_cannot_be_read_is_reported_until_it_is_noted(folder, refunds_file, open_page):
    edited(open_page)
    journal(folder).write_bytes(b"garbage\n")
    restarted()
    at = open_page()
    assert "cannot be read" in words(at) and "unreadable" in words(at)
    at.button(key="reports.noted").click().run()
    assert "unreadable" not in words(at)
    assert list((folder / ".evaldesk" / "drafts").glob("*.unreadable-1"))


def test_edits_that_the_disk_refuses_are_said_to_be_at_risk(
    folder, refunds_file, open_page, monkeypatch
):
    def refuse(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("evalcore.drafts.journal.Journal.rewrite", refuse)
    edited(open_page)
    at = open_page("author", set="refunds.evalset.json")
    assert "cannot be kept on disk: the disk is full" in words(at).replace("\\", "")


def test_a_draft_of_a_file_that_is_broken_by_now_can_still_be_saved(
    folder, refunds_file, open_page
):
    edited(open_page)
    refunds_file.write_bytes(b"{")
    restarted()
    at = open_page("author", set="refunds.evalset.json")
    assert "1 unsaved edit" in words(at)
    assert "changed by somebody else" in words(at)


def test_a_draft_that_can_no_longer_be_opened_can_be_dropped(folder, refunds_file, open_page):
    edited(open_page)
    for base in (folder / ".evaldesk" / "drafts").glob("*.base"):
        base.unlink()
    refunds_file.unlink()
    restarted()
    at = open_page("author", set="refunds.evalset.json")
    assert "You have unsaved edits of this file" in words(at)
    at.button(key="lost.drop").click().run()
    assert not list((folder / ".evaldesk" / "drafts").glob("*.draft"))
    assert not refunds_file.exists()
