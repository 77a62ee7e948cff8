"""Asking judges about a run in a thread of its own, with progress, and a way to stop."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Literal

from evalcore.errors import EvaldeskError
from evalcore.judges import Judge
from evalcore.results import CaseResult, Run
from evalcore.scoring import score
from evalcore.views.rescore import Plan, checks_for_plan, scoring_of
from evalcore.views.rescore_board import Board, Scored

Stage = Literal["running", "done", "cancelled", "failed"]


class _Cancelled(Exception):
    """The user wants no more answers."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is: ``done`` of ``total`` case results.

    ``failed`` counts scores for which there was no answer; ``problem`` is why the job ended early,
    or why a judge did not answer. ``cost`` is what was paid so far, in words.
    """

    stage: Stage
    done: int
    total: int
    calls: int
    failed: int = 0
    problem: str = ""
    cost: str = ""

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.done / self.total if self.total else 1.0


class JudgeJob:
    """Asks what is not answered yet for one scoring, and hands the answers to its board.

    ``connect`` makes the judge, in the job's thread.
    """

    def __init__(
        self,
        board: Board,
        plan: Plan,
        scored: Scored,
        connect: Callable[[], Judge],
        at_once: int = 8,
    ) -> None:
        self._board = board
        self._plan = plan
        self._scored = scored
        self._connect = connect
        self._at_once = at_once
        self._stop = Event()
        self._lock = Lock()
        self._judge: Judge | None = None
        self._now = Progress("running", 0, len(scored.run.cases), board.calls_left(scored))
        self._thread = Thread(target=self._run, name="evaldesk-rescore", daemon=True)

    def start(self) -> JudgeJob:
        """Begin to ask."""
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Ask nothing more; what was answered is kept."""
        self._stop.set()
        with self._lock:
            judge = self._judge
        stop = getattr(judge, "cancel", None)
        if callable(stop):
            stop()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(timeout)

    @property
    def now(self) -> Progress:
        """How far it is."""
        with self._lock:
            cost = _cost(self._judge)
            now = self._now
        return Progress(
            now.stage, now.done, now.total, now.calls, now.failed, now.problem, cost or now.cost
        )

    def _run(self) -> None:
        try:
            run = self._asked()
            failed = self._board.take_answers(run, self._scored)
            why = _first_error(run, self._scored) if failed else ""
            self._set(stage="done", failed=failed, problem=why)
        except _Cancelled:
            empty = self._board.material.run.model_copy(update={"cases": self._unscored()})
            self._board.take_answers(empty, self._scored)
            self._set(stage="cancelled")
        except EvaldeskError as error:
            self._set(stage="failed", problem=f"{error.message} {error.hint}".strip())
        except Exception as error:
            told = "".join(traceback.format_exception_only(error)).strip()
            self._set(stage="failed", problem=f"Something went wrong in Evaldesk itself: {told}")
        finally:
            close = getattr(self._judge, "close", None)
            if callable(close):
                close()

    def _asked(self) -> Run:
        judge = self._connect()
        with self._lock:
            self._judge = judge
        material = self._board.material
        filed = checks_for_plan(material, self._plan, judge)
        judged = [check for check in filed if check.is_judged]
        how = scoring_of(material, self._plan, ask=True, at_once=self._at_once)
        memory = self._board.answers.memory
        return score(material.run, self._scored.eval_set, judged, how, memory, self._progress)

    def _progress(self, done: int, total: int) -> None:
        if self._stop.is_set():
            raise _Cancelled
        with self._lock:
            now = self._now
            self._now = Progress(now.stage, done, total, now.calls)

    def _unscored(self) -> tuple[CaseResult, ...]:
        """Return the results without any score, so that what was not asked is no error."""
        bare = {"scores": (), "invocations": ()}
        return tuple(case.model_copy(update=bare) for case in self._board.material.run.cases)

    def _set(self, *, stage: Stage, failed: int = 0, problem: str = "") -> None:
        with self._lock:
            now = self._now
            done = now.total if stage == "done" else now.done
            self._now = Progress(
                stage, done, now.total, now.calls, failed, problem, _cost(self._judge)
            )


def _first_error(run: Run, scored: Scored) -> str:
    from evalcore.results import Verdict
    from evalcore.scoring import whole_scores

    judged = {check.ref for check in scored.checks if check.is_judged}
    return next(
        (
            found.reason
            for case in run.cases
            for found in whole_scores(case)
            if found.evaluator in judged and found.verdict is Verdict.ERROR
        ),
        "",
    )


def _cost(judge: Judge | None) -> str:
    tally = getattr(judge, "tally", None)
    if tally is None or not tally.answers:
        return ""
    fresh = tally.answers - tally.cached
    parts = [f"{tally.answers:,} answers, {tally.cached:,} of them kept from before"]
    if fresh:
        parts.append(f"{tally.input_tokens + tally.output_tokens:,} tokens")
    if tally.cost_usd:
        parts.append(f"${tally.cost_usd:.2f}")
    return ", ".join(parts)
