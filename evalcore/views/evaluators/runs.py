"""What the last run of an eval set says of a check: its scores, and one case as it was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Sample, Turn
from evalcore.formats.tenxgraph.names import named
from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, EvalSet, Invocation
from evalcore.results import InvocationResult, Run, Score
from evalcore.scoring.joining import join
from evalcore.scoring.project import run_of_set
from evalcore.scoring.systems import NOT_ASKED, System, system_of
from evalcore.views.evaluators.bench import CheckView
from evalcore.views.run_files import runs_in

if TYPE_CHECKING:
    from evalcore.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LastRun:
    """The latest run of a set in this workspace."""

    path: str
    run: Run


def last_run(workspace: Workspace, set_path: str, eval_set: EvalSet) -> LastRun | None:
    """Return the latest run of a set that can be read, None if there is none."""
    for entry in workspace.results_of(set_path):
        try:
            runs = runs_in(workspace, entry.path)
            return LastRun(entry.path, run_of_set(runs, eval_set))
        except (EvaldeskError, OSError):
            # Results shows the file with what is wrong with it; an older run may still do.
            continue
    return None


def scores_of(run: Run, check: CheckView) -> list[Score]:
    """Return the scores of a check for whole cases, in the run's order, those without a number too.

    Where a system has scores per turn only, these are they.
    """
    names = _names(check)
    whole = [s for case in run.cases for s in case.scores if _is(s, names)]
    if whole:
        return whole
    turns = (turn for case in run.cases for turn in case.invocations)
    return [s for turn in turns for s in turn.scores if s.line is None and _is(s, names)]


@dataclass(frozen=True, slots=True)
class Shown:
    """A case as a check sees it; ``source`` says in words where the agent's side comes from."""

    sample: Sample
    source: str


def shown_case(
    case: EvalCase, eval_set: EvalSet, check: CheckView, ran: LastRun | None
) -> Shown | None:
    """Return a case with what the agent did, from the last run or else made up from the case.

    None where the system does not run the check on this case.
    """
    system = system_of(eval_set.format_id)
    criterion = system.criterion(check.ref, check.title, case)
    if criterion is NOT_ASKED:
        return None
    joined = _joined(case, eval_set, ran, system)
    if joined is not None and ran is not None:
        sample = joined.model_copy(update={"criterion": criterion})
        return Shown(sample, f"What the agent did is from the last run, {ran.path}.")
    turns = tuple(_stand_in(turn, index) for index, turn in enumerate(case.invocations))
    sample = Sample(case=case, turns=turns, criterion=criterion)
    return Shown(sample, "No run of this case is here: what is expected stands in for the agent.")


def _joined(
    case: EvalCase, eval_set: EvalSet, ran: LastRun | None, system: System
) -> Sample | None:
    if ran is None:
        return None
    for found in join(ran.run, eval_set, system):
        if not found.is_missing and found.case.origin == case.origin and found.turns:
            return found.sample()
    return None


def _stand_in(turn: Invocation, index: int) -> Turn:
    reply = turn.expected_output
    actual = InvocationResult(
        origin="stand-in",
        index=index,
        input=turn.input,
        actual_output={} if reply is MISSING else reply,
        actual_tool_calls=turn.tool_calls,
        node_visits=turn.node_order,
    )
    return Turn(expected=turn, actual=actual)


def _names(check: CheckView) -> set[str]:
    names = {check.ref, check.title}
    criterion = named(check.ref) if check.kind.startswith("tenxgraph.") else None
    if criterion is not None:
        names |= {criterion.key, criterion.result}
    return {name.casefold() for name in names if name}


def _is(score: Score, names: set[str]) -> bool:
    return score.evaluator.casefold() in names or score.evaluator_name.casefold() in names


def numbers(scores: Sequence[Score]) -> list[float]:
    """Return the numbers of scores, on their own scale."""
    return [s.native for s in scores if s.native is not None]
