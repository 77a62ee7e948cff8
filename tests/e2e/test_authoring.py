"""The whole story of a set for each system, played in a browser without typing JSON."""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evalcore.jsontree import get
from tests.authored import AUTHORED, CASE, NAME, Authored, Json
from tests.e2e.desk import VIEWPORT, Visit, free_port, serving
from tests.e2e.hands import SLOW_MS, Hands, workbook
from tests.e2e.playing import PLAYS, open_case
from tests.samples import SAMPLES


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    yield context.new_page()
    context.close()


def make_set(hands: Hands, label: str) -> None:
    hands.visit.open()
    hands.press("New set")
    hands.pick("Format", label)
    hands.write("Name", NAME)
    hands.look("new set")
    hands.press("Create")
    empty = hands.page.get_by_role("heading", name="This set has no cases yet")
    expect(empty).to_be_visible(timeout=SLOW_MS)
    hands.look("empty set")


def import_rows(hands: Hands, sheet: Path) -> None:
    hands.press("Import a file…")
    hands.page.locator(".st-key-import-upload input[type=file]").set_input_files(sheet)
    added = hands.page.get_by_text("✓ 30 cases to add")
    expect(added).to_be_visible(timeout=SLOW_MS)
    hands.look("columns")
    added.scroll_into_view_if_needed()
    hands.look("preview")
    hands.press("Add 30 cases to the draft")
    expect(hands.page.get_by_role("heading", name="Review changes")).to_be_visible(timeout=SLOW_MS)
    hands.look("review of the import")
    hands.press("Keep editing")


def add_case(hands: Hands) -> None:
    hands.press("Add case")
    expect(hands.page.get_by_text("new_case").first).to_be_visible(timeout=SLOW_MS)
    hands.look("new case")
    menu = hands.page.locator("[class*='st-key'][class*='menu'] button", has_text="More").first
    hands.from_menu(menu, "Rename…")
    hands.write("Name", CASE)
    hands.look("rename")
    hands.press("Rename")
    expect(hands.page.get_by_role("dialog")).to_have_count(0, timeout=SLOW_MS)
    hands.visit.idle()


def step(hands: Hands, verb: str) -> None:
    hands.page.locator(f".st-key-author-{verb} button").first.click()
    hands.visit.idle()


def check_stamps(saved: Json, begun: float) -> None:
    """Fail if a time is not of this test, or an id not one of its own."""
    ids: list[str] = []
    times: list[float] = []
    for part in (saved, *saved.get("evaluations", ())):
        ids.append(part["id"] if "createdAt" in part else str(uuid.uuid4()))
        times += [part[k] for k in ("creation_timestamp",) if k in part]
        written = [part[k] for k in ("createdAt", "updatedAt") if k in part]
        times += [datetime.fromisoformat(text).timestamp() for text in written]
    assert len({uuid.UUID(text) for text in ids}) == len(ids)
    # What is written in milliseconds may be cut to before the test began.
    assert all(begun - 0.001 <= moment <= time.time() for moment in times)


def check_criteria(told: Authored, before: bytes, after: bytes) -> None:
    """Fail if the config is not as before with one more check, line by line."""
    assert json.loads(after) == told.config(json.loads(before))
    kept = [line.rstrip(",") for line in after.decode().splitlines()]
    lost = [line for line in before.decode().splitlines() if line.rstrip(",") not in kept]
    assert lost in ([], [f'    "{told.criterion.name}": null,'])


@pytest.mark.parametrize("dialect", AUTHORED)
def test_a_set_is_built_saved_and_holds_what_was_meant(page: Page, tmp_path: Path, dialect: str):
    told, play, port, begun = AUTHORED[dialect], PLAYS[dialect], free_port(), time.time()
    folder = shutil.copytree(SAMPLES / told.project, tmp_path / told.project)
    file = folder / told.path
    criteria = folder / told.criterion.path if told.criterion else None
    criteria_before = criteria.read_bytes() if criteria else b""
    with serving(folder, tmp_path / "one.log", port) as server:
        hands = Hands(Visit(page, server), dialect)
        make_set(hands, told.label)
        empty = file.read_bytes()
        import_rows(hands, workbook(tmp_path / "rows.xlsx", told.rows))
        add_case(hands)
        play.fill_case(hands)
        play.attach(hands)
        open_case(hands, told)
        play.mock(hands)
        open_case(hands, told)
        play.edit_twice(hands)
        play.see_edits(hands, 2)
        for verb, left in (("undo", 1), ("undo", 0), ("redo", 1)):
            step(hands, verb)
            play.see_edits(hands, left)
        hands.look("undone")
        page.reload()
        hands.visit.idle()
        play.see_edits(hands, 1)
        hands.look("reloaded")
        assert file.read_bytes() == empty
    with serving(folder, tmp_path / "two.log", port) as server:
        hands.visit = Visit(page, server)
        open_case(hands, told)
        play.see_edits(hands, 1)
        hands.visit.review()
        expect(page.get_by_role("main")).to_contain_text(f"{CASE} added")
        hands.look("review")
        hands.visit.press_save()
        expect(page.get_by_text("Saved 31 cases.")).to_be_visible(timeout=SLOW_MS)
        hands.look("saved")
        expect(page.get_by_text("unsaved edit")).to_have_count(0)
        hands.visit.stayed_home()
    for log in ("one.log", "two.log"):
        assert "Traceback" not in (tmp_path / log).read_text(encoding="utf-8", errors="replace")
    saved = json.loads(file.read_bytes())
    check_stamps(saved, begun)
    assert file.read_bytes() == told.text(lambda pointer: get(saved, pointer))
    if criteria is not None:
        check_criteria(told, criteria_before, criteria.read_bytes())
