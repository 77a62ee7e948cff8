"""What the page of one case result says of it: its way on, its repeats, what failed first."""

import pytest

from evalcore.model import ToolCall
from evalcore.results import Verdict
from evalcore.store import RunQuery
from evalcore.views.case_page import answers, case_page, steps, warning
from tests.report.runs import stored
from tests.views.runs import E, F, P, case, score, turn


def result(name, verdict=P, *turns, **more):
    return case(name, verdict=verdict, scores=[score(verdict=verdict)], turns=turns, **more)


@pytest.fixture
def run():
    return lambda *results: stored(results)


def test_an_error_is_the_failing_turn_before_any_failure(run):
    turns = [turn(score(verdict=F), index=0), turn(score(verdict=P), index=1)]
    crashed = turn(index=2, error="it broke")
    page = case_page(run(result("a", F, *turns)), 0)
    assert page.failing_turn == 1
    page = case_page(run(result("a", E, *turns, crashed)), 0)
    assert page.failing_turn == 3


def test_a_case_that_passed_has_no_failing_turn(run):
    assert case_page(run(result("a", P, turn(score()))), 0).failing_turn is None


def test_there_is_no_page_of_a_place_that_the_run_does_not_have(run):
    assert case_page(run(result("a")), 7) is None


def test_steps_walk_through_the_list_and_through_its_failures(run):
    made = run(result("a"), result("b", F), result("c"), result("d", F))
    asked = RunQuery(sort="file")
    way = steps(made, asked, case_page(made, 1).line)
    assert (way.before, way.after) == (0, 2)
    assert (way.failed_before, way.failed_after) == (None, 3)
    assert way.is_listed


def test_the_next_failure_of_a_case_that_passed_is_the_first(run):
    made = run(result("a"), result("b", F), result("c"), result("d", F))
    way = steps(made, RunQuery(sort="file"), case_page(made, 2).line)
    assert (way.failed_before, way.failed_after) == (None, 1)


def test_a_case_that_the_filter_leaves_out_leads_to_the_first_of_the_list(run):
    made = run(result("a"), result("b", F), result("c", F))
    way = steps(made, RunQuery(mode="failures", sort="file"), case_page(made, 0).line)
    assert not way.is_listed
    assert (way.before, way.after) == (None, 1)


def test_the_only_case_of_a_list_has_no_way_on(run):
    made = run(result("a"), result("b", F))
    way = steps(made, RunQuery(mode="failures"), case_page(made, 1).line)
    assert way.is_listed
    assert (way.before, way.after) == (None, None)


def repeats(run, *said, times=None):
    results = [
        result("a", P, turn(actual=text), repeat=number, duration_s=(times or {}).get(number))
        for number, text in enumerate(said)
    ]
    return run(*results)


def test_distinct_answers_are_counted_the_most_frequent_first(run):
    made = repeats(run, "no", "yes", "yes", "yes")
    found = answers(made, case_page(made, 0).lines)
    assert [(a.text, len(a.lines)) for a in found] == [("yes", 3), ("no", 1)]
    assert found[0].told == "3 passed"


def test_an_answer_is_also_what_was_called(run):
    calls = [(ToolCall(name="pay", args={"n": n}),) for n in (1, 2)]
    called = [turn(actual="done", actual_tool_calls=each) for each in calls]
    made = run(*(result("a", P, each, repeat=n) for n, each in enumerate(called)))
    texts = [a.text for a in answers(made, case_page(made, 0).lines)]
    assert texts == ['done\n→ pay {"n": 1}', 'done\n→ pay {"n": 2}']


def test_answers_are_told_by_the_first_turn_in_which_they_part(run):
    def talk(second):
        return (turn(actual="hi"), turn(index=1, actual=second), turn(index=2, actual="bye"))

    made = run(*(result("a", P, *talk(text), repeat=n) for n, text in enumerate(("x", "y"))))
    texts = [a.text for a in answers(made, case_page(made, 0).lines)]
    assert texts == ["Turn 2: x", "Turn 2: y"]


@pytest.mark.parametrize(
    ("said", "times", "told"),
    [
        (("a", "b"), {}, ""),
        (("a",), {}, ""),
        (("a", "a"), {}, "If a cache answered"),
        (("a", "a"), {0: 1.5, 1: 2.5}, "If a cache answered"),
        (("a", "a"), {0: 1.5, 1: 1.5}, "look like one cached answer"),
    ],
)
def test_repeats_that_are_all_the_same_are_warned_about(run, said, times, told):
    made = repeats(run, *said, times=times)
    lines = case_page(made, 0).lines
    found = warning(answers(made, lines), lines)
    assert told in found if told else found == ""


def test_a_verdict_that_its_scores_contradict_is_a_caution(run):
    made = run(case("a", verdict=P, scores=[score(0.1, F)], turns=[turn()]))
    assert case_page(made, 0).cautions[0].startswith("The file says passed; its scores come to")
    assert case_page(made, 0).row.verdict is Verdict.PASSED
