"""What is said where a verdict of ours differs from the one that the run stored."""

from evalcore.results import Score
from evalcore.scoring import compare_with_stored
from tests.scoring.builders import F, P, result, run


def said(old, new) -> list[str]:
    found = compare_with_stored(run(old), run(new))
    return [c.explanation for c in found if not c.evaluator]


def test_a_case_that_failed_by_checks_which_were_left_out_names_them():
    reply, calls = Score(evaluator="reply", verdict=P), Score(evaluator="calls", verdict=F)
    old = result("a", verdict=F, scores=(reply, calls))
    again = result("a", verdict=P, scores=(reply,))
    assert said(old, again) == ["Failed in the run, and not scored again: calls."]


def test_a_case_whose_scores_changed_says_so():
    old = result("a", verdict=F, scores=(Score(evaluator="reply", verdict=F),))
    again = result("a", verdict=P, scores=(Score(evaluator="reply", verdict=P),))
    assert said(old, again) == ["Some of its scores differ."]
