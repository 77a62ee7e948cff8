"""What an import says before anything is changed."""

from __future__ import annotations

import pytest

from evalcore.importing.reading import read_source
from evalcore.importing.targets import CASE, IGNORE, Target
from evalcore.views.import_words import why_nothing


@pytest.mark.parametrize(
    ("data", "targets", "words"),
    [
        ("question\nWhere is it?\n", [IGNORE], "No column is used yet"),
        ("question\n", [CASE], "no rows below the names"),
        ("question\nWhere is it?\n", [CASE], ""),
        ("question,answer\nWhere?,Here\n", [IGNORE, CASE], ""),
    ],
)
def test_a_file_of_which_nothing_can_come_is_told_from_one_with_bad_rows(
    data: str, targets: list[str], words: str
):
    source = read_source(data.encode(), "cases.csv")
    told = why_nothing(source, [Target(what) for what in targets])
    assert (words in told) if words else told == ""


def test_a_file_without_columns_is_not_said_to_leave_them_unused():
    source = read_source(b'[{"user": "Hi", "assistant": "Hello"}]', "chat.json")
    assert why_nothing(source, []) == ""
