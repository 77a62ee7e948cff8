"""A run is scored in a thread of its own: its result is the board's, and it can be stopped."""

import logging
from threading import Event

import pytest

from evalcore.errors import EvaldeskError
from evalcore.results import Verdict
from evalcore.views.rescore import MARK, Plan
from evalcore.views.rescore_board import Board
from evalcore.views.rescore_lines import all_lines, flip_lines, totals
from evalcore.views.rescore_scoring import ScoringJob
from tests.views.rescored import FLIPS, board, material

PATIENCE = 30
REF = "response_match_score"


def done(job):
    job.start()
    job.join(PATIENCE)
    return job


@pytest.mark.parametrize("name", FLIPS)
def test_what_it_counts_is_what_the_outcome_holds(name):
    of = board(name)
    job = done(ScoringJob(of, Plan()))
    found = job.result
    assert job.now.stage == "done"
    assert found.outcome == of.outcome(Plan())
    assert found.flipped == tuple(flip_lines(found.outcome))
    assert found.every == tuple(all_lines(found.outcome))
    assert found.totals == totals(found.outcome)
    assert found.calls == of.calls_left(found.outcome.after)
    assert found.differences == of.differences()


def stopped_at(monkeypatch, job, case):
    """Stop a job while it scores its ``case``-th case, from 1; return how far it says it was."""
    told = []
    real = job._progress

    def progress(done, total):
        if done == case:
            job.cancel()
        told.append((done, total))
        real(done, total)

    monkeypatch.setattr(job, "_progress", progress)
    done(job)
    return told


def test_it_tells_how_far_it_is_and_stops_at_the_next_case(monkeypatch):
    job = ScoringJob(board("adk"), Plan())
    told = stopped_at(monkeypatch, job, 3)
    assert told == [(1, 9), (2, 9), (3, 9)]
    assert (job.now.stage, job.now.done, job.now.total) == ("cancelled", 2, 9)
    assert job.result is None


def test_after_a_stop_the_same_question_is_answered_in_full(monkeypatch):
    of = board("adk")
    stopped_at(monkeypatch, ScoringJob(of, Plan()), 3)
    assert done(ScoringJob(of, Plan())).result.totals == totals(board("adk").outcome(Plan()))


def test_a_page_can_ask_the_board_while_a_job_is_under_way():
    of = board("adk")
    first = of.outcome(Plan())
    held, going = Event(), Event()

    def waits(done, total):
        going.set()
        assert held.wait(PATIENCE)

    job = ScoringJob(of, Plan().with_param(REF, MARK, 0.97, 0.7))
    job._progress = waits
    job.start()
    assert going.wait(PATIENCE)
    assert of.outcome(Plan()).before is first.before
    assert of.one(first.after, 0).case_id == first.after.run.cases[0].case_id
    held.set()
    job.join(PATIENCE)
    assert job.result.totals.passed_after == 3


def test_a_job_fits_its_own_question_alone():
    of = board("adk")
    job = ScoringJob(of, Plan())
    draft = of.material.eval_set.model_copy()
    assert job.fits(of, Plan(), None)
    assert not job.fits(of, Plan().switched(REF, on=False), None)
    assert not job.fits(of, Plan(), draft)
    assert not job.fits(board("adk"), Plan(), None)
    of.answers.version += 1
    assert not job.fits(of, Plan(), None)


def test_a_parameter_that_is_not_usable_is_the_error_of_the_job():
    plan = Plan().with_param("tool_trajectory_avg_score", "match_type", "SIDEWAYS", "EXACT")
    job = done(ScoringJob(board("adk"), plan))
    assert job.now.stage == "failed"
    assert isinstance(job.now.error, EvaldeskError)
    assert "match_type" in job.now.error.message


def test_a_fault_of_ours_is_in_the_log_and_not_on_the_page(monkeypatch, caplog):
    def breaks(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(Board, "outcome", breaks)
    with caplog.at_level(logging.ERROR, logger="evaldesk"):
        job = done(ScoringJob(Board(material("adk")), Plan()))
    assert (job.now.stage, job.now.error) == ("failed", None)
    assert "ZeroDivisionError" in caplog.text


def test_the_rate_is_that_of_the_report_card_and_says_what_it_leaves_out():
    found = totals(board("adk").outcome(Plan()))
    assert found.rate == "Pass rate 71.4 % (5 of 7); not in the rate: 1 error, 1 not evaluated."
    assert found.counts[Verdict.PASSED] == 5


def test_a_run_of_nothing_but_errors_has_no_rate():
    found = totals(board("adk").outcome(Plan()))
    found.counts.clear()
    assert found.rate == "There is no case."
    found.counts[Verdict.ERROR] = 2
    assert found.rate == "No case passed or failed: 2 errors."
