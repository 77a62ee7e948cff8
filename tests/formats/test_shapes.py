"""How a fault names its place and the value that it found there."""

import pytest

from evalcore.formats.lenses import exactly
from evalcore.formats.shapes import (
    ANYTHING,
    Listing,
    Mapped,
    Member,
    Object,
    Report,
    Text,
    describe,
)

REPORT = Report("toy", "Toy")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "an empty list"),
        ({}, "an empty object"),
        ([1], "a list with 1 item"),
        ({"a": 1, "b": 2}, "an object with 2 members"),
        ([0] * 1234, "a list with 1,234 items"),
        (None, "null"),
        (True, "true"),
        (1.0, "the number 1.0"),
    ],
)
def test_a_value_is_described(value, words):
    assert describe(value) == words


@pytest.mark.parametrize(
    ("shape", "value", "place"),
    [
        (Listing(Text()), [1], "Item 1 must"),
        (Listing(Text()), ["a", 1], "Item 2 must"),
        (Listing(Listing(Text())), [["a"], ["b", 1]], "Item 2 of item 2 must"),
        (Mapped(Text()), {"a/b": 1}, "“a/b” must"),
        (Mapped(Text()), {"9" * 5000: 1}, f"“{'9' * 5000}” must"),
        (Object("It", [Member(exactly("k"), Text())]), {"k": 1}, "“k” must"),
        (Text(), 1, "The file must"),
    ],
)
def test_a_fault_names_its_place(shape, value, place):
    (problem,) = shape.faults(value, "", REPORT)
    assert problem.message.startswith(place)


def test_anything_is_accepted():
    assert not list(Listing(ANYTHING).faults([1, None, {}], "", REPORT))
