"""From the Library to a saved file and to a failing turn, once for each dialect."""

import difflib
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.e2e.stories import STORIES, Story

Hunk = tuple[list[bytes], list[bytes]]


def hunks(before: bytes, after: bytes) -> list[Hunk]:
    """Return the runs of lines that differ: what went, and what came."""
    old, new = before.split(b"\n"), after.split(b"\n")
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(old[a:b], new[c:d]) for tag, a, b, c, d in codes if tag != "equal"]


def replaced(text: str, new: str, before: bytes) -> Hunk:
    """Return the hunk of replacing one text where it stands alone in a line."""
    lines = [line for line in before.split(b"\n") if text.encode() in line]
    assert len(lines) == 1
    return lines, [lines[0].replace(text.encode(), new.encode())]


def open_case(visit: Visit, story: Story) -> None:
    visit.choose("Eval sets", story.set_path)
    visit.choose("Cases", story.case)
    expect(visit.page.get_by_text(story.case).last).to_be_visible()
    visit.idle()


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_an_edit_is_saved_as_one_hunk_and_a_failure_is_shown_beside_it(visit: Visit, story: Story):
    file = visit.server.folder / story.set_path
    before = file.read_bytes()
    visit.open()
    open_case(visit, story)
    visit.edit(story.old, story.new, "1 unsaved edit")
    assert file.read_bytes() == before
    visit.save()
    assert hunks(before, file.read_bytes()) == [replaced(story.old, story.new, before)]

    visit.menu("Library")
    visit.segment("Result files")
    visit.choose("Result files", story.result_path)
    visit.choose("Case results", story.failed)
    beside = visit.page.get_by_role("main")
    expect(beside.get_by_text(re.compile(re.escape(story.expected))).last).to_be_visible()
    expect(beside.get_by_text(re.compile(re.escape(story.actual))).last).to_be_visible()
    expect(beside.get_by_text(re.compile("^Expected")).first).to_be_visible()
    expect(beside.get_by_text("Actual", exact=True).first).to_be_visible()


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_two_edits_before_one_save_are_both_kept(visit: Visit, story: Story):
    file = fresh_copy(visit, story)
    before = file.read_bytes()
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    visit.choose("Cases", story.case)
    visit.idle()
    visit.edit(story.old, story.new, "1 unsaved edit")
    visit.edit(*story.other, "1 unsaved edit")
    expect(visit.field(story.new)).to_be_visible()
    visit.save()
    wanted = [replaced(*story.other, before), replaced(story.old, story.new, before)]
    assert sorted(hunks(before, file.read_bytes())) == sorted(wanted)


def fresh_copy(visit: Visit, story: Story) -> Path:
    """Put the set as it was in the samples back into a project of its own."""
    from tests.samples import SAMPLES

    project = visit.server.folder / "copies" / story.project
    file = project / story.set
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((SAMPLES / story.set_path).read_bytes())
    return file
