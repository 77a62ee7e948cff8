"""Judges are asked in a thread of their own; what they said is kept, and errors stay errors."""

from threading import Event

import pytest

from evalcore.judges import Failure, JudgeError, JudgeReply
from evalcore.results import Verdict
from evalcore.scoring import Project
from evalcore.views.rescore import MARK, Material, Plan
from evalcore.views.rescore_board import Board
from evalcore.views.rescore_job import JudgeJob
from evalcore.views.rescore_lines import flip_lines
from tests.scoring import builders

CHECK = "final_response_match_v2"
PATIENCE = 30


def judged_board(*replies):
    """A run whose replies no judge has looked at yet; each is asked about once."""
    options = {"judge_model": "m", "num_samples": 1}
    configured = (builders.metric(CHECK, {"threshold": 0.8, "judge_model_options": options}),)
    cases = [builders.case(f"c{n}", builders.wanted("yes")) for n in range(len(replies))]
    results = [builders.result(f"c{n}", builders.happened(r)) for n, r in enumerate(replies)]
    project = Project("p", builders.eval_set(*cases), configured)
    return Board(Material(builders.run(*results), project, True, 0.8))


class Fake:
    """Says that replies with "good" are valid and that others are not, if it says anything."""

    def __init__(self, failing="", waits=False):
        self.asked = 0
        self.failing = failing
        self.was_cancelled = Event()
        self.began = Event()
        self.waits = waits

    def ask(self, request):
        self.asked += 1
        self.began.set()
        if self.waits:
            self.was_cancelled.wait(PATIENCE)
            raise JudgeError("The judge was cancelled", failure=Failure.CANCELLED)
        text = request.messages[-1].content
        if self.failing and self.failing in text:
            raise JudgeError("The judge does not answer", failure=Failure.UNREACHABLE)
        word = "valid" if "good" in text else "invalid"
        return JudgeReply(text=f'{{"is_the_agent_response_valid": "{word}"}}')

    def cancel(self):
        self.was_cancelled.set()


def asked(board, judge, plan=None):
    plan = plan or Plan()
    job = JudgeJob(board, plan, board.outcome(plan).after, lambda: judge).start()
    job.join(PATIENCE)
    return job.now


def test_the_number_of_calls_is_known_before_any_is_made():
    board = judged_board("good", "bad")
    scored = board.outcome(Plan()).after
    assert board.calls_left(scored) == 2
    assert [case.verdict for case in scored.run.cases] == [Verdict.NOT_EVALUATED] * 2


def test_what_judges_say_flips_verdicts_and_is_not_asked_again():
    board, judge = judged_board("good", "bad"), Fake()
    now = asked(board, judge)
    assert (now.stage, now.done, now.total, now.failed) == ("done", 2, 2, 0)
    outcome = board.outcome(Plan())
    assert [line.verdict_after for line in flip_lines(outcome)] == [Verdict.FAILED, Verdict.PASSED]
    assert board.calls_left(outcome.after) == 0
    asked(board, judge)
    assert judge.asked == 2


def test_a_pass_mark_that_moves_after_the_answers_asks_nothing():
    board, judge = judged_board("good", "bad"), Fake()
    asked(board, judge)
    plan = Plan().with_param(CHECK, MARK, 0.0, 0.8)
    outcome = board.outcome(plan)
    assert [case.verdict for case in outcome.after.run.cases] == [Verdict.PASSED] * 2
    assert board.calls_left(outcome.after) == 0
    assert judge.asked == 2


def test_an_answer_that_fails_stays_an_error_until_it_is_asked_again():
    board, judge = judged_board("good", "odd"), Fake(failing="odd")
    now = asked(board, judge)
    assert (now.stage, now.failed) == ("done", 1)
    assert "does not answer" in now.problem
    outcome = board.outcome(Plan())
    said = [case.scores[0].verdict for case in outcome.after.run.cases]
    assert said == [Verdict.PASSED, Verdict.ERROR]
    assert board.calls_left(outcome.after) == 1
    judge.failing = ""
    assert asked(board, judge).failed == 0
    (first, second) = board.outcome(Plan()).after.run.cases
    assert (first.verdict, second.verdict) == (Verdict.PASSED, Verdict.FAILED)


def test_other_settings_of_a_judge_are_another_question():
    board, judge = judged_board("good"), Fake()
    asked(board, judge)
    changed = Plan().with_param(CHECK, "include_intermediate_responses_in_final", True, False)
    assert board.calls_left(board.outcome(changed).after) == 1


def test_cancelling_ends_the_questions_under_way_and_is_no_error():
    board, judge = judged_board("good", "bad"), Fake(waits=True)
    job = JudgeJob(board, Plan(), board.outcome(Plan()).after, lambda: judge).start()
    assert judge.began.wait(PATIENCE)
    assert job.now.stage == "running"
    job.cancel()
    job.join(PATIENCE)
    assert job.now.stage == "cancelled"
    after = board.outcome(Plan()).after
    assert [c.verdict for c in after.run.cases] == [Verdict.NOT_EVALUATED] * 2
    assert board.calls_left(after) == 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (JudgeError("No key", hint="Set one."), "No key Set one."),
        (ZeroDivisionError("division by zero"), "Something went wrong in Evaldesk itself"),
    ],
)
def test_a_judge_that_cannot_be_made_is_told(error, told):
    def connect():
        raise error

    board = judged_board("good")
    job = JudgeJob(board, Plan(), board.outcome(Plan()).after, connect).start()
    job.join(PATIENCE)
    assert job.now.stage == "failed"
    assert told in job.now.problem


def test_a_judge_is_closed_when_it_is_done():
    class Closing(Fake):
        closed = 0

        def close(self):
            self.closed += 1

    judge = Closing()
    asked(judged_board("good"), judge)
    assert judge.closed == 1
