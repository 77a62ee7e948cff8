"""From the Library to a saved file and to a failing turn, once for each dialect."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.e2e.stories import STORIES, Story

Change = tuple[bytes, bytes]


def changes(before: bytes, after: bytes) -> list[Change]:
    """Return the lines that differ, old and new; no line may come or go."""
    old, new = before.split(b"\n"), after.split(b"\n")
    assert len(old) == len(new)
    return [(a, b) for a, b in zip(old, new, strict=True) if a != b]


def replaced(text: str, new: str, before: bytes) -> Change:
    """Return the change of replacing a text that stands in one line only."""
    old, wanted = (json.dumps(t, ensure_ascii=False).encode() for t in (text, new))
    (line,) = (line for line in before.split(b"\n") if old in line)
    return line, line.replace(old, wanted)


def open_case(visit: Visit, story: Story) -> None:
    visit.choose("Cases", story.case)
    visit.idle()
    if story.unfold:
        visit.unfold(story.unfold)


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_an_edit_changes_one_line_of_the_file_and_a_failure_is_shown_beside_what_was_expected(
    visit: Visit, story: Story
):
    file = visit.server.folder / story.set_path
    before = file.read_bytes()
    visit.open()
    visit.choose("Eval sets", story.set_path)
    open_case(visit, story)
    visit.edit(story.old, story.new, "1 unsaved edit")
    assert file.read_bytes() == before
    visit.save()
    assert changes(before, file.read_bytes()) == [replaced(story.old, story.new, before)]

    visit.menu("Library")
    visit.segment("Result files")
    visit.choose("Result files", story.result_path)
    visit.choose("Case results", story.failed)
    beside = visit.page.get_by_role("main")
    expect(beside.get_by_text(re.compile(re.escape(story.expected))).last).to_be_visible()
    expect(beside.get_by_text(re.compile(re.escape(story.actual))).last).to_be_visible()
    expected = beside.get_by_text(re.compile("^Expected")).filter(visible=True)
    expect(expected.first).to_be_visible()
    actual = beside.get_by_text("Actual", exact=True).filter(visible=True)
    expect(actual.first).to_be_visible()


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_two_edits_before_one_save_are_both_kept(visit: Visit, story: Story):
    file = fresh_copy(visit, story)
    before = file.read_bytes()
    visit.open("author", set=str(file.relative_to(visit.server.folder)))
    open_case(visit, story)
    visit.edit(story.old, story.new, "1 unsaved edit")
    visit.edit(*story.other, "1 unsaved edit")
    expect(visit.field(story.new)).to_be_visible()
    visit.save()
    wanted = [replaced(*story.other, before), replaced(story.old, story.new, before)]
    assert sorted(changes(before, file.read_bytes())) == sorted(wanted)


def fresh_copy(visit: Visit, story: Story) -> Path:
    """Put the set as it was in the samples back into a project of its own."""
    from tests.samples import SAMPLES

    project = visit.server.folder / "copies" / story.project
    file = project / story.set
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((SAMPLES / story.set_path).read_bytes())
    return file
