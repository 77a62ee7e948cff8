"""What scores come to in ADK and in Harnest."""

import pytest

from evalcore.evaluators.adk.verdicts import (
    adk_status,
    case_verdict,
    harnest_exit_verdict,
    harnest_set_verdict,
    unscored,
)
from evalcore.results import CaseResult, InvocationResult, Score, Verdict

P, F, N, E = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.ERROR


def score(verdict=None, native=None, name="m", mark=1.0, informational=False):
    return Score(
        evaluator=name,
        verdict=verdict,
        native=native,
        threshold=mark,
        informational=informational,
    )


INFO = score(informational=True)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ([], N),
        ([score(E)], N),
        ([INFO], N),
        ([score(P), score(E), score(N), INFO], P),
        ([score(E), score(F), score(P)], F),
    ],
)
def test_a_case_fails_by_one_failure_and_passes_by_one_pass(scores, verdict):
    assert case_verdict(scores) == verdict


def test_what_a_pass_hides_is_named():
    scores = [score(P, name="a"), score(E, name="b"), score(N, name="c"), INFO]
    assert unscored(scores) == ("b", "c")


def test_an_error_and_not_evaluated_are_one_status_in_adk():
    assert [adk_status(s) for s in (score(E), score(N), INFO, score())] == [
        "NOT_EVALUATED",
        "NOT_EVALUATED",
        "INFORMATIONAL",
        "NOT_EVALUATED",
    ]


@pytest.mark.parametrize(
    ("cases", "verdict"),
    [([], N), ([P], P), ([P, N], N), ([P, N, F], F), ([E], N)],
)
def test_a_harnest_set_passes_only_if_every_case_does(cases, verdict):
    assert harnest_set_verdict(cases) == verdict


def ran(verdict, *turns, overall=()):
    invocations = tuple(
        InvocationResult(origin="", index=i, scores=tuple(scores)) for i, scores in enumerate(turns)
    )
    return CaseResult(
        origin="/0", case_id="c", verdict=verdict, invocations=invocations, scores=tuple(overall)
    )


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (ran(F, [score(P, 1.0)], overall=[score(F, 0.0)]), 0),
        (ran(P, [score(P, 1.0), score(N, name="other")]), 1),
        (ran(P, [score(P, 1.0)], overall=[score(P, 1.0), score(N, name="other")]), 1),
        (ran(P, [score(P, 1.0)], overall=[score(P, 1.0), INFO]), 0),
        (ran(N, [INFO], overall=[score(N)]), 1),
        (ran(F), 1),
        (ran(E), 1),
        (ran(N), 0),
        (ran(P, [score(P, 1.0, mark=0.5)], [score(F, 0.0, mark=0.5)]), 0),
        (ran(F, [score(P, 1.0)], [score(F, 0.0)]), 1),
        (ran(P, [score(N)], [score(P, 1.0)]), 0),
        (ran(P, [score(P, 1.0), INFO]), 0),
    ],
    ids=[
        "overall failed, turns pass",
        "a check was not evaluated",
        "a check without scores of turns was not evaluated",
        "a report without scores of turns",
        "no check was evaluated",
        "crash",
        "error",
        "nothing evaluated",
        "a failing turn in a passing mean",
        "mean below the mark",
        "unscored turns are skipped",
        "reports do not count",
    ],
)
def test_the_exit_code_follows_the_means_of_turns_and_not_the_file(case, code):
    assert harnest_exit_verdict([case]).code == code


def test_failures_name_case_check_and_numbers():
    found = harnest_exit_verdict([ran(F, [score(F, 0.25, name="words", mark=0.8)])])
    assert found.failures == ("c: words is 0.25, expected 0.8",)
