"""Seconds since 1970 are shown as dates, and a number that was not meant to change does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import FormatError
from evalcore.formats.moments import moment_text, read_moment


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "1970-01-01 00:00:00"),
        (0.0, "1970-01-01 00:00:00"),
        (1796135400, "2026-12-01 14:30:00"),
        (1796135400.25, "2026-12-01 14:30:00.25"),
        (-1, "1969-12-31 23:59:59"),
        (-62135596800, "0001-01-01 00:00:00"),
        (1e18, None),
        (float("inf"), None),
        (True, None),
        ("2026", None),
        (None, None),
    ],
)
def test_a_moment_is_shown_as_date_and_time_in_utc(value, text):
    assert moment_text(value) == text


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("2026-12-01", 1796083200.0),
        ("2026-12-01 14:30", 1796135400.0),
        (" 2026-12-01T14:30:00Z ", 1796135400.0),
        ("2026-12-01 14:30:00.5 UTC", 1796135400.5),
        ("2026-12-01 16:30+02:00", 1796135400.0),
        ("2026-12-01 09:30 -0500", 1796135400.0),
        ("1969-12-31 23:59:59", -1.0),
    ],
)
def test_a_typed_date_and_time_becomes_seconds(typed, seconds):
    assert read_moment(typed) == seconds


@pytest.mark.parametrize("typed", ["", "soon", "2026-13-01", "2026-02-30", "1796135400", "14:30"])
def test_what_is_no_date_is_refused_with_an_example(typed):
    with pytest.raises(FormatError, match="no date and time") as caught:
        read_moment(typed)
    assert "2026-12-01 14:30" in caught.value.hint


def test_a_whole_number_stays_one_and_a_decimal_one_too():
    assert repr(read_moment("2026-12-01 14:30", 5)) == "1796135400"
    assert repr(read_moment("2026-12-01 14:30", 5.5)) == "1796135400.0"
    assert repr(read_moment("2026-12-01 14:30:00.5", 5)) == "1796135400.5"


@given(st.one_of(st.integers(-(10**10), 10**11), st.floats(-1e10, 1e11)))
def test_what_is_shown_reads_back_as_the_very_number(value):
    text = moment_text(value)
    assert text is not None
    assert repr(read_moment(text, value)) == repr(value)
    assert abs(read_moment(text) - value) < 1e-3
