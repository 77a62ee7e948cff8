import pytest

from evalcore import verdicts
from evalcore.results import PERCENT, Scale, Verdict
from evalcore.verdicts import PassMark
from tests.views.runs import E, F, N, P, case, run, score, turn


@pytest.mark.parametrize(
    ("given", "mark", "wanted"),
    [
        (score(0.2, P), 1.0, P),
        (score(0.9, None), 1.0, F),
        (score(0.9, None), 0.9, P),
        (score(None, None), 0.0, N),
        (score(None, None, native=7.0, scale=None), 0.0, N),
        (score(0.5, None, informational=True), 1.0, None),
        (score(None, E), 0.0, E),
    ],
)
def test_the_files_verdict_stands_and_the_mark_decides_only_without_one(given, mark, wanted):
    assert verdicts.of_score(given, PassMark(mark)) is wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([], None),
        ([None], None),
        ([P, N], P),
        ([P, F, N], F),
        ([F, E], E),
        ([N], N),
    ],
)
def test_an_error_outweighs_a_failure_and_unevaluated_spoils_nothing(given, wanted):
    assert verdicts.together(given) is wanted


def test_nothing_evaluated_is_not_a_pass():
    assert verdicts.of_case(case()) is N
    assert verdicts.of_run(run()) is N


@pytest.mark.parametrize(
    ("cases", "wanted"),
    [((P, P), P), ((P, N), N), ((P, N, F), F), ((F, E), E), ((), N)],
)
def test_a_run_passes_only_if_every_case_was_evaluated_and_passed(cases, wanted):
    assert verdicts.of_run(run(*(case(verdict=v) for v in cases))) is wanted


def test_a_case_is_judged_by_its_whole_scores_before_its_turns():
    low = turn(score(0.0, F))
    assert verdicts.of_case(case(scores=[score()], turns=[low])) is P
    assert verdicts.of_case(case(turns=[low, turn(score())])) is F


def test_a_crashed_case_or_turn_or_run_is_an_error_not_a_failure():
    assert verdicts.of_case(case(error="boom")) is E
    assert verdicts.of_turn(turn(error="boom")) is E
    assert verdicts.of_run(run(case(verdict=P), error="boom")) is E


@pytest.mark.parametrize(
    ("given", "near"),
    [
        (score(0.82), True),
        (score(0.9), False),
        (score(1.0, threshold=1.0), False),
        (score(0.2, F), False),
        (score(0.82, native=82.0, threshold=80.0, scale=PERCENT), True),
        (score(0.8, native=4.2, threshold=4.0, scale=Scale(1, 5)), False),
        (score(0.96, None, threshold=None), False),
    ],
)
def test_near_is_a_pass_just_above_a_threshold_that_could_be_better(given, near):
    assert verdicts.is_near(given, verdicts.of_score(given)) is near


def test_near_the_users_mark_counts_for_files_without_a_rule():
    given = score(0.92, None, threshold=None)
    mark = PassMark(0.9)
    assert verdicts.is_near(given, verdicts.of_score(given, mark), mark)


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("passed", P),
        ("EvalStatus.FAILED", F),
        ("Not evaluated", N),
        ("not-evaluated", N),
        ("error", E),
        ("completed", None),
        ("", None),
    ],
)
def test_a_files_own_word_is_understood_or_left_alone(word, wanted):
    assert verdicts.as_verdict(word) is wanted


def test_every_verdict_has_a_glyph_and_a_word():
    assert {verdicts.said(v) for v in Verdict} == {
        "✓ passed",
        "✗ failed",
        "! error",
        "○ not evaluated",
    }
    assert verdicts.said(None) == "· n/a"
