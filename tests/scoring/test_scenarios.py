"""Cases with a simulated user: checks that compare with expected turns are not for them."""

import pytest

from evalcore.model import Scenario
from evalcore.results import Score
from evalcore.scoring import Scoring, checks_for, compare_with_stored, run_outcome, score
from tests.scoring.builders import E, N, P, case, eval_set, happened, metric, result, run, wanted

SCENARIO = Scenario(starting_prompt="hi", plan="Book a seat.")
TALK = case("talk", scenario=SCENARIO)
RUBRICS = "rubric_based_final_response_quality_v1"
SIMULATOR = "per_turn_user_simulator_quality_v1"
REFERENCE = ["tool_trajectory_avg_score", "response_match_score", "final_response_match_v2"]


def scored(of_case, configured, stored=(), format_id="adk"):
    of = eval_set(of_case, format_id=format_id)
    turn = happened("Done", (), input="hi", trace={})
    of_run = run(result(of_case.id, turn, scores=tuple(stored)), format_id=format_id)
    found = score(of_run, of, checks_for(of, configured), Scoring(ask=True))
    return of_run, found


@pytest.mark.parametrize("format_id", ["adk", "harnest"])
@pytest.mark.parametrize("name", REFERENCE)
def test_what_compares_with_expected_turns_is_not_evaluated(name: str, format_id: str):
    _, found = scored(TALK, [metric(name, 0.5)], format_id=format_id)
    only = found.cases[0].scores[0]
    assert (only.verdict, only.native, only.value) == (N, None, None)
    assert "simulated user" in only.reason
    assert found.cases[0].verdict is N


@pytest.mark.parametrize(
    ("name", "of_case", "words"),
    [
        (SIMULATOR, case("a", wanted("Done")), "for cases with a simulated user"),
        (RUBRICS, TALK, "There are no rubrics"),
    ],
)
def test_a_case_that_is_none_for_a_check_is_not_evaluated(name: str, of_case, words: str):
    _, found = scored(of_case, [metric(name, 0.5)])
    assert (found.cases[0].scores[0].verdict, words in found.cases[0].scores[0].reason) == (N, True)


def test_turns_that_do_not_pair_stay_an_error():
    two = case("a", wanted("Done"), wanted("Bye"))
    assert scored(two, [metric("response_match_score", 0.5)])[1].cases[0].scores[0].verdict is E


def test_one_pass_passes_such_a_case_and_names_what_has_no_score():
    stored = Score(evaluator="safety_v1", native=0.9, value=0.9, verdict=P, threshold=0.8)
    _, found = scored(TALK, [metric(REFERENCE[0], 1.0), metric("safety_v1", 0.8)], [stored])
    assert found.cases[0].verdict is P
    assert found.cases[0].notes == (f"Passed, but these have no score: {REFERENCE[0]}.",)


def test_the_file_that_does_not_evaluate_it_either_is_the_same():
    stored = Score(evaluator=REFERENCE[0], verdict=N)
    of_run, found = scored(TALK, [metric(REFERENCE[0], 1.0)], [stored])
    compared = [c for c in compare_with_stored(of_run, found) if c.evaluator == REFERENCE[0]]
    assert [(c.kind, c.explanation) for c in compared] == [("same", "")]


@pytest.mark.parametrize(
    ("format_id", "exit_code", "name"),
    [
        ("adk", None, "final_response_match_v2"),
        ("harnest", None, "final_response_match_v2"),
        ("harnest", None, "safety_v1"),
        ("adk", 0, "response_match_score"),
        ("harnest", 0, "response_match_score"),
    ],
)
def test_what_was_not_run_here_leaves_the_systems_own_word_open(
    format_id: str, exit_code: int | None, name: str
):
    of = eval_set(case("a", wanted("Done")), format_id=format_id)
    of_run = run(result("a", happened("Done", (), trace={})), format_id=format_id)
    checks = checks_for(of, [metric("response_match_score", 0.5), metric(name, 0.5)])
    outcome = run_outcome(score(of_run, of, checks), checks)
    assert outcome.exit_code == exit_code
    told = "1 case hangs on checks that were not run here." in outcome.theirs
    assert told is (exit_code is None)
    assert not any("was not evaluated" in line for line in outcome.theirs)


def test_harnest_ends_with_1_for_a_check_that_is_not_evaluated():
    _, found = scored(TALK, [metric(REFERENCE[0], 1.0)], format_id="harnest")
    outcome = run_outcome(found)
    assert outcome.exit_code == 1
    assert f"Counts as a failure: talk: {REFERENCE[0]} was not evaluated." in outcome.theirs
