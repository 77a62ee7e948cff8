"""Scoring a run under a plan in a thread of its own, with progress, and a way to stop."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Literal

from evalcore.errors import EvaldeskError
from evalcore.model import EvalSet
from evalcore.scoring import Comparison
from evalcore.views.rescore import Plan
from evalcore.views.rescore_board import Board, Outcome
from evalcore.views.rescore_lines import Line, Totals, all_lines, flip_lines, totals

LOG = logging.getLogger("evaldesk")
Stage = Literal["running", "done", "cancelled", "failed"]


class _Cancelled(Exception):
    """The user does not want to wait."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """What a plan comes to, with all that is counted once: nothing in it is computed again.

    ``every`` has the place and the check of each score, worst first; ``line_of`` makes its line.
    ``calls`` are the questions that judges would be asked.
    """

    outcome: Outcome
    flipped: tuple[Line, ...]
    every: tuple[tuple[int, str], ...]
    totals: Totals
    calls: int
    differences: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class State:
    """How far a scoring is: ``done`` of ``total`` case results, both 0 before the first.

    ``error`` is why it failed, None where that is a fault of ours, which the log has in full.
    """

    stage: Stage = "running"
    done: int = 0
    total: int = 0
    error: EvaldeskError | None = None

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.done / self.total if self.total else 0.0


class ScoringJob:
    """Scores what a plan and a draft come to on a board; ``result`` is there once it is done."""

    def __init__(self, board: Board, plan: Plan, draft: EvalSet | None = None) -> None:
        self.board = board
        self.plan = plan
        self.draft = draft
        self.version = board.answers.version
        self.result: Rescored | None = None
        self._state = State()
        self._stop = Event()
        self._lock = Lock()
        self._thread = Thread(target=self._run, name="evaldesk-scoring", daemon=True)

    def fits(self, board: Board, plan: Plan, draft: EvalSet | None) -> bool:
        """Return whether this is still the scoring that is asked for."""
        same = self.board is board and self.plan == plan and self.draft is draft
        return same and self.version == board.answers.version

    def start(self) -> ScoringJob:
        """Begin."""
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Score no further case; what was scored is remembered by the board."""
        self._stop.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end, or for so many seconds."""
        self._thread.join(timeout)

    @property
    def now(self) -> State:
        """How far it is."""
        with self._lock:
            return self._state

    def _run(self) -> None:
        try:
            self.result = self._rescored()
            self._set(State("done"))
        except _Cancelled:
            self._set(State("cancelled", self.now.done, self.now.total))
        except EvaldeskError as error:
            self._set(State("failed", error=error))
        except Exception:
            LOG.exception("unexpected error while a run was scored")
            self._set(State("failed"))

    def _rescored(self) -> Rescored:
        outcome = self.board.outcome(self.plan, self.draft, self._progress)
        self._require_going()
        differences = self.board.differences()
        self._require_going()
        calls = self.board.calls_left(outcome.after)
        self._require_going()
        return Rescored(
            outcome=outcome,
            flipped=tuple(flip_lines(outcome)),
            every=tuple(all_lines(outcome)),
            totals=totals(outcome),
            calls=calls,
            differences=differences,
        )

    def _progress(self, done: int, total: int) -> None:
        self._require_going()
        self._set(State("running", done, total))

    def _require_going(self) -> None:
        if self._stop.is_set():
            raise _Cancelled

    def _set(self, state: State) -> None:
        with self._lock:
            self._state = state
