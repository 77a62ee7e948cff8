"""What a score of an evaluator is: a number now, and remarks when somebody reads them."""

import copy
import pickle

import pytest

from evalcore.evaluators.base import Evaluator, Outcome, Params
from evalcore.jsontree import MISSING
from evalcore.results import CaseResult, Remarks, Score, Verdict

SAID = Remarks("Because.", ("It hides something.",), {"parts": [1, 2]})


class Check(Evaluator):
    kind, label, help = "test.check", "Check", "Is it so?"
    needs = frozenset()
    params_type = Params

    def evaluate(self, sample):
        return Outcome(self.score(1.0, "Yes."))


class Telling:
    """A function that counts how often it is called."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return SAID


@pytest.fixture
def tell():
    return Telling()


@pytest.fixture
def later(tell):
    return Check(Params()).score_later(0.5, tell, threshold=0.8)


NOW = Check(Params()).score(
    0.5, "Because.", threshold=0.8, cautions=["It hides something."], details={"parts": [1, 2]}
)


def test_numbers_are_there_before_anything_is_said(later, tell):
    assert (later.value, later.native, later.verdict) == (0.5, 0.5, Verdict.FAILED)
    assert tell.calls == 0


def test_remarks_are_worked_out_once(later, tell):
    assert (later.reason, later.cautions, later.details) == SAID
    assert later.reason == "Because."
    assert tell.calls == 1


def test_a_copy_with_other_numbers_says_the_same_and_reads_nothing(later, tell):
    renamed = later.model_copy(update={"evaluator": "e", "line": 3, "verdict": Verdict.PASSED})
    assert tell.calls == 0
    assert (renamed.evaluator, renamed.line, renamed.verdict) == ("e", 3, Verdict.PASSED)
    assert (renamed.native, renamed.remarks) == (0.5, SAID)


def test_a_copy_with_another_reason_keeps_the_other_remarks(later):
    copied = later.model_copy(update={"reason": "No."})
    assert copied.remarks == SAID._replace(reason="No.")
    assert later.reason == "Because."


def test_a_copy_refuses_a_name_that_no_score_has(later):
    with pytest.raises(TypeError, match="resaon"):
        later.model_copy(update={"resaon": "No."})


def test_when_it_is_said_makes_no_difference(later):
    assert later == NOW
    assert repr(later) == repr(NOW)
    assert later.model_dump() == NOW.model_dump()
    assert hash(later) == hash(NOW)
    assert later != NOW.model_copy(update={"reason": "No."})
    assert later != NOW.model_copy(update={"native": 0.25})
    assert later != SAID


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_copied_and_pickled_it_is_the_same_score(later, again):
    case = CaseResult(origin="", case_id="a", scores=(later,))
    assert again(later) == NOW
    assert again(case) == case.model_copy(update={"scores": (NOW,)})


def test_values_are_written_in_the_order_in_which_they_are_given(later):
    assert [*later.model_dump()] == [
        *("evaluator", "evaluator_name", "value", "native", "scale", "verdict", "threshold"),
        *("reason", "cautions", "details", "informational", "line", "duration_s", "origin"),
    ]


def test_records_write_out_what_a_score_says(later):
    written = CaseResult(origin="", case_id="a", scores=(later,)).model_dump(mode="json")
    (score,) = written["scores"]
    assert score["native"] == 0.5
    assert score["verdict"] == "failed"
    assert (score["reason"], score["cautions"]) == (SAID.reason, [*SAID.cautions])
    assert score["details"] == SAID.details


def test_records_hold_nothing_but_scores_in_place_of_scores():
    with pytest.raises(ValueError, match="Score"):
        CaseResult(origin="", case_id="a", scores=({"evaluator": "e"},))


def test_the_number_stands_where_nothing_can_be_said_of_it():
    def fails():
        raise RecursionError("too deep")

    score = Check(Params()).score_later(1.0, fails)
    assert score.native == 1.0
    assert score.reason == "The reason cannot be worked out: RecursionError: too deep"
    assert score.details is MISSING


@pytest.mark.parametrize(
    ("native", "threshold", "value", "verdict"),
    [
        (None, 0.5, None, Verdict.NOT_EVALUATED),
        (1, 1.0, 1.0, Verdict.PASSED),
        (0.5, None, 0.5, None),
        (0.5, 0.5, 0.5, Verdict.PASSED),
        (1.5, 2.0, 1.0, Verdict.FAILED),
        (-1.0, 0.0, 0.0, Verdict.FAILED),
        (float("nan"), 0.0, 0.0, Verdict.FAILED),
    ],
)
def test_values_and_verdicts_follow_from_the_number(native, threshold, value, verdict):
    score = Check(Params()).score(native, "", threshold=threshold)
    assert (score.value, score.verdict) == (value, verdict)
    assert native is None or type(score.native) is float


def test_a_score_needs_no_more_than_a_name():
    assert Score("e").remarks == ("", (), MISSING)
