"""Finding cases in a set and cutting them into pages."""

import pytest

from evalcore.formats import by_id
from evalcore.views import caselist
from evalcore.views.caselist import CaseFilter, CaseFinder, page_of, row_of, tags_of
from tests.views.builders import case, turn

LENS = by_id("adk").eval_sets
CASES = [
    case("refund", turn("Money back", "Done", ("refund", {"reason": "Broken Lamp"})), tags=["a"]),
    case("parcel", tags=["a", "b"]),
    case("hello"),
]


def find(wanted, cases=CASES, finder=None):
    finder = finder or CaseFinder(LENS)
    return finder.find(cases, wanted, lambda i: i == 1, lambda i: i == 2)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (CaseFilter(), [0, 1, 2]),
        (CaseFilter(text="PARCEL"), [1]),
        (CaseFilter(text="broken lamp"), [0]),
        (CaseFilter(text="nowhere"), []),
        (CaseFilter(tags=("a",)), [0, 1]),
        (CaseFilter(tags=("a", "b")), [1]),
        (CaseFilter(with_problems=True), [1]),
        (CaseFilter(changed=True), [2]),
        (CaseFilter(text="parcel", changed=True), []),
    ],
)
def test_filters_let_the_right_cases_through(wanted, found):
    assert find(wanted) == found


def test_a_search_sees_an_edit_made_after_it():
    finder = CaseFinder(LENS)
    assert find(CaseFilter(text="lamp"), finder=finder) == [0]
    edited = [CASES[0], case("parcel", turn("My LAMP is late")), CASES[2]]
    assert find(CaseFilter(text="lamp"), edited, finder) == [0, 1]


def test_a_search_reads_only_the_cases_that_changed(monkeypatch):
    finder = CaseFinder(LENS)
    find(CaseFilter(text="lamp"), finder=finder)
    read = []
    real = caselist.holds_text
    monkeypatch.setattr(caselist, "holds_text", lambda v, n: read.append(v) or real(v, n))
    edited = [*CASES[:2], case("new")]
    find(CaseFilter(text="lamp"), edited, finder)
    assert [v for v in read if isinstance(v, dict) and "eval_id" in v] == [edited[2]]


@pytest.mark.parametrize(
    ("count", "number", "shown"),
    [
        (0, 1, (1, 1, 0, 0)),
        (100, 1, (1, 1, 1, 100)),
        (101, 2, (2, 2, 101, 101)),
        (250, 99, (3, 3, 201, 250)),
        (250, -4, (1, 3, 1, 100)),
    ],
)
def test_pages_cover_the_list_and_a_wrong_number_gives_the_nearest(count, number, shown):
    page = page_of(range(count), number)
    assert (page.number, page.pages, page.first, page.last) == shown
    assert len(page.indexes) == (page.last - page.first + 1 if count else 0)


def test_a_row_shows_the_first_words_turns_and_tags():
    row = row_of(LENS, CASES[0], 0)
    assert (row.title, row.words, row.turns, row.tags) == ("refund", "Money back", 1, ("a",))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("hi", "hi"),
        (None, ""),
        ({"a": 7, "op": "+"}, "a: 7, op: +"),
        ({"id": "A-17", "ask": "Where is my parcel?"}, "Where is my parcel?"),
        (
            {"days": [1, "x"], "by": {"name": "Ann", "age": None}},
            "days: 1 x, by: name Ann age nothing",
        ),
        ([1, "x"], '[1, "x"]'),
    ],
)
def test_an_input_is_said_in_one_line(value, said):
    assert caselist.summary(value) == said


def test_a_case_without_an_id_is_called_by_its_number():
    assert row_of(LENS, {"conversation": []}, 4).title == "case 5 (no name)"


@pytest.mark.parametrize("odd", ["text", None, 5, {"eval_id": "x", "conversation": "no"}])
def test_a_case_of_an_unknown_shape_is_a_row_too(odd):
    assert row_of(LENS, odd, 0).is_opaque


def test_tags_that_are_no_texts_are_left_out():
    assert tags_of(LENS, {"eval_id": "x", "tags": ["a", 1, None]}) == ("a",)


def test_a_hundred_thousand_cases_are_found_without_reading_them_through_lenses():
    cases = [case("refund")] * 100_000
    page = page_of(find(CaseFilter(), cases), 1000)
    assert page.found == 100_000
    assert len(page.indexes) == 100


@pytest.mark.parametrize(
    ("by", "order"),
    [("file", [0, 1, 2]), ("name", [2, 1, 0]), ("turns", [0, 1, 2]), ("problems", [2, 0, 1])],
)
def test_the_list_is_sorted_and_what_is_equal_stays_in_the_files_order(by, order):
    cases = [case("refund", turn("one"), turn("two")), case("Parcel"), case("hello")]
    assert CaseFinder(LENS).sort(cases, [0, 1, 2], by, lambda i: {2: 5}.get(i, 1)) == order
