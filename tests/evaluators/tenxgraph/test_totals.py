"""What scores make of a case, and cases of a run."""

import pytest

from evalcore.evaluators.tenxgraph.totals import case_verdict, report_passes, summary
from evalcore.results import Score, Verdict


def score(native: float | None, verdict: Verdict, threshold: float | None = 0.5) -> Score:
    return Score(evaluator="x", native=native, verdict=verdict, threshold=threshold)


PASS = score(1.0, Verdict.PASSED)
FAIL = score(0.0, Verdict.FAILED)
ERROR = score(None, Verdict.ERROR)
FREE = score(1.0, Verdict.NOT_EVALUATED)

CASES = {
    "all pass": ([PASS, PASS], Verdict.PASSED, "passed", ""),
    "one fails": ([PASS, FAIL], Verdict.FAILED, "failed", ""),
    "a failure beside an error": ([FAIL, ERROR], Verdict.FAILED, "failed", ""),
    "an error": ([PASS, ERROR], Verdict.ERROR, "failed", "failed with 0"),
    "no criteria": ([], Verdict.NOT_EVALUATED, "passed", "there is no criterion"),
    "nothing judged": ([FREE], Verdict.NOT_EVALUATED, "passed", "no criterion judged anything"),
    "some judged": ([PASS, FREE], Verdict.PASSED, "passed", "1 of 2 criteria judged nothing"),
    "a failure beside nothing": ([FAIL, FREE], Verdict.FAILED, "failed", ""),
    "an error beside nothing": ([ERROR, FREE], Verdict.ERROR, "failed", "failed with 0"),
}


@pytest.mark.parametrize(("scores", "verdict", "theirs", "words"), CASES.values(), ids=CASES)
def test_a_case_passes_with_all_its_criteria_and_never_with_none(
    scores: list[Score], verdict: Verdict, theirs: str, words: str
):
    found = case_verdict(scores)
    assert (found.verdict, found.theirs) == (verdict, theirs)
    assert words in found.caution
    assert bool(found.caution) == bool(words)


def test_an_empty_report_is_not_passed():
    totals = summary([])
    assert (totals["pass_rate"], totals["criterion_stats"]) == (0.0, {})
    assert not report_passes(totals)


def test_a_report_passes_with_every_case():
    case = {"eval_id": "a", "passed": True}
    assert report_passes(summary([case, case]))
    assert not report_passes(summary([case, {"eval_id": "b", "passed": False}]))


def test_stripped_and_odd_results_are_counted_as_far_as_they_go():
    cases = [
        {"eval_id": 5, "passed": "x", "criterion_results": None, "token_usage": []},
        {"passed": True, "criterion_results": [1, {"criterion": "x", "score": "0.5"}]},
    ]
    totals = summary(cases)
    assert (totals["total_cases"], totals["passed_cases"], totals["failed_cases"]) == (2, 1, 1)
    stats = totals["criterion_stats"]
    assert stats == {
        "x": {"total": 1, "passed": 0, "failed": 1, "avg_score": 0.5, "pass_rate": 0.0}
    }
