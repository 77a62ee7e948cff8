"""Problems find the case and the field that they concern."""

from evalcore.errors import Problem
from evalcore.views.problems import divide, index_problems
from evalcore.views.words import problem_words, worst


def at(pointer, severity="warning"):
    return Problem(severity, "x.y", "m", pointer=pointer)


def test_problems_are_sorted_by_the_case_they_lie_in():
    found = [at("/eval_cases/0/eval_id"), at("/eval_cases/12/a/b"), at("/name"), at("/eval_cases")]
    index = index_problems(found, "/eval_cases")
    assert index.of_case(0) == (found[0],)
    assert index.of_case(12) == (found[1],)
    assert index.of_case(1) == ()
    assert index.around == (found[2], found[3])


def test_cases_at_the_top_of_a_list_file_are_found():
    index = index_problems([at("/3"), at("")], "")
    assert index.of_case(3) == (at("/3"),)
    assert index.around == (at(""),)


def test_a_problem_is_shown_once_at_the_deepest_field():
    inner, outer, none = at("/a/b/c"), at("/a/x"), at("/z")
    mine, rest = divide([inner, outer, none], ["/a", "/a/b"])
    assert mine == {"/a/b": [inner], "/a": [outer]}
    assert rest == [none]


def test_a_name_that_only_begins_alike_is_another_place():
    mine, rest = divide([at("/ab")], ["/a"])
    assert (mine, len(rest)) == ({}, 1)


def test_words_name_the_worst_first():
    found = [at("", "info"), at("", "warning"), at("", "error"), at("", "error")]
    assert problem_words(found) == "✗ 2 errors, 1 warning, 1 note"
    assert problem_words([]) == "✓ none"
    assert worst(found) == "error"
    assert worst([]) is None
