"""What is a spreadsheet program's spelling of a text, and what is an edit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.importing.rewrites import is_rewritten

PROGRAMS = [
    ("007", "7"),
    ("1.10", "1.1"),
    ("+5", "5"),
    ("1e5", "1.00E+05"),
    ("1e5", "100000"),
    ("12345678901234567890", "1.23457E+19"),
    ("1-2", "02-Jan"),
    ("1-2", "2. Jan"),
    ("MAR1", "01-Mar"),
    ("Dec 2024", "Dec-24"),
    ("2024-01-05", "1/5/2024"),
    ("2024-01-05", "05.01.2024"),
    ("2024-1-5", "2024-01-05"),
    ("09:30", "9:30"),
    ("true", "TRUE"),
    ("1234", "1,234"),
    ("1234.5", "1,234.50"),
    ("0.5", "0,5"),
    ("5", "$5.00"),
]
PEOPLE = [
    ("7", "8"),
    ("007", "008"),
    ("1.5", "5.1"),
    ("2024-01-05", "2024-05-01"),
    ("2024-01-05", "2024-01-06"),
    ("09:30", "09:31"),
    ("12345678901234567890", "12345678901234567891x"),
    ("a 7", "a 07"),
    ("room 12", "Room 12"),
    ("yes", "YES"),
    ("40", "4"),
    ("", "7"),
    ("7", ""),
    ("March", "May"),
]


@pytest.mark.parametrize(("old", "new"), PROGRAMS)
def test_another_spelling_is_no_edit(old: str, new: str):
    assert is_rewritten(old, new)


@pytest.mark.parametrize(("old", "new"), PEOPLE)
def test_another_value_is_an_edit(old: str, new: str):
    assert not is_rewritten(old, new)


@given(st.text(), st.text())
def test_any_texts_can_be_compared(old: str, new: str):
    assert not is_rewritten(old, old)
    is_rewritten(old, new)


@given(st.integers(), st.integers())
def test_different_integers_are_never_the_same(old: int, new: int):
    assert old == new or not is_rewritten(str(old), str(new))
