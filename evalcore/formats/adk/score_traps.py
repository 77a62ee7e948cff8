"""What the scores of ADK and Harnest hide, in words: of stored scores, and of those made here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evalcore.formats.adk.fields import both, member
from evalcore.formats.adk.metrics import METRICS, match_type
from evalcore.jsontree import JsonObject
from evalcore.results import InvocationResult, Score, Verdict

ROUNDING: Final = 1e-9
"""Scores that are closer than this to the pass mark differ from it by rounding alone."""
SIMULATOR: Final = "per_turn_user_simulator_quality_v1"
TRAJECTORY: Final = "tool_trajectory_avg_score"
RESPONSE: Final = "response_match_score"
TOKENS: Final = "token_usage_v1"
EMPTY_REFERENCE: Final = (
    "The expected reply is empty: that scores 0 against anything, an empty reply too."
)
ANY_CALLS: Final = "Nothing is expected here, so any calls pass."
UNREAD_RUBRICS: Final = (
    "The turn has rubrics and no answer for them: ADK reads the judge's answers by the rubrics of "
    "the last turn. The case's score leaves them out."
)


def with_cautions(score: Score, cautions: Sequence[str]) -> Score:
    """Return a score with more cautions; the same one where there are none."""
    if not cautions:
        return score
    return score.model_copy(update={"cautions": (*score.cautions, *cautions)})


def mark_cautions(score: Score) -> list[str]:
    """Return what there is to say of a score's pass mark."""
    mark, native = score.threshold, score.native
    if mark is None or native is None or score.scale is None:
        return []
    if mark <= score.scale.worst:
        return [f"With a pass mark of {mark:g} every score passes."]
    if mark > score.scale.best:
        return [f"No score reaches a pass mark of {mark:g}."]
    if 0 < mark - native < ROUNDING:
        return [f"Fails by rounding alone: {native!r} is just below {mark!r}."]
    return []


def hidden_turns(overall: Score, turns: Sequence[Score]) -> list[str]:
    """Return what a case's score does not show of its turns."""
    cautions = []
    missing = sum(turn.native is None for turn in turns)
    if missing:
        cautions.append(f"{missing} of {len(turns)} turns have no score and do not count.")
    failing = sum(turn.verdict is Verdict.FAILED for turn in turns)
    if overall.verdict is Verdict.PASSED and failing:
        cautions.append(f"Passes although {failing} of {len(turns)} turns fail.")
    return cautions


def of_case_score(score: Score, turns: Sequence[Score]) -> list[str]:
    """Return what a stored score of a case hides. ``turns`` are its turns' scores of the check."""
    if score.native is None:
        return []
    if score.informational:
        return _uncounted_tokens(score, turns)
    return [
        *mark_cautions(score),
        *_strange_number(score),
        *_strange_verdict(score, turns),
        *_turns(score, turns),
    ]


def of_turn_score(score: Score, turn: InvocationResult, raw: JsonObject) -> list[str]:
    """Return what a stored score of a turn hides; ``raw`` is the metric's result in the file."""
    if score.evaluator == TRAJECTORY:
        return _free_calls(score, turn, raw)
    if score.evaluator == RESPONSE and score.native == 0:
        return _without_words(turn)
    return []


def _strange_number(score: Score) -> list[str]:
    scale = score.scale
    if scale is None or score.native is None or scale.worst <= score.native <= scale.best:
        return []
    return [f"{score.native:g} lies outside {scale.worst:g} to {scale.best:g}."]


def _strange_verdict(score: Score, turns: Sequence[Score]) -> list[str]:
    """Say where a verdict is not what its number gives, or what the mean of the turns gives."""
    mark, native = score.threshold, score.native
    if mark is None or native is None or score.verdict not in (Verdict.PASSED, Verdict.FAILED):
        return []
    passed = score.verdict is Verdict.PASSED
    if (native >= mark) is not passed:
        return [f"The verdict is not what {native:g} against {mark:g} gives: less may be better."]
    known = [turn.native for turn in turns if turn.native is not None]
    mean = sum(known) / len(known) if known else native
    if (mean >= mark) is passed or abs(mean - mark) < ROUNDING:
        return []
    return [
        f"The turns average {mean:g} against {mark:g}. Harnest's exit code and ADK's pytest helper "
        f"go by that: for them it {'failed' if passed else 'passed'}."
    ]


def _turns(score: Score, turns: Sequence[Score]) -> list[str]:
    metric = METRICS.get(score.evaluator)
    if metric is not None and metric.last_turn_only:
        return []
    cautions = hidden_turns(score, turns)
    missing = sum(turn.native is None for turn in turns)
    if score.evaluator == SIMULATOR and missing:
        cautions[0] = f"{missing} of {len(turns)} turns have no score and count as not passed."
    return cautions


def _uncounted_tokens(score: Score, turns: Sequence[Score]) -> list[str]:
    missing = sum(turn.native is None for turn in turns)
    if score.evaluator != TOKENS or not missing:
        return []
    return [f"{missing} of {len(turns)} turns report no tokens and count as 0 in this mean."]


def _free_calls(score: Score, turn: InvocationResult, raw: JsonObject) -> list[str]:
    if score.native != 1 or turn.expected_tool_calls != () or not turn.actual_tool_calls:
        return []
    written = member(member(raw, both("criterion")), both("match_type"))
    return [] if match_type(written) in (None, "EXACT") else [ANY_CALLS]


def _without_words(turn: InvocationResult) -> list[str]:
    expected = turn.expected_output if isinstance(turn.expected_output, str) else ""
    if not expected.strip():
        return [EMPTY_REFERENCE]
    if any(c.isascii() and c.isalnum() for c in expected):
        return []
    if any(c.isalnum() for c in expected):
        return ["ADK before July 2026 found no words in text that is not Latin, and scored 0."]
    return ["The expected reply has no words, only signs: that scores 0 against anything."]
