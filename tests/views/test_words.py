"""Small words: counts, times, first words."""

from datetime import UTC, datetime, timedelta

import pytest

from evalcore.views.words import ago, first_words, plural

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=44), "just now"),
        (timedelta(seconds=60), "1 min ago"),
        (timedelta(minutes=59), "59 min ago"),
        (timedelta(hours=3), "3 h ago"),
        (timedelta(hours=35), "35 h ago"),
        (timedelta(days=3), "3 days ago"),
        (timedelta(days=60), "21 Mar 2026"),
    ],
)
def test_time_is_said_in_the_largest_unit_that_fits(passed, said):
    assert ago(NOW - passed, NOW) == said


def test_counts_have_their_plural():
    assert plural(1, "case") == "1 case"
    assert plural(1204, "case") == "1,204 cases"
    assert plural(2, "entry", "entries") == "2 entries"


def test_first_words_are_one_line_cut_between_words():
    assert first_words("one\n two   three") == "one two three"
    assert first_words("alpha beta gamma", 11) == "alpha beta…"
    assert first_words("x" * 100, 10) == "x" * 9 + "…"
