"""What ADK's checks have in common: paired turns, means over turns, texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, NotApplicable, Outcome, Sample, Turn
from evalcore.formats.adk import score_traps
from evalcore.jsontree import MISSING
from evalcore.model import Invocation
from evalcore.results import Score, Verdict


def paired(sample: Sample, *, required: bool) -> tuple[Turn, ...]:
    """Return the turns of a case, of which each has its expected side where the case is static.

    Raises EvaldeskError if there are more or fewer than the case has, NotApplicable if the check is
    one that compares (``required``) and nothing is expected.
    """
    case, turns = sample.case, sample.turns
    wanted = len(case.invocations) or sum(turn.expected is not None for turn in turns)
    if case.scenario is not None or (turns and not wanted):
        if required:
            raise NotApplicable(
                "This check compares with expected turns, and the case has none",
                hint="What a simulated user says is not known beforehand."
                if case.scenario is not None
                else "Write down what is expected of them.",
            )
        return turns
    if wanted != len(turns):
        raise EvaldeskError(
            f"The case has {wanted} turns and the run has {len(turns)}: they cannot be compared",
            hint="Run the case again; the agent gave no answer to a turn, or the case was changed.",
        )
    return turns


def expected_of(turn: Turn) -> Invocation:
    """Return the expected side of a turn; raises EvaldeskError where there is none."""
    if turn.expected is None:
        raise EvaldeskError("This check compares with an expected turn, and this one has none")
    return turn.expected


def plain_mean(values: Sequence[float]) -> float:
    """Return the sum divided by the count, as ADK adds floats up."""
    return sum(values) / len(values)


def over_turns(
    evaluator: Evaluator,
    turns: Sequence[Score],
    threshold: float,
    mean: Callable[[Sequence[float]], float] = plain_mean,
) -> Outcome:
    """Return the mean of the turns that have a score, passed from ``threshold`` on.

    Without any, the case is not evaluated; an error if that is so because the judge failed. The
    score of an only turn is that of the case.
    """
    if len(turns) == 1 and turns[0].native is not None:
        return Outcome(with_cautions(turns[0], ()), tuple(turns))
    scored = [turn.native for turn in turns if turn.native is not None]
    if not scored:
        return Outcome(nothing_scored(evaluator, turns), tuple(turns))
    reason = f"Mean of {len(scored)} of {len(turns)} turns."
    score = evaluator.score(mean(scored), reason, threshold=threshold)
    return Outcome(with_cautions(score, turns), tuple(turns))


def with_cautions(overall: Score, turns: Sequence[Score]) -> Score:
    """Return a case's score with what it hides of its pass mark and its turns."""
    cautions = score_traps.mark_cautions(overall)
    if turns:
        cautions += score_traps.hidden_turns(overall, turns)
    return score_traps.with_cautions(overall, cautions)


def nothing_scored(evaluator: Evaluator, turns: Sequence[Score]) -> Score:
    """Return the score of a case in which no turn has one."""
    failed = next((turn for turn in turns if turn.verdict is Verdict.ERROR), None)
    if failed is not None:
        return evaluator.score(None, failed.reason).model_copy(update={"verdict": Verdict.ERROR})
    why = "No turn has a score." if turns else "There are no turns."
    return evaluator.score(None, why)


def text(value: object) -> str:
    """Return a message as text; absent, null and what is no text are ""."""
    return value if isinstance(value, str) else ""


def input_text(turn: Turn) -> str:
    """Return what the user said in a turn."""
    said = turn.actual.input
    if said is MISSING and turn.expected is not None:
        said = turn.expected.input
    return text(said)
